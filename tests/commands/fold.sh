#!/bin/bash
# fold.sh - tephra fold prints folded stacks
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

expect default 0 fold run.script
expect folded-input 0 fold stacks.folded
expect quiet 0 fold -q run.script
expect samples 0 fold --weight=samples run.script
expect period 0 fold --weight=period run.script
expect event 0 fold --event=faults run.script
expect comm 0 fold --comm 'pool 1 [b]' --comm script run.script
expect pid 0 fold --pid 200 run.script
expect tid 0 fold --tid 101 --tid 200 run.script
expect cpu 0 fold --cpu 0 run.script
expect from-to 0 fold --from 50.25 --to 50.8 run.script
expect from-to-relative 0 fold --from +250ms --to +0.8 run.script
expect range-of-operand 0 fold run.script@+0.25..+0.8
expect range-to 0 fold run.script@..50.25
expect focus 0 fold --focus 'fill|take' run.script
expect ignore 0 fold --ignore fill run.script
expect hide 0 fold --hide '^relay::' --hide main run.script
expect show 0 fold --show main --show run run.script
expect no-idle 0 fold --no-idle run.script
expect tidy 0 fold --tidy run.script
expect tidy-hashes 0 fold --tidy=hashes run.script
expect mask 0 fold --mask run.script
expect inline-off 0 fold --inline=off run.script
expect unknown-address 0 fold --unknown=address run.script
expect annotate 0 fold --annotate=kernel,jit,inline run.script
expect srcline 0 fold --srcline lines.script
expect without-srcline 0 fold lines.script
expect by-none 0 fold --by=none run.script
expect by-process 0 fold --by=process run.script
expect by-thread 0 fold --by=thread run.script
expect by-thread-without-pid 0 fold --by=thread odd.script
expect by-cpu 0 fold --by=cpu run.script
expect csv 0 fold --format=csv run.script
expect csv-quoted 0 fold --format=csv stacks.folded
expect json 0 fold --format=json stacks.folded
expect odd 0 fold odd.script
expect odd-folded 0 fold odd.folded
expect strict 2 fold --strict odd.script
expect strict-folded 2 fold --strict odd.folded
expect strict-and-clean 0 fold --strict stacks.folded
printf 'main;read 10\nmain;write 2.5\n' >one.folded
printf 'main;read 30\nmain;sleep;wait 7\n' >two.folded
expect diff 0 fold --diff one.folded two.folded
expect diff-normalized 0 fold --diff --normalize one.folded two.folded
expect diff-one 2 fold --diff one.folded
expect diff-json 2 fold --diff --format=json one.folded two.folded
expect normalize-alone 2 fold --normalize one.folded
expect help 0 fold --help

is_json fold --format=json run.script
is_json fold --format=json stacks.folded

"$tephra" fold stacks.folded >out/once
"$tephra" fold out/once >out/twice
cmp -s out/once out/twice
report $? 'fold of what fold wrote gives the same lines'

"$tephra" fold -q <run.script >out/piped
"$tephra" fold -q run.script | cmp -s - out/piped
report $? 'standard input is read where no capture is named'

equal '- is standard input' fold -q - -- fold -q run.script <run.script

run fold -q -o out/written run.script
[ "$status" = 0 ] && [ ! -s out/out ] && "$tephra" fold -q run.script | cmp -s - out/written
report $? '-o writes to a file'

"$tephra" fold -q -o - run.script | cmp -s - out/written
report $? '-o - is standard output'

for packer in gzip zstd xz; do
	command -v "$packer" >/dev/null || { skip "$packer" "there is no $packer"; continue; }
	"$packer" -c <run.script >out/packed
	"$tephra" fold -q out/packed | cmp -s - out/written
	report $? "what $packer packed folds to the same"
done

sed 's/$/\r/' run.script >out/crlf
"$tephra" fold -q out/crlf | cmp -s - out/written
report $? 'lines that end in CR LF fold to the same'

printf '%s' "$(cat run.script)" >out/unended
"$tephra" fold -q out/unended | cmp -s - out/written
report $? 'a text without its last line feeds folds to the same'

finish
