#!/bin/bash
# profile.sh - what each kind of bad profile, place and statement gets, and that the old profile stays
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh"

command -v sqlite3 >/dev/null || { echo '1..0 # SKIP there is no sqlite3'; exit 0; }
flips=${FLIPS:-300}

"$tephra" import -q -o run.tephra run.script || exit 99
"$tephra" import -q -o two.tephra run.script stacks.folded || exit 99

# Reading of every kind: paths alone, samples, names, a range, SQL over all tables.
readings=('fold' 'fold --by=cpu' 'top --srcline' 'tree --unknown=address' 'flame -o out/x.svg'
	'info' 'fold --from=+0.1 --to=+0.9')
queries="SELECT * FROM sample_named; SELECT * FROM path_frame; SELECT * FROM stack_frame"

# survives <file> <words>: it ends in time with status 0, or with 2 and a message
survives()
{
	local file=$1
	shift
	timeout 10 "$tephra" "$@" "$file" >out/out 2>out/err
	status=$?
	case $status in
	0) return 0 ;;
	2) grep -q "^tephra: " out/err && ! grep -qE 'Sanitizer|runtime error' out/err ;;
	*) echo "status $status: tephra $* $file" >>out/err; return 1 ;;
	esac
}

# survives_all <file>: the same of all readings; prints nothing
survives_all()
{
	local words
	for words in "${readings[@]}"; do
		# shellcheck disable=SC2086
		survives "$1" $words || return 1
	done
}

sum()
{
	sha256sum <"$1"
}

# keeps <sentence> <text> <file> <words>: refused with this text, and the file stays as it was
keeps()
{
	local sentence=$1 text=$2 file=$3 before bad=0
	shift 3
	before=$(sum "$file")
	run "$@"
	[ "$status" = 2 ] && grep -qF -- "$text" out/err && [ "$before" = "$(sum "$file")" ] &&
		[ ! -e "$file.part" ] && [ ! -e "$file-journal" ] || bad=1
	report $bad "$sentence" out/err
}

# ---- files that are none of ours

cp run.tephra newer.tephra
sqlite3 newer.tephra 'PRAGMA user_version = 77'
version=$(sqlite3 run.tephra 'PRAGMA user_version')
for one in fold top tree flame info; do
	says "newer.tephra: written by a newer tephra (schema 77, this build knows $version)" $one newer.tephra
done
keeps 'nothing is added to a newer profile' 'written by a newer tephra (schema 77' newer.tephra \
	import -q --add -o newer.tephra stacks.folded
says 'written by a newer tephra (schema 77' sql newer.tephra 'SELECT 1'

cp run.tephra older.tephra
sqlite3 older.tephra 'PRAGMA user_version = 1'
says "older.tephra: written by an older tephra (schema 1, this build reads $version)" fold older.tephra
grep -q "^hint: tephra import --add -o 'older.tephra' <capture> brings it up to date" out/err
report $? 'an older profile gets a hint' out/err

sqlite3 foreign.db 'CREATE TABLE t (x); INSERT INTO t VALUES (1)'
for one in fold top tree flame info; do
	says "'foreign.db' is an SQLite file of another program, no profile" $one foreign.db
done
keeps 'nothing is added to a foreign file' 'is an SQLite file of another program' foreign.db \
	import -q --add -o foreign.db stacks.folded
keeps 'a foreign file is not replaced' "'foreign.db' is there already" foreign.db \
	import -q -o foreign.db stacks.folded
says "is a profile or another SQLite file, no capture" import -q -o new.tephra foreign.db
says "is a profile or another SQLite file, no capture" import -q -o new.tephra run.tephra
cp run.script text.tephra
keeps 'nothing is added to a text' 'no SQLite file' text.tephra \
	import -q --add -o text.tephra stacks.folded

# ---- damage

size=$(stat -c %s run.tephra)
bad=0
for cut in 0 1 14 16 17 72 99 100 101 511 512 1024 4095 4096 4097 8192 20000 $((size / 2)) \
	$((size - 4096)) $((size - 1)); do
	head -c "$cut" run.tephra >cut.tephra
	survives_all cut.tephra || { bad=1; cp out/err out/cut; echo "cut at $cut" >>out/cut; }
	# what is cut is refused by what reads all of it
	if [ "$cut" -lt $((size / 2)) ] && "$tephra" fold -q --by=cpu cut.tephra >out/out 2>&1; then
		echo "cut at $cut is read" >>out/cut
		bad=1
	fi
