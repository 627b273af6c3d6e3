#!/bin/sh
# test_damaged.sh - damaged call-frame information is read in bounded time, and never out of bounds
#
# HAMMER_SECONDS per file (3); a failure's seed can be given to tests/unwind/hammer_rules again.

set -u
export LC_ALL=C

programs=$(cd "${srcdir:-.}/tests/unwind/programs" && pwd) || exit 99
hammer=$(pwd)/tests/unwind/hammer_rules
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
trap 'exit 99' HUP INT TERM
nr=0
cd "$folder" || exit 99

# hammer <title> <compiler> <argument>...
hammer()
{
	title=$1
	shift
	if ! "$@" -w -o program 2>err; then
		echo "# $title: left out, it is not built: $(head -n 1 err)"
		return
	fi
	nr=$((nr + 1))
	if "$hammer" program "${HAMMER_SECONDS-3}" >out 2>&1; then
		echo "ok $nr - $title: damage is survived"
		sed 's/^/# /' out
	else
		echo "not ok $nr - $title: damage is survived"
		echo "# seed $(cat hammer.seed)"
		sed 's/^/# /' out | head -n 60
	fi
}

hammer ".eh_frame with a table" gcc -O2 "$programs/frames.c"
hammer ".eh_frame without a table" gcc -O2 -Wl,--no-eh-frame-hdr "$programs/frames.c"
hammer "many functions" gcc -O2 -static "$programs/frames.c"
hammer "hand-written expressions" gcc -nostdlib -shared "$programs/assembled.s"
hammer ".debug_frame" gcc -O2 -g -fno-asynchronous-unwind-tables -nostdlib -shared -fPIC \
	"$programs/frames.c"
hammer ".debug_frame, compressed" gcc -O2 -g -gz -fno-asynchronous-unwind-tables -nostdlib -shared \
	-fPIC "$programs/frames.c"
hammer "aarch64" clang --target=aarch64-linux-gnu -nostdlib -shared -fuse-ld=lld \
	"$programs/assembled_arm64.s"

echo "1..$nr"
