#!/bin/bash
# record_plan.sh - tephra record-plan prints commands that perf takes, and that leave nothing to be found
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

for suspect in cpu alloc heap syscall lock queue async; do
	expect $suspect 0 record-plan --suspect=$suspect --pid=4711 --max-seconds=5
done
expect machine 0 record-plan --suspect=heap
expect csv 0 record-plan --suspect=lock --format=csv
expect none 2 record-plan
expect operand 2 record-plan --suspect=cpu run.data
expect help 0 record-plan --help
is_json record-plan --suspect=queue --format=json

# nothing is sampled that must all be there, and each is bounded
for suspect in cpu alloc heap syscall lock queue async; do
	"$tephra" record-plan --suspect=$suspect
done | grep -v '^#' | grep perf >out/commands
! grep -E -- '-F [0-9].*(sched:|syscalls:|lock:)' out/commands && ! grep -v '^timeout -s INT ' out/commands &&
	! grep 'perf record' out/commands | grep -v -- '-k CLOCK_MONOTONIC --buildid-all -m [0-9]*M --max-size '
report $? 'each recording has a bound, a clock and build IDs, and no tracepoint is sampled' out/commands

# ---- with a perf that may record

if perf record -q -e cpu-clock -o out/try.data -- true >/dev/null 2>&1 && [ -r /sys/kernel/tracing/events ]; then
	sh -c 'while :; do :; done' &
	busy=$!
	for suspect in cpu alloc heap syscall lock; do
		"$tephra" record-plan --suspect=$suspect --pid=$busy --max-seconds=1
	done | grep 'perf ' | grep -v '^#' | sort -u >out/commands
	while read -r command; do
		file=$(sed 's/.* -o \([^ ]*\) .*/\1/' <<<"$command")
		sh -c "$command" >out/out 2>&1 </dev/null
		[ -s "$file" ]
		report $? "perf takes: $command" out/out
		case $file in *.data)
			"$tephra" audit -q --symbols=no --format=csv "$file" 2>out/err | cut -d, -f4 |
				grep -xE 'sampled-tracepoint|process-scope|clock-untied|no-build-ids|no-call-chains|killed-recorder|cut' >out/found
			[ ! -s out/found ]
			report $? "nothing is wrong with its $file" out/found
		esac
	done <out/commands
	kill $busy
else
	skip 'perf takes the commands' 'there is no perf that may record here'
fi
finish
