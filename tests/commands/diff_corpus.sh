#!/bin/bash
# diff_corpus.sh - comparisons of the corpus beside the checkout: folded stacks, and a relay with faults
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh" || exit 99

tephra=$(realpath "${TEPHRA:-./tephra}") || exit 99
source=$(cd "${srcdir:-.}" && pwd) || exit 99
corpus=$(realpath -m "${TEPHRA_SHARED:-$source/../shared}/corpus")
folded=$corpus/inferno/diff-folded
relay=$corpus/evidence/relay

[ -d "$folded" ] && [ -d "$relay" ] || { echo '1..0 # SKIP there is no folder "shared" beside the checkout'; exit 0; }
cd "$folder" || exit 99

# cut <file>: both weights without their fractions, which the peer does not keep
cut_fractions()
{
	awk '{ before = int($(NF - 1) + 1e-6); after = int($NF); NF -= 2; print $0, before, after }' | sort
}

# same <result> <before> <words>: what fold --diff writes is the result, but for fractions
same()
{
	"$tephra" fold -q --diff "${@:3}" "$folded/$2" "$folded/after.txt" |
		sed 's/0x\*/0x.../g' | cut_fractions | diff - <(sort "$folded/results/$1") >diff
	check $? "fold --diff ${*:3} $2 is $1, but for fractions, which are kept" diff
}

same default.txt before.txt
same normalize.txt before.txt --normalize
same strip_hex.txt before.txt --mask
same fractionals.txt before_fractionals.txt

# ---- CPU per completed item says who is guilty, and who is not
for mode in baseline cpu lock; do
	"$tephra" import -q --symbols=given --binary="relay=$corpus/evidence/src/relay" \
		"$relay/$mode/perf.cpu.data" -o $mode.tephra &&
		"$tephra" import -q --add "$relay/$mode/counters.csv" -o $mode.tephra || exit 99
done

# row <before> <after> <function>: its row of CSV
row()
{
	"$tephra" diff -q --format=csv --per=completed_total "$1" "$2" | grep "^$3,"
}

row baseline.tephra cpu.tephra redundant_reclassify >got
grep -q ',new,.*,per_work,0,241' got
check $? 'cpu: redundant_reclassify is 241 us of each item that was completed' got
row baseline.tephra cpu.tephra classify_event >got
grep -q ',per_work,320[0-9.]*,324' got
check $? 'cpu: classify_event was 320 us of each item, and is 324 us' got
row baseline.tephra@+4..+8 cpu.tephra@+4..+8 redundant_reclassify >got
grep -q ',new,screen,' got
check $? 'cpu, while the fault was there: redundant_reclassify is found' got
row baseline.tephra@+4..+8 cpu.tephra@+4..+8 classify_event >got
grep -q ',below,' got
check $? 'cpu: that classify_event changed is not said' got
row baseline.tephra@+4..+8 lock.tephra@+4..+8 classify_event >got
grep -q ',below,' got
check $? 'lock: an item costs classify_event what it did' got
"$tephra" diff -q --per=completed_total baseline.tephra@+4..+8 lock.tephra@+4..+8 >got
grep -q 'readings disagree on classify_event: per unit of work .*(unchanged as far as can be seen), per second -' got
check $? 'lock: that it took less of each second is a contradiction, which is told' got


# ---- one profile twice, and a picture by work
"$tephra" diff -q cpu.tephra@+0..+4 cpu.tephra@+4..+8 >got
grep -q '^# judged within one run, of these two parts of it alone' got
check $? 'two phases of one incident are parts of one run'
"$tephra" diff -q --format=csv --per=completed_total cpu.tephra@+0..+4 cpu.tephra@+4..+8 >got
grep -q '^redundant_reclassify,.*,grown,established,.*,per_work,1503[0-9.]*,8585' got
check $? 'what began in the second one is established, by work' got
"$tephra" diff -q --per completed_total baseline.tephra cpu.tephra -o diff.svg && grep -q 'redundant_reclassify' diff.svg
check $? 'two profiles give a picture by work'
"$tephra" diff -q --per=completed_total --fail-above=5% baseline.tephra@+4..+8 cpu.tephra@+4..+8 >got
[ $? = 1 ]
check $? '--fail-above is status 1 where a function surely grew' got
"$tephra" diff -q --per=completed_total --fail-above=5% baseline.tephra@+4..+8 lock.tephra@+4..+8 >got
check $? 'and 0 where none did' got

echo "1..$nr"
