#!/bin/sh
# bench_perf.sh - time a perf.data beside perf script; run by 'make bench'
#
# usage: bench_perf.sh [--check]
#   --check  fail when the limit is passed
# environment, with defaults: TEPHRA=./tephra BENCH_PERF_RUNS=5 BENCH_PERF_SECONDS=18 PERF=perf
#
# Records the capture itself: workload.c with call chains by frame pointer, at least 100 MB. Where
# others take the machine's time that takes longer; where BENCH_PERF_SECONDS is set, it is the length.

set -eu
export LC_ALL=C

tephra=${TEPHRA:-./tephra}
perf=${PERF:-perf}
runs=${BENCH_PERF_RUNS:-5}
seconds=${BENCH_PERF_SECONDS:-18}
bench=${BENCH_BUILD:-tests/bench}
data=$bench/data
capture=$data/workload.perf.data
least=${BENCH_PERF_SECONDS:+1}
least=${least:-100000000}

. "$(dirname "$0")/common.sh"

command -v "$perf" >/dev/null || {
	echo "bench_perf: there is no '$perf'; nothing was measured" >&2
	rm -f "$rows"
	exit 0
}
[ -x "$tephra" ] || die "there is no program '$tephra'"
begin_rows
tries=0
while [ ! -s "$capture" ] || [ "$(wc -c <"$capture")" -lt "$least" ]; do
	[ "$tries" -lt 4 ] || die "'$capture' is smaller than $least bytes after $seconds s"
	[ "$tries" -eq 0 ] || seconds=$((seconds * 2))
	record_workload "$capture" -F 25000 -g
	tries=$((tries + 1))
done
samples=$("$tephra" info -q --format=json "$capture" | sed -n 's/.*"samples": *\([0-9]*\).*/\1/p' | head -n 1)
[ "${samples:-0}" -gt 0 ] || die "there are no samples in '$capture'"
rm -f "$data/ours" "$data/ours-plain" "$data/theirs"
run=0
while [ "$run" -lt "$runs" ]; do
	once "$data/theirs" "$perf" script --no-inline -i "$capture"
	once "$data/ours" "$tephra" flame -q -o "$data/perf.svg" "$capture"
	once "$data/ours-plain" "$tephra" flame -q --symbols=no -o "$data/perf.svg" "$capture"
	run=$((run + 1))
done
job=perf-data
input="$(wc -c <"$capture") bytes, $samples samples"
folded=$("$tephra" fold -q --weight=samples "$capture" | awk '{ sum += $NF } END { printf "%.0f", sum }')
[ "$folded" = "$samples" ] || die "$samples samples went in, $folded came out"
row 'perf script --no-inline' "$data/theirs"
row 'tephra flame' "$data/ours" "$(over "$data/ours" "$data/theirs")" 'of perf script' '<=0.0333'
row 'tephra flame --symbols=no' "$data/ours-plain" "$(over "$data/ours-plain" "$data/theirs")" \
	'of perf script' -
end_rows "$@"