done
: >>out/cut
report $bad 'a profile that is cut off at any place is refused' out/cut

# flip <file> <seed>: one to three bytes become others, anywhere or where the rows are
flip()
{
	awk -v seed="$2" -v size="$size" 'BEGIN {
		srand(seed)
		nr = 1 + int(rand() * 3)
		for (i = 0; i < nr; i++) {
			page = int(rand() * size / 4096)
			at = rand() < 0.5 ? int(rand() * 4096) : (rand() < 0.5 ? \
				int(rand() * 40) : 4095 - int(rand() * 400))
			printf "%d \\%03o\n", page * 4096 + at, int(rand() * 256)
		}
	}' | while read -r at byte; do
		# shellcheck disable=SC2059
		printf "$byte" | dd of="$1" bs=1 seek="$at" conv=notrunc 2>/dev/null
	done
}

bad=0
refused=0
for seed in $(seq "$flips"); do
	cp run.tephra flipped.tephra
	flip flipped.tephra "$seed"
	for words in "${readings[seed % 7]}" 'fold --by=cpu'; do
		# shellcheck disable=SC2086
		survives flipped.tephra $words && continue
		bad=1
		echo "flips of seed $seed" >>out/err
		cp out/err out/flipped
	done
	[ "$status" = 0 ] || refused=$((refused + 1))
	[ $((seed % 3)) = 0 ] || continue
	timeout 10 "$tephra" import -q --add -o flipped.tephra stacks.folded >out/out 2>out/err
	case $? in
	0 | 2) ;;
	*) bad=1; echo "adding after flips of seed $seed" >>out/err; cp out/err out/flipped ;;
	esac
done
: >>out/flipped
report $bad "bytes flipped at $flips times: status 0 or 2, in time" out/flipped
[ "$refused" -gt $((flips / 20)) ] && [ "$refused" -lt "$flips" ]
report $? "of these some were met ($refused refused)"

# ---- rows of somebody who means it

# hostile <sentence> <SQL> [<text that must be said by fold --by=cpu or fold>]
hostile()
{
	local bad=0
	cp run.tephra hostile.tephra
	if ! sqlite3 hostile.tephra "$2" >out/out 2>out/err; then
		report 1 "$1 (the statement itself failed)" out/err
		return
	fi
	survives_all hostile.tephra || bad=1
	if [ $bad = 0 ] && [ -n "${3-}" ]; then
		"$tephra" fold -q hostile.tephra >out/out 2>out/err
		"$tephra" fold -q --by=cpu hostile.tephra >out/out 2>>out/err
		grep -qF -- "$3" out/err || bad=1
	fi
	report $bad "hostile: $1" out/err
}

nowhere='leads nowhere'
hostile 'callers that are no location' "UPDATE stack SET callers = '[999999999]'" "$nowhere"
hostile 'callers with a huge number' "UPDATE stack SET callers = '[99999999999999999999999999]'" "$nowhere"
hostile 'callers that are cut' "UPDATE stack SET callers = '[1,'" "$nowhere"
hostile 'callers with a comma too many' "UPDATE stack SET callers = '[1,]'" "$nowhere"
hostile 'callers with words' "UPDATE stack SET callers = '[one]'" "$nowhere"
hostile 'callers below zero' "UPDATE stack SET callers = '[-1]'" "$nowhere"
hostile 'callers with something behind' "UPDATE stack SET callers = '[1]x'" "$nowhere"
hostile 'callers that are empty text' "UPDATE stack SET callers = ''" "$nowhere"
hostile 'callers of 10 MB' \
	"UPDATE stack SET callers = '[1' || replace(hex(zeroblob(2500000)), '00', ',1') || ']' WHERE stack_id = 1" \
	"$nowhere"
