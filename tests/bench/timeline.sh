#!/bin/bash
# timeline.sh - the size of an hour's timeline and its CPU time: timeline.sh <tephra> <replay> <folder>
#
# An hour, 20 series at 10 Hz, a million samples, made once in the folder. Fails where the picture
# is over 4 MB or takes more than 0.5 s of CPU beyond what reading its samples takes.

set -eu
export LC_ALL=C
tephra=$1 replay=$2 folder=$3
rounds=5 size_max=4000000

# made anew where it is not there, or of an older schema
if ! "$tephra" info -q "$folder/hour.tephra" >/dev/null 2>&1; then
	mkdir -p "$folder"
	rm -f "$folder/hour.tephra" "$folder/hour.new.tephra"
	python3 "$(dirname "$0")/timeline_input.py" "$folder"
	"$tephra" import -q --symbols=no "$folder/samples.script" -o "$folder/hour.new.tephra"
	"$tephra" import -q --add "$folder/counters.csv" -o "$folder/hour.new.tephra"
	"$tephra" align -q "$folder/hour.new.tephra" --capture=samples --clock=monotonic
	rm "$folder/samples.script"
	mv "$folder/hour.new.tephra" "$folder/hour.tephra"
fi

TIMEFORMAT='%U %S'
cpu()
{
	{ time "$tephra" timeline -q "$folder/hour.tephra" -o "$folder/hour.svg"; } 2>&1 |
		awk '{print $1 + $2}'
}

median()
{
	sort -n | sed -n "$(((rounds + 1) / 2))p"
}

for ((i = 0; i < rounds; i++)); do
	all=$(cpu)
	read=$("$replay" "$folder/hour.tephra")
	echo "$all" >&3
	echo "$read" >&4
	awk -v a="$all" -v b="$read" 'BEGIN {printf "%.3f\n", a - b}'
done 3>"$folder/all" 4>"$folder/read" >"$folder/beyond"
grep -q 'class="bins"' "$folder/hour.svg" || { echo "there is no tree of the samples in the picture" >&2; exit 1; }
size=$(stat -c %s "$folder/hour.svg")
beyond=$(median <"$folder/beyond")
echo "the SVG: $size bytes (at most $size_max)"
echo "CPU: $(median <"$folder/all") s, of which reading: $(median <"$folder/read") s; beyond: $beyond s (at most 0.5)"
[ "$size" -le $size_max ] && awk -v s="$beyond" 'BEGIN {exit !(s <= 0.5)}'
