#!/bin/sh
# counters_corpus.sh - counter files of many tools, as they lie in a folder "shared" beside the checkout
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh" || exit 99

tephra=$(realpath "${TEPHRA:-./tephra}") || exit 99
source=${srcdir:-.}
corpus=${TEPHRA_SHARED:-$source/../shared}/corpus/evidence

[ -f "$corpus/MANIFEST.md" ] || { echo '1..0 # SKIP there is no folder "shared" beside the checkout'; exit 0; }
corpus=$(cd "$corpus" && pwd) || exit 99
cd "$folder" || exit 99
: >seen

# gives <file>: the answers that standard input has, lines "series|from|to|value|state|unit|role|clock",
# are among those of the file
gives()
{
	echo "$1" >>seen
	rm -f run.tephra
	if ! "$tephra" import -q "$corpus/$1" -o run.tephra 2>err; then
		check 1 "$1 is read" err
		return
	fi
	"$tephra" sql --format=csv run.tephra "
		SELECT name || ifnull('{' || labels || '}', '') || '|' || begin_ns || '|' || end_ns || '|' ||
			ifnull(value, '') || '|' || state || '|' || ifnull(unit, '') || '|' || ifnull(role, '') || '|' || clock
		FROM point JOIN series_named USING (series_id)" 2>err | tr -d '\r"' >points
	while IFS= read -r line; do
		grep -qxF -e "$line" points || echo "not there: $line"
	done >missing
	[ ! -s missing ] && [ -s points ]
	check $? "$1: $(wc -l <points) points, and among them the right ones" missing
}

# refused <file> <words>
refused()
{
	echo "$1" >>seen
	rm -f run.tephra
	"$tephra" import -q "$corpus/$1" -o run.tephra 2>err
	[ $? = 2 ] && grep -qF -e "$2" err && [ ! -e run.tephra ]
	check $? "$1 is refused: $2" err
}

# noted <file> <words>: it is read, and that is said of it
noted()
{
	rm -f run.tephra
	"$tephra" import "$corpus/$1" -o run.tephra 2>err && grep -qF -e "$2" err
	check $? "$1: $2" err
}

# ---- perf stat

gives perfstat/stat.csv <<END
task-clock|0|0|2847.69|ok|msec||none
cycles|0|0||not_supported|||none
END
gives perfstat/stat-semi.csv <<END
task-clock|0|0|2805.6|ok|msec||none
msr/tsc/|0|0|6436168819|ok|||none
END
gives perfstat/stat-I.csv <<END
task-clock|0|500568586|170.39|ok|msec||start
page-faults|500568586|1001333851|0|ok|||start
instructions|500568586|1001333851||not_supported|||start
END
gives perfstat/stat-I2.csv <<END
task-clock|3512763800|4003699268|168.7|ok|msec||start
END
gives perfstat/stat-Isum.csv <<END
task-clock|500579549|1001286775||not_counted|msec||start
page-faults|1001286775|1201554376|0|ok|||start
task-clock{summary=all}|0|1201554376|1.08|ok|msec||start
END
gives perfstat/stat-aA.csv <<END
page-faults{cpu=1}|0|0|6|ok|||none
END
gives perfstat/stat-aAI.csv <<END
task-clock{cpu=0}|0|500736847|500.92|ok|msec||start
context-switches{cpu=1}|500736847|1002125418|37|ok|||start
END
gives perfstat/stat-core.csv <<END
context-switches{core=S0-D0-C1}|0|0|118|ok|||none
END
gives perfstat/stat-de.csv <<END
task-clock|0|0|1.41|ok|msec||none
END
gives perfstat/stat-r3.csv <<END
cpu-migrations|0|0|1|ok|||none
cpu-migrations{of=variance}|0|0|33.33|ok|percent||none
END
gives perfstat/stat-thread.csv <<END
context-switches{thread=flusher-24361}|0|0|899|ok|||none
END
refused perfstat/stat-metriconly.csv 'holds no counter of perf stat'
gives perfstat/stat.json <<END
task-clock|0|0|2811.884479|ok|msec||none
cycles|0|0||not_supported|||none
END
gives perfstat/stat-I.json <<END
task-clock|0|500554422|173.506047|ok|msec||start
END
gives perfstat/stat-aAI.json <<END
page-faults{cpu=0}|0|500556776|1442|ok|||start
END
gives perfstat/stat-r3.json <<END
task-clock{of=variance}|0|0|14.63|ok|percent||none
END
gives perfstat/stat-socket.json <<END
context-switches{socket=S0}|0|0|149|ok|||none
END
gives perfstat/stat-thread.json <<END
task-clock{thread=relay-24358}|0|0|0.212102|ok|msec||none
END
gives perfstat/stat.txt <<END
elapsed|0|0|4.003645803|ok|s||none
instructions|0|0||not_supported|||none
END
gives perfstat/stat-d.txt <<END
task-clock|0|0|2880.42|ok|msec||none
LLC-load-misses|0|0||not_supported|||none
END
gives perfstat/stat-group.txt <<END
page-faults|0|0|76|ok|||none
END
gives perfstat/stat-r3.txt <<END
msr/tsc/{of=variance}|0|0|11.34|ok|percent||none
END
gives perfstat/stat-I.txt <<END
cpu-migrations|0|500590147|39|ok|||start
END