hostile 'a path that leads nowhere' "UPDATE path_block SET paths = '[[0,[999999999],1,1]]'" "$nowhere"
hostile 'a path below zero' "UPDATE path_block SET paths = '[[0,[-9223372036854775808],1,1]]'" "$nowhere"
hostile 'a path that shares what is not there' "UPDATE path_block SET paths = '[[1,[1],1,1]]'" "$nowhere"
hostile 'paths that are cut' "UPDATE path_block SET paths = substr(paths, 1, length(paths) - 1)" "$nowhere"
hostile 'paths with something behind' "UPDATE path_block SET paths = paths || ' '" "$nowhere"
hostile 'paths that are empty text' "UPDATE path_block SET paths = ''" "$nowhere"
hostile 'paths of 10 MB' \
	"UPDATE path_block SET paths = '[[0,[1' || replace(hex(zeroblob(2500000)), '00', ',1') || '],1,1]]'" "$nowhere"
hostile 'functions of locations that lead nowhere' \
	"UPDATE location_block SET functions = replace(functions, '[', '[99999999,')" "$nowhere"
hostile 'functions of locations that are elsewhere' \
	'UPDATE location_block SET first_location_id = first_location_id + 2000000000' "$nowhere"
hostile 'functions of locations that are missing' 'DELETE FROM location_block' "$nowhere"
hostile 'functions of more locations than there are' \
	"UPDATE location_block SET functions = replace(functions, ']', ',1,1,1,1]')"
hostile 'an event that leads nowhere' 'UPDATE path_block SET event_id = 99; UPDATE sample SET event_id = 99' "$nowhere"
hostile 'a task that leads nowhere' 'UPDATE path_block SET task_id = -5; UPDATE sample SET task_id = -5' "$nowhere"
hostile 'a stack that leads nowhere' 'UPDATE sample SET stack_id = 9223372036854775807' "$nowhere"
hostile 'a leaf that leads nowhere' 'UPDATE sample SET leaf_location_id = -9223372036854775808' "$nowhere"
hostile 'a first event that leads nowhere' 'UPDATE capture SET first_event_id = 1234' "$nowhere"
hostile 'a module that leads nowhere' 'UPDATE location SET module_id = 77; UPDATE function SET module_id = 77' "$nowhere"
hostile 'a symbol that leads nowhere' 'UPDATE location SET symbol_id = 77; UPDATE function SET symbol_id = 77' "$nowhere"
hostile 'the lowest id' \
	'INSERT INTO event SELECT -9223372036854775808, capture_id, name, unit, 0, 1, NULL FROM event LIMIT 1' "$nowhere"
hostile 'the highest id' \
	'INSERT INTO event SELECT 9223372036854775807, capture_id, name, unit, 0, 1, NULL FROM event LIMIT 1' "$nowhere"
hostile 'an id two billion further' \
	'INSERT INTO task SELECT task_id + 2000000000, thread_id, comm FROM task LIMIT 1' "$nowhere"
hostile 'a huge thread id' 'UPDATE thread SET tid = 99999999999' "$nowhere"
hostile 'a thread id below zero' 'UPDATE thread SET tid = -77, pid = -9'
hostile 'samples from the lowest id to the highest' \
	'UPDATE capture SET first_sample_id = -9223372036854775808, last_sample_id = 9223372036854775807' 'is damaged'
hostile 'samples that are not there' 'UPDATE capture SET last_sample_id = 9223372036854775806'
hostile 'no samples at all' 'DELETE FROM sample; DELETE FROM path_block'
hostile 'a weight below zero' \
	"UPDATE path_block SET paths = '[[0,[],-1,1]]'; UPDATE sample SET count = -1" "$nowhere"
hostile 'a weight that is a word' \
	"UPDATE path_block SET paths = '[[0,[],1,\"much\"]]'; UPDATE sample SET period = 'much'" "$nowhere"
hostile 'a weight that is no whole number' \
	"UPDATE path_block SET paths = '[[0,[],1,1.5]]'; UPDATE sample SET period = 1.5" "$nowhere"
hostile 'the largest weights' \
	"UPDATE path_block SET paths = '[[0,[],\"340282366920938463463374607431.768211455\",\"340282366920938463463374607431.768211455\"]]';
	UPDATE sample SET period = '340282366920938463463374607431.768211455', count = period"
