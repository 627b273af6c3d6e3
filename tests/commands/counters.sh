#!/bin/sh
# counters.sh - counter files beside captures in a profile: what is kept, said and refused
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh" || exit 99

tephra=$(realpath "${TEPHRA:-./tephra}") || exit 99
source=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd) || exit 99
cd "$folder" || exit 99

# same <file> <sentence>: is it what standard input has?
same()
{
	diff - "$1" >diff
	check $? "$2" diff
}

cat >queue.csv <<END
mono_ns,real_ns,depth,completed_total,shoe_size
1000000000,1796007289000000000,0,10,44
1100000000,1796007289100000000,5,20,44
1200000000,1796007289200000000,,15,NaN
1300000000,1796007289300000000,7,25,44
END

# ---- kept and said

"$tephra" import "$source/samples/relay/relay.perf-script.txt.gz" queue.csv -o run.tephra 2>err
check $? 'a counter file is imported beside a capture' err
grep '^queue.csv' err >said
same said 'what columns were taken for is said, and what was odd' <<END
queue.csv: note: 1 cumulative counter fell: it began anew; the first is line 4
queue.csv: guessed: --map 'real_ns=clock.realtime,ns,gauge'
queue.csv: guessed: --map 'depth=queue.depth,,gauge'
queue.csv: guessed: --map 'completed_total=queue.completed,,cumulative'
queue.csv: no role: shoe_size, gauge
END
tail -n 1 err >facts
same facts 'the line of facts counts points and what is missing' <<END
run.tephra: capture 'queue': 4 series, 14 points, 2 missing in 300.0 ms; clock: monotonic
END
"$tephra" info --series --format=csv run.tephra >series
same series 'info --series lists what each series is' <<END
capture,series,role,role_source,kind,unit,points,missing,resets,clock,start_ns,last_ns
queue,real_ns,clock.realtime,name,gauge,ns,4,0,0,monotonic,1000000000,1300000000
queue,depth,queue.depth,name,gauge,,3,1,0,monotonic,1000000000,1300000000
queue,completed_total,queue.completed,name,cumulative,,4,0,1,monotonic,1000000000,1300000000
queue,shoe_size,,none,gauge,,3,1,0,monotonic,1000000000,1300000000
END
"$tephra" info --series --format=csv queue.csv | sed 's/^,/queue,/' | diff series - >diff
check $? 'of the file itself the rows are the same' diff
"$tephra" sql --format=csv run.tephra "SELECT end_ns, value, state FROM point JOIN series USING
	(series_id) WHERE name IN ('depth', 'completed_total') ORDER BY series_id, position" | tr -d '\r' >points
same points 'the view point has a row for each point, and a gap is no zero' <<END
end_ns,value,state
1000000000,0,ok
1100000000,5,ok
1200000000,,gap
1300000000,7,ok
1000000000,10,ok
1100000000,20,ok
1200000000,15,reset
1300000000,25,ok
END
"$tephra" fold run.tephra >folded 2>err && [ -s folded ]
check $? 'the capture with samples is the one that is meant' err
"$tephra" fold run.tephra --capture=queue >folded 2>err
[ $? = 2 ] && grep -q "holds no sample" err
check $? 'counters have no stacks' err

# ---- refused

# refuses <lines> <message> <import options>: nothing of the file is kept
refuses()
{
	printf '%b' "$1" >bad.csv
	expected=$2
	shift 2
	cp run.tephra before.tephra
	"$tephra" import -q --add -o run.tephra bad.csv "$@" 2>err
	[ $? = 2 ] && grep -qF -e "$expected" err && cmp -s run.tephra before.tephra
	check $? "refused: $expected" err
}

refuses 'mono_ns,depth\n2,1\n1,2\n' 'bad.csv: line 3: the time goes backwards'
refuses 'mono_ns,depth\n2,1\n2,2\n' 'bad.csv: line 3: the time 0.000000002 is there twice'
refuses 'mono_ns,depth\n2,1\n3\n' 'bad.csv: line 3: 1 field, the header has 2 columns; it is the last line'
refuses 'mono_ns,depth\n2,x\n' "bad.csv: line 2: column 'depth' is 'x', expected a number"
refuses 'depth,limit\n2,3\n' 'bad.csv: line 1: no column is a time; there is: depth, limit'
refuses 'mono_ns,depth\n2,3\n' "--map depth=deep: there is no role 'deep'" --map depth=deep

printf 'mono_ns,depth\n2,1\n1,2\n3,x\n4\n5,6\n' >bad.csv
"$tephra" import --add -o run.tephra --keep-going bad.csv 2>err
[ $? = 0 ] && grep -q '1 line of counters has a time before' err &&
	grep -q '1 value of a counter is no number' err &&
	grep -q '1 line of counters has another number of fields' err
check $? 'with --keep-going what is damaged is left out, and noted' err
[ "$("$tephra" sql --format=csv run.tephra "SELECT sum(count) FROM note JOIN capture USING (capture_id)
	WHERE name = 'bad'" | tail -n 1 | tr -d '\r')" = 3 ]
check $? 'the notes are kept'
"$tephra" info --series run.tephra --capture=nobody 2>err
[ $? = 2 ] && grep -q "there is no capture 'nobody'" err
check $? 'a capture that is not there is none' err

echo "1..$nr"
