#!/bin/sh
# test_bench.sh - the benchmark's inputs are the same for a seed, and tephra keeps every sample of them
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh" || exit 99

tephra=${TEPHRA:-./tephra}
generate=${BENCH_BUILD:-tests/bench}/generate

echo 1..16
for kind in script-few script-unique folded; do
	"$generate" --seed 7 "$kind" 2 >"$folder/$kind" 2>"$folder/facts"
	"$generate" --seed 7 "$kind" 2 2>/dev/null | cmp -s - "$folder/$kind"
	check $? "$kind: the same bytes for the same seed"

	! "$generate" --seed 8 "$kind" 2 2>/dev/null | cmp -s - "$folder/$kind"
	check $? "$kind: other bytes for another seed"

	said=$(sed -n 's/^samples=\([0-9]*\) .*/\1/p' "$folder/facts")
	case $kind in
	folded) counted=$(awk '{ sum += $NF } END { printf "%.0f", sum }' "$folder/$kind") ;;
	*) counted=$(grep -c '^[^	].* cycles: $' "$folder/$kind") ;;
	esac
	[ -n "$said" ] && [ "$said" = "$counted" ]
	check $? "$kind: as many samples as the generator says"

	if [ -x "$tephra" ]; then
		folded=$("$tephra" fold --weight=samples "$folder/$kind" |
			awk '{ sum += $NF } END { printf "%.0f", sum }')
		[ "$folded" = "$said" ]
		check $? "$kind: fold writes as many samples as it read"
	else
		nr=$((nr + 1))
		echo "ok $nr - $kind: fold writes as many samples as it read # SKIP there is no $tephra"
	fi
done

[ "$("$generate" repeat 3 2>/dev/null | sort -u | wc -l)" = 1000 ] &&
	[ "$("$generate" repeat 3 2>/dev/null | wc -l)" = 3000 ]
check $? 'repeat: so many samples of the same stacks'

# row <figure> <limit>
row()
{
	printf 'job\tprogram\t3\t0.5\t0.6\t1000\t0\t%s\ttimes "wc"\t%s\t2 MB\n' "$1" "$2"
}
table=$(dirname "$0")/bench_table.sh
mkdir "$folder/rows"
{ row 8 '<=8' && row 9 '>=9' && row 5 -; } >"$folder/rows/a.tsv"
BENCH_BUILD=$folder "$table" --check >"$folder/out" 2>"$folder/err" && [ ! -s "$folder/err" ]
check $? 'table: within the limits is no failure'

python3 -c 'import json, sys; rows = json.load(open(sys.argv[1]))["rows"]
assert [row["figure"] for row in rows] == [8, 9, 5] and rows[0]["limit"] == "<=8"
assert rows[0]["figure_of"] == "times \"wc\"" and rows[2]["limit"] is None' "$folder/bench.json"
check $? 'table: JSON holds the figures and their limits'

{ row 8.1 '<=8' && row 8.9 '>=9'; } >"$folder/rows/b.tsv"
! BENCH_BUILD=$folder "$table" --check >"$folder/out" 2>"$folder/err" &&
	[ "$(grep -c 'the limit is' "$folder/err")" = 2 ]
check $? 'table: each passed limit is said, and is a failure'
