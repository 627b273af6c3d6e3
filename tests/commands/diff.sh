#!/bin/bash
# diff.sh - tephra diff compares two captures, and says how sure each change is
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

printf 'app;old;slow 40\napp;keep 60\n' >before.folded
printf 'app;keep 60\napp;new;fast 5\n' >after.folded
printf 'app;f 10\napp;g 30\n' >small.folded
printf 'app;f 100\napp;g 300\n' >large.folded
printf 'app;0x7f12;f 4\nworker-1;g(int) 2\nworker-2;g(int) 3\n' >addresses.folded
printf 'app;0x55d0;f 5\nworker-9;g(long) 5\n' >other.folded
printf 'app 3 4 2\napp 3\napp;x 2 nine\n' >before.folded.odd
: >empty.folded

expect folded 0 diff before.folded after.folded
expect json 0 diff --format=json before.folded after.folded
expect csv 0 diff --format=csv before.folded after.folded
expect identical 0 diff before.folded before.folded
expect normalized 0 diff --format=json small.folded large.folded
expect all 0 diff --all before.folded after.folded
expect limit 0 diff -n 1 before.folded after.folded
expect exact 0 diff --match=exact addresses.folded other.folded
expect masked 0 diff --match=masked addresses.folded other.folded
expect tidy 0 diff addresses.folded other.folded
expect work 0 diff --work-before=50 --work-after=130 --work-name=item before.folded after.folded
expect removed-all 0 diff before.folded empty.folded
expect new-all 0 diff empty.folded after.folded
expect phases 0 diff run.script@+0..+0.5 run.script@+0.5..+1
# without the style, which is that of all pictures
filter="grep -E ^<(g|text|rect|path|title)"
expect picture 0 diff --format=svg before.folded after.folded
expect picture-after 0 diff --format=svg --widths=after before.folded after.folded
expect picture-before 0 diff --format=svg --widths=before --icicle --theme=dark before.folded after.folded
expect picture-identical 0 diff --format=svg before.folded before.folded
expect picture-moved 0 diff --format=svg small.folded before.folded --title='A <b>' --subtitle=below
filter=
expect help 0 diff --help

"$tephra" fold -q --diff before.folded after.folded >both.folded
equal 'two columns are both sides' diff --input-format=folded-diff both.folded -- \
	diff before.folded after.folded
expect columns-wrong 0 diff --input-format=folded-diff --format=csv before.folded.odd
expect columns-stdin 2 diff --input-format=folded-diff -
expect columns-two 2 diff --input-format=folded-diff both.folded both.folded
expect columns-flame 2 flame --input-format=folded-diff both.folded

# ---- refusals
expect both-empty 2 diff empty.folded empty.folded
expect no-event 2 diff before.folded run.script
expect event-of-one 2 diff --event=faults run.script before.folded
expect one 2 diff before.folded
expect three 2 diff before.folded after.folded small.folded
expect side-missing 2 diff --before before.folded
expect stray 2 diff --before before.folded --after after.folded small.folded
expect work-zero 2 diff --work-before=0 --work-after=1 before.folded after.folded
expect work-one-side 2 diff --work-before=3 before.folded after.folded
expect work-word 2 diff --work-before=x --work-after=1 before.folded after.folded
expect fail-above-unjudged 2 diff --fail-above=5% before.folded after.folded
expect fail-above-word 2 diff --fail-above=much before.folded after.folded

is_json diff --format=json before.folded after.folded
is_json diff --format=json run.script@+0..+0.5 run.script@+0.5..+1
is_json diff --format=json empty.folded after.folded

# ---- times: a program that works in turns of 20 ms; after 2 s one of its functions takes twice as long
turns()
{
	awk -v seed="$1" -v long="$2" 'BEGIN {
		x = seed
		for (t = 0; t < 2000; t++) {
			if (t % 20 == 0) { x = (x * 16807) % 2147483647; busy = x % (100 + long) }
			name = busy < 40 + long ? "hot" : busy < 70 + long ? "warm" : "cold"
			printf "app 7/7 [000] %d.%03d000: 1000000 cpu-clock: \n\t10 %s (/opt/app)\n\t20 main (/opt/app)\n\n",
				t / 1000, t % 1000, name
		}
	}'
}
turns 1 0 >a.script
turns 77 0 >same.script
turns 5 200 >b.script
for i in 1 2 3 4; do
	turns $((i * 1000)) 0 >a$i.script
	turns $((i * 1000 + 7)) 0 >c$i.script
	turns $((i * 1000 + 13)) 60 >b$i.script
