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
profile=$data/events.tephra
check=

. "$(dirname "$0")/common.sh"

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
	input="1000000 samples, $(wc -c <"$profile") bytes of profile"
	row 'bare SQLite, the same rows' "$data/base"
	row 'the store' "$data/ours" "$(over "$data/ours" "$data/base")" 'times bare SQLite' '<=1.5'
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
	input="$(sql 'SELECT count(*) FROM path_weight') paths"
	row 'tephra flame, a profile' "$data/ours" \
		"$(awk -v s="$(median "$data/ours" 1)" 'BEGIN { printf "%.1f", s * 1000 }')" 'ms of CPU' '<=60'
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
	input='a tenth of 1000000 samples'
	row 'sqlite3: count(DISTINCT stack_id)' "$data/base"
	row 'tephra flame, a tenth of the time' "$data/ours" "$(over "$data/ours" "$data/base")" \
		'of sqlite3' '<=0.5'
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
	input="$samples samples of text"
	row 'tephra flame' "$data/base"
	row 'tephra import' "$data/ours" "$(over "$data/ours" "$data/base")" 'times tephra flame' -
	rm -f "$text" "$data/text.tephra"
}

if [ "${1:-}" = --check ]; then
	check=--check
	shift
fi
[ -x "$tephra" ] || die "there is no program '$tephra'"
[ $# -gt 0 ] || set -- events picture range text
begin_rows
for job; do
	case $job in
	events | picture | range | text) "${job}_job" ;;
	*) die "'$job' is not a job; there are events, picture, range and text" ;;
	esac
done
rm -f "$data/bare.db"
end_rows $check
