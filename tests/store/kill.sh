#!/bin/bash
# kill.sh - the program killed at random moments of import: the old profile is there, or the new one
#
# KILLS says how often, KILL_SEED which moments; 'make kill-test' does 100 of them.
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh"

command -v sqlite3 >/dev/null || { echo '1..0 # SKIP there is no sqlite3'; exit 0; }
generate=${BENCH_BUILD:-$OLDPWD/tests/bench}/generate
kills=${KILLS:-10}
seed=${KILL_SEED:-$$}
size_mb=${KILL_MB:-20}

"$generate" script-unique "$size_mb" >large.script 2>out/facts || exit 99
"$tephra" import -q -o old.tephra run.script || exit 99
"$tephra" fold -q run.script >out/expected

# How long one takes that is not killed, of each kind: moments are within a tenth more.
now_ms()
{
	date +%s%3N
}

begin=$(now_ms)
"$tephra" import -q -o whole.tephra large.script || exit 99
new_ms=$(($(now_ms) - begin))
"$tephra" fold -q large.script >out/expected-large
cp old.tephra added.tephra
begin=$(now_ms)
"$tephra" import -q --add -o added.tephra large.script || exit 99
add_ms=$(($(now_ms) - begin))
rm -f added.tephra

# moments <milliseconds> <nr>: so many moments in seconds, a line each; half of them near the end,
# where the file itself is written to
moments()
{
	awk -v seed="$seed" -v ms="$1" -v nr="$2" 'BEGIN {
		srand(seed)
		for (i = 0; i < nr; i++)
			printf "%.3f\n", (i % 2 ? rand() : 0.7 + 0.3 * rand()) * ms / 1000
	}'
}

# kill_at <seconds> <words>: the status is 137 where it was in time
kill_at()
{
	local seconds=$1 pid
	shift
	"$tephra" "$@" 2>out/err &
	pid=$!
	sleep "$seconds"
	kill -KILL $pid 2>/dev/null
	wait $pid 2>/dev/null
	status=$?
}

# kill_in_time <reset> <seconds> <words>: sooner where that was too late, after a reset: a machine
# that was busy only while the whole was timed would leave nothing to be killed
kill_in_time()
{
	local reset=$1 seconds=$2
	shift 2
	for _ in 1 2 3 4 5; do
		$reset
		kill_at "$seconds" "$@"
		[ $status != 137 ] || return 0
		seconds=$(awk -v seconds="$seconds" 'BEGIN { printf "%.3f", seconds * 0.6 }')
	done
}

no_new()
{
	rm -f new.tephra new.tephra.part
}

only_old()
{
	rm -f profile.tephra-journal
	cp old.tephra profile.tephra
}

# ---- a new profile: none, or a whole one

# check_new <file>: says what is wrong
check_new()
{
	[ -e "$1" ] || return 0
	"$tephra" fold -q "$1" 2>&1 | cmp -s - out/expected-large || echo "$1 is there and not whole"
}

killed=0
: >out/bad
for seconds in $(moments $new_ms "$kills"); do
	kill_in_time no_new "$seconds" import -q -o new.tephra large.script
	[ $status != 137 ] || killed=$((killed + 1))
	check_new new.tephra | sed "s/^/after $seconds s: /" >>out/bad
	if [ $status = 137 ] && [ ! -e new.tephra ]; then
		# what is left beside it is in nobody's way
		"$tephra" import -q -o new.tephra run.script 2>>out/bad
		"$tephra" fold -q new.tephra | cmp - out/expected >>out/bad 2>&1
	fi
	[ ! -e new.tephra.part ] || echo "after $seconds s: new.tephra.part is left" >>out/bad
	no_new
done
[ ! -s out/bad ]
report $? "import into a new profile, killed $killed of $kills times in $new_ms ms" out/bad
[ $killed -ge $((kills / 5)) ]
report $? "enough kills were in time (seed $seed)"

# ---- adding: the old capture is as it was, whatever came of the new one

# check_old <file>: says what is wrong. The plain shell looks first, and so rolls back.
check_old()
{
	local captures
	[ "$(sqlite3 "$1" 'PRAGMA integrity_check' 2>&1)" = ok ] || echo "$1 is damaged"
	"$tephra" fold -q --capture run "$1" 2>&1 | cmp -s - out/expected ||
		echo "the old capture in $1 is not what it was"
	captures=$(sqlite3 "$1" 'SELECT name FROM capture ORDER BY capture_id' | tr '\n' ' ')
	case $captures in
	'run ') [ "$(sqlite3 "$1" 'SELECT count(*) FROM sample')" = "$old_samples" ] ||
		echo "samples without a capture are in $1" ;;
	'run large ') "$tephra" fold -q --capture large "$1" | cmp -s - out/expected-large ||
		echo "the new capture in $1 is not whole" ;;
	*) echo "the captures in $1 are: $captures" ;;
	esac
}

