#!/bin/bash
# look.sh - tephra look: a screen of a capture, with its picture and what to do next
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

relay=$source/samples/relay
cp "$relay/relay.perf-script.txt.gz" relay.gz
cp "$relay/lab/cpu/cpu.perf.data.zst" cpu.zst
cp "$relay/lab/baseline/cpu.perf.data.zst" baseline.zst
cp "$relay/lab/cpu/counters.csv" counters.csv
long=$(printf 'library::detail::%.0s' 1 2 3 4 5 6 7)
printf 'app;keep 60\napp;%sold 40\n' "$long" >old.folded
printf 'app;keep 60\napp;%snew 5\n' "$long" >new.folded

# fits: what was printed is a screen; only commands may be longer
fits()
{
	[ "$(wc -l <out/out)" -le 30 ] && ! grep -v 'tephra ' out/out | LC_ALL=C.UTF-8 grep -E '.{81}'
	report $? "$1 fits a screen of 30 lines of 80 columns" out/out
}

expect frame-pointers 0 relay.gz
fits frame-pointers
expect two-events 0 look run.script
fits two-events
expect chosen-event 0 look --event=faults --no-picture run.script
expect odd 0 look --no-picture odd.script
expect folded 0 look --no-picture stacks.folded
expect counters 0 look --symbols=no cpu.zst counters.csv
fits counters
expect counters-alone 0 counters.csv
expect compare 0 look relay.gz@+0..+1 relay.gz@+1..+2
fits compare
expect compare-folded 0 look old.folded new.folded
fits compare-folded
expect compare-other 0 look --symbols=no baseline.zst cpu.zst
fits compare-other
run look --event=faults run.script run.script
[ "$status" = 0 ] && grep -q '^whole .*faults' out/out
report $? 'two captures are compared by the event that was asked for' out/out out/err
sed '/^# event : name = cpu-clock/s/$/, sample_stack_user = 8192/' run.script >dumps.script
run look run.script dumps.script
grep -q '^beware .*stacks: by the recorder before, from dumps after' out/out
report $? 'of stacks that were found by other means it is said that they differ' out/out out/err
expect json 0 look --no-picture --format=json lines.script
expect three 2 look run.script relay.gz odd.script
expect missing 2 look gone.data
expect missing-file 2 gone.data
expect help 0 look --help
is_json look --format=json --no-picture relay.gz
is_json look --format=json counters.csv
is_json look --format=json relay.gz@+0..+1 relay.gz@+1..+2

# ---- the picture

[ -s relay.gz.svg ] && valid relay.gz.svg
report $? 'the picture lies beside the capture' out/err
"$tephra" flame -q --no-idle relay.gz >out/picture && cmp relay.gz.svg out/picture >out/diff
report $? 'it is the one that tephra flame draws' out/diff
echo mine >run.script.svg
run look run.script
[ "$status" = 0 ] && grep -q "^picture  none: 'run.script.svg' is there already and was not written by tephra" out/out &&
	[ "$(cat run.script.svg)" = mine ]
report $? 'what tephra did not write is not replaced' out/out
run look run.script -o out/other.svg
[ "$status" = 0 ] && [ -s out/other.svg ] && grep -q '^picture  out/other.svg' out/out
report $? '-o names the picture' out/out
run look --no-picture relay.gz
[ "$status" = 0 ] && grep -q '^picture  none' out/out
report $? '--no-picture draws none' out/out

# ---- what it ends with can be typed as it stands

ln -s "$tephra" out/tephra
typed()
{
	local typed=0
	run "$@"
	sed -n 's/^next *//p; s/^         \(tephra .*\)/\1/p' out/out >out/next
	while read -r command; do
		typed=$((typed + 1))
		(PATH=$PWD/out:$PATH; sh -c "$command") >out/typed 2>out/err </dev/null
		[ $? -le 1 ]
		report $? "next of 'tephra $*': $command" out/err
	done <out/next
	[ "$typed" = 3 ]
	report $? "three commands follow 'tephra $*'" out/out
}
typed look --no-picture relay.gz
typed look -q --no-picture --symbols=no cpu.zst counters.csv
typed look relay.gz@+0..+1 relay.gz@+1..+2
cp run.script "a b's.script"
typed look --no-picture "a b's.script"

# ---- standard input, a profile, a range

run look --no-picture - <run.script
[ "$status" = 0 ] && grep -q '^-: 6 samples of cpu-clock' out/out
report $? 'standard input is a capture, too' out/out
"$tephra" import -q --symbols=no run.script counters.csv -o run.tephra --fact build=7 || exit 99
run look --no-picture run.tephra
[ "$status" = 0 ] && grep -q '^queue ' out/out && grep -q -- '^tell     --fact image=... --fact load=' out/out
report $? 'a profile is asked for its counters, and says which facts it has' out/out out/err
run 'relay.gz@+0.5..+1'
[ "$status" = 0 ] && grep -q 'samples of cpu-clock' out/out
report $? 'a file with a range needs no command' out/out out/err
finish
