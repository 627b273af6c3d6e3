#!/bin/sh
# bench.sh - time tephra beside wc -l and beside its peers, on inputs made here; run by 'make bench'
#
# usage: bench.sh [--check] [<job>...]
#   --check  fail when a job passes its limit
#   <job>    script-few script-unique folded start (default: all)
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
results=$data/results.tsv
is_check=no
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

# input <kind> <MB>: makes the input, unless it is there and younger than the generator
input()
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

# peak <file> <column>
peak()
{
	awk -v column="$2" '$column > most { most = $column } END { print most + 0 }' "$1"
}

# record <program> <report> <base CPU seconds> <limit> <memory limit in MB>: one row of the results
record()
{
	cpu=$(median "$2" 1)
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$job" "$1" "$cpu" "$(median "$2" 2)" \
		"$(peak "$2" 3)" "$(peak "$2" 4)" "$(awk -v a="$cpu" -v b="$3" \
			'BEGIN { if (b > 0) printf "%.3f", a / b; else print 0 }')" "$4" "$5" \
		"$(wc -l <"$2")" >>"$results"
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
	echo "$job $expected $(fact stacks) $(wc -c <"$file") $file" >>"$data/inputs"
}

# paired <limit> <memory limit>: tephra and wc -l on $file in turn
paired()
{
	rm -f "$data/base" "$data/ours"
	run=0
	while [ "$run" -lt "$runs" ]; do
		once "$data/base" wc -l "$file"
		once "$data/ours" "$tephra" flame "$file" -o "$picture"
		run=$((run + 1))
	done
	# memory is looked at in a run of its own, for looking takes time
	"$bench/measure" --anonymous --report "$data/memory" "$tephra" flame "$file" -o "$picture" \
		2>/dev/null
	awk 'NR == FNR { peak = $4; next } { $4 = peak; print }' "$data/memory" "$data/ours" \
		>"$data/ours.all"
	rm -f "$data/memory"
	base_cpu=$(median "$data/base" 1)
	record 'wc -l' "$data/base" "$base_cpu" 0 0
	record 'tephra flame' "$data/ours.all" "$base_cpu" "$1" "$2"
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
	record "$1" "$data/peer" "$base_cpu" 0 0
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
	rm -f "$data/base" "$data/ours" "$data/fold"
	base_cpu=0
	run=0
	while [ "$run" -lt "$runs" ]; do
		[ -z "$stackcollapse" ] || once "$data/base" "$stackcollapse" "$file"
		once "$data/fold" "$tephra" fold "$file"
		once "$data/ours" "$tephra" flame "$file" -o "$picture"
		run=$((run + 1))
	done
	if [ -s "$data/base" ]; then
		base_cpu=$(median "$data/base" 1)
		record 'stackcollapse-perf.pl' "$data/base" "$base_cpu" 0 0
	fi
	record 'tephra fold' "$data/fold" "$base_cpu" 0.1 0
	record 'tephra flame' "$data/ours" "$base_cpu" 0 0
	verify
}

run_job()
{
	job=$1
	picture=$data/$job.svg
	case $job in
	script-few | script-unique) input "$job" "$size_mb" ;;
	folded) input folded $((size_mb > 1 ? size_mb / 2 : 1)) ;;
	start) input script-few 3 ;;
	*) die "'$job' is not a job; there are script-few, script-unique, folded and start" ;;
	esac
	case $job in
	script-few) paired 8 0 && script_peers ;;
	script-unique) paired 10 0 && script_peers ;;
	folded) paired 10 150 && folded_peers ;;
	start) start_job ;;
	esac
}

print_table()
{
	awk -F '\t' '
	function mb(kib) { return kib > 0 ? sprintf("%.1f", kib * 1.024e-3) : "-" }
	BEGIN {
		form = "%-14s %-42s %4s %9s %8s %6s %9s %8s %8s\n"
		printf form, "job", "program", "runs", "CPU s", "ratio", "limit", "wall s", \
			"RSS MB", "anon MB"
	}
	{
		name = $1 == job ? "" : $1
		job = $1
		printf(form, name, $2, $10, sprintf("%.4f", $3), $7 > 0 ? sprintf("%.2f", $7) : "-", \
			$8 > 0 ? $8 : "", sprintf("%.4f", $4), mb($5), mb($6))
	}' "$results"
	echo 'ratio: CPU seconds (user and system, median) over those of the first line of the job'
}

print_json()
{
	awk -F '\t' -v runs="$runs" '
	function known(number) { return number > 0 ? number : "null" }
	NR == FNR {
		split($0, part, " ")
		input[part[1]] = sprintf("{\"samples\": %s, \"stacks\": %s, \"size_bytes\": %s}", \
			part[2], part[3], part[4])
		next
	}
	FNR == 1 { printf "{\n  \"runs\": %d,\n  \"jobs\": [", runs }
	$1 != job {
		printf "%s\n    {\"job\": \"%s\", \"input\": %s, \"programs\": [", \
			job == "" ? "" : "]},", $1, input[$1]
		comma = ""
	}
	{
		job = $1
		printf "%s\n      {\"program\": \"%s\", \"runs\": %d, \"cpu_s\": %s, \"wall_s\": %s, ", \
			comma, $2, $10, $3, $4
		printf "\"rss_kib\": %d, \"anonymous_kib\": %s, \"ratio\": %s, ", \
			$5, known($6), known($7)
		printf "\"ratio_limit\": %s, \"anonymous_limit_mb\": %s}", known($8), known($9)
		comma = ","
	}
	END { print "]}\n  ]\n}" }' "$data/inputs" "$results"
}

# Prints what is over its limit.
print_excess()
{
	awk -F '\t' '
	$8 > 0 && $7 > $8 { printf "bench: %s: ratio %.2f is over the limit of %s\n", $1, $7, $8 }
	$9 > 0 && $6 * 1.024e-3 > $9 {
		printf "bench: %s: %.0f MB of anonymous memory are over the limit of %s MB\n", $1, \
			$6 * 1.024e-3, $9
	}' "$results"
}

if [ "${1:-}" = --check ]; then
	is_check=yes
	shift
fi
[ -x "$tephra" ] || die "there is no program '$tephra'"
[ $# -gt 0 ] || set -- script-few script-unique folded start
mkdir -p "$data"
rm -f "$results" "$data/inputs"
stackcollapse=$(peer "${STACKCOLLAPSE:-}" stackcollapse-perf.pl)
flamegraph=$(peer "${FLAMEGRAPH:-}" flamegraph.pl)
inferno_collapse=$(peer "${INFERNO_COLLAPSE:-}" inferno-collapse-perf)
inferno_flamegraph=$(peer "${INFERNO_FLAMEGRAPH:-}" inferno-flamegraph)
for name; do
	run_job "$name"
done
print_table | tee "$bench/bench.txt"
print_json >"$bench/bench.json"
[ "$failures" = 0 ] || exit 1
if [ "$is_check" = yes ]; then
	excess=$(print_excess)
	[ -z "$excess" ] || {
		echo "$excess" >&2
		exit 1
	}
fi
