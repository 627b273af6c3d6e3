#!/bin/bash
# symbolize.sh - tephra symbolize: addresses of a file, new names for a profile, and what goes wrong
# shellcheck source=tests/support/golden.sh
build_capture=$(realpath "${BUILD_CAPTURE:-./tests/support/build_capture}") || exit 99
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

command -v gcc >/dev/null || { echo '1..0 # SKIP there is no gcc'; exit 0; }

id=1111111111111111111111111111111111111111
other=2222222222222222222222222222222222222222
mkdir src bin && cat >src/app.c <<'END' || exit 99
volatile int sink;

__attribute__((noinline)) int hot(int n)
{
	sink += n;
	return n * 3;
}

static inline __attribute__((always_inline)) void twice(int n)
{
	sink += n;
	sink += n + 1;
}

int main(void)
{
	twice(hot(1));
	return 0;
}
END
build()
{
	(cd src && gcc -g -O1 -fdebug-prefix-map="$PWD"=/build "-Wl,--build-id=0x$1" -o "../bin/$2" app.c) || exit 99
}
build $id app
build $other other
cp bin/app bin/stripped && strip bin/stripped || exit 99

# at <function> <line>: the last instruction of this line in it; where that is differs by compiler
at()
{
	objdump -d --no-show-raw-insn -l bin/app | awk -v name="<$1>:" -v line=":$2" '
		/^[0-9a-f]+ </ { is_in = $2 == name }
		/^\/build\/app\.c:/ { sub(/ .*/, ""); is_it = substr($0, length($0) - length(line) + 1) == line; next }
		is_in && is_it && /^ +[0-9a-f]+:/ { sub(":", "", $1); found = $1 }
		END { print found }'
}
hot=$(at hot 7)
inlined=$(at main 12)
[ -n "$hot" ] && [ -n "$inlined" ] || exit 99
printf '# comment\n0x%s\r\n%s \n\n1\n' "$hot" "$inlined" >list
# masked: addresses as words
masked()
{
	sed "s/0x$hot\>/0xHOT/; s/0x$inlined\>/0xINLINED/; s/\"address\": $((0x$hot))/\"address\": HOT/"
}
filter=masked
expect addresses 0 symbolize --addresses=list --binary=bin/app
expect addresses-csv 0 symbolize --addresses=list --binary=bin/app --format=csv
expect addresses-json 0 symbolize --addresses=list --binary=bin/app --format=json
expect addresses-called 0 symbolize --addresses=list --binary=bin/app --inline=off
expect addresses-stripped 0 symbolize --addresses=list --binary=bin/stripped --symbols=given
expect help 0 symbolize --help
filter=
run symbolize --addresses=- --binary=bin/app --format=json -o out/written <list
[ "$status" = 0 ] && [ ! -s out/out ] && "$tephra" symbolize --addresses=list --binary=bin/app --format=json | cmp -s - out/written
report $? '--addresses=- reads standard input, -o writes to a file' out/err

# ---- what cannot be named

: >empty
expect addresses-empty 0 symbolize --addresses=empty --binary=bin/app
says "--addresses needs one --binary <file>, not 0" symbolize --addresses=list
says "--addresses needs one --binary <file>, not 2" symbolize --addresses=list --binary=bin/app --binary=bin/other
says "bin/none" symbolize --addresses=list --binary=bin/none
says "list: not an ELF file" symbolize --addresses=empty --binary=list
says "cannot open 'none': No such file" symbolize --addresses=none --binary=bin/app
printf '1234\nmain\n' >bad
says "bad:2: 'main' is no hexadecimal address" symbolize --addresses=bad --binary=bin/app
printf '1234\n-5\n' >bad
says "bad:2: '-5' is no hexadecimal address" symbolize --addresses=bad --binary=bin/app
echo 12345678901234567 >bad
says "bad:1: '12345678901234567' is no hexadecimal address" symbolize --addresses=bad --binary=bin/app
printf 'x\033[31m\n' >bad
says "bad:1: 'x?[31m' is no hexadecimal address" symbolize --addresses=bad --binary=bin/app
says 'needs a profile, or --addresses' symbolize
says 'one profile at a time, not 2' symbolize one two
says '--addresses names those of one --binary, and no profile' symbolize --addresses=list --binary=bin/app run.script
says "'run.script' is no profile" symbolize run.script
says "cannot open 'none.tephra': No such file" symbolize none.tephra

