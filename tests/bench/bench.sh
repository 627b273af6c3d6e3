#!/bin/sh
# bench.sh - time tephra beside wc -l and beside its peers, on inputs made here; run by 'make bench'
#
# usage: bench.sh [--check] [<job>...]
#   --check  fail when a job passes its limit
#   <job>    script-few script-unique folded diff start (default: all)
# environment, with defaults: TEPHRA=./tephra BENCH_RUNS=9 BENCH_MB=200 BENCH_PEER_RUNS=1 (0: no peers)
#   STACKCOLLAPSE FLAMEGRAPH INFERNO_COLLAPSE INFERNO_FLAMEGRAPH: the peers (default: from PATH)

set -eu
export LC_ALL=C

tephra=${TEPHRA:-./tephra}
runs=${BENCH_RUNS:-9}
size_mb=${BENCH_MB:-200}
peer_runs=${BENCH_PEER_RUNS:-1}
bench=${BENCH_BUILD:-tests/bench}
data=$bench/data
check=
failures=0

. "$(dirname "$0")/common.sh"

# peer <path from the environment> <name>: prints the peer's path, or nothing
peer()
{
	if [ -n "$1" ]; then
		echo "$1"
	else
		command -v "$2" || true
	fi
}

# make_input <kind> <MB>: makes the input, unless it is there and younger than the generator
make_input()
{
	file=$data/$1-$2.txt
	if [ -f "$file" ] && [ -n "$(find "$file" -newer "$bench/generate")" ]; then
		return
	fi
	echo "bench: making $file" >&2
	"$bench/generate" "$1" "$2" >"$file.part" 2>"$file.facts"
	mv "$file.part" "$file"
}

# fact <name>: a number that the generator said about $file
fact()
{
	tr ' ' '\n' <"$file.facts" | sed -n "s/^$1=//p"
}

# verify: the samples that fold writes are the samples that were put in, and the picture is whole
verify()
{
	case $(tail -c 200 "$picture" | tr -d ' \n') in
	*'</svg>') ;;
	*) die "$job: the picture '$picture' does not end as SVG does" ;;
	esac
	expected=$(fact samples)
	folded=$("$tephra" fold --weight=samples "$file" | awk '{ sum += $NF } END { printf "%.0f", sum }')
	if [ "$folded" != "$expected" ]; then
		echo "bench: $job: $expected samples went in, $folded came out" >&2
		failures=$((failures + 1))
	fi
}

# said: what the input is, for the table
said()
{
	echo "$(wc -c <"$file") bytes, $(fact samples) samples, $(fact stacks) stacks"
}

# paired <limit> <memory limit in MB, 0 for none>: tephra and wc -l on $file in turn
paired()
{
	input=$(said)
	rm -f "$data/base" "$data/ours"
	run=0
	while [ "$run" -lt "$runs" ]; do
		once "$data/base" wc -l "$file"
		once "$data/ours" "$tephra" flame "$file" -o "$picture"
		run=$((run + 1))
	done
	row 'wc -l' "$data/base"
	row 'tephra flame' "$data/ours" "$(over "$data/ours" "$data/base")" 'times wc -l' "<=$1"
	# memory is looked at in a run of its own, for looking takes time
	rm -f "$data/memory"
	"$bench/measure" --anonymous --report "$data/memory" "$tephra" flame "$file" -o "$picture" \
		2>/dev/null
	[ "$2" = 0 ] || row 'tephra flame, its memory' "$data/memory" \
		"$(peak_mb "$data/memory")" 'MB anonymous' "<=$2"
	verify
}

# peer_job <label> <shell command>: a pipeline of other programs; the input is its $1
peer_job()
{
	[ "$peer_runs" -gt 0 ] || return 0
	rm -f "$data/peer"
	run=0
	while [ "$run" -lt "$peer_runs" ]; do
		once "$data/peer" sh -c "$2" peer "$file"
		run=$((run + 1))
	done
	row "$1" "$data/peer" "$(over "$data/peer" "$data/base")" 'times wc -l' -
}

