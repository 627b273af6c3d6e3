#!/bin/bash
# top.sh - tephra top lists functions by weight
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

expect default 0 top run.script
expect folded-input 0 top stacks.folded
expect samples 0 top --weight=samples run.script
expect sort-total 0 top --sort=total run.script
expect sort-name 0 top --sort=name run.script
expect limit 0 top -n 2 run.script
expect limit-csv 0 top --limit=2 --format=csv run.script
expect csv 0 top --format=csv stacks.folded
expect json 0 top --format=json stacks.folded
expect json-limit 0 top --format=json -n 1 stacks.folded
expect event 0 top --event=faults run.script
expect no-idle 0 top --no-idle run.script
expect help 0 top --help

is_json top --format=json run.script

# more functions than a table shows by itself
for i in $(seq 50); do echo "main;f$i $i"; done >many.folded
expect many 0 top many.folded
run top --all many.folded
[ "$(wc -l <out/out)" = 53 ]
report $? '--all shows every function'
run top --format=csv many.folded
[ "$(wc -l <out/out)" = 52 ]
report $? 'CSV has every function'

run top -q -o out/written run.script
[ "$status" = 0 ] && [ ! -s out/out ] && "$tephra" top -q run.script | cmp -s - out/written
report $? '-o writes to a file'

finish
