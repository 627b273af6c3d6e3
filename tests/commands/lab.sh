#!/bin/bash
# lab.sh - samples/relay/lab: the program does the same work with a fault, and its captures are what their README says
# shellcheck source=tests/support/golden.sh
lab=$(realpath tests/support/relay-lab) || exit 99
. "${srcdir:-.}/tests/support/golden.sh" || exit 99
sample=$source/samples/relay/lab

# short <fault> <option>...: a second of it, in a folder of that name
short()
{
	local mode=$1
	shift
	mkdir "$mode"
	(cd "$mode" && "$lab" --mode "$mode" --at 0.3 --for 0.4 --total 1 --rate 200 --rounds 200 "$@" >summary.json)
}

for mode in baseline cpu lock block load; do
	short $mode
done
cmp baseline/summary.json cpu/summary.json >out/out && cmp baseline/summary.json lock/summary.json >>out/out &&
	grep -q '"admitted":200,"completed":200,"rejected":0,' cpu/summary.json
report $? 'with and without a fault the accepted events and the checksum are the same' {baseline,cpu,lock}/summary.json
! cmp -s baseline/summary.json load/summary.json
report $? 'a load brings more'

awk -F, 'NR == 1 { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
	NF != n { bad = "fields" }
	NR > 2 && $1 <= last { bad = "time" }
	$at["admitted_total"] + $at["rejected_total"] > $at["offered_total"] { bad = "offered" }
	$at["completed_total"] + $at["depth"] > $at["admitted_total"] + 1 { bad = "completed" }
	{ last = $1 }
	END { if (bad || NR < 10) { print bad, NR; exit 1 } }' block/counters.csv >out/out
report $? 'a row of counters is written ten times a second, and its numbers agree' out/out block/counters.csv

awk -F, 'NR == 2 && $3 == "cpu" && $2 - $1 > 3.9e8 && $2 - $1 < 8e8 { found = 1 } END { exit !found }' cpu/phases.csv
report $? 'the fault is in phases.csv, as long as it was asked for' cpu/phases.csv

"$lab" --mode slow >out/out 2>&1
[ $? = 2 ] && grep -q 'faults: baseline cpu' out/out && ! "$lab" --mode quota >out/out 2>&1
report $? 'a fault that is none, or lacks what it needs, is refused' out/out

# ---- the captures that are shipped
cmp "$sample/baseline/summary.json" "$sample/cpu/summary.json" >out/out
report $? 'captured: the same events and checksum with the fault as without' out/out
for mode in baseline cpu; do
	"$tephra" top --symbols=given --debug-dir="$sample" --format=csv "$sample/$mode/cpu.perf.data.zst" >$mode.csv 2>out/err
done
grep -q ',application,classify,' baseline.csv && ! grep -q ',classify_again,' baseline.csv &&
	grep -q ',application,classify_again,' cpu.csv
report $? 'captured: the debug file names the guilty function, which the baseline does not have' out/err baseline.csv cpu.csv

# ---- the walk of the README: each line that it shows after a command is printed by it
cat >walk.awk <<'END'
/^    \$ tephra / { flush_out(); command = substr($0, 7); next }
/^    / && command { if ($0 != "    ...") lines[++nr] = substr($0, 5); next }
{ flush_out() }
END { flush_out(); print seen; exit seen < 4 || bad }
function flush_out(   run, line, i, text) {
	if (!command) return
	seen++
	run = command " 2>/dev/null"
	while ((run | getline line) > 0) text = text "\n" line
	close(run)
	for (i = 1; i <= nr; i++)
		if (index(text "\n", "\n" lines[i] "\n") == 0) { print "not printed by " command ": " lines[i]; bad = 1 }
	nr = 0; command = ""
}
END
mkdir bin && ln -s "$tephra" bin/tephra
(cd "$sample" && PATH=$folder/bin:$PATH awk -f "$folder/walk.awk" README.md) >out/out
report $? 'the walk of the README is what the commands print' out/out
finish