# STAT records are totals; what perf stat report prints of them are differences, rounded
gives perfstat/statrec.data <<END
task-clock|0|500571689|175.201543|ok|msec||start
context-switches|1001257494|1501951325|965|ok|||start
page-faults|3505875614|4003211921|2|ok|||start
END
sed 's/|.*|\([0-9.]*\)|ok.*/ \1/' points | awk '{ printf "%s %.2f\n", $1, $2 }' | sort >ours
gives perfstat/statrec.report.txt <<END
task-clock|3505875614|4003211921|180|ok|msec||start
END
sed 's/|.*|\([0-9.]*\)|ok.*/ \1/' points | awk '{ printf "%s %.2f\n", $1, $2 }' | sort | diff ours - >diff
check $? 'what perf stat recorded is what perf stat report prints of it' diff
gives perfstat/statrec-once.data <<END
page-faults|0|302007310|77|ok|||start
END

# ---- Prometheus

gives counters/q.instant.json <<END
relay_queue_depth{instance=relay-0,queue=classify}|1796007438021000000|1796007438021000000|0|ok||queue.depth|realtime
END
gives counters/q.matrix.json <<END
relay_queue_depth{instance=relay-0,queue=classify}|1796007426107000000|1796007426107000000|5|ok||queue.depth|realtime
relay_queue_depth{instance=relay-0,queue=classify}|1796007431207000000|1796007431207000000|512|ok||queue.depth|realtime
END
! "$tephra" import "$corpus/counters/q.matrix.json" -o raw.tephra 2>&1 | grep -q 'times of a query'
check $? 'the samples of a range selector have times of their own'
gives counters/qr.depth.json <<END
relay_queue_depth{instance=relay-0,queue=classify}|1796007430509000000|1796007430509000000|129|ok||queue.depth|realtime
END
gives counters/qr.age.json <<END
relay_queue_oldest_age_seconds{instance=relay-0,queue=classify}|1796007430509000000|1796007430509000000|0.128044069|ok|s|queue.oldest_age|realtime
END
gives counters/qr.all.json <<END
relay_completed_total{instance=relay-0,queue=classify}|1796007431009000000|1796007431009000000|4554|ok||queue.completed|realtime
END
gives counters/qr.completed_rate.json <<END
expression{instance=relay-0,queue=classify}|1796007426509000000|1796007426509000000|500.052631578947|ok|||realtime
END
gives counters/qr.stale-tail.json <<END
relay_queue_depth{instance=relay-0,queue=classify}|1796007431009000000|1796007431009000000|443|ok||queue.depth|realtime
END
noted counters/qr.stale-tail.json 'ends in five minutes of one value'
noted counters/qr.depth.json 'has the times of a query, not those at which it was read'
refused counters/qr.empty.json 'the result is empty'
refused counters/qr.error.json 'bad_data: 1:5: parse error'
gives counters/relay.openmetrics.txt <<END
relay_queue_depth{queue=classify,instance=relay-0}|1796007426107000000|1796007426107000000|5|ok||queue.depth|realtime
process_cpu_seconds_total{queue=classify,instance=relay-0}|1796007438007000000|1796007438007000000|6.89714115|ok|s|cpu.process|realtime
END
gives counters/relay.prom.txt <<END
relay_admitted_total{queue=classify}|1796006219253000000|1796006219253000000|5695|ok||queue.admitted|realtime
END
noted counters/relay.prom.txt 'have no time, though others have'

