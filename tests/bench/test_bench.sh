#!/bin/sh
# test_bench.sh - the benchmark's inputs are the same for a seed, and tephra keeps every sample of them

set -u
export LC_ALL=C

tephra=${TEPHRA:-./tephra}
generate=${BENCH_BUILD:-tests/bench}/generate
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
trap 'exit 99' HUP INT TERM
nr=0

# check <status> <sentence>: one TAP line
check()
{
	nr=$((nr + 1))
	if [ "$1" = 0 ]; then
		echo "ok $nr - $2"
	else
		echo "not ok $nr - $2"
	fi
}

echo 1..12
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
