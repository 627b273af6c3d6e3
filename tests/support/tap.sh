# tap.sh - sourced by tests in shell: a folder of their own, which goes with them, and lines of TAP
# shellcheck shell=sh disable=SC2034 # folder is used in the other file

set -u
export LC_ALL=C

folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
trap 'exit 99' HUP INT TERM
nr=0

# check <status> <sentence> [<file that says more of a failure>]
check()
{
	nr=$((nr + 1))
	if [ "$1" = 0 ]; then
		echo "ok $nr - $2"
	else
		echo "not ok $nr - $2"
		[ -z "${3-}" ] || sed 's/^/# /' "$3"
	fi
}

# skip <sentence> <reason>
skip()
{
	nr=$((nr + 1))
	echo "ok $nr - $1 # SKIP $2"
}