hostile 'times below zero' 'UPDATE sample SET time_ns = -time_ns; UPDATE capture SET start_ns = -5, end_ns = -9223372036854775808'
hostile 'times out of order' 'UPDATE sample SET time_ns = (sample_id * 7919) % 1000000007'
hostile 'a name of 20 MB' "UPDATE symbol SET name = hex(zeroblob(10000000))"
hostile 'names that are bytes' "UPDATE symbol SET name = x'ff00fe'; UPDATE task SET comm = x'00'; UPDATE module SET path = x''"
hostile 'names that are numbers' 'UPDATE symbol SET name = 7; UPDATE task SET comm = 1.5; UPDATE event SET name = 3'
hostile 'text that is no UTF-8' "UPDATE symbol SET name = CAST(x'ff80c0' AS TEXT); UPDATE capture SET name = CAST(x'ff1b5b' AS TEXT)"
hostile 'an unknown format' "UPDATE capture SET format = '/etc/passwd'"
hostile 'a task without a thread' 'DELETE FROM thread' "$nowhere"
for table in capture event task thread module symbol location stack sample function path_block location_block loss frame module_candidate \
	fact note; do
	hostile "no table $table" "DROP TABLE $table" "table $table is missing"
done
hostile 'a view without an end in the place of a table' \
	"DROP TABLE sample; CREATE VIEW sample AS WITH RECURSIVE r(n) AS (SELECT 5 UNION ALL SELECT n FROM r)
	SELECT n AS sample_id, n AS time_ns, n AS task_id, n AS cpu, n AS event_id, n AS stack_id,
	n AS leaf_location_id, n AS count, n AS period FROM r" 'table sample is missing'
hostile 'a table with other columns' \
	'DROP TABLE note; CREATE TABLE note (capture_id, code, count)' 'no such column: first_line'
hostile 'a table that is computed' \
	'DROP TABLE note; CREATE VIRTUAL TABLE note USING rtree(a, b, c)' 'table note is missing'
hostile 'a capture without an end' "UPDATE capture SET samples = 'all of them'" 'is damaged'
hostile 'no capture' 'DELETE FROM capture' 'holds no capture'

cp run.tephra trigger.tephra
sqlite3 trigger.tephra "CREATE TRIGGER t AFTER INSERT ON sample BEGIN DELETE FROM fact; END"
"$tephra" import -q --add -o trigger.tephra stacks.folded 2>out/err &&
	[ "$(sqlite3 trigger.tephra 'SELECT count(*) > 0 FROM fact')" = 1 ]
report $? 'a trigger in the file does not run' out/err

# ---- places that cannot be written to

keeps 'a profile is not replaced' "'run.tephra' is there already" run.tephra import -q -o run.tephra stacks.folded
run import -q -o run.tephra stacks.folded
grep -qx 'hint: --add adds to a profile' out/err
report $? 'and the hint says how to add' out/err
says "cannot write 'nowhere/new.tephra': No such file or directory" import -q -o nowhere/new.tephra run.script
mkdir a.tephra
says "'a.tephra' is there already" import -q -o a.tephra run.script
says "'a.tephra'" import -q --add -o a.tephra run.script
says "cannot open 'missing': No such file or directory" import -q -o new.tephra missing
[ ! -e new.tephra ] && [ ! -e new.tephra.part ]
report $? 'nothing is left of an import that failed'
keeps 'adding what cannot be read' "cannot open 'missing'" run.tephra import -q --add -o run.tephra missing
keeps 'adding a good and a bad capture adds none' "cannot open 'missing'" run.tephra \
	import -q --add -o run.tephra stacks.folded missing

as_user=
if [ "$(id -u)" != 0 ]; then
	as_user=env
elif command -v setpriv >/dev/null && setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
	as_user='setpriv --reuid=65534 --regid=65534 --clear-groups'
