#!/bin/bash
# timeline.sh - tephra timeline on the captures of samples/relay/lab: pictures, rows, and what it refuses
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

lab=$source/samples/relay/lab
cp "$lab/cpu/counters.csv" cpu.csv
cp "$lab/cpu/phases.csv" phases.csv
cp "$lab/cpu/cpu.perf.data.zst" cpu.zst
given=(--symbols=given --debug-dir="$lab")
head -n 1 cpu.csv >head.csv

# ---- rows
expect rows 0 timeline --format=table --step=500ms "${given[@]}" cpu.zst cpu.csv
expect rows-csv 0 timeline --format=csv --step=1s cpu.csv
expect rows-json 0 timeline --format=json --step=2s --track=queue.depth --track=rates cpu.csv
expect rows-frame 0 timeline --format=table --step=1s --track=frame:classify_again "${given[@]}" cpu.zst cpu.csv
expect rows-range 0 timeline --format=table --step=100ms --from=+3.8 --to=+4.4 --track=queue.depth cpu.csv
is_json timeline --format=json cpu.csv
expect help 0 timeline --help

# ---- pictures
filter=words expect picture 0 timeline --format=svg cpu.csv
for theme in auto light dark; do
	"$tephra" timeline "${given[@]}" --theme=$theme --phases=phases.csv cpu.zst cpu.csv -o $theme.svg 2>out/err &&
		valid $theme.svg
	report $? "a picture of samples and counters, theme $theme" out/err
done
grep -q '>onset<' light.svg && grep -q '>cpu<' light.svg && grep -q 'class="s3"' light.svg
report $? 'onsets, phases and the capacity are in it'
"$tephra" timeline "${given[@]}" --theme=dark --phases=phases.csv cpu.zst cpu.csv | cmp -s - dark.svg
report $? 'the same input and options give the same bytes'
"$tephra" timeline --track=queue.depth cpu.csv -o rows.csv && head -n 1 rows.csv | grep -q '^from_ns,to_ns,'
report $? "the output's ending says what is written"

# ---- a heat map
for theme in auto dark; do
	"$tephra" timeline "${given[@]}" --chart=heatmap --theme=$theme --phases=phases.csv cpu.zst -o heat.svg 2>out/err &&
		valid heat.svg
	report $? "a heat map of samples, theme $theme" out/err
done
expect heat-rows 0 timeline --chart=heatmap --format=table --from=+4 --to=+4.2 "${given[@]}" cpu.zst
is_json timeline --chart=heatmap --format=json cpu.zst
expect heat-no-samples 2 timeline --chart=heatmap cpu.csv
expect heat-track 2 timeline --chart=heatmap --track=cpu cpu.zst
for ending in png pdf; do
	"$tephra" timeline "${given[@]}" --chart=heatmap cpu.zst -o heat.$ending 2>out/err && [ "$(stat -c %s heat.$ending)" -gt 5000 ]
	report $? "a heat map as $ending" out/err
done

# ---- a profile says the same as its captures
"$tephra" import -q --symbols=no cpu.zst cpu.csv -o cpu.tephra 2>out/err
"$tephra" timeline -q --symbols=no cpu.tephra 2>>out/err | sed 's/ cpu.tephra@/ cpu.zst@/' >out/stored
"$tephra" timeline -q --symbols=no cpu.zst cpu.csv | cmp - out/stored >out/diff 2>&1
report $? 'a profile gives what its captures give, but for the name in the command' out/diff out/err

# ---- no claim without evidence: where nothing is known nothing is drawn
awk -F, 'NR == 1 || NR % 40 < 20' OFS=, cpu.csv >gaps.csv
sed '30,40s/^\([^,]*,[^,]*\),[0-9]*/\1,/' cpu.csv >holes.csv
expect holes 0 timeline --format=table --step=500ms --from=+2 --to=+5 --track=queue.depth holes.csv
[ "$("$tephra" timeline --track=queue.depth holes.csv | grep -c 'class="s0" d="[^"]*M[^"]*M')" = 1 ]
report $? 'a hole in the counters is a hole in the line'

# ---- what is refused
expect no-track 2 timeline --track=queue.debth cpu.csv
expect bad-step 2 timeline --step=soon cpu.csv
expect no-step 2 timeline --step=0s cpu.csv
expect bad-range 2 timeline --from=+5 --to=+2 cpu.csv
expect too-many-rows 2 timeline --format=csv --step=1ns cpu.csv
expect no-points 2 timeline head.csv
expect no-times 2 timeline stacks.folded
expect no-phases 2 timeline --phases=cpu.csv cpu.csv
printf 'begin_ns,end_ns,label\n5,3,backwards\n' >bad.csv
expect bad-phases 2 timeline --phases=bad.csv cpu.csv
expect missing-phases 2 timeline --phases=nothing.csv cpu.csv

finish
