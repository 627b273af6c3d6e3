# common.sh - what the benchmarks share; read by them, which set $bench and $data before

die()
{
	echo "$(basename "$0" .sh): $*" >&2
	exit 2
}

# once <report> <command>...: one run of a whole process; its output goes to /dev/null
once()
{
	report=$1
	shift
	"$bench/measure" --report "$report" "$@" 2>"$data/stderr" || {
		cat "$data/stderr" >&2
		die "failed: $*"
	}
}

# median <report> <column>: CPU s, wall s, RSS KiB, anonymous KiB
median()
{
	sort -n -k"$2,$2" "$1" | awk -v column="$2" '
		{ value[NR] = $column }
		END { print NR % 2 ? value[(NR + 1) / 2] : (value[NR / 2] + value[NR / 2 + 1]) / 2 }'
}

# peak <report> <column>
peak()
{
	awk -v column="$2" '$column > most { most = $column } END { print most + 0 }' "$1"
}

# peak_mb <report>: of anonymous memory
peak_mb()
{
	peak "$1" 4 | awk '{ printf "%.1f", $1 * 1.024e-3 }'
}

# over <report> <other>: the median CPU of one over that of the other
over()
{
	awk -v a="$(median "$1" 1)" -v b="$(median "$2" 1)" 'BEGIN { printf("%.4f", b > 0 ? a / b : 0) }'
}

# Rows of the table, see bench_table.sh. A script begins with none, and prints its own at the end.
rows=$bench/rows/$(basename "$0" .sh).tsv

begin_rows()
{
	mkdir -p "$data" "$bench/rows"
	: >"$rows"
}

# row <program> <report> [<figure> <what it is> <limit, - for none>]: of $job, with $input
row()
{
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$job" "$1" "$(wc -l <"$2")" \
		"$(median "$2" 1)" "$(median "$2" 2)" "$(peak "$2" 3)" "$(peak "$2" 4)" "${3:-0}" "${4:--}" \
		"${5:--}" "${input:--}" >>"$rows"
}

# end_rows [--check]
end_rows()
{
	"$(dirname "$0")/bench_table.sh" "$@" "$rows"
}

# record_workload <file> <option of perf record>...: a capture of the workload on all its threads
record_workload()
{
	file=$1
	shift
	"$perf" record -q -e cpu-clock "$@" -o "$file.new" "$bench/workload" "$seconds" 2 >"$data/stderr" 2>&1 || {
		cat "$data/stderr" >&2
		die 'perf record failed'
	}
	mv "$file.new" "$file"
}

# line <program> <report>: CPU s, wall s, RSS MB, for tables of their own
line()
{
	printf '%-32s %8.3f %8.3f %8.0f\n' "$1" "$(median "$2" 1)" "$(median "$2" 2)" \
		"$(awk -v kib="$(median "$2" 3)" 'BEGIN { print kib / 1024 }')"
}
