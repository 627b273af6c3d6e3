#!/bin/sh
# bench_cpp.sh - time a capture of a large C++ program, with inlined functions, beside perf script;
# run by 'make bench'
#
# usage: bench_cpp.sh [--check]
#   --check  fail when the limit is passed
# environment, with defaults: TEPHRA=./tephra BENCH_CPP_RUNS=9 BENCH_CPP_PERF_RUNS=1 BENCH_CPP_PARTS=16
#   BENCH_CPP_SECONDS=4 PERF=perf CXX=c++
#
# Compiles the program itself, which takes some minutes the first time (cpp/part.cc, BENCH_CPP_PARTS
# times, each with types of its own), and records it with stack dumps: of call chains by frame pointer
# perf shows no inlined functions. It asks addr2line for each address.

set -eu
export LC_ALL=C
unset DEBUGINFOD_URLS

tephra=${TEPHRA:-./tephra}
perf=${PERF:-perf}
cxx=${CXX:-c++}
runs=${BENCH_CPP_RUNS:-9}
perf_runs=${BENCH_CPP_PERF_RUNS:-1}
parts=${BENCH_CPP_PARTS:-16}
bench=${BENCH_BUILD:-tests/bench}
source=$(cd "$(dirname "$0")/cpp" && pwd)
data=$bench/data
folder=$data/cpp
capture=$folder/program.perf.data

. "$(dirname "$0")/common.sh"

for program in "$perf" "$cxx" addr2line; do
	command -v "$program" >/dev/null || {
		echo "bench_cpp: there is no '$program'; nothing was measured" >&2
		rm -f "$rows"
		exit 0
	}
done

# compile <source> <object> <option>...: unless it is there
compile()
{
	from=$source/$1 to=$folder/$2
	shift 2
	[ -e "$to" ] || {
		"$cxx" -std=c++17 -O2 -g "$@" -c "$from" -o "$to.new"
		mv "$to.new" "$to"
	}
}

build_program()
{
	: >"$folder/parts.def"
	nr=0
	while [ "$nr" -lt "$parts" ]; do
		compile part.cc "part$nr.o" -DPART="$nr"
		echo "PART($nr)" >>"$folder/parts.def"
		nr=$((nr + 1))
	done
	compile main.cc main.o -DPARTS='"parts.def"' -I"$folder"
	"$cxx" -o "$folder/program" "$folder"/main.o "$folder"/part*.o
}

[ -x "$tephra" ] || die "there is no program '$tephra'"
begin_rows
mkdir -p "$folder"
[ -x "$folder/program" ] || build_program
[ -s "$capture" ] || {
	"$perf" record -q -e cpu-clock -F 499 --call-graph dwarf,8192 -o "$capture.new" "$folder/program" \
		"${BENCH_CPP_SECONDS:-4}" >"$data/stderr" 2>&1 || {
		cat "$data/stderr" >&2
		die 'perf record failed'
	}
	mv "$capture.new" "$capture"
}
rm -f "$data/cpp-ours" "$data/cpp-theirs"
run=0
while [ "$run" -lt "$runs" ]; do
	once "$data/cpp-ours" "$tephra" flame -q --inline=on -o "$data/cpp.svg" "$capture"
	[ "$run" -ge "$perf_runs" ] || once "$data/cpp-theirs" "$perf" script -i "$capture"
	run=$((run + 1))
done
samples=$("$tephra" fold -q --weight=samples "$capture" | awk '{ sum += $NF } END { printf "%.0f", sum }')
job=cpp
input="$(wc -c <"$folder/program") bytes of program, $samples samples"
row 'perf script' "$data/cpp-theirs"
row 'tephra flame' "$data/cpp-ours" "$(over "$data/cpp-ours" "$data/cpp-theirs")" 'of perf script' '<=0.1'
end_rows "$@"
