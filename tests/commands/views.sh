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

finish
