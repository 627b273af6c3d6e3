#!/bin/bash
# input.sh - what each kind of bad input, output and option gets, in every command
# shellcheck source=tests/support/golden.sh
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

all='flame fold top tree info samples'

# ---- inputs

: >empty
printf '\177ELF\2\1\1\0\0\0\0\0' >elf
printf '\211PNG\r\n\032\n\0\0\0\rIHDR' >png
printf 'SQLite format 3\0\020\0' >sqlite
printf 'PERFILE2h\0\0\0\0\0\0\0' >perf.data
printf '\0\1\2\3junk' >junk
printf 'dear diary,\nnothing happened today\n' >diary
printf '# only a comment\n\n' >comment
printf '<svg xmlns="http://www.w3.org/2000/svg"/>\n' >picture.svg
mkdir folder
seq -f 'main;f%.0f 1' 2000 | gzip -c | head -c 3000 >cut.gz
gzip -c <run.script | head -c 200 >cut-in-head.gz
gzip -c <run.script | head -c 12 >stump.gz

for one in $all; do
	says "'empty' is empty" "$one" empty
	says "'folder' is a directory, expected a file" "$one" folder
	says "cannot open 'missing': No such file or directory" "$one" missing
	says "'elf' is a program or library, not a capture of one" "$one" elf
	says "'png' is a picture, not a capture" "$one" png
	says "'sqlite' is no SQLite file, or a damaged one" "$one" sqlite
	says "perf.data: byte 0x10: the file ends inside its header" "$one" perf.data
	says "'junk' is a binary file, expected perf script text or folded stacks" "$one" junk
	says "diary: line 1: expected perf script text or folded stacks" "$one" diary
	says "comment: line 1: expected perf script text or folded stacks" "$one" comment
	says "'picture.svg' is a picture already" "$one" picture.svg
	says "'<stdin>' is empty" "$one" - </dev/null
	says "one capture at a time, not 2 ('run.script', 'odd.script' ...)" "$one" run.script odd.script
done

expect perf-data 2 fold perf.data
expect empty 2 fold empty
expect missing 2 fold missing
expect diary 2 fold diary
expect forced-script 2 fold --input-format=perf-script diary
expect forced-folded 2 fold --input-format=folded diary
expect forced-empty 2 fold --input-format=folded empty
expect cut-in-head-gzip 2 fold cut-in-head.gz
expect cut-gzip-info 0 info cut.gz
run fold cut.gz
[ "$status" = 0 ] && grep -q '^cut.gz: note: .*compressed data is damaged' out/err && [ -s out/out ]
report $? 'what is before the damage is folded, with a note' out/err
expect cut-gzip-strict 2 fold --strict cut.gz
expect stump-gzip 2 fold stump.gz

# Root may read all: then somebody else must try.
cp run.script secret
chmod 000 secret
chmod 755 .
as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
if [ "$(id -u)" != 0 ]; then
	says "cannot open 'secret': Permission denied" fold secret
elif $as_nobody "$tephra" --version >/dev/null 2>&1; then
	$as_nobody "$tephra" fold secret 2>out/err
	[ $? = 2 ] && grep -q "cannot open 'secret': Permission denied" out/err
	report $? 'a file that may not be read is refused' out/err
else
	skip 'a file that may not be read is refused' 'root may read all, and nobody cannot run tephra'
fi

# ---- selections that leave nothing

expect no-comm 2 fold --comm nobody run.script
expect no-event 2 fold --event nothing run.script
expect no-time 2 fold --from 99 run.script
expect no-cpu 2 fold --cpu 77 run.script
expect no-pid 2 fold --pid 77 run.script
expect no-tid 2 fold --tid 77 run.script
expect no-focus 2 fold --focus nothing-has-this-name run.script
expect all-ignored 2 fold --ignore . --comm script run.script
expect no-comm-info 2 info --comm nobody run.script
expect no-event-info 2 info --event nothing run.script
for one in $all; do
	says "no sample of 'run.script' is selected" "$one" --comm nobody run.script
done

# ---- options

for one in $all; do
	says "tephra: $one: there is no option '--nothing'" "$one" --nothing run.script
	says "tephra: $one: --input-format takes one of perf-data, " "$one" --input-format=elf run.script
	says "tephra: $one: --cpu takes a number" "$one" --cpu=one run.script
	says "tephra: $one: --from takes a time, not 'noon'" "$one" --from noon run.script
	says "tephra: $one: --to takes a time, not '-1'" "$one" --to=-1 run.script
	says "tephra: $one: option '--comm' needs a value" "$one" run.script --comm
	says "tephra: $one: option '--strict' takes no value" "$one" --strict=yes run.script
