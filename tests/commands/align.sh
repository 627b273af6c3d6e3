#!/bin/sh
# align.sh - ties of clocks: what importers find, what is given by hand, and what is refused with a reason
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh" || exit 99

tephra=$(realpath "${TEPHRA:-./tephra}") || exit 99
build_capture=$(realpath "${BUILD_CAPTURE:-./tests/support/build_capture}") || exit 99
source=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd) || exit 99
corpus=${TEPHRA_SHARED:-$source/../shared}/corpus/evidence/clock
lab=$source/samples/relay/lab
cd "$folder" || exit 99

# same <file> <sentence>: is it what standard input has?
same()
{
	diff - "$1" >differences
	check $? "$2" differences
}

# align <options>: into out and err, with the status behind err
align()
{
	"$tephra" align "$@" >out 2>err
	echo "status $?" >>err
}

# refused <words> <sentence>: status 2 and these words
refused()
{
	grep -q 'status 2' err && grep -qF -- "$1" err
	check $? "$2" err
}

# list <profile>: the ties as CSV
list()
{
	"$tephra" align --format=csv "$1" | tr -d '\r' | tail -n +2
}

printf 'mono_ns,real_ns,process_cpu_ns\n1000000000,1796007289000000000,1\n1100000000,1796007289100000400,2\n1200000000,1796007292200000000,3\n' >set.csv
printf 'mono_ns,depth\n1000000000,1\n1100000000,2\n' >mono.csv

# ---- what importers find

"$tephra" import -q --symbols=no "$lab/cpu/cpu.perf.data.zst" "$lab/cpu/counters.csv" -o lab.tephra || exit 99
list lab.tephra | cut -d, -f1-4 >got
same got 'a clock reference and a column of wall time become ties' <<END
cpu.perf,monotonic,wall time,clock-data
counters,monotonic,wall time,columns
END
"$tephra" import -q set.csv -o set.tephra || exit 99
list set.tephra >got
same got 'a clock that was set between rows makes a tie more' <<END
set,monotonic,wall time,columns,1796007288000000200,1200,1000,1000000000,1100000000
set,monotonic,wall time,columns,1796007291000000000,1000,1000,1200000000,1200000000
END
"$tephra" info --capture=cpu.perf --symbols=no lab.tephra | grep '^clock' >got
same got 'info says which clock it is and how it is tied' <<END
clock                    of times                    CLOCK_MONOTONIC
clock                    tied to wall time           to within 25.50 us: the recorder read both clocks
END
"$tephra" info lab.tephra --format=csv | cut -d, -f1,4-6 | tr -d '\r' | sed 's/,[0-9]*,[0-9]*,/,/' >got
same got 'the list of captures names the clock of each' <<END
name,start_ns,end_ns,clock
cpu.perf,monotonic
counters,monotonic
END

# ---- by hand

