#!/bin/sh
# ranges.sh - a range means the same wherever it is said: behind an operand or as options, of samples and of counters
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh" || exit 99

tephra=$(realpath "${TEPHRA:-./tephra}") || exit 99
source=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd) || exit 99
lab=$source/samples/relay/lab/cpu
cd "$folder" || exit 99

# Samples begin at 23580.431, counters a moment later; from 3.9 to 7 s after it items wait.
cp "$lab/cpu.perf.data.zst" run.zst || exit 99
cp "$lab/counters.csv" both.csv || exit 99
cut -d, -f1,3- both.csv >mono.csv
cut -d, -f2- both.csv >wall.csv
begin=$(sed -n '2s/,.*//p' "$lab/phases.csv")

# profile <name> <counters>: samples, and counters beside them
profile()
{
	"$tephra" import -q --symbols=no run.zst "$2" -o "$1.tephra" || exit 99
}

profile both both.csv
profile mono mono.csv
profile wall wall.csv

# mean <operand> [<options>]: the mean depth
mean()
{
	"$tephra" counters --format=csv "$@" 2>err | awk -F, '$2 == "depth" && $4 == "mean" { printf "%.0f\n", $5 }'
}

# ---- counters, by whatever ties their clock to that of the samples

want=$(awk -F, -v from=$((23580431497031 + 4500000000)) -v to=$((23580431497031 + 6500000000)) \
	'NR > 1 && $1 >= from && $1 <= to { sum += $3; nr++ } END { printf "%d", sum / nr }' both.csv)
for how in both mono wall; do
	got=$(mean "$how.tephra@+4.5..+6.5")
	[ "${got:-0}" -ge $((want - 9)) ] && [ "$got" -le $((want + 9)) ]
	check $? "counters of the range: clocks by $how ($got, about $want)" err
	[ "$(mean "$how.tephra@+0.5..+3.5")" = 0 ]
	check $? "and of the range before, by $how" err
	[ "$(mean --from=+4.5 --to=+6.5 "$how.tephra")" = "$got" ]
	check $? "--from and --to say the same, by $how" err
done
[ "$(mean both.tephra@23584.931497031..23586.931497031)" = "$(mean both.tephra@+4.5..+6.5)" ]
check $? "without + it is the samples' own clock" err
"$tephra" counters both.tephra@+0.5..+3.5 >out
grep -q '^depth .* from 0 to 1$' out
check $? 'the least and the most of a gauge are those of the range' out

# ---- order

for how in both mono wall; do
	"$tephra" order -q --format=csv "$how.tephra@+3..+6" >range 2>err
	"$tephra" order -q --format=csv --from=+3 --to=+6 "$how.tephra" | cmp -s - range
	check $? "order: behind the operand and as options it is the same, by $how" err
	"$tephra" order -q --format=csv --symbols=no run.zst@+3..+6 $how.csv | cmp -s - range
	check $? "and of the captures themselves, by $how" err
done
"$tephra" order -q --format=csv mono.tephra@+3..+6 >range
awk -F, -v begin="$begin" '$1 == "onset" && ($2 == "queue.depth" || $2 == "cpu.process") && $3 == "onset" &&
	$4 <= begin && begin <= $5 { seen++ } END { exit seen != 2 }' range
check $? 'both are dated right within the range' range
"$tephra" order -q mono.tephra >whole
"$tephra" order -q mono.tephra@+3..+6 | grep '^ *[0-9]* *queue.depth onset' | tr -s ' ' | cut -d' ' -f4-6 >times
[ -s times ] && tr -s ' ' <whole | grep -qF "$(cat times)"
check $? 'and the times that are printed count from the same moment' times whole
"$tephra" order -q --format=csv --capture=both both.tephra@+3..+6 >range
"$tephra" order -q --format=csv --symbols=no run.zst both.csv@+3..+6 | cmp -s - range
check $? 'a range may be said of the counters'
"$tephra" order both.tephra@+3..+6 wall.csv@+1.. 2>err
[ $? = 2 ] && grep -q "'both.tephra@+3..+6' and 'wall.csv@+1..' both have a range" err
check $? 'an incident has one range' err
"$tephra" order --symbols=no run.zst@+20..+30 mono.csv 2>err
[ $? = 2 ] && grep -q "no sample of 'run.zst' is selected" err && grep -q 'hint: there is: time from 23580.43' err
check $? 'a range without samples is refused with the times that there are' err

# ---- timeline: the same range is shown, of onsets of the whole

for how in both mono wall; do
	"$tephra" timeline -q --format=csv --step=500ms "$how.tephra@+3..+5" >range 2>err
	"$tephra" timeline -q --format=csv --step=500ms --from=+3 --to=+5 "$how.tephra" | cmp -s - range
	check $? "timeline: behind the operand and as options it is the same, by $how" err
	"$tephra" timeline -q --format=csv --step=500ms --symbols=no run.zst@+3..+5 $how.csv | cmp -s - range &&
		[ "$(wc -l <range)" = 5 ]
	check $? "and of the captures themselves, by $how" range err
done
"$tephra" timeline -q --format=table --step=1s both.tephra@+3..+6 >out
[ "$(sed 1d out | tr -s ' ' | sed 's/^ //' | cut -d' ' -f1 | tr '\n' ' ')" = '+3.000 +4.000 +5.000 ' ]
check $? 'rows count from the same moment as the range' out
"$tephra" timeline -q both.tephra@+3..+6 >range.svg && "$tephra" timeline -q both.tephra --from=+3 --to=+6 | cmp -s - range.svg
check $? 'and so do pictures'

# ---- samples: several captures that are added up

cp "$source/samples/relay/lab/baseline/cpu.perf.data.zst" calm.zst || exit 99
"$tephra" import -q --symbols=no calm.zst run.zst -o two.tephra || exit 99
# sum <operand> [<options>]: its samples
sum()
{
	"$tephra" fold -q --weight=samples "$@" 2>err | awk '{ sum += $NF } END { print sum + 0 }'
}
calm=$(sum --symbols=no calm.zst@+1..+3) run=$(sum --symbols=no run.zst)
[ "$calm" -gt 0 ] && [ "$(sum --capture=all two.tephra@+1..+3)" = "$calm" ]
check $? 'a range of captures that are added up is one time on all clocks' err
first=$(sum --symbols=no calm.zst@+3..)
[ "$(sum --capture=all two.tephra@+3..)" = $((first + run)) ]
check $? 'an open one reaches into the later capture' err

# ---- where nothing relates the clocks it is refused, with how to relate them

awk -F, -v OFS=, 'NR == 1 { $1 = "uptime_s" } NR > 1 { $1 = sprintf("%.6f", ($1 - 23580000000000) / 1e9) } { print }' mono.csv >own.csv
"$tephra" import -q --symbols=no --map uptime_s=time,s,start run.zst own.csv -o own.tephra 2>err
check $? 'counters on a clock of their own' err
for command in counters order; do
	"$tephra" $command own.tephra@+3..+6 >out 2>err
	[ $? = 2 ] && grep -q 'nothing ties the clock of' err && grep -q '^hint: tephra align' err
	check $? "$command: refused, and it is said what is missing" err
done

echo "1..$nr"
