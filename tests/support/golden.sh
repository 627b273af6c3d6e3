# golden.sh - sourced by tests/commands/*.sh: runs tephra and compares with what tests/golden holds
# shellcheck shell=bash disable=SC2034 # what sets or uses them is in the other file

set -u
export LC_ALL=C.UTF-8
unset NO_COLOR TERM

tephra=$(realpath "${TEPHRA:-./tephra}") || exit 99
source=$(cd "${srcdir:-.}" && pwd) || exit 99
golden=$source/tests/golden
command=$(basename "$0" .sh)
folder=$(mktemp -d) || exit 99
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
trap 'exit 99' HUP INT TERM
nr=0

# Everything runs in a folder of its own that holds the inputs under short names.
cp "$source"/tests/inputs/* "$folder" || exit 99
chmod -R u+w "$folder"
cd "$folder" || exit 99
mkdir out
[ "${GOLDEN-}" != write ] || rm -f "$golden/$command"-*

# report <status> <sentence> [<file>...]: a TAP line, with the files where it is not 0
report()
{
	local status=$1 sentence=$2
	shift 2
	nr=$((nr + 1))
	if [ "$status" = 0 ]; then
		echo "ok $nr - $sentence"
		return
	fi
	echo "not ok $nr - $sentence"
	[ $# = 0 ] || head -c 4000 -- "$@" | sed 's/^/# /'
}

skip()
{
	nr=$((nr + 1))
	echo "ok $nr - $1 # SKIP $2"
}

# same <file> <golden file>: a golden file that is not there stands for an empty one
same()
{
	if [ "${GOLDEN-}" = write ]; then
		rm -f "$2"
		[ ! -s "$1" ] || cp "$1" "$2"
	elif [ -e "$2" ]; then
		diff -a "$2" "$1"
	else
		diff -a /dev/null "$1"
	fi
}

# valid <file>: if it is a picture, it is what the schema says; what is said goes to out/err
valid()
{
	[ "$(head -c 5 -- "$1")" = '<?xml' ] && command -v xmllint >/dev/null || return 0
	xmllint --noout --huge --relaxng "$source/schema/flamegraph.rng" "$1" >out/xmllint 2>&1 ||
		{ cat out/xmllint >>out/err; return 1; }
}

# run <words>: the program, its streams in out/out and out/err, its status in $status
run()
{
	"$tephra" "$@" >out/out 2>out/err
	status=$?
	valid out/out || status=invalid
}

# expect <case> <status> <words>: status, stdout and stderr are as they were; $filter, if set,
# is a command that stdout goes through first
expect()
{
	local name=$1 wanted=$2 bad=0
	shift 2
	run "$@"
	[ -z "${filter-}" ] || { $filter <out/out >out/filtered && mv out/filtered out/out; }
	: >out/diff
	[ "$status" = "$wanted" ] || { echo "status $status, expected $wanted" >>out/diff; bad=1; }
	same out/out "$golden/$command-$name.out" >>out/diff || bad=1
	same out/err "$golden/$command-$name.err" >>out/diff || bad=1
	report $bad "$name: tephra $*" out/diff
}

# $filter for pictures: their words, titles, head and legend. Where they stand is tested in tests/renderers.
words()
{
	sed '/<style/,/<\/style>/d; /<script/,/<\/script>/d' |
		grep -oE '<(title|desc|text)[^>]*>[^<]+' | sed 's/^<[^>]*>//'
}

# The colours of a picture: its legend, and of each frame class and name.
painted()
{
	sed -nE 's/.*<text class="key"[^>]*>([^<]*)<.*/key \1/p
		s/.*<g role="graphics-symbol" class="(.)[0-9]( .)?".*<title>([^,<]*),.*/\1\2 \3/p' |
		sort -u
}

# says <text> <words>: fails with this on stderr
says()
{
	local text=$1
	shift
	run "$@"
	[ "$status" = 2 ] && grep -qF -- "$text" out/err && [ ! -s out/out ]
	report $? "tephra $*: $text" out/err
}

# is_json <words>: what is printed is JSON
is_json()
{
	command -v python3 >/dev/null || { skip "JSON: tephra $*" "python3 is not installed"; return; }
	run "$@"
	[ "$status" = 0 ] && python3 -m json.tool <out/out >/dev/null
	report $? "JSON: tephra $*" out/err
}

# equal <sentence> <words a> -- <words b>: both print the same
equal()
{
	local sentence=$1 first=() bad
	shift
	while [ "$1" != -- ]; do
		first+=("$1")
		shift
	done
	shift
	"$tephra" "${first[@]}" >out/a 2>out/err
	"$tephra" "$@" >out/b 2>>out/err
	[ -s out/a ] && diff -a out/a out/b >out/diff && valid out/a
	bad=$?
	report $bad "$sentence" out/diff out/err
}

finish()
{
	echo "1..$nr"
}
