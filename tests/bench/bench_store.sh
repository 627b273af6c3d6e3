#!/bin/sh
# bench_store.sh - time the store beside bare SQLite, and its pictures; run by 'make bench'
#
# usage: bench_store.sh [--check] [<job>...]
#   --check  fail when a job passes its limit
#   <job>    events picture range text (default: all)
# environment, with defaults: TEPHRA=./tephra BENCH_STORE_RUNS=5 BENCH_STORE_MB=2650 (a million samples)

set -eu
export LC_ALL=C

tephra=${TEPHRA:-./tephra}
runs=${BENCH_STORE_RUNS:-5}
size_mb=${BENCH_STORE_MB:-2650}
bench=${BENCH_BUILD:-tests/bench}
data=$bench/data
results=$data/store.tsv
profile=$data/events.tephra
is_check=no

. "$(dirname "$0")/common.sh"

# record <program> <report> <ratio base in CPU seconds, 0 for none> <limit of the ratio> <limit in ms>
record()
{
	cpu=$(median "$2" 1)
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$job" "$1" "$cpu" "$(median "$2" 2)" \
		"$(awk -v a="$cpu" -v b="$3" 'BEGIN { if (b > 0) printf "%.3f", a / b; else print 0 }')" \
		"$4" "$5" "$(wc -l <"$2")" >>"$results"
}

# repeat <command>...: a function of this file, so many times
repeat()
{
	run=0
	while [ "$run" -lt "$runs" ]; do
		"$@"
		run=$((run + 1))
	done
}

pair_events()
{
	"$bench/store" events "$profile" >>"$data/ours"
	"$bench/store" bare "$profile" "$data/bare.db" >>"$data/base"
}

events_job()
{
	rm -f "$data/ours" "$data/base"
	repeat pair_events
	[ "$("$tephra" fold -q --weight=samples "$profile" | awk '{ sum += $NF } END { printf "%.0f", sum }')" = 1000000 ] ||
		die 'the profile does not hold a million samples'
	record 'bare SQLite, the same rows' "$data/base" "$(median "$data/base" 1)" 0 0
	record 'the store' "$data/ours" "$(median "$data/base" 1)" 1.5 0
	size=$(wc -c <"$profile")
	echo "$size bytes, $(awk -v size="$size" 'BEGIN { printf "%.1f", size / 1e6 }') a sample" >"$data/store.size"
}

# sql <statement>: what the profile answers
sql()
{
	"$tephra" sql --format=csv "$profile" "$1" | tr -d '\r' | tail -n 1
}

need_profile()
{
	[ -f "$profile" ] && [ -n "$(find "$profile" -newer "$bench/store")" ] ||
		"$bench/store" events "$profile" >"$data/ours"
}

one_picture()
{
	once "$data/ours" "$tephra" flame -q -o "$data/store.svg" "$profile"
}

picture_job()
{
	need_profile
	rm -f "$data/ours"
	repeat one_picture
	record "tephra flame, $(sql 'SELECT count(*) FROM path_weight') paths" "$data/ours" 0 0 60
}

# A tenth of the time, from 45 to 55 percent of it.
pair_range()
{
	once "$data/base" sqlite3 "$profile" 'SELECT count(DISTINCT stack_id) FROM sample'
	once "$data/ours" "$tephra" flame -q --from "+${tenth_from}ns" --to "+${tenth_to}ns" \
		-o "$data/store.svg" "$profile"
}

range_job()
{
	command -v sqlite3 >/dev/null || die 'there is no sqlite3'
	need_profile
	tenth_from=$(sql 'SELECT (end_ns - start_ns) * 45 / 100 FROM capture')
	tenth_to=$(sql 'SELECT (end_ns - start_ns) * 55 / 100 FROM capture')
	rm -f "$data/ours" "$data/base"
	repeat pair_range
	base=$(median "$data/base" 1)
	record 'sqlite3: count(DISTINCT stack_id)' "$data/base" "$base" 0 0
	record 'tephra flame, a tenth of the time' "$data/ours" "$base" 0.5 0
}

pair_text()
{
	once "$data/base" "$tephra" flame -q -o "$data/store.svg" "$text"
	rm -f "$data/text.tephra"
	once "$data/ours" "$tephra" import -q -o "$data/text.tephra" "$text"
}

text_job()
{
	text=$data/store-text.txt
	echo "bench_store: making $size_mb MB of perf script text" >&2
	"$bench/generate" script-few "$size_mb" >"$text" 2>"$data/stderr"
	samples=$(sed -n 's/^samples=\([0-9]*\) .*/\1/p' "$data/stderr")
	rm -f "$data/ours" "$data/base"
	repeat pair_text
	base=$(median "$data/base" 1)
	record "tephra flame, $samples samples of text" "$data/base" "$base" 0 0
	record 'tephra import' "$data/ours" "$base" 0 0
	rm -f "$text" "$data/text.tephra"
}

print_table()
{
	awk -F '\t' '
	BEGIN {
		form = "%-8s %-42s %4s %9s %8s %7s %9s\n"
		printf form, "job", "program", "runs", "CPU s", "ratio", "limit", "wall s"
	}
	{
		name = $1 == job ? "" : $1
		job = $1
		limit = $6 > 0 ? $6 : $7 > 0 ? $7 " ms" : ""
		printf(form, name, $2, $8, sprintf("%.4f", $3), $5 > 0 ? sprintf("%.2f", $5) : "-", \
			limit, sprintf("%.4f", $4))
	}' "$results"
	[ ! -f "$data/store.size" ] || cat "$data/store.size"
	echo 'ratio: CPU seconds (median) over those of the first line of the job'
}

# Prints what is over its limit.
print_excess()
{
	awk -F '\t' '
	$6 > 0 && $5 > $6 { printf "bench_store: %s: ratio %.2f is over the limit of %s\n", $1, $5, $6 }
	$7 > 0 && $3 * 1000 > $7 {
		printf "bench_store: %s: %.0f ms are over the limit of %s ms\n", $1, $3 * 1000, $7
	}' "$results"
}

if [ "${1:-}" = --check ]; then
	is_check=yes
	shift
fi
[ -x "$tephra" ] || die "there is no program '$tephra'"
[ $# -gt 0 ] || set -- events picture range text
mkdir -p "$data"
rm -f "$results" "$data/store.size"
for job; do
	case $job in
	events | picture | range | text) "${job}_job" ;;
	*) die "'$job' is not a job; there are events, picture, range and text" ;;
	esac
done
rm -f "$data/bare.db"
print_table | tee "$bench/bench_store.txt"
if [ "$is_check" = yes ]; then
	excess=$(print_excess)
	[ -z "$excess" ] || {
		echo "$excess" >&2
		exit 1
	}
fi