script_peers()
{
	[ -z "$stackcollapse" ] || [ -z "$flamegraph" ] ||
		peer_job 'stackcollapse-perf.pl | flamegraph.pl' \
			"'$stackcollapse' \"\$1\" | '$flamegraph'"
	[ -z "$inferno_collapse" ] || [ -z "$inferno_flamegraph" ] ||
		peer_job 'inferno-collapse-perf | inferno-flamegraph' \
			"'$inferno_collapse' \"\$1\" | '$inferno_flamegraph'"
}

folded_peers()
{
	[ -z "$flamegraph" ] || peer_job 'flamegraph.pl' "'$flamegraph' \"\$1\""
	[ -z "$inferno_flamegraph" ] ||
		peer_job 'inferno-flamegraph' "'$inferno_flamegraph' \"\$1\""
}

# A small input, where the start counts; folded, as the Perl script does, and drawn.
start_job()
{
	input=$(said)
	rm -f "$data/base" "$data/ours" "$data/fold"
	run=0
	while [ "$run" -lt "$runs" ]; do
		[ -z "$stackcollapse" ] || once "$data/base" "$stackcollapse" "$file"
		once "$data/fold" "$tephra" fold "$file"
		once "$data/ours" "$tephra" flame "$file" -o "$picture"
		run=$((run + 1))
	done
	if [ -s "$data/base" ]; then
		row 'stackcollapse-perf.pl' "$data/base"
		row 'tephra fold' "$data/fold" "$(over "$data/fold" "$data/base")" \
			'of stackcollapse-perf.pl' '<=0.1'
		row 'tephra flame' "$data/ours" "$(over "$data/ours" "$data/base")" \
			'of stackcollapse-perf.pl' '<=0.1'
	else
		row 'tephra fold' "$data/fold"
		row 'tephra flame' "$data/ours"
	fi
	verify
}

# Two folded files compared: the table, and the picture that is walked in.
diff_job()
{
	other=$data/folded-other.txt
	[ -f "$other" ] || "$bench/generate" --seed 2 folded "$((size_mb > 1 ? size_mb / 2 : 1))" \
		>"$other" 2>/dev/null
	input="$(said), and as many again"
	rm -f "$data/base" "$data/ours" "$data/drawn"
	run=0
	while [ "$run" -lt "$runs" ]; do
		once "$data/base" wc -l "$file" "$other"
		once "$data/ours" "$tephra" diff -q "$file" "$other"
		once "$data/drawn" "$tephra" diff -q "$file" "$other" -o "$picture"
		run=$((run + 1))
	done
	row 'wc -l, on both' "$data/base"
	row 'tephra diff, the table' "$data/ours" "$(over "$data/ours" "$data/base")" 'times wc -l' -
	row 'tephra diff, a picture' "$data/drawn" "$(over "$data/drawn" "$data/base")" 'times wc -l' '<=12'
}

run_job()
{
	job=$1
	picture=$data/$job.svg
	case $job in
	script-few | script-unique) make_input "$job" "$size_mb" ;;
	folded | diff) make_input folded $((size_mb > 1 ? size_mb / 2 : 1)) ;;
	start) make_input script-few 3 ;;
	*) die "'$job' is not a job; there are script-few, script-unique, folded, diff and start" ;;
	esac
	case $job in
	script-few) paired 8 0 && script_peers ;;
	script-unique) paired 10 0 && script_peers ;;
	folded) paired 10 150 && folded_peers ;;
	diff) diff_job ;;
	start) start_job ;;
	esac
}

if [ "${1:-}" = --check ]; then
	check=--check
	shift
fi
[ -x "$tephra" ] || die "there is no program '$tephra'"
[ $# -gt 0 ] || set -- script-few script-unique folded diff start
begin_rows
stackcollapse=$(peer "${STACKCOLLAPSE:-}" stackcollapse-perf.pl)
flamegraph=$(peer "${FLAMEGRAPH:-}" flamegraph.pl)
inferno_collapse=$(peer "${INFERNO_COLLAPSE:-}" inferno-collapse-perf)
inferno_flamegraph=$(peer "${INFERNO_FLAMEGRAPH:-}" inferno-flamegraph)
for name; do
	run_job "$name"
done
end_rows $check || failures=$((failures + 1))
[ "$failures" = 0 ]