old_samples=$(sqlite3 old.tephra 'SELECT count(*) FROM sample')
killed=0
journals=0
nr_of_kill=0
: >out/bad
for seconds in $(moments $add_ms "$kills"); do
	nr_of_kill=$((nr_of_kill + 1))
	kill_in_time only_old "$seconds" import -q --add -o profile.tephra large.script
	[ $status != 137 ] || killed=$((killed + 1))
	[ ! -s profile.tephra-journal ] || journals=$((journals + 1))
	# every second time tephra is the first to look
	if [ $((nr_of_kill % 2)) = 0 ] &&
		! "$tephra" fold -q --capture run profile.tephra 2>&1 | cmp -s - out/expected; then
		echo "after $seconds s: tephra cannot read it" >>out/bad
	fi
	check_old profile.tephra | sed "s/^/after $seconds s: /" >>out/bad
	"$tephra" import -q --add -o profile.tephra stacks.folded 2>>out/bad
	rm -f profile.tephra profile.tephra-journal
done
[ ! -s out/bad ]
report $? "adding, killed $killed of $kills times in $add_ms ms, with $journals hot journals" out/bad
[ $killed -ge $((kills / 5)) ]
report $? "enough kills were in time (seed $seed)"

# A journal that is hot for certain: the shell is killed with its cache spilt to the file.
cp old.tephra hot.tephra
cat >hot.sql <<-END
	PRAGMA cache_size = 1;
	BEGIN;
	UPDATE symbol SET name = 'gone';
	WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 2000)
	INSERT INTO stack SELECT n + 100000, '[' || hex(zeroblob(400)) || ']' FROM r;
	UPDATE sample SET period = 1;
	.shell kill -KILL \$PPID
END
( sqlite3 hot.tephra <hot.sql >out/out 2>&1; : ) 2>out/killed
[ -s hot.tephra-journal ]
report $? 'a hot journal lies beside a profile' out/out
mkdir seen
cp hot.tephra hot.tephra-journal seen
chmod 755 . seen
chmod 644 seen/hot.tephra seen/hot.tephra-journal
as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
if [ "$(id -u)" = 0 ] && $as_nobody "$tephra" --help >out/out 2>&1; then
	$as_nobody "$tephra" fold -q seen/hot.tephra >out/out 2>out/err
	[ $? = 2 ] && grep -qF "'seen/hot.tephra' was left half-written by an import that was killed" out/err
	report $? 'who may not write it is told why it cannot be read' out/err
else
	skip 'who may not write it is told why it cannot be read' 'no other user can be tried'
fi
"$tephra" fold -q hot.tephra 2>out/err | cmp -s - out/expected
report $? 'tephra reads the profile as it was' out/err
[ ! -e hot.tephra-journal ]
report $? 'and its journal is used up'
"$tephra" import -q --add -o hot.tephra stacks.folded 2>out/err && check_old hot.tephra >out/bad
grep -qx 'the captures in hot.tephra are: run stacks ' out/bad && [ "$(wc -l <out/bad)" = 1 ]
report $? 'and adds to it' out/err out/bad

# ---- killed while the disk is full, or nearly

mkdir full
if mount -t tmpfs -o size=1m tmpfs full 2>/dev/null; then
	: >out/bad
	for seconds in $(moments 200 "$kills"); do
		cp old.tephra full/profile.tephra
		kill_at "$seconds" import -q --add -o full/profile.tephra large.script
		case $status in
		137) ;;
		2) grep -qF "cannot write 'full/profile.tephra': No space left on device" out/err || cat out/err ;;
		*) echo "status $status" ;;
		esac >>out/bad
		check_old full/profile.tephra | sed "s/^/after $seconds s: /" >>out/bad
		rm -f full/*
		kill_at "$seconds" import -q -o full/new.tephra large.script
		[ ! -e full/new.tephra ] || echo "after $seconds s: there is a profile" >>out/bad
		"$tephra" import -q -o full/new.tephra run.script 2>>out/bad
		"$tephra" fold -q full/new.tephra | cmp - out/expected >>out/bad 2>&1
		rm -f full/*
	done
	[ ! -s out/bad ]
	report $? "killed $kills times on a file system that is full" out/bad
	umount full
else
	skip "killed $kills times on a file system that is full" 'a small file system cannot be mounted'
fi

finish
