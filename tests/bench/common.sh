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

# median <report> <column>
median()
{
	sort -n -k"$2,$2" "$1" | awk -v column="$2" '
		{ value[NR] = $column }
		END { print NR % 2 ? value[(NR + 1) / 2] : (value[NR / 2] + value[NR / 2 + 1]) / 2 }'
}

# line <program> <report>: CPU s, wall s, RSS MB
line()
{
	printf '%-32s %8.3f %8.3f %8.0f\n' "$1" "$(median "$2" 1)" "$(median "$2" 2)" \
		"$(awk -v kib="$(median "$2" 3)" 'BEGIN { print kib / 1024 }')"
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