done
for one in flame fold top tree; do
	says "--focus: '(' is no regular expression" "$one" --focus '(' run.script
	says "--weight takes one of" "$one" --weight=heavy run.script
	says "--by takes one of" "$one" --by=day run.script
	says "--tidy takes one of" "$one" --tidy=very run.script
	says "--inline takes one of" "$one" --inline=maybe run.script
	says "--unknown takes one of" "$one" --unknown=never run.script
	says "--annotate takes kernel, jit and inline, not 'all'" "$one" --annotate=kernel,all run.script
done
says "--width takes a number from 200 to 20000, not 'wide'" flame --width=wide run.script
says "--width takes a number from 200 to 20000, not '199'" flame --width=199 run.script
says "--min-width takes pixels or a percentage (0.5, 1%), not 'x'" flame --min-width=x run.script
says "--min-width takes pixels or a percentage (0.5, 1%), not '101%'" flame --min-width=101% run.script
says "--min-width takes a percentage such as 1%, not '3'" tree --min-width=3 run.script
says "--depth takes a number" tree --depth=0 run.script
says "--limit takes a number" top -n 0 run.script
says "--sort takes one of self, total, name, not 'size'" top --sort=size run.script
says "--format takes one of table, csv, json, not 'xml'" top --format=xml run.script
says "--format takes one of folded, csv, json, not 'table'" fold --format=table run.script
says "a range takes a time, not 'x'" fold run.script@x..y
expect option-meant 2 fold --weihgt=samples run.script
expect time-hint 2 fold --from noon run.script

# ---- the command itself

expect nothing 2
expect unknown-command 2 flmae run.script
expect unknown-command-word 2 xyzzy
expect help 0 --help
expect list-commands 0 --list-commands
run --version
[ "$status" = 0 ] && grep -qE '^tephra [0-9]+\.[0-9]+\.[0-9]+$' out/out
report $? '--version prints the version'

# ---- outputs

for one in $all; do
	says "cannot write 'no/such/place.svg': No such file or directory" "$one" -q -o no/such/place.svg run.script
	says "cannot write 'folder': Is a directory" "$one" -q -o folder run.script
	if [ -c /dev/full ]; then
		"$tephra" "$one" -q run.script >/dev/full 2>out/err
		[ $? = 2 ] && grep -q 'cannot write to standard output: No space left on device' out/err
		report $? "$one: a full disk behind standard output" out/err
		"$tephra" "$one" -q -o /dev/full run.script 2>out/err
		[ $? = 2 ] && grep -q "cannot write '/dev/full': No space left on device" out/err
		report $? "$one: a full disk behind -o" out/err
	else
		skip "$one: a full disk behind standard output" 'there is no /dev/full'
		skip "$one: a full disk behind -o" 'there is no /dev/full'
	fi
	( "$tephra" "$one" -q run.script 2>out/err; echo $? >out/status ) | true
	# where the reader was slower than the writer all was written, and nothing is wrong
	case $(cat out/status) in
	0) [ ! -s out/err ] ;;
	2) grep -q 'standard output was closed before all was written' out/err ;;
	*) false ;;
	esac
	report $? "$one: a closed pipe" out/err
done

# A pipe whose reader is gone for certain.
mkfifo gone
( exec 3<gone; exec 3<&- ) &
exec 4>gone
wait
"$tephra" fold -q run.script >&4 2>out/err
[ $? = 2 ] && [ "$(cat out/err)" = 'tephra: standard output was closed before all was written (broken pipe)' ]
report $? 'a pipe that nobody reads: status 2 and one line' out/err
exec 4>&-

mkdir full
if mount -t tmpfs -o size=8k tmpfs full 2>/dev/null; then
	head -c 8192 /dev/zero >full/rest 2>/dev/null
	says "cannot write 'full/x.svg': No space left on device" flame -q -o full/x.svg run.script
	says "cannot write 'full/x.folded': No space left on device" fold -q -o full/x.folded run.script
	[ "$(ls full)" = rest ]
	report $? 'nothing half-written is left on a full disk'
	umount full
else
	skip 'a full disk in the middle of a picture' 'a small file system cannot be mounted'
	skip 'a full disk behind folded stacks' 'a small file system cannot be mounted'
	skip 'nothing half-written is left on a full disk' 'a small file system cannot be mounted'
fi

echo before >kept.svg
says 'no sample of' flame -q -o kept.svg --comm nobody run.script
[ "$(cat kept.svg)" = before ] && [ ! -e kept.svg.part ]
report $? 'a file that was there stays as it was where nothing can be drawn'
"$tephra" fold -q -o kept.svg run.script && ! grep -q before kept.svg
report $? '-o replaces a file'

finish
