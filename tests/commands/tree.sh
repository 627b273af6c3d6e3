#!/bin/bash
# tree.sh - tephra tree prints the call tree as text
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

expect default 0 tree run.script
expect folded-input 0 tree stacks.folded
expect samples 0 tree --weight=samples run.script
expect reverse 0 tree --reverse run.script
expect depth 0 tree --depth 2 run.script
expect min-width 0 tree --min-width=20% run.script
expect csv 0 tree --format=csv stacks.folded
expect json 0 tree --format=json stacks.folded
expect json-reverse 0 tree --format=json --reverse marks.folded
expect json-min-width 0 tree --format=json --min-width=20% stacks.folded
expect event 0 tree --event=faults run.script
expect help 0 tree --help

is_json tree --format=json run.script

# narrower than half a percent, and deeper than 64 frames: left out of a table unless asked for
{
	echo 'main;wide 995'
	echo 'main;narrow 4'
	echo 'main;narrower 1'
} >narrow.folded
expect narrow 0 tree narrow.folded
expect narrow-all 0 tree --all narrow.folded
{
	for i in $(seq 70); do printf 'f%d;' "$i"; done
	echo 'leaf 1'
} >deep.folded
expect deep 0 tree deep.folded
run tree --all deep.folded
grep -q 'leaf$' out/out
report $? '--all shows the deepest frame'

run tree -q -o out/written run.script
[ "$status" = 0 ] && [ ! -s out/out ] && "$tephra" tree -q run.script | cmp -s - out/written
report $? '-o writes to a file'

finish