done
expect screen 0 diff a.script b.script
expect nothing 0 diff a.script same.script
expect replicates 0 diff --before a1.script --before a2.script --before a3.script --before a4.script \
	--after b1.script --after b2.script --after b3.script --after b4.script
expect replicates-same 0 diff --before a1.script --before a2.script --before a3.script --before a4.script \
	--after c1.script --after c2.script --after c3.script --after c4.script
filter="grep ^<g.role=.graphics-symbol" expect picture-screen 0 diff --format=svg a.script b.script
filter=
run diff -o out/a.svg a.script b.script
grep -q 'Screened, grew: hot' out/a.svg && grep -q 'One pair of captures, a screen' out/a.svg
report $? 'the picture says in a sentence what changed and how sure that is'
expect fail-above 1 diff -n 1 --fail-above=5% a.script b.script
expect fail-above-enough 0 diff -n 1 --fail-above=90% a.script b.script
expect fail-above-nothing 0 diff -n 1 --fail-above=5% a.script same.script

# mix does in quick what it did in slow; mix itself is as it was
shift_of()
{
	awk -v seed="$1" -v quick="$2" 'BEGIN {
		x = seed
		for (t = 0; t < 2000; t++) {
			x = (x * 16807) % 2147483647
			name = x % 100 < 30 ? "" : x % 100 < 30 + quick ? "quick" : "slow"
			leaf = name == "" ? "\t10 parse (/opt/app)" : "\t10 " name " (/opt/app)\n\t15 mix (/opt/app)"
			printf "app 7/7 [000] %d.%03d000: 1000000 cpu-clock: \n%s\n\t20 main (/opt/app)\n\n",
				t / 1000, t % 1000, leaf
		}
	}'
}
shift_of 3 20 >slow.script
shift_of 4 50 >quick.script
expect moved 0 diff slow.script quick.script
run diff --format=json slow.script quick.script
grep -q '"moved": {"within": "mix",' out/out && grep -q 'quick .* moved within mix, from slow: mix did not change' out/out
report $? 'JSON says what moved, within what and from where'

# the same bytes from a profile, a capture each
"$tephra" import -q --symbols=no a.script -o a.tephra && "$tephra" import -q --symbols=no b.script -o b.tephra
equal 'profiles give the same table' diff a.tephra b.tephra -- diff a.script b.script

# load: both sides count what came and what waited; the after side was stopped by its quota
load_of()
{
	awk -v came="$1" -v depth="$2" -v stopped="$3" 'BEGIN {
		print "mono_ns,depth,offered_total,cpu_throttled_ns"
		for (t = 0; t <= 20; t++)
			printf "%d,%d,%d,%d\n", t * 1e8, depth, t * came, t * stopped
	}'
}
load_of 100 4 0 >calm.csv
load_of 150 4 4e7 >busy.csv
cp a.tephra calm.tephra && cp b.tephra busy.tephra &&
	"$tephra" import -q --add calm.csv -o calm.tephra && "$tephra" import -q --add busy.csv -o busy.tephra || exit 99
run diff -n 1 calm.tephra busy.tephra
grep '^# \(warning: \)\?\(offered\|depth\|cpu_thr\)' out/out >loads
cat >expected <<'END'
# warning: offered_total (queue.offered): 1000 per second before, 1500 per second after: what came differs: per second and share follow it (--per does not)
# warning: cpu_throttled_ns (cpu.throttled): 0 ns per second before, 400.0 ms per second after: the machine was busier on one side, and the same may take longer
END
cmp -s loads expected
report $? 'counters of load that differ are listed, those that do not are not' loads
run diff --format=json --per=offered_total calm.tephra busy.tephra
grep -A3 'offered_total (queue.offered)' out/out | grep -q '"differs": true' &&
	grep -A4 'offered_total (queue.offered)' out/out | grep -q '"warning": null' &&
	grep -A3 'depth (queue.depth)' out/out | grep -q '"differs": false'
report $? 'by work it does not matter how much came; JSON has the others, too'

run diff -q -o out/written before.folded after.folded
[ "$status" = 0 ] && [ ! -s out/out ] && "$tephra" diff -q before.folded after.folded | cmp -s - out/written
report $? '-o writes to a file'

finish