# ---- sysstat, vmstat, collectd

gives counters/sadf-d.u.csv <<END
%steal{cpu=all}|1796007427000000000|1796007428000000000|4.48|ok|percent|cpu.steal|realtime
END
gives counters/sadf-d.multi.csv <<END
%usr{cpu=0}|1796007426000000000|1796007427000000000|38.83|ok|percent||realtime
runq-sz|1796007427000000000|1796007427000000000|7|ok||cpu.runnable|realtime
END
gives counters/sadf-dT.csv <<END
%user{cpu=all}|1796007426000000000|1796007427000000000|58.54|ok|percent||local
END
gives counters/sadf-dU.csv <<END
%user{cpu=all}|1796007426000000000|1796007427000000000|58.54|ok|percent||realtime
END
gives counters/sadf-dh.csv <<END
%idle{cpu=all}|1796007438000000000|1796007439000000000|0|ok|percent|cpu.idle|realtime
END
refused counters/sadf-p.txt 'is text of sadf -p, which is not read'
refused counters/sadf-j.json 'is JSON of sadf -j, which is not read'
refused counters/iostat-xt.txt 'for people, which is not read'
refused counters/mpstat.txt 'for people, which is not read'
gives counters/pidstat-h.txt <<END
%wait{pid=12802,comm=relay}|1796007426000000000|1796007427000000000|0|ok|percent|cpu.wait|local
cswch/s{pid=12802,tid=12812,comm=classifier}|1796007426000000000|1796007427000000000|952|ok|||local
END
gives counters/vmstat-t.txt <<END
r|1796007426000000000|1796007426000000000|9|ok||cpu.runnable|realtime
st|1796007426000000000|1796007428000000000|4|ok|percent|cpu.steal|realtime
END
noted counters/vmstat-t.txt 'is the mean since the machine was started'
gives counters/collectd-csv/relay-0/load/load-2026-11-30 <<END
shortterm|1796006410435000000|1796006410435000000|4.168945|ok|||realtime
END
gives counters/collectd-csv/relay-0/cpu-0/cpu-softirq-2026-11-30 <<END
value|1796006411433000000|1796006411433000000||nan|||realtime
END

# ---- the relay's own

for mode in baseline cpu lock; do
	gives relay/$mode/counters.csv </dev/null
done
gives relay/cpu/counters.csv <<END
depth|2435221194697|2435221194697|511|ok||queue.depth|monotonic
rejected_total|2435221194697|2435221194697|13|ok||queue.rejected|monotonic
real_ns|2428421206986|2428421206986|1796007303000913782|ok|ns|clock.realtime|monotonic
END
for clock in CLOCK_BOOTTIME CLOCK_MONOTONIC CLOCK_MONOTONIC_RAW CLOCK_REALTIME CLOCK_TAI default; do
	gives clock/$clock.counters.csv </dev/null
done

# no file of the two folders is left out; collectd's are of one form, one a value
(cd "$corpus" && find counters perfstat -type f ! -path '*/cpu-[01]/*') | sort >there
sort -u seen | comm -23 there - >missing
check "$([ ! -s missing ]; echo $?)" 'each file of perfstat and counters is looked at' missing

echo "1..$nr"