"$tephra" import -q mono.csv set.csv -o two.tephra || exit 99
align two.tephra --capture=mono --same-clock --to=set
list two.tephra | grep '^mono' >got
same got 'one clock of one boot, as somebody says' <<END
mono,monotonic,set,same-clock,0,0,0,0,9223372036854775807
END
align two.tephra --capture=mono --offset=-500ms --error=5ms --to=set
refused 'contradicts itself' 'an offset that contradicts it is refused'
grep -q '495.0 ms apart' err
check $? 'and it is said by how much' err
[ "$(list two.tephra | grep -c '^mono')" = 1 ]
check $? 'and nothing of it is kept'
align two.tephra --capture=mono --forget=same-clock
align two.tephra --capture=mono --offset=1796007287.9 --error=5ms --drift=0
list two.tephra | grep '^mono' >got
same got 'without the other one it is taken' <<END
mono,monotonic,wall time,given,1796007287900000000,5000000,0,1000000000,1100000000
END
align two.tephra --forget
[ "$(list two.tephra)" = 'mono,monotonic,,,,,,,
set,monotonic,,,,,,,' ]
check $? 'all ties can be forgotten' err
align two.tephra --capture=mono --offset=1
refused '--error=5ms' 'an offset needs its error'
align two.tephra --capture=mono --offset=soon --error=0
refused "--offset takes a time" 'and is a time'
align two.tephra --capture=none --same-clock --to=set
refused "there is no capture 'none'" 'a capture must be there'
align two.tephra --offset=1 --error=0
refused 'there is: mono, set' 'and be named where several come in question'
align two.tephra --kmsg='[1.000001] 1796007538.02' --fit
refused 'one at a time' 'actions come one at a time'
align two.tephra --capture=mono --clock=perf
refused 'says itself that its times are of CLOCK_MONOTONIC' 'a clock that is named stays so'
align mono.csv
refused 'is no profile' 'a capture alone has no place for ties'

# ---- lines of the kernel log

printf 'a 1/1 5.000000: 1 cpu-clock: \n\t20 main+0x0 (/x)\n\n' >text.script
"$tephra" import -q --symbols=no text.script mono.csv -o text.tephra || exit 99
align text.tephra --kmsg='[   24.056789] 1796007538.021123456'
refused "no capture in 'text.tephra' is on perf's own clock" 'a text does not say its clock'
align text.tephra --capture=text --clock=perf
align text.tephra --kmsg='[   24.056789] 1796007538.021123456'
list text.tephra | grep '^text' >got
same got 'once that is said, a line of the kernel log ties it' <<END
text,perf,wall time,kernel-log,1796007513964833957,10500501,100000,24056789000,24056789000
END
align text.tephra --forget
align text.tephra --kmsg='[   24.056789] usb 1-1: new device' --wall=1796007538.021 --error=2ms --drift=50
list text.tephra | grep '^text' | cut -d, -f5-7 >got
same got 'the wall time may be given beside the line' <<END
1796007513964210500,2000500,50000
END
align text.tephra --forget
cat >kernel.log <<END
[    0.000000] Linux version 6.1.0
              of some builder
[   24.056789] 1796007538.021123456
[   25.056789] tephra anchor 1796007539.021123 until 1796007539.021163
END
align text.tephra --kmsg=kernel.log
list text.tephra | grep kernel-log | cut -d, -f6 >got
same got 'of a log each line with a wall time is taken, as exact as it is' <<END
10500501
21000
END
align text.tephra --forget
align text.tephra --kmsg='[   24.056789] 1796007538.021123456 until 1796007538.023123456'
list text.tephra | grep kernel-log | cut -d, -f6 >got
same got 'so is one that a shell wrote a later time behind' <<END
1000501
END
align text.tephra --kmsg='[Mon Nov 30 11:33:07 2026] 1796007538.02'
refused "'dmesg -T'" 'computed times are refused'
align text.tephra --kmsg='[   24.056789] usb 1-1: new device'
refused '/dev/kmsg' 'a line without a wall time says how to make one'
align text.tephra --capture=mono --kmsg='[   24.056789] 1796007538.02'
refused 'and the kernel log on that of perf' 'another clock is not that of the kernel log'

# ---- what the script of fetch-list noted on the machine

"$build_capture" /opt/app >box.data || exit 99
mkdir box.data.symbols
echo 'kernel_log=[90024.056789] tephra anchor 1796007538.021123 until 1796007538.021163' >box.data.symbols/facts
"$tephra" import -q --symbols=no box.data -o box.tephra || exit 99
list box.tephra | cut -d, -f1-4,6 >got
same got 'a moment of the kernel log comes with the files of the machine' <<END
box,perf,wall time,kernel-log,21000
END
end=$("$tephra" sql --format=csv box.tephra 'SELECT end_ns / 1000000000 FROM capture' | tr -d '\r' | tail -n 1)
echo "kernel_log=[$((end - 1)).056789] tephra anchor 1796007538.021123 until 1796007538.021163" >box.data.symbols/facts
"$tephra" import --symbols=no box.data -o boot.tephra 2>err
grep -q 'of another boot or machine' err && ! list boot.tephra | grep -q kernel-log
check $? 'one from before the recording ended is of another boot' err

# ---- the fit

align lab.tephra --fit
grep -q 'status 0' err && grep -q 'tied to counters (fit), to within' err
check $? 'sampled CPU time ties samples to a counter of it' err
list lab.tephra >ties
awk -F, '$4 == "fit" { found = 1; exit !($5 < $6 && $5 > -$6 && $6 < 20e6) } END { exit !found }' ties
check $? 'and the truth, that both are on one clock, is in its interval' ties
"$tephra" import -q --symbols=no "$lab/baseline/cpu.perf.data.zst" "$lab/baseline/counters.csv" -o even.tephra || exit 99
align even.tephra --fit
grep -q 'status 1' err && grep -q 'cannot be determined' err
check $? 'a load that does not vary has no offset: status 1, and why' err
[ "$(list even.tephra | grep -c fit)" = 0 ]
check $? 'and nothing is kept of it'
align lab.tephra --fit --pid=1
grep -q 'status 1' err && grep -q 'no samples' err
check $? 'another process was not sampled' err
align two.tephra --fit
refused 'no capture in' 'a fit needs samples'

# ---- recordings of another machine, as they lie in a folder "shared" beside the checkout

# truth <clock>: wall time minus CLOCK_MONOTONIC, read by the workload; in ns, as the difference to a round number
round=1796004874000000000
truth()
{
	sed -n '1s/.*"mono_ns":\([0-9]*\),"real_ns":\([0-9]*\),.*/\2 \1/p' "$corpus/$1.truth.jsonl" >readings
	read -r real mono <readings
	echo $((real - mono - round))
}

# tie <how>: offset, as the difference to a round number, and error
tie()
{
	sed -n "s/^.*,$1,\([0-9]*\),\([0-9]*\),.*/\1 \2/p" ties >readings
	read -r offset error <readings
	offset=$((offset - round))
}

if [ -f "$corpus/clocks.expected.txt" ]; then
	for clock in CLOCK_MONOTONIC CLOCK_MONOTONIC_RAW CLOCK_BOOTTIME CLOCK_REALTIME CLOCK_TAI default; do
		"$tephra" import -q --symbols=no "$corpus/$clock.data" "$corpus/$clock.counters.csv" -o "$clock.tephra" || exit 99
		list "$clock.tephra" >ties
		true=$(truth "$clock")
		tie columns
		[ $((offset - true)) -le "$error" ] && [ $((true - offset)) -le "$error" ] && [ "$error" -lt 2000 ]
		check $? "$clock: the counters' columns are tied as the workload's readings are" ties
		case $clock in
		default) want='default,perf,,,' ;;
		CLOCK_REALTIME) want='CLOCK_REALTIME,realtime,wall time,,' ;;
		*) want=$clock,$(echo "${clock#CLOCK_}" | tr '[:upper:]' '[:lower:]'),'wall time,clock-data,' ;;
		esac
		grep -q "^$want" ties
		check $? "$clock: the recording's clock is known, and whether it is tied" ties
		case $clock in
		CLOCK_MONOTONIC | CLOCK_BOOTTIME)
			tie clock-data
			[ $((offset - true)) -le "$error" ] && [ $((true - offset)) -le "$error" ]
			check $? "$clock: the clock reference holds the truth" ties
			;;
		CLOCK_MONOTONIC_RAW) # 0.2144 s behind, and not to be taken for the other
			tie clock-data
			[ $((offset - true)) -gt 213000000 ] && [ $((offset - true)) -lt 215500000 ]
			check $? "$clock: the clock reference is that of the raw clock" ties
			;;
		esac
	done
else
	echo '# there is no folder "shared" beside the checkout: its recordings are not looked at'
fi
echo "1..$nr"
