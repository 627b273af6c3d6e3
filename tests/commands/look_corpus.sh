#!/bin/bash
# look_corpus.sh - the screens of captures in a folder "shared" beside the checkout; skips without it
shared=$(cd "${TEPHRA_SHARED:-${srcdir:-.}/../shared}" 2>/dev/null && pwd)
[ -d "$shared/corpus/perfdata/own" ] || { echo '1..0 # SKIP there is no folder "shared" beside the checkout'; exit 0; }
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

own=$shared/corpus/perfdata/own
texts=$shared/corpus/flamegraph/test

# screen <case> <file> <words>: what is printed is as it was, and fits; names are those of given files
screen()
{
	local name=$1 file=$2
	shift 2
	cp "$file" "$name.data" || exit 99
	expect "$name" 0 look --no-picture --symbols=given "$@" "$name.data"
	[ "$(wc -l <out/out)" -le 30 ] && ! grep -v 'tephra ' out/out | LC_ALL=C.UTF-8 grep -E '.{81}'
	report $? "$name fits a screen of 30 lines of 80 columns" out/out
}
screen dwarf "$own/dwarf.data" --binary="inl=$own/bin/inl"
screen no-call-graph "$own/period.data" --binary="fpwork=$own/bin/fpwork"
screen cut "$own/cut-half.data"
screen no-build-id "$own/no-buildid.data" --debug-dir="$own/bin"
screen rust "$texts/perf-rust-Yamakaky-dcpu.txt"
screen kernel-heavy "$texts/perf-iperf-stacks-pidtid-01.txt"
screen tracepoints "$shared/corpus/evidence/sched/waiter.sampled-switch.data"
screen jit "$texts/perf-java-stacks-01.txt"
cp "$own/empty.data" empty.data
expect empty 2 look --no-picture empty.data
finish
