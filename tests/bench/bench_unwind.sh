#!/bin/sh
# bench_unwind.sh - time a capture with stack dumps beside perf script; run by 'make bench'
#
# usage: bench_unwind.sh [--check]
#   --check  fail when a limit is passed
# environment, with defaults: TEPHRA=./tephra BENCH_UNWIND_RUNS=5 BENCH_UNWIND_SECONDS=40 PERF=perf
#
# Records the capture itself: workload.c with dumps of 8 KB, at least 100 MB, 250 MB by default.
# To read the names of files takes tephra 0.15 s, however long the capture is.

set -eu
export LC_ALL=C

tephra=${TEPHRA:-./tephra}
perf=${PERF:-perf}
runs=${BENCH_UNWIND_RUNS:-5}
seconds=${BENCH_UNWIND_SECONDS:-40}
bench=${BENCH_BUILD:-tests/bench}
data=$bench/data
capture=$data/unwind.perf.data
least=3000000 # frames a second
most=0.10     # of the CPU of perf script

. "$(dirname "$0")/common.sh"

# ratio <ours> <theirs>
ratio()
{
	awk -v a="$(median "$1" 1)" -v b="$(median "$2" 1)" 'BEGIN { printf "%.3f", a / b }'
}

# keep <what> <figure> <limit> <most|least>
keep()
{
	awk -v figure="$2" -v limit="$3" -v kind="$4" \
		'BEGIN { exit kind == "most" ? figure > limit : figure < limit }' || {
		echo "$1: $2, the limit is $4 $3"
		status=1
	}
}

command -v "$perf" >/dev/null || {
	echo "bench_unwind: there is no '$perf'; nothing was measured" >&2
	exit 0
}
[ -x "$tephra" ] || die "there is no program '$tephra'"
mkdir -p "$data"
[ -s "$capture" ] || record_workload "$capture" -F 4999 --call-graph dwarf,8192
status=0
rm -f "$data"/unwind-ours* "$data"/unwind-theirs*
run=0
while [ "$run" -lt "$runs" ]; do
	once "$data/unwind-ours" "$tephra" fold -q --inline=off "$capture"
	once "$data/unwind-ours-inline" "$tephra" fold -q "$capture"
	"$bench/unwind" "$capture" >>"$data/unwind-ours-stage"
	run=$((run + 1))
done
once "$data/unwind-theirs" "$perf" script --no-inline -i "$capture"
once "$data/unwind-theirs-inline" "$perf" script -i "$capture"
frames=$(sort -n -k4,4 "$data/unwind-ours-stage" | awk '{ rate[NR] = $4 } END { print rate[int((NR + 1) / 2)] }')
plain=$(ratio "$data/unwind-ours" "$data/unwind-theirs")
inlined=$(ratio "$data/unwind-ours-inline" "$data/unwind-theirs-inline")
{
	printf '%-32s %8s %8s %8s\n' program 'CPU s' 'wall s' 'RSS MB'
	line 'perf script --no-inline' "$data/unwind-theirs"
	line 'tephra fold --inline=off' "$data/unwind-ours"
	line 'perf script' "$data/unwind-theirs-inline"
	line 'tephra fold' "$data/unwind-ours-inline"
	echo "$(wc -c <"$capture") bytes, $(head -n 1 "$data/unwind-ours-stage" | cut -d' ' -f1) samples, $(head -n 1 "$data/unwind-ours-stage" | cut -d' ' -f2) frames; read and unwound without names: $frames frames a second (limit: at least $least)"
	echo "of $(median "$data/unwind-ours-stage" 3) s of that $(median "$data/unwind-ours-stage" 5) s are reading alone"
	echo "CPU of perf script's: $plain without inlined functions, $inlined with them (limit: $most)"
} | tee "$bench/bench_unwind.txt"
keep 'frames a second' "$frames" "$least" least
keep 'CPU without inlined functions' "$plain" "$most" most
keep 'CPU with inlined functions' "$inlined" "$most" most
[ "${1:-}" != --check ] || exit "$status"