fi
mkdir locked
cp two.tephra locked/there.tephra
chmod 755 . locked
chmod 644 run.script stacks.folded locked/there.tephra
# the program must be within reach of that user, too
if [ -n "$as_user" ] && $as_user "$tephra" --help >out/out 2>out/err; then
	[ "$as_user" = env ] && chmod 555 locked && chmod 444 locked/there.tephra
	before=$(sum locked/there.tephra)
	$as_user "$tephra" import -q -o locked/new.tephra run.script >out/out 2>out/err
	[ $? = 2 ] && grep -qF "cannot write 'locked/new.tephra': Permission denied" out/err
	report $? 'a folder without write permission' out/err
	$as_user "$tephra" import -q --add -o locked/there.tephra lines.script >out/out 2>out/err
	[ $? = 2 ] && grep -qF "cannot write 'locked/there.tephra': Permission denied" out/err &&
		[ "$before" = "$(sum locked/there.tephra)" ]
	report $? 'a profile without write permission' out/err
	$as_user "$tephra" fold -q --capture run locked/there.tephra 2>out/err |
		cmp -s - <("$tephra" fold -q run.script)
	report $? 'but it can be read' out/err
	chmod 755 locked
	# the file may be written to, but no journal can be made beside it
	chmod 666 locked/there.tephra
	[ "$as_user" = env ] && chmod 555 locked
	$as_user "$tephra" import -q --add -o locked/there.tephra lines.script >out/out 2>out/err
	[ $? = 2 ] && grep -qF "'locked/there.tephra'" out/err && [ "$before" = "$(sum locked/there.tephra)" ]
	report $? 'a profile in a folder without write permission' out/err
	chmod 755 locked
else
	for one in 'a folder without write permission' 'a profile without write permission' \
		'but it can be read' 'a profile in a folder without write permission'; do
		skip "$one" 'root may write all, and no other user can be tried'
	done
fi

# ---- a full disk, by a limit and by a small file system

seq -f 'main;f%.0f;a_function_with_a_long_name 1' 20000 >big.folded
# limited <words>: a file may be no larger than 256 KB
limited()
{
	( trap '' XFSZ; ulimit -f 256; "$tephra" "$@" >out/out 2>out/err )
	status=$?
}
limited import -q -o new.tephra big.folded
[ "$status" = 2 ] && grep -q "^tephra: cannot write 'new.tephra': " out/err && [ ! -e new.tephra ] &&
	[ ! -e new.tephra.part ]
report $? 'a new profile beyond the largest file size' out/err
cp run.tephra limited.tephra
before=$(sum limited.tephra)
limited import -q --add -o limited.tephra big.folded
[ "$status" = 2 ] && grep -q "^tephra: cannot write 'limited.tephra': " out/err &&
	[ "$before" = "$(sum limited.tephra)" ]
report $? 'adding beyond the largest file size leaves the profile as it was' out/err
"$tephra" fold -q limited.tephra | cmp -s - <("$tephra" fold -q run.script)
report $? 'and it can be read'

mkdir full
if mount -t tmpfs -o size=512k tmpfs full 2>/dev/null; then
	run import -q -o full/new.tephra big.folded
	[ "$status" = 2 ] && grep -qF "cannot write 'full/new.tephra': No space left on device" out/err &&
		[ -z "$(ls full)" ]
	report $? 'a full disk: nothing is left' out/err
	cp run.tephra full/old.tephra
	keeps 'a full disk: the profile stays as it was' \
		"cannot write 'full/old.tephra': No space left on device" full/old.tephra \
		import -q --add -o full/old.tephra big.folded
	umount full
else
	skip 'a full disk: nothing is left' 'a small file system cannot be mounted'
	skip 'a full disk: the profile stays as it was' 'a small file system cannot be mounted'
fi

# ---- two imports at once

# The first one reads a pipe and is not done before its other end, 7, is closed.
mkfifo first.fifo
rm -f both.tephra
"$tephra" import -q --add --name first -o both.tephra first.fifo 2>out/first &
first=$!
exec 7>first.fifo
cat run.script >&7
# it has begun once it holds the place of the new profile
for _ in $(seq 100); do [ -s both.tephra.part ] && break; sleep 0.05; done
[ -e both.tephra.part ]
report $? 'an import that reads a pipe has begun'
"$tephra" import -q -o both.tephra stacks.folded 7>&- 2>out/second &
second=$!
"$tephra" import -q --add --name third -o both.tephra stacks.folded 7>&- 2>out/third &
third=$!
sleep 0.3
kill -0 $second 2>/dev/null && kill -0 $third 2>/dev/null
report $? 'other imports into the same new profile wait' out/second out/third
exec 7>&-
wait $first
report $? 'the first one is done' out/first
wait $second
[ $? = 2 ] && grep -qF "'both.tephra' was made by process $first while this one waited" out/second &&
	grep -qx 'hint: --add adds to a profile' out/second
