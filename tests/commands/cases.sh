#!/bin/sh
# cases.sh - the cases that lie in a folder "shared" beside the checkout, a line each; skips without it

set -u
export LC_ALL=C

tephra=${TEPHRA:-./tephra}
source=${srcdir:-.}
shared=${TEPHRA_SHARED:-$source/../shared}
run=$shared/cases/run.py

command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not installed'; exit 0; }
[ -f "$run" ] || { echo '1..0 # SKIP there is no folder "shared" beside the checkout'; exit 0; }

# "012 script-samples slug: ok", "...: skip (why)", "...: not ok: why"; a line of sums at the end
PYTHONDONTWRITEBYTECODE=1 python3 "$run" "$tephra" --kinds script,flame,diff -v 2>&1 | awk '
	/^[0-9]+ passed, / { has_sums = 1; next }
	/^[0-9]+ [a-z-]+ [^ ]+: ok$/ { sub(/: ok$/, ""); print "ok " ++nr " - " $0; next }
	/^[0-9]+ [a-z-]+ [^ ]+: skip/ { sub(/: skip/, " # SKIP"); print "ok " ++nr " - " $0; next }
	/^[0-9]+ [a-z-]+ [^ ]+: not ok/ { sub(/: not ok/, " #"); print "not ok " ++nr " - " $0; next }
	{ print "# " $0 }
	END {
		if (!has_sums) print "not ok " ++nr " - the cases were run to their end"
		print "1.." nr
	}'
