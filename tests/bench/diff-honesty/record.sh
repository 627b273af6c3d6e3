#!/bin/sh
# record.sh - captures of program.c for honesty.py, each a profile with its counter of work
#
# usage: record.sh <tephra> <program> <folder>
# environment, with defaults: HONESTY_KINDS="steady phases bursts" HONESTY_FACTORS="1 1.1 1.25 1.5 2"
#   HONESTY_BASE=40 HONESTY_CHANGED=20 HONESTY_SECONDS=2 PERF=perf
#
# Of each kind HONESTY_BASE captures with factor 1 and HONESTY_CHANGED with each other one, in rounds
# with a share of each, so that what the machine does beside is the same for all. What is there already is not recorded again.
# On a machine that does other things give it a CPU of its own, or most of one: "taskset -c 1 nice -n -20", where the kernel
# groups tasks by session with -20 in /proc/self/autogroup, too. A real-time priority starves perf of the same CPU.

set -eu
export LC_ALL=C

tephra=$1 program=$2 folder=$3
perf=${PERF:-perf}
base=${HONESTY_BASE:-40}
changed=${HONESTY_CHANGED:-20}
seconds=${HONESTY_SECONDS:-2}

# record <kind> <factor> <nr>
record()
{
	name=$folder/$1-$2-$3
	[ ! -e "$name.tephra" ] || return 0
	"$perf" record -q -k CLOCK_MONOTONIC -e cpu-clock -F 999 -g -o "$name.data" \
		"$program" "$1" "$seconds" "$3$(echo "$2" | tr -d .)" "$2" "$name.csv" >"$name.log" 2>&1
	"$tephra" import -q --symbols=given --binary="$(basename "$program")=$program" \
		"$name.data" -o "$name.new.tephra"
	"$tephra" import -q --add "$name.csv" -o "$name.new.tephra"
	lost=$("$tephra" sql --format=csv "$name.new.tephra" 'SELECT sum(lost) + sum(lost_samples) FROM capture' | tail -n 1)
	[ "$lost" = 0 ] || {
		echo "record.sh: $name: $lost samples lost, for perf had no CPU to read its buffer; nothing may keep it from running" >&2
		exit 2
	}
	mv "$name.new.tephra" "$name.tephra"
	rm "$name.data" "$name.csv" "$name.log"
}

# record_some <kind> <factor> <nr that is there> <last nr>
record_some()
{
	nr=$3
	while [ "$nr" -lt "$4" ]; do
		nr=$((nr + 1))
		record "$1" "$2" "$nr"
	done
}

mkdir -p "$folder"
rounds=$((changed > 0 ? changed : base))
round=0 before=0
while [ $round -lt "$rounds" ]; do
	round=$((round + 1))
	upto=$((base * round / rounds))
	for kind in ${HONESTY_KINDS:-steady phases bursts}; do
		for factor in ${HONESTY_FACTORS:-1 1.1 1.25 1.5 2}; do
			case $factor in
			1) record_some "$kind" "$factor" $before $upto ;;
			*) [ "$changed" = 0 ] || record_some "$kind" "$factor" $((round - 1)) $round ;;
			esac
		done
	done
	before=$upto
done
