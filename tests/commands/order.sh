#!/bin/bash
# order.sh - tephra order on the captures of samples/relay/lab: onsets, relations, readings, and what it refuses
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

lab=$source/samples/relay/lab
cp "$lab/cpu/counters.csv" cpu.csv
cp "$lab/baseline/counters.csv" baseline.csv
cp "$lab/cpu/cpu.perf.data.zst" "$lab/baseline/cpu.perf.data.zst" . 2>/dev/null
cp "$lab/cpu/cpu.perf.data.zst" cpu.zst
given=(--symbols=given --debug-dir="$lab")

expect cpu 0 order "${given[@]}" --frame=classify_again cpu.zst cpu.csv
expect cpu-csv 0 order --format=csv cpu.csv
expect cpu-json 0 order --format=json --symbols=no cpu.zst cpu.csv
expect baseline 0 order baseline.csv
expect coarse 0 order coarse.csv
expect samples-alone 0 order -q --symbols=no cpu.zst
expect help 0 order --help
is_json order --format=json cpu.csv
is_json order --format=json baseline.csv

expect two-samples 2 order --symbols=no cpu.zst cpu.zst
expect no-stage 2 order --symbols=no --stage=nobody cpu.zst cpu.csv
expect no-frame 2 order "${given[@]}" --frame=no_such_function cpu.zst cpu.csv
expect bad-regex 2 order "${given[@]}" --frame='(' cpu.zst cpu.csv
expect stage-without-samples 2 order --stage=classifier cpu.csv
expect nothing 2 order stacks.folded

# ---- a profile says the same as its captures
"$tephra" import -q --symbols=no cpu.zst cpu.csv -o cpu.tephra 2>out/err
"$tephra" order -q --format=csv cpu.tephra >out/stored 2>>out/err
"$tephra" order -q --format=csv --symbols=no cpu.zst cpu.csv | diff out/stored - >out/diff
report $? 'a profile gives what its captures give' out/diff out/err

"$tephra" order -q --format=csv --to=+3.5 cpu.tephra >out/before 2>out/err
grep -q '^reading,none,supported' out/before && ! grep -q '^onset,queue.depth' out/before
report $? '--to leaves out samples and counters alike' out/before out/err
expect range 0 order -q cpu.tephra@+3..+6

# ---- the same seed, the same answer; another seed, the same reading
"$tephra" order -q --format=csv --seed=7 cpu.csv >out/a
"$tephra" order -q --format=csv --seed=7 cpu.csv | cmp -s - out/a
report $? 'the same seed gives the same answer'
for seed in 2 3 4 5 6; do
	"$tephra" order -q --format=csv --seed=$seed cpu.csv | grep '^reading' | head -n 1 | cut -d, -f1-3
done | sort -u >out/first
echo 'reading,working,supported' | diff - out/first >out/diff
report $? 'what is read does not hang on the seed' out/diff

# ---- the guilty function's cost begins with the fault
begin=$(sed -n '2s/,.*//p' "$lab/cpu/phases.csv")
"$tephra" order -q "${given[@]}" --frame=classify_again --format=csv cpu.zst cpu.csv >out/csv
awk -F, -v begin="$begin" '$1 == "onset" && $2 ~ /^(frame:classify_again|queue.depth|queue.oldest_age|cpu.process)$/ && $3 == "onset" {
		seen++
		if ($4 > begin || $5 < begin || $5 - $4 > 3e8) { print; bad = 1 } }
	END { exit bad || seen != 4 }' out/csv >out/bad
report $? 'onsets hold the beginning of the fault, within three ticks' out/bad out/csv

# ---- the page states each threshold with its value
sed -n 's/^#define \([A-Z_]*\)[[:blank:]]*\([^[:blank:]]*\).*/\1 \2/p' "$source/src/analysis/order_limits.h" |
	sed 's/UINT64_C(\(.*\))/\1/' >out/header
sed -n 's/^\.It \([A-Z_]*\) Ta \([^ ]*\) Ta .*/\1 \2/p' "$source/src/commands/tephra-order.1" | diff out/header - >out/diff
report $? 'tephra-order(1) states each threshold with its value' out/diff

# ---- counters on the wall clock alone, samples on CLOCK_MONOTONIC: brought onto one axis
cut -d, -f2- cpu.csv >wall.csv
begin=$(awk -F, -v begin="$begin" 'NR == 2 { printf "%.0f", begin + ($2 - $1) }' cpu.csv)
"$tephra" order "${given[@]}" --format=json --frame=classify_again cpu.zst wall.csv >out/json 2>out/err
cat >tied.py <<'END'
import json, sys
result, begin = json.load(sys.stdin), int(sys.argv[1])
frame = next(o for o in result["onsets"] if o["role"] == "frame:classify_again")
depth = next(o for o in result["onsets"] if o["role"] == "queue.depth")
print(result["clock"], begin, frame, depth)
sys.exit(not (result["clock"] == "realtime" and frame["after_ns"] <= begin <= frame["until_ns"] and
    depth["after_ns"] <= begin <= depth["until_ns"] and 0 < frame["clock_error_ns"] < 1e6 and depth["clock_error_ns"] == 0))
END
python3 tied.py "$begin" <out/json >out/bad
report $? "the samples' clock is brought to that of the counters, with its error" out/bad out/err
finish
