#!/bin/sh
# order_sensitivity.sh - what halving and doubling each threshold of tephra order does
#
# usage: order_sensitivity.sh [<incidents of each kind> [<threshold>...]]     in the build folder; 'make order-sensitivity'
#
# For each line of src/analysis/order_limits.h the simulated incidents (tests/bench/order_incidents.c) and the noise of
# tests/bench/order_honesty.c are compiled against a header where that one is half, then twice as large. Printed are the
# rows of tephra-order(1): incidents of 100 read wrongly and undecided, and the highest share of false alarms. Of a factor
# like 1.2 its excess is meant, and a share is not doubled beyond half of what is left to 1.

set -eu
export LC_ALL=C

source=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
rounds=${1:-20}
[ $# = 0 ] || shift
wanted=" $* "
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 99' HUP INT TERM
limits=$source/src/analysis/order_limits.h

mkdir -p "$folder/analysis"
cp libtephra.a "$folder" # another build may go on

# built <program> <name> <source>...: with the header that is in $folder; what does not use that name is in libtephra.a
built()
{
	program=$1 name=$2
	shift 2
	# shellcheck disable=SC2046,SC2086 # lists of words
	${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -w -I"$folder" -I"$source/src" -I"$source" -o "$folder/$program" "$@" \
		$(grep -lw "$name" "$source"/src/analysis/*.c) "$folder/libtephra.a" ${GSL_LIBS:--lgsl -lgslcblas -lm}
}

# outcome <name>: "wrong undecided false-alarms"; only thresholds of the change test move the last
outcome()
{
	built incidents "$1" "$source/tests/bench/order_incidents.c" "$source/tests/analysis/queue_model.c"
	"$folder/incidents" "$rounds" brief >"$folder/sums" || :
	: >"$folder/alarms"
	case $1 in
	CHANGE_*)
		built honesty "$1" "$source/tests/bench/order_honesty.c"
		"$folder/honesty" 300 >"$folder/alarms" || :
		;;
	esac
	awk 'FNR == NR { right = $1; undecided = $2; wrong = $3; next }
		/^  0\.[0368]  .*%.*%.*%.*%$/ && !/sd/ { if ($6 > most) most = $6 }
		END { all = right + undecided + wrong
			printf "%.1f %.1f ", 100 * wrong / all, 100 * undecided / all
			if (most == "") printf "-"; else printf "%.1f", most }' "$folder/sums" "$folder/alarms"
}

# with <name> <factor>: the header in $folder has that one changed
with()
{
	awk -v name="$1" -v factor="$2" '$1 == "#define" && $2 == name {
		value = $3; is_whole = value !~ /[.e]/ && value !~ /UINT64/
		if (value ~ /UINT64/) { gsub(/[^0-9]/, "", value); value = substr(value, 3) }
		if (value > 1 && value < 2) value = 1 + (value - 1) * factor	# times: its excess
		else if (value < 1 && value * factor >= 1) value = (1 + value) / 2	# a share
		else value *= factor
		if (is_whole) value = int(value + 0.5)
		if (is_whole && value < 1) value = 1
		print "#define " name " (" value ")"; next }
		{ print }' "$limits" >"$folder/analysis/order_limits.h"
}

echo "# threshold, value; wrong %, undecided %, false alarms %: as it is, half, twice"
with none 1
base=$(outcome CHANGE_LEVEL)
echo "as-is - $base"
sed -n 's/^#define \([A-Z_]*\)[[:blank:]]*\([^[:blank:]]*\).*/\1 \2/p' "$limits" | while read -r name value; do
	case $wanted in
	"  " | *" $name "*) ;;
	*) continue ;;
	esac
	with "$name" 0.5
	half=$(outcome "$name")
	with "$name" 2
	twice=$(outcome "$name")
	echo "$name $value $half $twice"
done
