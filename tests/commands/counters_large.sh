#!/bin/sh
# counters_large.sh - many points of counters: kept in little memory, and all of them there
#
# usage: counters_large.sh [<rows>]    rows of 20 series, a tenth of a second apart; 864000 are a day
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh" || exit 99

tephra=$(realpath "${TEPHRA:-./tephra}") || exit 99
rows=${1:-25000}
cd "$folder" || exit 99

awk -v rows="$rows" 'BEGIN {
	printf "mono_ns"
	for (i = 0; i < 20; i++)
		printf ",q%d_%s", i, i % 2 ? "completed_total" : "depth"
	print ""
	srand(1)
	for (row = 0; row < rows; row++) {
		printf "%d%08d", 24000 + int(row / 10), (row % 10) * 10000000 + int(rand() * 60000)
		for (i = 0; i < 20; i++)
			printf ",%d", i % 2 ? row * 7 + int(rand() * 7) : int(rand() * 512)
		print ""
	}
}' | sed '2,$s/^\([0-9]*\)\([0-9]\{8\}\),/\10\2,/' >day.csv

# peak <pid>: the most memory that it had, in KiB; one that ended and waits for us has none
peak()
{
	while sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$1/status" 2>/dev/null | grep .; do
		sleep 0.05
	done | sort -n | tail -n 1
}

before=$(date +%s%N)
"$tephra" import -q day.csv -o day.tephra 2>err &
most=$(peak $!)
wait $!
check $? "$((rows * 20)) points are imported" err
after=$(date +%s%N)
echo "# $((rows * 20 * 1000 / ((after - before) / 1000000 + 1))) points/s, ${most:-?} KiB at most, $(wc -c <day.csv) bytes became $(wc -c <day.tephra)"

# 20 series and a buffer each; what grows with the rows would be twice as much at once
[ "${most:-0}" -lt 400000 ]
check $? 'the memory for it does not grow with their number'
[ "$(wc -c <day.tephra)" -lt $(($(wc -c <day.csv) * 3 / 2 + 1000000)) ]
check $? 'the profile is about as large as the text'
"$tephra" sql --format=csv day.tephra "SELECT sum(points), min(points), max(points) FROM series" | tail -n 1 | tr -d '\r' >out
[ "$(cat out)" = "$((rows * 20)),$rows,$rows" ]
check $? 'all of them are there' out
"$tephra" sql --format=csv day.tephra "SELECT
	(SELECT sum(value) FROM point JOIN series USING (series_id) WHERE name = 'q0_depth'),
	(SELECT max(value) FROM point JOIN series USING (series_id) WHERE name = 'q19_completed_total')" |
	tail -n 1 | tr -d '\r' >out
awk -F, 'NR > 1 { depth += $2; if ($21 > most) most = $21 } END { printf "%.0f,%.0f\n", depth, most }' day.csv >expected
cmp -s expected out
check $? 'and with their values' out
echo "1..$nr"