# ---- a profile

"$build_capture" --id $id --at "$hot" --samples 3 /opt/app --id '' --at 1 --samples 1 /opt/lib.so >run.data || exit 99
"$tephra" import -q --symbols=no run.data -o run.tephra || exit 99
expect profile 0 symbolize --symbols=given --binary=app=bin/app run.tephra
expect profile-fold 0 fold --weight=samples run.tephra
filter=masked
expect profile-samples 0 samples --format=json run.tephra
expect profile-samples-table 0 samples run.tephra
filter=
expect profile-other 0 symbolize --symbols=given --binary=app=bin/other run.tephra
expect profile-other-modules 0 info --modules run.tephra
expect profile-forced 0 symbolize --symbols=given --binary=app=bin/other --accept-mismatch=app run.tephra
expect profile-forced-fold 0 fold --weight=samples run.tephra
expect profile-no 0 symbolize --symbols=no run.tephra
"$tephra" import -q --symbols=no run.data -o fresh.tephra || exit 99
equal '--symbols=no takes away names, and what was known of files' \
	info --modules --format=json run.tephra -- info --modules --format=json fresh.tephra
says "there is no capture 'x' in 'run.tephra'" symbolize --capture=x run.tephra
run symbolize --symbols=given --binary=nobody=bin/app run.tephra
[ "$status" = 0 ] && grep -qF "note: no frame without a name is of a module 'nobody'" out/err
report $? 'a module that is not in the profile is told' out/err
"$tephra" symbolize -q --symbols=given --binary=app=bin/app run.tephra 2>out/err
[ ! -s out/err ]
report $? '-q says nothing' out/err

# ---- facts of the machine

mkdir run.tephra.symbols
printf 'governor=performance \nkernel=Linux 6.1\nno line\n=x\ncontrol=a\033b\nempty=\n' >run.tephra.symbols/facts
"$tephra" symbolize -q --symbols=given run.tephra && "$tephra" info --format=csv run.tephra >out/info
grep '^recorded,machine' out/info >out/facts
printf 'recorded,machine.governor,performance\nrecorded,machine.kernel,Linux 6.1\nrecorded,machine.control,a�b\nrecorded,machine.empty,\n' |
	diff - out/facts >out/diff
report $? 'the lines of its facts are facts of the capture' out/diff
printf 'governor=powersave\n' >run.tephra.symbols/facts
"$tephra" symbolize -q --symbols=given run.tephra && "$tephra" info --format=csv run.tephra | grep '^recorded,machine' >out/facts
echo 'recorded,machine.governor,powersave' | diff - out/facts >out/diff
report $? 'a second run replaces them' out/diff
rm -r run.tephra.symbols && "$tephra" symbolize -q --symbols=given run.tephra &&
	"$tephra" info --format=csv run.tephra | grep -q '^recorded,machine.governor,powersave'
report $? 'without a file they stay'
cp run.data two.data && echo >>two.data
"$tephra" import -q --symbols=no run.data two.data -o two.tephra || exit 99
mkdir two.tephra.symbols && echo kernel=Linux >two.tephra.symbols/facts
expect facts-two 0 symbolize --symbols=given two.tephra
"$tephra" symbolize -q --symbols=given --capture=two two.tephra
[ "$("$tephra" sql --format=csv two.tephra "SELECT capture_id, source, name, value FROM fact WHERE name LIKE 'machine%'" | tail -n +2)" = '2,user,machine.kernel,Linux' ]
report $? 'of several captures they are of the one that --capture names'
mkdir run.data.symbols && echo kernel=Linux >run.data.symbols/facts
"$tephra" info -q --symbols=no run.data | grep -q 'machine.kernel *Linux'
report $? 'info shows those of a capture'
"$tephra" import -q --symbols=no --fact load=high run.data -o with.tephra && "$tephra" info -q --format=csv with.tephra | grep '^recorded' >out/facts
tail -n 2 out/facts | diff - <(printf 'recorded,load,high\nrecorded,machine.kernel,Linux\n') >out/diff
report $? 'import keeps those, behind what was typed' out/diff

finish
