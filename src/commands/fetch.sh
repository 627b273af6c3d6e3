# fetch.sh - what each script of tephra fetch-list has in it; $bundle is set above it
# shellcheck shell=sh disable=SC2154
set -u
umask 077
export LC_ALL=C
got=0 missing=0

# keep <file>: a copy under $bundle/root, if there is such a file
keep()
{
	[ -f "$1" ] || return 1
	mkdir -p "$bundle/root${1%/*}" || return 1
	cp -L "$1" "$bundle/root$1" || return 1
	got=$((got + 1))
}

# lack <file> <why>: told without what a terminal would obey
lack()
{
	printf '%s: %s\n' "$2" "$(printf '%s' "$1" | tr '[:cntrl:]' '?')" >&2
	missing=$((missing + 1))
}

# want <file> <build ID or nothing>: the file, and its debug file where that is here
want()
{
	keep "$1" || lack "$1" 'not here, or not to be read'
	keep "/usr/lib/debug$1.debug" || :
	[ -n "$2" ] || return 0
	rest=${2#??}
	keep "/usr/lib/debug/.build-id/${2%"$rest"}/$rest.debug" || :
}

# first <name> <file>...: the first of these that can be copied, under this name
first()
{
	name=$1
	shift
	for file; do
		[ -f "$file" ] || continue
		cp -L "$file" "$bundle/$name" || continue
		got=$((got + 1))
		return 0
	done
	return 1
}

# map <process>: what a runtime wrote of the code that it made
map()
{
	has_map=no
	first "perf-$1.map" "/tmp/perf-$1.map" "/proc/$1/root/tmp/perf-$1.map" && has_map=yes
	first "jit-$1.dump" "/tmp/jit-$1.dump" "${HOME-}"/.debug/jit/*/"jit-$1.dump" && has_map=yes
	[ "$has_map" = yes ] || lack "/tmp/perf-$1.map" 'not here, or not to be read'
}

# fact <name> <file>: a line of facts
fact()
{
	[ -r "$2" ] || return 0
	printf '%s=%s\n' "$1" "$(tr '\n' ' ' <"$2")" >>"$bundle/facts"
}

# write_line: into the kernel log the wall time, out the wall time a moment later
write_line()
{
	if [ -n "$bash" ]; then
		bash -c 'printf "tephra anchor %s\n" "$EPOCHREALTIME" >/dev/kmsg && printf "%s\n" "$EPOCHREALTIME"'
	else
		date '+tephra anchor %s.%N' >/dev/kmsg && date +%s.%N
	fi
}

# moment: what the kernel's clock showed, which is perf's own, between two wall times; the closest of some tries
moment()
{
	[ -z "${read_only-}" ] || { echo "read_only is set, so no line is written to the kernel log"; return 1; }
	bash=$(bash -c 'echo "${EPOCHREALTIME-}"' 2>/dev/null) # between these two a program need not be started
	case ${bash:-$(date +%N)} in
	*[!0-9.]* | '') echo "date prints no nanoseconds"; return 1 ;;
	esac
	best=
	for _ in 1 2 3 4 5; do
		until=$(write_line 2>/dev/null) || { echo "/dev/kmsg may not be written"; return 1; }
		line=$(dmesg 2>/dev/null | grep 'tephra anchor [0-9.]*$' | tail -n 1)
		[ -n "$line" ] || { echo "dmesg may not be read"; return 1; }
		wall=${line##*anchor }
		length=$((${until%.*}${until#*.} - ${wall%.*}${wall#*.}))
		[ "$length" -ge 0 ] || continue
		[ -n "$best" ] && [ "$length" -ge "$best" ] && continue
		best=$length
		closest="$line until $until"
	done
	[ -n "$best" ] || { echo "the clock is being set"; return 1; }
	printf '%s\n' "$closest"
}

# clocks: that moment, which ties recordings without -k to wall time
clocks()
{
	if said=$(moment); then
		printf 'kernel_log=%s\n' "$said" >>"$bundle/facts"
	else
		printf 'no moment of the kernel log is known, which would tie the clock of perf to wall time: %s\n' \
			"$said" >&2
	fi
}

# now: the wall time in seconds, to the nanosecond where date can
now()
{
	seconds=$(date +%s.%N)
	case $seconds in
	*[!0-9.]*) seconds=$(date +%s) ;;
	esac
	printf '%s\n' "$seconds"
}

# cgroup: the folder of the limits that hold for process $pid, else for this script
cgroup()
{
	line=$(grep '^0::/' "/proc/${pid:-self}/cgroup" 2>/dev/null) || line=
	folder=/sys/fs/cgroup${line#0::}
	[ -r "${folder%/}/cpu.stat" ] || folder=/sys/fs/cgroup
	printf '%s\n' "${folder%/}"
}

# counters: a moment of what CPUs, pressure and the limits of a cgroup count, as tephra import reads it
counters()
{
	at=$(now)
	[ "$at" != "${counted-}" ] || return 0
	counted=$at
	{
		printf '%s\n' "$at"
		grep -H -e '^cpu' -e '^procs_' /proc/stat
		for file in /proc/pressure/cpu /proc/pressure/io /proc/pressure/memory "$(cgroup)/cpu.stat"; do
			[ ! -r "$file" ] || grep -H . "$file"
		done
	} >>"$bundle/proc.log" 2>/dev/null
}

# watch: a moment each second, as long as log_s in the environment says
watch()
{
	case ${log_s:-0} in
	*[!0-9]*) echo "log_s takes seconds, not '$log_s'" >&2; return 0 ;;
	esac
	left=${log_s:-0}
	while [ "$left" -gt 0 ]; do
		counters
		sleep 1
		left=$((left - 1))
	done
	counters
}

begin()
{
	mkdir "$bundle" || exit 2
	counters
}

finish()
{
	# all zero where kernel.kptr_restrict hides it: run this as root, then
	if grep -q '^0*[1-9a-f]' /proc/kallsyms 2>/dev/null; then
		cat /proc/kallsyms >"$bundle/kallsyms"
	fi
	fact governor /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor
	fact perf_event_paranoid /proc/sys/kernel/perf_event_paranoid
	fact perf_event_max_sample_rate /proc/sys/kernel/perf_event_max_sample_rate
	fact kptr_restrict /proc/sys/kernel/kptr_restrict
	fact hypervisor /sys/hypervisor/type
	fact product /sys/class/dmi/id/product_name
	fact cpu_max /sys/fs/cgroup/cpu.max
	fact memory_max /sys/fs/cgroup/memory.max
	fact uptime_s /proc/uptime
	printf 'realtime_s=%s\nkernel=%s\n' "$(now)" "$(uname -srvm)" >>"$bundle/facts"
	clocks
	watch
	tar -cf "$bundle.tar" "$bundle" || exit 2
	rm -rf "$bundle"
	printf '%s files in %s, %s not to be had\n' "$got" "$bundle.tar" "$missing"
}
