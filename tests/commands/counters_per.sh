#!/bin/sh
# counters_per.sh - tephra counters: per second, per unit of work, between ranges and captures
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh" || exit 99

tephra=$(realpath "${TEPHRA:-./tephra}") || exit 99
cd "$folder" || exit 99

# same <file> <sentence>: is it what standard input has?
same()
{
	diff - "$1" >diff
	check $? "$2" diff
}

# cells <columns> <arguments>: these columns of the CSV
cells()
{
	wanted=$1
	shift
	"$tephra" counters --format=csv "$@" 2>err | cut -d, -f"$wanted" >out
}

# In the second half each item takes twice as long, and half of them are left waiting.
awk 'BEGIN {
	print "mono_ns,depth,admitted_total,completed_total,service_ns_total,queue_wait_ns_total,process_cpu_ns"
	for (i = 0; i <= 80; i++) {
		slow = i > 40 ? i - 40 : 0
		done = 10 * (i - slow) + 5 * slow
		depth = 5 * slow
		wait += depth * 100000000
		printf "%.0f,%d,%d,%d,%.0f,%.0f,%.0f\n", 1e9 + i * 1e8, depth, 10 * i, done,
			2000000 * 10 * (i - slow) + 4000000 * 5 * slow, wait, i * 5e7
	}
}' >queue.csv

cells 2,4,5,8 queue.csv
grep -v total out >said
same said 'a gauge has a mean, and what follows from several series is there' <<END
series,measure,value,unit
depth,mean,48.75,
process_cpu_ns,per second,500000000,ns/s
depth,Little's law,0.951219512195,depth / (arrivals x wait)
process_cpu_ns,utilisation,50,percent of a CPU
END
grep total out >said
same said 'a counter has what it grew by in a second, and a mean for each item' <<END
admitted_total,per second,100,/s
completed_total,per second,75,/s
service_ns_total,per second,200000000,ns/s
queue_wait_ns_total,per second,51250000000,ns/s
service_ns_total,mean service time,0.00266666666667,s
queue_wait_ns_total,mean wait,0.683333333333,s
END
"$tephra" counters queue.csv >out
grep -q "Little's law.*they describe one queue" out
check $? "Little's law tells that the columns are of one queue" out
sed 's/queue_wait_ns_total/queue_wait_us_total/' queue.csv >other.csv
"$tephra" counters other.csv >out
grep -q "Little's law.*these columns do not describe one queue" out
check $? "and that they are not" out
sed 's/depth/oldest_age_ms/' queue.csv | awk -F, -v OFS=, 'NR > 1 { $2 *= 1000 } { print }' >age.csv
"$tephra" counters age.csv | grep -q 'it rises by 50 s a second: its unit or its clock is another one'
check $? 'an age that grows faster than time is not believed'

cells 2,4,5,8 queue.csv --per queue.completed
same out 'per unit of work there is what adds up' <<END
series,measure,value,unit
admitted_total,per queue.completed,1.33333333333,
service_ns_total,per queue.completed,2666666.66667,ns
queue_wait_ns_total,per queue.completed,683333333.333,ns
process_cpu_ns,per queue.completed,6666666.66667,ns
END
cells 2,5,6,7 queue.csv@+0..+4 queue.csv@+4..+8 --per completed_total
grep service out >said
same said 'a range is compared with another one' <<END
service_ns_total,2000000,4000000,2000000
END
"$tephra" counters queue.csv@+0..+4 queue.csv@+4..+8 --per completed_total >out
grep -q 'service_ns_total .* 2.0000 .* 4.0000 .* ms .*+100.0 %' out
check $? 'people read times in a unit that fits' out

# ---- what cannot be said

"$tephra" counters queue.csv --per nothing 2>err
[ $? = 2 ] && grep -q "there is no series 'nothing'" err && grep -q 'hint: there is: .*completed_total' err
check $? 'a divisor that is not there is refused with those that are' err
"$tephra" counters queue.csv --per depth 2>err
[ $? = 2 ] && grep -q "'depth' is a gauge" err
check $? 'nothing is divided by a gauge' err

cat >stat.csv <<END
     1.000000000,2000,,cycles,500000000,50.00,,
     1.000000000,1000,,instructions,500000000,50.00,,
     1.000000000,50,,cache-misses,330000000,33.00,,
     1.000000000,7,,page-faults,1000000000,100.00,,
     1.000000000,<not supported>,,branches,0,100.00,,
     2.000000000,4000,,cycles,500000000,50.00,,
     2.000000000,2000,,instructions,500000000,50.00,,
     2.000000000,70,,cache-misses,330000000,33.00,,
     2.000000000,9,,page-faults,1000000000,100.00,,
     2.000000000,<not supported>,,branches,0,100.00,,
END
cells 2,4,5,13 stat.csv --per '1000 instructions'
same out 'events that took turns are not divided by each other' <<END
series,measure,value,remark
cycles,per 1000 instructions,2000,an estimate: it was counted for 50 to 50 % of the time
cache-misses,per 1000 instructions,,refused: the two were not counted at the same time; an estimate: it was counted for 33 to 33 % of the time
page-faults,per 1000 instructions,,refused: the two were not counted at the same time
branches,per 1000 instructions,,no interval of it is covered; it was not counted or is not supported
END
"$tephra" import -q queue.csv stat.csv -o run.tephra
cells 1,2,5,13 run.tephra --per completed_total
grep -q "^stat,cycles,,nothing ties the clock of 'queue'" out && grep -q '^queue,service_ns_total,2666666' out
check $? 'clocks that nothing relates are not laid over each other' out
sed 's/^ *[0-9.]*,//' stat.csv | head -n 5 >total.csv
"$tephra" import -q --add total.csv -o run.tephra
cells 1,2,5,13 run.tephra --per completed_total
grep -q '^total,cycles,,totals of a run have no times' out
check $? 'totals of a run are not divided by work' out
"$tephra" counters --format=json run.tephra >out && grep -q '"series": "branches"' out &&
	python3 -c 'import json, sys; json.load(open("out"))' 2>err
check $? 'JSON is JSON' err
printf 'main;run 3\n' | "$tephra" counters - 2>err
[ $? = 2 ] && grep -q 'holds no counters' err
check $? 'a capture without counters has none' err

echo "1..$nr"
