#!/bin/sh
# capture.sh - one run of the lab with a fault, recorded: CPU samples, counters at 10 Hz, and the phases
#
# usage: capture.sh <fault>[,<fault>] <folder> [<option of relay-lab>...]
#        LAB=<folder of the program> (default /opt/relay), PERF_OPTIONS (default -k CLOCK_MONOTONIC)
#
# Leaves cpu.perf.data, counters.csv, phases.csv and summary.json in the folder. Every command is bounded: a run takes
# as long as --total says, 10 s, and timeout ends it after five minutes. Needs gcc and linux-perf; root for a priority that
# keeps other work out, and for quota, which needs a CPU cgroup that can be written.

set -eu
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { sed -n 's/^# \(usage.*\)/\1/p' "$0" >&2; exit 2; }
mode=$1
folder=$2
shift 2
lab=${LAB-/opt/relay}
bound=300
mkdir -p "$lab" "$folder"
folder=$(cd "$folder" && pwd)

# built there, so that no other path is in the captures
if [ ! -x "$lab/relay-lab" ] || [ "$here/lab.c" -nt "$lab/relay-lab" ]; then
	cp "$here/lab.c" "$lab/lab.c"
	(cd "$lab" && gcc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o relay-lab lab.c &&
		objcopy --only-keep-debug relay-lab relay-lab.debug)
fi

# ---- quota: a group of its own, of either version of cgroups; a fifth of a CPU while it lasts
group=
end()
{
	[ -z "$group" ] || rmdir "$group" || :
}
trap end EXIT
trap 'exit 99' HUP INT TERM
case ,$mode, in
*,quota,*)
	if [ -w /sys/fs/cgroup/cgroup.procs ]; then
		group=/sys/fs/cgroup/relay-lab.$$
		file=$group/cpu.max quota='20000 100000' free='max 100000'
	else
		group=/sys/fs/cgroup/cpu/relay-lab.$$
		file=$group/cpu.cfs_quota_us quota=20000 free=-1
	fi
	mkdir "$group" 2>/dev/null || { group=; echo "capture.sh: quota needs a CPU cgroup that can be written" >&2; exit 77; }
	# as much weight as can be had: the group is beside the rest of the system, and not within it
	echo 262144 >"$group/cpu.shares" 2>/dev/null || echo 10000 >"$group/cpu.weight" 2>/dev/null || :
	set -- --quota-file "$file" --quota "$quota" --quota-free "$free" --stat-file "$group/cpu.stat" "$@"
	;;
esac

# Before other work, where root may: a session of its own, since nice(1) orders only within one (sched(7), autogroup).
first='echo -20 >/proc/self/autogroup; '
[ -w /proc/self/autogroup ] && [ "$(id -u)" = 0 ] || first=
nice='nice -n -20'
[ "$(id -u)" = 0 ] || nice=
join=:
[ -z "$group" ] || join="echo \$\$ >$group/cgroup.procs"

cd "$folder"
# shellcheck disable=SC2086,SC2016 # a list of words; what the inner shells expand
timeout "$bound" setsid sh -c "$first"'exec "$@"' capture $nice perf record -q ${PERF_OPTIONS--k CLOCK_MONOTONIC} \
	-e cpu-clock -F 499 -g -o cpu.perf.data -- sh -c "$join"'; exec "$@"' relay "$lab/relay-lab" --mode "$mode" "$@" \
	>summary.json 2>perf.txt || { cat perf.txt >&2; exit 1; }
rm -f perf.txt cpu.perf.data.old
