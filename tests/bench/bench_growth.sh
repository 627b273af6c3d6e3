#!/bin/sh
# bench_growth.sh - what ten times the input costs, in CPU and in memory; run by 'make bench'
#
# usage: bench_growth.sh [--check]
#   --check  fail when a limit is passed
# environment, with defaults: TEPHRA=./tephra BENCH_GROWTH_RUNS=5 BENCH_GROWTH_MB=20 (and ten times that)
#   BENCH_GROWTH_MILLIONS=10 (of samples over the same stacks; a tenth of that before)

set -eu
export LC_ALL=C

tephra=${TEPHRA:-./tephra}
runs=${BENCH_GROWTH_RUNS:-5}
size_mb=${BENCH_GROWTH_MB:-20}
millions=${BENCH_GROWTH_MILLIONS:-10}
bench=${BENCH_BUILD:-tests/bench}
data=$bench/data

. "$(dirname "$0")/common.sh"

# grow_cpu <kind>: a file and one of ten times its size in turn
grow_cpu()
{
	kind=$1
	job=growth-$kind
	input="$size_mb MB, and $((size_mb * 10)) MB"
	"$bench/generate" "$kind" "$size_mb" >"$data/growth-1" 2>/dev/null
	"$bench/generate" "$kind" "$((size_mb * 10))" >"$data/growth-10" 2>/dev/null
	rm -f "$data/once" "$data/tenfold"
	run=0
	while [ "$run" -lt "$runs" ]; do
		once "$data/once" "$tephra" fold -q "$data/growth-1"
		once "$data/tenfold" "$tephra" fold -q "$data/growth-10"
		run=$((run + 1))
	done
	row 'tephra fold' "$data/once"
	row 'tephra fold, ten times the input' "$data/tenfold" "$(over "$data/tenfold" "$data/once")" \
		'times the CPU' '<=10.5'
	rm -f "$data/growth-1" "$data/growth-10"
}

# streamed <report> <thousands of samples>: from a pipe, since the samples are many
streamed()
{
	rm -f "$1"
	once "$1" sh -c "'$bench/generate' repeat $2 2>/dev/null | '$tephra' flame -q -o '$data/growth.svg' -"
	grep -q "$(grouped "$2") samples" "$data/growth.svg" ||
		die "the picture does not say $2 thousand samples"
}

# grouped <thousands>: "12,000,000 samples"
grouped()
{
	echo "${1}000" | sed ':a;s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/;ta'
}

grow_memory()
{
	job=growth-memory
	input="$((millions * 100)) thousand samples of 1000 stacks, and ten times as many"
	streamed "$data/once" "$((millions * 100))"
	streamed "$data/tenfold" "$((millions * 1000))"
	row 'tephra flame' "$data/once"
	row 'tephra flame, ten times the samples' "$data/tenfold" \
		"$(awk -v a="$(peak "$data/tenfold" 3)" -v b="$(peak "$data/once" 3)" 'BEGIN { printf "%.3f", a / b }')" \
		'times the memory' '<=1.1'
}

[ -x "$tephra" ] || die "there is no program '$tephra'"
begin_rows
grow_cpu script-few
grow_cpu folded
grow_memory
end_rows "$@"
