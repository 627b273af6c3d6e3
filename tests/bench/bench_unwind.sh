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

. "$(dirname "$0")/common.sh"

command -v "$perf" >/dev/null || {
	echo "bench_unwind: there is no '$perf'; nothing was measured" >&2
	rm -f "$rows"
	exit 0
}
[ -x "$tephra" ] || die "there is no program '$tephra'"
begin_rows
[ -s "$capture" ] || record_workload "$capture" -F 4999 --call-graph dwarf,8192
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
job=unwind
input="$(wc -c <"$capture") bytes, $(head -n 1 "$data/unwind-ours-stage" | cut -d' ' -f1) samples, $(head -n 1 "$data/unwind-ours-stage" | cut -d' ' -f2) frames; of the stage's $(median "$data/unwind-ours-stage" 3) s $(median "$data/unwind-ours-stage" 5) s are reading"
row 'perf script --no-inline' "$data/unwind-theirs"
row 'tephra fold --inline=off' "$data/unwind-ours" \
	"$(over "$data/unwind-ours" "$data/unwind-theirs")" 'of perf script' '<=0.1'
row 'perf script' "$data/unwind-theirs-inline"
row 'tephra fold' "$data/unwind-ours-inline" \
	"$(over "$data/unwind-ours-inline" "$data/unwind-theirs-inline")" 'of perf script' '<=0.1'
# stack bytes are read and let go: memory is of rules, maps and distinct stacks
rm -f "$data/unwind-memory"
"$bench/measure" --anonymous --report "$data/unwind-memory" "$tephra" fold -q --inline=off \
	"$capture" >/dev/null
row 'tephra fold --inline=off, its memory' "$data/unwind-memory" "$(peak_mb "$data/unwind-memory")" \
	'MB anonymous' '<=64'
# of the stage alone only frames a second are said
: >"$data/unwind-nothing"
echo '0 0 0 0' >>"$data/unwind-nothing"
row 'reading and unwinding, without names' "$data/unwind-nothing" "$frames" 'frames a second' '>=3000000'
end_rows "$@"
