#!/bin/sh
# bench_table.sh - one table of what the benchmarks measured, as text and as JSON; run by 'make bench'
#
# usage: bench_table.sh [--check] [<rows>...]
#   --check  fail where a limit is passed
#   <rows>   files of rows (default: all in tests/bench/rows; these are also written to bench.txt
#            and bench.json)
#
# A row, with tabs: job, program, runs, CPU s, wall s, RSS KiB, anonymous KiB, figure, what the figure
# is, limit ("<=8", ">=3000000", "-" for none), input. What is not known is 0 or "-".

set -eu
export LC_ALL=C

bench=${BENCH_BUILD:-tests/bench}
is_check=no

if [ "${1:-}" = --check ]; then
	is_check=yes
	shift
fi
is_all=no
if [ $# = 0 ]; then
	is_all=yes
	set -- "$bench"/rows/*.tsv
	[ -f "$1" ] || {
		echo 'bench_table: nothing was measured' >&2
		exit 2
	}
fi

print_table()
{
	cat "$@" | awk -F '\t' '
	function mb(kib) { return kib > 0 ? sprintf("%.0f", kib * 1.024e-3) : "-" }
	function figure(number) { return number == int(number) ? number "" : sprintf("%.3g", number) }
	BEGIN {
		form = "%-16s %-42s %4s %8s %8s %7s %7s %9s %-22s %s\n"
		printf form, "job", "program", "runs", "CPU s", "wall s", "RSS MB", "anon MB", "figure", \
			"of", "limit"
	}
	{
		name = $1 == job ? "" : $1
		job = $1
		printf(form, name, $2, $3, $4 > 0 ? sprintf("%.4f", $4) : "-", \
			$5 > 0 ? sprintf("%.4f", $5) : "-", mb($6), mb($7), \
			$9 == "-" ? "-" : figure($8), $9, $10)
	}'
}

print_json()
{
	cat "$@" | awk -F '\t' '
	function known(number) { return number > 0 ? number + 0 : "null" }
	function word(s) { gsub(/["\\]/, "\\\\&", s); return s == "-" || s == "" ? "null" : "\"" s "\"" }
	BEGIN { printf "{\n  \"rows\": [" }
	{
		printf("%s\n    {\"job\": %s, \"program\": %s, \"input\": %s, \"runs\": %d, \"cpu_s\": %s, ", \
			NR > 1 ? "," : "", word($1), word($2), word($11), $3, known($4))
		printf "\"wall_s\": %s, \"rss_kib\": %s, \"anonymous_kib\": %s, \"figure\": %s, ", \
			known($5), known($6), known($7), $9 == "-" ? "null" : $8 + 0
		printf "\"figure_of\": %s, \"limit\": %s}", word($9), word($10)
	}
	END { print "\n  ]\n}" }'
}

# Prints what is over its limit.
print_excess()
{
	cat "$@" | awk -F '\t' '
	$10 ~ /^<=/ && $8 > substr($10, 3) + 0 || $10 ~ /^>=/ && $8 < substr($10, 3) + 0 {
		printf "bench: %s: %s: %.4g, %s; the limit is %s\n", $1, $2, $8, $9, $10
	}'
}

if [ "$is_all" = yes ]; then
	print_table "$@" | tee "$bench/bench.txt"
	print_json "$@" >"$bench/bench.json"
else
	print_table "$@"
fi
excess=$(print_excess "$@")
[ -z "$excess" ] || echo "$excess" >&2
[ "$is_check" = no ] || [ -z "$excess" ]
