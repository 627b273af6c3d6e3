#!/bin/sh
# bench_perf.sh - time a perf.data beside perf script; run by 'make bench'
#
# usage: bench_perf.sh [--check]
#   --check  fail when the limit is passed
# environment, with defaults: TEPHRA=./tephra BENCH_PERF_RUNS=5 BENCH_PERF_SECONDS=18 PERF=perf
#
# Records the capture itself: workload.c with call chains by frame pointer, at least 100 MB.

set -eu
export LC_ALL=C

tephra=${TEPHRA:-./tephra}
perf=${PERF:-perf}
runs=${BENCH_PERF_RUNS:-5}
seconds=${BENCH_PERF_SECONDS:-18}
bench=${BENCH_BUILD:-tests/bench}
data=$bench/data
capture=$data/workload.perf.data
limit=30

. "$(dirname "$0")/common.sh"

print_table()
{
	printf '%-32s %8s %8s %8s\n' program 'CPU s' 'wall s' 'RSS MB'
	line 'perf script --no-inline' "$data/theirs"
	line 'tephra flame' "$data/ours"
	echo "$(wc -c <"$capture") bytes, $samples samples, $runs runs; perf script takes $ratio times the CPU of tephra flame (limit: at least $limit)"
}

command -v "$perf" >/dev/null || {
	echo "bench_perf: there is no '$perf'; nothing was measured" >&2
	exit 0
}
[ -x "$tephra" ] || die "there is no program '$tephra'"
mkdir -p "$data"
[ -s "$capture" ] || record_workload "$capture" -F 25000 -g
samples=$("$tephra" info -q --format=json "$capture" | sed -n 's/.*"samples": *\([0-9]*\).*/\1/p' | head -n 1)
[ "${samples:-0}" -gt 0 ] || die "there are no samples in '$capture'"
rm -f "$data/ours" "$data/theirs"
run=0
while [ "$run" -lt "$runs" ]; do
	once "$data/theirs" "$perf" script --no-inline -i "$capture"
	once "$data/ours" "$tephra" flame -q -o "$data/perf.svg" "$capture"
	run=$((run + 1))
done
ratio=$(awk -v a="$(median "$data/theirs" 1)" -v b="$(median "$data/ours" 1)" 'BEGIN { printf "%.1f", a / b }')
print_table | tee "$bench/bench_perf.txt"
[ "${1:-}" != --check ] || awk -v ratio="$ratio" -v limit="$limit" 'BEGIN { exit ratio < limit }'
