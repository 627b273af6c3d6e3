#!/bin/bash
# views.sh - transforms and views are the same words in all commands, for captures and for profiles
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

cat >recursive.folded <<'END'
main;a;b;a;c;c 5
main;a;b;a;b;d 3
main;q;r;s 4
idle 2
END

# ---- transforms

expect module 0 fold --collapse-module=libc run.script
expect module-path 0 fold -q --collapse-module='^/usr' --collapse-module=kernel run.script
expect group 0 tree --group=module run.script
expect group-top 0 top -q --group=module --by=none run.script
expect recursion 0 fold --collapse-recursion recursive.folded
expect recursion-all 0 tree --collapse-recursion=all recursive.folded
expect subtree 0 tree '--subtree=main;a;b' recursive.folded
expect subtree-two 0 fold '--subtree=main;q' --subtree=idle recursive.folded
expect subtree-of-root 0 tree '--subtree=pool 1 [b]' run.script
expect subtree-none 2 fold '--subtree=main;b' recursive.folded
expect chains 0 tree --collapse-chains recursive.folded
expect chains-reverse 0 tree --reverse --collapse-chains recursive.folded
expect chains-top 0 top --collapse-chains recursive.folded
expect all-of-them 0 tree --collapse-recursion=all --group=module --collapse-chains \
	--hide=do_idle '--subtree=relay;relay' run.script
says "--collapse-module: '(' is no regular expression" fold '--collapse-module=(' run.script

# a transform that names nothing changes no byte
equal 'a module that is not there changes nothing' \
	fold --collapse-module=libm run.script -- fold run.script
equal '--collapse-recursion=no is the default' \
	tree --collapse-recursion=no recursive.folded -- tree recursive.folded
equal '--group=function is the default' top --group=function run.script -- top run.script

# sum <words>: of all weights that fold prints
sum()
{
	"$tephra" fold -q "$@" | awk '{ sum += $NF } END { print sum }'
}
all=$(sum run.script)
for option in --collapse-module=libc --group=module --collapse-recursion=all --collapse-chains \
	--hide=read; do
	[ "$(sum $option run.script)" = "$all" ]
	report $? "$option keeps the sum of all weights"
done

# a profile gives the same bytes as the capture that it was made of
"$tephra" import -q run.script -o run.tephra
for option in --collapse-module=libc --group=module --collapse-recursion --collapse-chains \
	--subtree=relay; do
	for what in fold top tree flame; do
		"$tephra" $what -q $option run.script >out/capture
		"$tephra" $what -q $option run.tephra | cmp -s - out/capture
		report $? "$what $option: a profile gives what its capture gives"
	done
done

# ---- views of tephra flame

filter=words
expect flame-callers 0 flame -q --view=callers recursive.folded
expect flame-sandwich 0 flame -q --of=b recursive.folded
expect flame-sandwich-regex 0 flame -q --view=sandwich '--of=read|take' run.script
expect flame-table 0 flame -q --view=table run.script
expect flame-flamechart 0 flame -q --flamechart run.script
expect flame-flamechart-selected 0 flame -q --flamechart --comm='pool 1 [b]' --hide=run run.script
filter=painted
for paint in origin module status self; do
	expect paint-$paint 0 flame -q --paint=$paint run.script
done
expect paint-module-table 0 flame -q --paint=module --view=flamechart run.script
filter=
expect flame-table-csv 0 flame --view=table --format=csv run.script
expect flame-table-json 0 flame -q --view=table --format=json recursive.folded

equal '--view=callers is --reverse' flame --view=callers run.script -- flame --reverse run.script
equal '--view=icicle is --icicle' flame --view=icicle run.script -- flame --icicle run.script
equal '--view=flame is the default' flame --view=flame run.script -- flame run.script
equal '--of alone makes a sandwich' \
	flame --of=b recursive.folded -- flame --view=sandwich --of=b recursive.folded
# what is drawn: the same to walk in, and still, but for what a script needs
drawn()
{
	"$tephra" flame -q --view=table "$@" | sed '/^<metadata/,$d'
}
drawn run.script >out/walked
drawn --still run.script | sed '/^<\/svg>/d' >out/still
[ "$(wc -l <out/still)" -gt 50 ] && diff -aB out/still out/walked >out/diff
report $? 'a table without scripts is the still one' out/diff
equal 'the CSV of --view=table is that of top' \
	flame -q --view=table --format=csv run.script -- top -q --format=csv run.script
