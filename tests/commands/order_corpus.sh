#!/bin/sh
# order_corpus.sh - tephra order on the relay of a corpus in a folder "shared" beside the checkout; skips without it

set -u
export LC_ALL=C

tephra=$(realpath "${TEPHRA:-./tephra}") || exit 99
source=${srcdir:-.}
shared=${TEPHRA_SHARED:-$source/../shared}
corpus=$shared/corpus/evidence/relay

command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not installed'; exit 0; }
[ -d "$corpus" ] || { echo '1..0 # SKIP there is no folder "shared" beside the checkout'; exit 0; }
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
trap 'exit 99' HUP INT TERM

for mode in baseline cpu lock; do
	"$tephra" import -q --symbols=no "$corpus/$mode/perf.cpu.data" "$corpus/$mode/counters.csv" -o "$folder/$mode.tephra" 2>>"$folder/err" &&
		"$tephra" order -q --format=json "$folder/$mode.tephra" >"$folder/$mode.json" 2>>"$folder/err"
done
PYTHONDONTWRITEBYTECODE=1 python3 "$source/tests/support/order_corpus.py" "$corpus" "$folder" || sed 's/^/# /' "$folder/err"
