#!/bin/sh
# bench_symbols.sh - functions and lines of 200,000 addresses, beside llvm-symbolizer and addr2line
#
# usage: bench_symbols.sh [--check]
#   --check  fail when a limit is passed
# environment, with defaults: BENCH_SYMBOLS_RUNS=5 BENCH_SYMBOLS_ADDRESSES=200000
#   BENCH_SYMBOLS_C, BENCH_SYMBOLS_CXX, BENCH_SYMBOLS_RUST: files with debug data
#
# Files that are not named are taken from Debian's packages
# python3.11-dbg and ceph-mds-dbg (140 MB), which apt-get downloads into tests/bench/data; for Rust
# the standard library of the installed rustc. What cannot be had is left out, and says so.

set -eu
export LC_ALL=C
unset DEBUGINFOD_URLS

bench=${BENCH_BUILD:-tests/bench}
source=$(cd "$(dirname "$0")/.." && pwd)
driver=${PRINT_CHAINS:-tests/symbols/print_chains} # its chains are compared, the program is measured
tephra=${TEPHRA:-./tephra}
runs=${BENCH_SYMBOLS_RUNS:-5}
addresses_nr=${BENCH_SYMBOLS_ADDRESSES:-200000}
data=$bench/data
out=$bench/bench_symbols.txt
status=0

. "$(dirname "$0")/common.sh"

# debug_file <package>: the largest debug file of a Debian package; nothing if it cannot be had
debug_file()
{
	folder=$data/$1
	if [ ! -d "$folder" ]; then
		mkdir -p "$folder.new"
		(cd "$folder.new" && apt-get -q -q download "$1" && dpkg-deb -x ./*.deb . && rm ./*.deb) \
			>"$data/stderr" 2>&1 || return 0
		mv "$folder.new" "$folder"
	fi
	find "$folder" -name '*.debug' -size +2M -printf '%s %p\n' | sort -rn | sed -n '1s/^[0-9]* //p'
}

rust_library()
{
	command -v rustc >/dev/null || return 0
	find "$(rustc --print sysroot)/lib" -name 'libstd-*.so' | sort | while read -r file; do
		! readelf -SW "$file" | grep -q '\.debug_info' || echo "$file"
	done | head -n 1
}

# addresses <file>: random ones of its .text, rising; the same each time
addresses()
{
	python3 - "$1" "$addresses_nr" <<'END'
import random, re, subprocess, sys
text = subprocess.run(["readelf", "-SW", sys.argv[1]], stdout=subprocess.PIPE,
	stderr=subprocess.DEVNULL, check=False).stdout
begin, size = re.search(rb"\] \.text +\S+ +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)", text).groups()
begin, size, nr = int(begin, 16), int(size, 16), min(int(sys.argv[2]), int(size, 16))
for address in sorted(random.Random(1).sample(range(begin, begin + size), nr)):
    print(hex(address))
END
}

# fed <report> <command>...: as once, with the addresses on its standard input
fed()
{
	once "$@" <"$data/addresses"
}

# ratio <column> <reports>: the median of ours over the median of the other's
ratio()
{
	awk -v a="$(median "$data/symbols-ours" "$1")" -v b="$(median "$2" "$1")" \
		'BEGIN { printf "%.2f", a / b }'
}

# keep <limit> <ratio> <what>
keep()
{
	awk -v limit="$1" -v ratio="$2" 'BEGIN { exit ratio > limit }' || {
		echo "$3: $2 is over the limit of $1"
		status=1
	}
}

# compare_file <title> <CPU limit> <memory limit> <file>
compare_file()
{
	[ -n "$4" ] || {
		echo "$1: left out, there is no file"
		return 0
	}
	addresses "$4" >"$data/addresses"
	rm -f "$data/symbols-ours" "$data/symbols-llvm" "$data/symbols-addr2line"
	run=0
	while [ "$run" -lt "$runs" ]; do
		fed "$data/symbols-ours" "$tephra" symbolize --symbols=given --format=csv --jobs=1 \
			--addresses=- "--binary=$4"
		fed "$data/symbols-llvm" llvm-symbolizer --inlines --functions=linkage \
			--no-demangle "--obj=$4"
		run=$((run + 1))
	done
	fed "$data/symbols-addr2line" addr2line -a -i -f -e "$4"
	echo "$1: $(basename "$4"), $(wc -l <"$data/addresses") addresses; CPU s, RSS MB"
	line ours "$data/symbols-ours"
	line llvm-symbolizer "$data/symbols-llvm"
	line 'addr2line, once' "$data/symbols-addr2line"
	cpu=$(ratio 1 "$data/symbols-llvm") memory=$(ratio 3 "$data/symbols-llvm")
	echo "  of llvm-symbolizer's: CPU $cpu, memory $memory; of addr2line's: CPU $(ratio 1 "$data/symbols-addr2line")"
	job="symbols $1"
	input="$(wc -l <"$data/addresses") addresses of $(basename "$4")"
	row llvm-symbolizer "$data/symbols-llvm"
	row 'tephra symbolize' "$data/symbols-ours" "$cpu" 'of llvm-symbolizer' "<=$2"
	row 'tephra symbolize, its memory' "$data/symbols-ours" "$memory" 'of llvm-symbolizer' "<=$3"
	keep "$2" "$cpu" "$1: CPU"
	keep "$3" "$memory" "$1: memory"
	"$driver" "$4" <"$data/addresses" >"$data/chains-ours" 2>"$data/stderr"
	llvm-symbolizer --inlines --functions=linkage --no-demangle "--obj=$4" \
		<"$data/addresses" >"$data/chains-llvm" 2>"$data/stderr"
	"$source/symbols/compare_chains.py" "$4" "$data/addresses" "$data/chains-ours" \
		"$data/chains-llvm" 2>&1 | sed 's/^/  /' || status=1
}

command -v llvm-symbolizer >/dev/null || {
	echo "bench_symbols: there is no llvm-symbolizer; nothing was measured" >&2
	rm -f "$rows"
	exit 0
}
begin_rows
{
	compare_file C++ 0.7 0.6 "${BENCH_SYMBOLS_CXX-$(debug_file ceph-mds-dbg)}"
	compare_file C 0.4 0.6 "${BENCH_SYMBOLS_C-$(debug_file python3.11-dbg)}"
	compare_file Rust 0.7 2 "${BENCH_SYMBOLS_RUST-$(rust_library)}"
	echo "$status" >"$data/symbols-status"
} | tee "$out"
[ "${1:-}" != --check ] || exit "$(cat "$data/symbols-status")"
