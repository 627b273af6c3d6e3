#!/bin/sh
# test_hostile.sh - damaged debug data is refused or read in part, in bounded time, and never out of bounds
#
# HAMMER_SECONDS per file (3); a failure's seed can be given to tests/symbols/hammer again. What a
# sanitizer finds inside of libdw is libdw's: the report's stack says whose it is.

set -u
export LC_ALL=C
unset DEBUGINFOD_URLS

programs=$(cd "${srcdir:-.}/tests/symbols/programs" && pwd) || exit 99
hammer=$(pwd)/tests/symbols/hammer
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
trap 'exit 99' HUP INT TERM
nr=0

# hammer_file <title>: damages $folder/program
hammer_file()
{
	nr=$((nr + 1))
	if (cd "$folder" && "$hammer" program "${HAMMER_SECONDS-3}") >"$folder/out" 2>&1; then
		echo "ok $nr - $1: damage is survived"
		echo "# $(cat "$folder/out") damaged files"
	else
		echo "not ok $nr - $1: damage is survived"
		echo "# seed $(cat "$folder/hammer.seed")"
		sed 's/^/# /' "$folder/out" | head -n 60
	fi
}

# build <title> <compiler> <source>... <option>...
build()
{
	title=$1
	shift
	if ! command -v "$1" >/dev/null; then
		echo "# $title: left out, $1 is not installed"
		return 0
	fi
	"$@" -o "$folder/program" 2>"$folder/out" && {
		hammer_file "$title"
		return 0
	}
	nr=$((nr + 1))
	echo "not ok $nr - $title: it can be compiled"
	sed 's/^/# /' "$folder/out"
}

cd "$programs" || exit 99
for version in 2 4 5; do
	build "gcc, DWARF $version" gcc -O2 -g -gdwarf-$version calls.c calls_walk.c
done
build "clang, DWARF 5" clang -O2 -g -gdwarf-5 calls.c calls_walk.c
build "g++" g++ -O2 -g shapes.cc
cd "$folder" || exit 99
build "split debug data" gcc -O2 -g -gsplit-dwarf "$programs/calls.c" "$programs/calls_walk.c"

echo "1..$nr"
