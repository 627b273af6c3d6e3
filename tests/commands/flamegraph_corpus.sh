#!/bin/sh
# flamegraph_corpus.sh - fold gives what stackcollapse-perf.pl gave for FlameGraph's own texts, where they are at hand

set -u
export LC_ALL=C

tephra=${TEPHRA:-./tephra}
source=${srcdir:-.}
shared=${TEPHRA_SHARED:-$source/../shared}
texts=$shared/corpus/flamegraph/test

[ -d "$texts/results" ] || { echo '1..0 # SKIP there is no folder "shared" beside the checkout'; exit 0; }
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
trap 'exit 99' HUP INT TERM
nr=0

# Recorded by an older script, which tidied Java names in a process called exactly "java" alone.
is_stale()
{
	case $1 in
	perf-java-faults-01-*-[pt]id | perf-java-stacks-0[12]-*-[pt]id | perf-vertx-stacks-01-*-[pt]id)
		return 0
		;;
	esac
	return 1
}

# The script drops the last sample of a text that does not end in a blank line.
without_unclosed_sample()
{
	awk '{ held = held $0 "\n" } /^$/ { printf "%s", held; held = "" }' "$1"
}

# What we write otherwise on purpose: one pair of brackets around the module of an unknown
# frame ("[[vdso]]"), no mark of the kernel on memory of the process, and the module where
# the symbol is there but empty (once, in libc), for which the script has a blank.
as_we_write()
{
	sed -E 's/\[\[([^];]*)\]\]/[\1]/g
		s/\[(vdso|heap|vsyscall|stack)\]_\[k\]/[\1]/g
		s/(__vdso_[a-z]*)_\[k\]/\1/g
		s/;  ([0-9]+)$/;[libc-2.15.so] \1/' "$1"
}

for result in "$texts"/results/*-collapsed-*.txt; do
	name=$(basename "$result" .txt)
	text=${name%-collapsed-*}
	nr=$((nr + 1))
	case $name in
	*-pid) how='--by=process --annotate=inline' ;;
	*-tid) how='--by=thread --annotate=inline' ;;
	*-kernel) how='--annotate=kernel,inline' ;;
	*-jit) how='--annotate=jit,inline' ;;
	*-all) how='--annotate=kernel,jit,inline' ;;
	*)
		echo "ok $nr - $name # SKIP raw addresses are not what --unknown=address writes"
		continue
		;;
	esac
	if is_stale "$name"; then
		echo "ok $nr - $name # SKIP recorded by an older script"
		continue
	fi
	without_unclosed_sample "$texts/$text.txt" >"$folder/text"
	# shellcheck disable=SC2086 # the words of $how are options
	"$tephra" fold -q --tidy --weight=period $how "$folder/text" >"$folder/folded"
	sort "$folder/folded" >"$folder/got"
	as_we_write "$result" | sort >"$folder/expected"
	if diff "$folder/expected" "$folder/got" >"$folder/diff"; then
		echo "ok $nr - $name"
	else
		echo "not ok $nr - $name"
		head -20 "$folder/diff" | cut -c1-300 | sed 's/^/# /'
	fi
done
echo "1..$nr"
