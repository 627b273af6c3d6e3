#!/bin/bash
# info.sh - tephra info says what is in a capture, what was lost and what is odd
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

expect default 0 info run.script
expect folded-input 0 info stacks.folded
expect odd 0 info odd.script
expect csv 0 info --format=csv run.script
expect json 0 info --format=json run.script
expect json-odd 0 info --format=json odd.script
expect json-folded 0 info --format=json odd.folded
expect event 0 info --event=faults run.script
expect cpu 0 info --cpu 1 run.script
expect comm 0 info --comm relay run.script
expect from-to 0 info --from 50.25 --to 51 run.script
expect strict 2 info --strict odd.script
expect help 0 info --help

is_json info --format=json run.script
is_json info --format=json stacks.folded
is_json info --format=json odd.script

expect selected 0 info --format=csv --event cpu-clock --cpu 1 run.script

run info -q -o out/written run.script
[ "$status" = 0 ] && [ ! -s out/out ] && "$tephra" info -q run.script | cmp -s - out/written
report $? '-o writes to a file'

finish