report $? 'the second one then says who made it' out/second
wait $third
[ $? = 0 ] && [ "$(sqlite3 both.tephra 'SELECT group_concat(name) FROM capture')" = first,third ] &&
	[ ! -e both.tephra.part ]
report $? 'the third one, with --add, then adds to it' out/third

rm -f both.tephra
for one in 1 2 3 4; do
	"$tephra" import -q --add --name "n$one" -o both.tephra "$( [ $one = 1 ] && echo run.script || echo stacks.folded)" \
		2>"out/err$one" &
	eval "pid$one=$!"
	[ $one = 2 ] && break
done
wait "$pid1"; s1=$?; wait "$pid2"; s2=$?
# both may find no profile: one makes it, the other waits and adds
[ "$s1$s2" = 00 ] && [ "$("$tephra" sql both.tephra --format=csv 'SELECT count(*) FROM capture' | tail -n 1)" = 2 ]
report $? 'two that make or add to the same profile at once are done one after the other' out/err1 out/err2

cp run.tephra both.tephra
"$tephra" import -q --add --name second -o both.tephra stacks.folded 2>out/err1 & pid1=$!
"$tephra" import -q --add --name third -o both.tephra lines.script 2>out/err2 & pid2=$!
wait $pid1; s1=$?; wait $pid2; s2=$?
[ "$s1$s2" = 00 ] && [ "$("$tephra" sql both.tephra --format=csv 'SELECT count(*) FROM capture' | tail -n 1)" = 3 ]
report $? 'two that add at once are done one after the other' out/err1 out/err2
[ "$(sqlite3 both.tephra 'PRAGMA integrity_check')" = ok ]
report $? 'and the profile is whole'

# One that is stopped in the middle: the others give up after the wait time, and say who it is.
cp run.tephra stopped.tephra
before=$(sum stopped.tephra)
mkfifo stopped.fifo
"$tephra" import -q --add -o stopped.tephra stopped.fifo 2>out/first & first=$!
exec 7>stopped.fifo
cat lines.script >&7
sleep 0.5
kill -STOP $first
# a reader is not in its way
timeout 5 "$tephra" fold -q stopped.tephra 2>out/err | cmp -s - <("$tephra" fold -q run.script)
report $? 'a profile can be read while it is added to' out/err
begin=$(date +%s)
timeout 30 "$tephra" import -q --add -o stopped.tephra stacks.folded 2>out/err
status=$?
took=$(($(date +%s) - begin))
[ $status = 2 ] && grep -qx "tephra: 'stopped.tephra' is being written by process $first" out/err
report $? 'who waits too long says which process holds the profile' out/err
[ $took -ge 9 ] && [ $took -le 15 ]
report $? "it waits 10 seconds (waited $took)"
[ "$before" = "$(sum stopped.tephra)" ]
report $? 'and the profile is as it was'
kill -CONT $first
exec 7>&-
wait $first
report $? 'the one that was stopped goes on and ends well' out/first

# ---- what import refuses and keeps

keeps 'a name that is taken' "there is a capture 'run' in 'two.tephra' already" two.tephra \
	import -q --add --name run -o two.tephra lines.script
before=$(sqlite3 run.tephra .dump | sha256sum)
run import --add -o run.tephra run.script
[ "$status" = 0 ] && grep -qF "note: 'run.script' is in it already, as capture 'run'; not added again" out/err &&
	[ "$before" = "$(sqlite3 run.tephra .dump | sha256sum)" ]
report $? 'the same file is not added twice' out/err
run import -o twice.tephra run.script run.script
[ "$status" = 0 ] && [ "$("$tephra" sql --format=csv twice.tephra 'SELECT count(*) FROM capture' | tail -n 1)" = 1 ]
report $? 'the same file named twice is kept once' out/err
for fact in build =x '' ; do
	says "--fact takes <name>=<value>, not '$fact'" import -q --fact "$fact" -o new.tephra run.script
done
says "'all' cannot be the name of a capture" import -q --name all -o new.tephra run.script
says '--name is for one capture, not 2' import -q --name x -o new.tephra run.script lines.script
says 'standard input has no name: say -o <profile>' import -q - <run.script
run import -q --fact build=42 --fact load= --name x -o facts.tephra run.script
[ "$status" = 0 ] && [ "$("$tephra" sql --format=csv facts.tephra \
	"SELECT name, value FROM fact WHERE source = 'user' ORDER BY position" | tr -d '\r' | tail -n 2 | tr '\n' ' ')" = 'build,42 load, ' ]
