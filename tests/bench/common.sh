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
