#!/bin/bash
# flame.sh - tephra flame draws: which frames, what they say, where the picture goes
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

filter=words

expect default 0 flame run.script
expect folded-input 0 flame stacks.folded
expect title 0 flame --title 'Relay <1> & "2"' --subtitle 'before the change' stacks.folded
expect samples 0 flame --weight=samples run.script
expect event 0 flame -e faults run.script
expect reverse 0 flame --reverse stacks.folded
expect min-width 0 flame --min-width=30% run.script
expect minwidth-alias 0 flame --minwidth=30% run.script
expect countname 0 flame --countname=bytes stacks.folded
expect marks 0 flame marks.folded
expect selected 0 flame --no-idle --comm relay --comm swapper run.script
filter=
expect help 0 flame --help

# picture <sentence> <expression> <words>: the picture holds it
picture()
{
	local sentence=$1 expression=$2
	shift 2
	run flame "$@"
	[ "$status" = 0 ] && grep -qE -- "$expression" out/out
	report $? "$sentence" out/err
}

picture 'a picture is 1200 wide' '<svg[^>]* width="1200"' stacks.folded
picture '--width sets it' '<svg[^>]* width="300"' -w 300 stacks.folded
picture '--paint=name colours without origins' 'class="[a-z][0-9]"' --paint=name run.script
picture '--theme=dark is in the picture' 'dark|#16181c' --theme=dark stacks.folded

"$tephra" flame stacks.folded >out/up
"$tephra" flame --icicle stacks.folded >out/down
"$tephra" flame --inverted stacks.folded >out/inverted
! cmp -s out/up out/down && cmp -s out/down out/inverted
report $? '--icicle and its alias --inverted put the root at the top'

"$tephra" flame -q --paint=origin run.script >out/origin
"$tephra" flame -q --paint=name run.script >out/name
! cmp -s out/origin out/name && "$tephra" flame -q run.script | cmp -s - out/origin
report $? 'colours are by origin where the input says it'

for theme in auto light dark; do
	"$tephra" flame --theme=$theme stacks.folded >out/$theme
done
! cmp -s out/auto out/light && ! cmp -s out/light out/dark && cmp -s out/auto out/up
report $? '--theme makes three pictures; auto is what one gets'

picture '--id stands before all ids' '<title id="left-title"' --id=left- stacks.folded
run flame --id='a"b' stacks.folded
[ "$status" = 2 ] && grep -q -- '--id takes a word' out/err && [ ! -s out/out ]
report $? 'an --id that would need an escape is refused' out/err

equal 'the same input gives the same bytes' flame run.script -- flame run.script

if command -v xmllint >/dev/null; then
	for input in run.script stacks.folded odd.folded; do
		run flame --title $'\001 \377 ]]>' "$input"
		xmllint --noout out/out 2>out/err
		report $? "the picture of $input is well-formed XML" out/err
	done
else
	skip 'pictures are well-formed XML' 'there is no xmllint'
fi

run flame -q -o out/written.svg run.script
[ "$status" = 0 ] && [ ! -s out/out ] && "$tephra" flame -q run.script | cmp -s - out/written.svg
report $? '-o writes to a file'

if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
	script -qec "'$tephra' flame -q run.script" /dev/null </dev/null >out/terminal 2>&1
	grep -q '^run.script.svg' out/terminal && grep -q '<svg' run.script.svg
	report $? 'on a terminal the picture is written beside the input and its path printed' out/terminal
	script -qec "'$tephra' flame -q run.script" /dev/null </dev/null >out/terminal 2>&1
	report $? 'a picture that tephra wrote is written anew' out/terminal
	echo mine >stacks.folded.svg
	script -qec "'$tephra' flame -q stacks.folded" /dev/null </dev/null >out/terminal 2>&1
	[ $? = 2 ] && [ "$(cat stacks.folded.svg)" = mine ]
	report $? 'a file of somebody else is not overwritten' out/terminal
else
	skip 'on a terminal the picture is written beside the input' 'there is no script(1)'
fi

# ---- outputs that are no picture

# ---- PNG and PDF, of each view
for view in flame callers sandwich table flamechart; do
	of=
	[ $view != sandwich ] || of=--of=main
	for ending in png pdf; do
		# shellcheck disable=SC2086 # nothing, or one word
		"$tephra" flame -q --view=$view $of -o out/x.$ending run.script 2>out/err &&
			case $ending in
			png) [ "$(head -c 8 out/x.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] ;;
			pdf) [ "$(head -c 5 out/x.pdf)" = %PDF- ] && tail -n 1 out/x.pdf | grep -q '%%EOF' ;;
			esac
		report $? "--view=$view as $ending" out/err
	done
done


: >out/empty
says "'out/empty' is empty" flame -o out/never.svg out/empty
says 'all weights of' flame -o out/never.svg - < <(echo 'main;f 0')
says 'cannot write' flame -o no/such/folder/x.svg run.script
[ ! -e out/never.svg ] && [ ! -e out/never.svg.part ]
report $? 'what cannot be drawn leaves no file'

finish