run flame -q --view=table -o out/named.json run.script
"$tephra" top -q --format=json run.script | cmp -s - out/named.json
report $? 'a table goes into a file of JSON, by its ending'
"$tephra" flame --sort=weight recursive.folded >out/weight
"$tephra" flame --sort=name recursive.folded 2>/dev/null | cmp -s - out/weight
[ $? = 1 ]
report $? '--sort=weight is another order than --sort=name'
# every picture that is drawn here and in the other tests is looked at so; this one is none
sed 's/class="paper"/class="papers"/' out/weight >out/other
valid out/weight && ! valid out/other
report $? 'pictures are what schema/flamegraph.rng says'
"$tephra" flame --of=b run.script >/dev/null 2>&1
[ $? = 2 ]
report $? 'a sandwich of nothing is an error'

says 'csv is a form of --view=table alone' flame --format=csv run.script
says 'json is a form of --view=table alone' flame -o out/x.json run.script
says '--view=sandwich needs --of' flame --view=sandwich run.script
says '--of is for --view=sandwich' flame --view=icicle --of=x run.script
says '--reverse is --view=callers, not --view=table' flame --view=table --reverse run.script
says '--collapse-chains cannot be together with --of' flame --of=x --collapse-chains run.script
says 'left out by --event 1, --of 7' flame --of=nobody run.script

equal '--view=flamechart is --flamechart' \
	flame -q --view=flamechart run.script -- flame -q --flamechart run.script
equal 'a flame chart of a profile is that of its capture' \
	flame -q --flamechart run.script -- flame -q --flamechart run.tephra
says "the samples of 'recursive.folded' have no times" flame --flamechart recursive.folded
says '--flamechart is --view=flamechart, not --view=table' \
	flame --flamechart --view=table run.script
says '--collapse-chains cannot be together with it' \
	flame --flamechart --collapse-chains run.script
says 'each of them has a clock of its own' flame --flamechart --capture=all run.tephra

# ---- one scale

# wide <words>: the width of the root frame
wide()
{
	"$tephra" flame -q "$@" | sed -n 's/.*<title>all, .*width="\([0-9.]*\)" height.*/\1/p'
}
[ "$(wide recursive.folded)" = 1179 ] && [ "$(wide --total=28 recursive.folded)" = 589 ] &&
	[ "$(wide --total=4ms run.script)" = 589 ] && [ "$(wide --total=4000000 run.script)" = 589 ]
report $? '--total is what the whole width stands for'
"$tephra" flame -q --total=28 recursive.folded | words | sed -n 4p >out/line
grep -q 'All the width is 28 samples.' out/line
report $? 'a picture says that its width is more than its total' out/line
says '--total=13 is less than the weight of what is drawn' flame --total=13 recursive.folded
says '--total takes a weight in samples' flame --total=3s recursive.folded
says '--total is for pictures whose width is a weight' flame --view=table --total=99 run.script

# the middle of a sandwich is what top says is its total
"$tephra" top -q --format=csv recursive.folded | grep ',b,' | cut -d, -f2 >out/total
"$tephra" flame -q --of=b recursive.folded | words | grep -c "^b, $(cat out/total) samples, 100 %" >out/nr
[ "$(cat out/nr)" = 1 ]
report $? 'a function in the middle has its total, each sample once'

# dark, narrow, wide: a table and a sandwich are pictures to walk in, too
for view in table sandwich flamechart; do
	for width in 200 1200 20000; do
		of=()
		[ $view != sandwich ] || of=(--of=run)
		run flame -q --view=$view "${of[@]}" --theme=dark -w $width run.script
		[ "$status" = 0 ] && grep -q "width=\"$width\"" out/out &&
			[ "$(grep -c '<script' out/out)" = 1 ]
		report $? "--view=$view is $width px wide, with a script"
	done
done

# ---- very deep

for i in $(seq 400); do printf 'f%d;' "$i"; done >deep.folded
echo 'leaf 1' >>deep.folded
{
	echo 'x 1 1.000000: 1000 cpu-clock:'
	for i in $(seq 400); do printf '\t10 f%d (/opt/x)\n' "$i"; done
	echo
} >deep.script
height()
{
	sed -n 's/.*<svg[^>]* height="\([0-9]*\)".*/\1/p' out/out
}
run flame -q --of=f200 deep.folded
[ "$status" = 0 ] && [ "$(height)" -lt 5000 ] &&
	grep -q '>+ 71 levels more, too deep to be drawn here<' out/out &&
	grep -q '>+ 73 levels more, too deep to be drawn here<' out/out
report $? 'a sandwich says how many levels it leaves out above and below' out/err
run flame -q --flamechart deep.script
[ "$status" = 0 ] && [ "$(height)" -lt 5000 ] &&
	grep -q '>1 sample; 144 levels more, too deep to be drawn here<' out/out
report $? 'a lane of a flame chart says how many levels it leaves out' out/err

finish