report $? '--fact is kept' out/err
says "--strict" import -q --strict -o new.tephra odd.script
[ ! -e new.tephra ] && [ ! -e new.tephra.part ]
report $? 'a strict import that fails leaves nothing'
run import -o gone.tephra - <run.script
[ "$status" = 0 ] && grep -q "^gone.tephra: capture 'stdin': " out/err && ! grep -q 'tephra:$' out/err
report $? 'one line of facts at the end' out/err
says "'two.tephra' holds 2 captures, which one?" fold two.tephra
grep -q '^hint: --capture=<name> or --capture=all; there is: run (.* samples), stacks (.* samples)' out/err
report $? 'and the hint lists them' out/err
says "there is no capture 'nothing' in 'two.tephra'" fold --capture nothing two.tephra
says '--capture is for profiles' fold --capture run run.script
says '--input-format is for captures' fold --input-format=folded run.tephra
says "nothing ties the clock of 'run'" fold --capture=all --from=+1 two.tephra

# ---- sql

keeps 'sql does not write' 'would write' run.tephra sql run.tephra 'DELETE FROM sample'
keeps 'sql does not attach' 'too many attached databases' run.tephra sql run.tephra "ATTACH 'other.db' AS other"
[ ! -e other.db ]
report $? 'and nothing was attached'
keeps 'sql changes no pragma of the file' 'tephra: sql: ' run.tephra sql run.tephra 'PRAGMA user_version = 9'
keeps 'sql does not vacuum into a file' 'tephra: sql: ' run.tephra sql run.tephra "VACUUM INTO 'other.db'"
[ ! -e other.db ]
report $? 'and there is no such file'
says "one statement at a time; there is more behind it: ' SELECT 2'" sql run.tephra 'SELECT 1; SELECT 2'
says 'near "SELEC": syntax error' sql run.tephra 'SELEC 1'
says 'no such table: nowhere' sql run.tephra 'SELECT * FROM nowhere'
says 'the statement is empty' sql run.tephra ' -- a thought'
says 'needs a profile and one statement in quotes' sql
says 'needs a profile and one statement in quotes' sql run.tephra SELECT 1
says "cannot open 'missing.tephra': No such file or directory" sql missing.tephra 'SELECT 1'
says "no SQLite file" sql run.script 'SELECT 1'
[ "$(echo 'SELECT 6 * 7 AS answer;' | "$tephra" sql --format=csv run.tephra - | tr -d '\r' | tr '\n' ' ')" = 'answer 42 ' ]
report $? 'a statement is read from standard input'
head -c 1100000 /dev/zero | tr '\0' ' ' >long.sql
says 'the statement is longer than' sql run.tephra - <long.sql
run sql run.tephra
[ "$status" = 0 ] && grep -qF "sqlite3 -readonly 'run.tephra'" out/out
report $? 'without a statement it says how to open the file' out/err
for query in 'SELECT * FROM sample_named' "SELECT x'00ff' AS b, NULL AS n, 1.5 AS f, 9e999 AS i, -9e999 AS j, 'q\"\\' || char(10, 1, 9) AS t" \
	"SELECT CAST(x'ff' AS TEXT) AS t" 'SELECT 1 AS a WHERE 0' 'PRAGMA table_info(sample)' 'EXPLAIN SELECT 1' \
	'SELECT 1 AS "a""b", 2 AS "a""b"'; do
	is_json sql --format=json run.tephra "$query"
done
IFS=';'
for query in $queries; do
	unset IFS
	for format in table csv json; do
		run sql --format=$format run.tephra "$query"
		[ "$status" = 0 ] && [ "$(wc -l <out/out)" -gt 3 ]
		report $? "sql --format=$format: $query" out/err
	done
done
unset IFS
run sql -o out/answer.csv --format=csv run.tephra 'SELECT 1 AS one'
[ "$status" = 0 ] && [ ! -s out/out ] && [ "$(tr -d '\r' <out/answer.csv | tr '\n' ' ')" = 'one 1 ' ]
report $? 'sql -o writes to a file' out/err

finish
