#!/bin/bash
# audit.sh - tephra audit says what is wrong with a capture, and nothing of a sound one
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

relay=$source/samples/relay
expect script 1 audit run.script
expect csv 1 audit --format=csv run.script
expect json 1 audit --format=json run.script
expect folded 0 audit stacks.folded
expect folded-json 0 audit --format=json stacks.folded
expect two 1 audit run.script lines.script
expect damaged 1 audit -q odd.script
expect nothing 2 audit --comm=nobody run.script
expect help 0 audit --help
# of the recording alone: its clock is CLOCK_MONOTONIC, its IDs are there
expect sound 0 audit --symbols=no "$relay/lab/cpu/cpu.perf.data.zst"
expect counters 0 audit -q "$relay/lab/cpu/counters.csv"
printf '2.0,msec,task-clock,1000000,50.00,,\n4,,faults,2000000,100.00,,\n' >stat.csv
expect multiplexed 1 audit -q --input-format=perf-stat stat.csv

# ---- table audit of a profile is what is found in it, of each capture

"$tephra" import -q --symbols=no "$relay/relay.perf.data.zst" run.script -o run.tephra || exit 99
"$tephra" audit --format=csv run.tephra | cut -d, -f3- >out/found
"$tephra" sql --format=csv run.tephra 'SELECT verdict, finding,
	CASE WHEN share IS NULL THEN NULL ELSE printf("%.6f", share) END AS share, what, answers, avoid
	FROM audit ORDER BY capture_id, position' >out/stored
[ "$(wc -l <out/found)" -gt 2 ] && diff out/found out/stored >out/diff
report $? 'an import writes it into table audit' out/diff

"$tephra" audit -q --format=json --capture=run run.tephra >out/found
"$tephra" audit -q --format=json run.script >out/there
[ "$(grep -c '"finding"' out/found)" = "$(grep -c '"finding"' out/there)" ]
report $? 'a capture of a profile has the findings of its file'

missing()
{
	"$tephra" sql --format=csv run.tephra \
		"SELECT count(*) FROM audit WHERE finding = 'names-missing' AND capture_id = 1" | tail -n 1
}
before=$(missing)
mkdir none
"$tephra" symbolize -q --symbols=given --debug-dir=none run.tephra 2>out/err
after=$(missing)
[ "$before $after" = '0 1' ]
report $? 'who looks for names and finds none has that written down' out/err

# ---- a corpus with known faults

corpus=${TEPHRA_SHARED:-$source/../shared}/corpus/evidence

# found <file> <findings>: these and no other
found()
{
	local file=$1
	shift
	"$tephra" audit -q --symbols=no --format=csv "$corpus/$file" 2>out/err | tail -n +2 | cut -d, -f4 | tr '\n' ' ' >out/out
	[ "$(cat out/out)" = "${*:+$* }" ]
	report $? "$file: ${*:-nothing}" out/out out/err
}

if [ -d "$corpus/relay" ]; then
	for mode in baseline cpu lock; do
		found relay/$mode/perf.cpu.data
	done
	found sched/lost.data.zst lost no-build-ids
	found sched/waiter.sampled-switch.data sampled-tracepoint process-scope no-build-ids few-samples
	found sched/waiter.full-switch.data process-scope
	found sched/waiter.sched-p.data process-scope no-build-ids
	found sched/waiter.sched-a.data no-build-ids broken-chains
	found sched/waiter.sched-buildid-mmap.data
	found syscall/rawsys.data no-build-ids broken-chains
	found syscall/trace.data

	leaf=$corpus/relay-leafomit/cpu/perf.cpu.data
	run audit -q --symbols=given --binary="relay=$corpus/src/relay-leafomit" "$leaf"
	grep -q '^misleads  missing-callers  9[0-9]\.[0-9] % of samples' out/out
	report $? 'relay-leafomit: its hot function has no frame pointer' out/out
	run audit -q --symbols=given --binary="relay=$corpus/src/relay" "$leaf"
	grep -q '^lacks  *build-id-mismatch .*relay' out/out
	report $? 'relay-leafomit: a file of another build is found out' out/out
else
	skip 'captures with known faults' 'there is no folder "shared" beside the checkout'
fi
finish
