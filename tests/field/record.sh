#!/bin/sh
# record.sh - a program that nobody here wrote, redis-server under load, recorded and looked at
#
# usage: record.sh <tephra> <folder>
# environment, with defaults: FIELD_SECONDS=5 FIELD_HZ=499 PERF=perf
#
# Starts a server of its own on a socket in a temporary folder, without a port, a configuration or
# a file of any other, and redis-benchmark against it; records the server once with frame pointers
# and once with dumps of the stack; stops both; and shows what tephra look, audit and top say of
# each. The captures are left in <folder>. Nothing is installed: what is missing is named, with
# status 77.

set -eu
export LC_ALL=C.UTF-8

tephra=$1 kept=$2
perf=${PERF:-perf}
seconds=${FIELD_SECONDS:-5}
hertz=${FIELD_HZ:-499}
# what is waited for comes at once, or never
patience_s=30

for program in redis-server redis-cli redis-benchmark "$perf" timeout; do
	command -v "$program" >/dev/null || {
		echo "make field: $program is not installed; Debian has it in redis-server," \
			"redis-tools, linux-perf or coreutils"
		exit 77
	}
done

folder=$(mktemp -d)
server='' load=''
# stop <process>: and wait until it is gone
stop()
{
	[ -n "$1" ] || return 0
	kill "$1" 2>/dev/null || :
	wait "$1" 2>/dev/null || :
}
finish()
{
	stop "$load"
	stop "$server"
	rm -rf "$folder"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

"$perf" record -q -e cpu-clock -o "$folder/try.data" true >"$folder/try.log" 2>&1 || {
	echo "make field: perf may not record here: $(head -n 1 "$folder/try.log")"
	exit 77
}
mkdir -p "$kept"

# ---- a server that ends by itself, should all else fail, and load for as long

limit=$((patience_s + 4 * seconds + 60))
cat >"$folder/redis.conf" <<EOF
port 0
unixsocket $folder/socket
unixsocketperm 700
save ""
appendonly no
daemonize no
dir $folder
maxmemory 64mb
maxmemory-policy allkeys-lru
EOF
timeout "$limit" redis-server "$folder/redis.conf" >"$folder/server.log" 2>&1 &
server=$!
# shellcheck disable=SC2016 # that shell expands it
timeout "$patience_s" sh -c 'until redis-cli -s "$1" ping; do kill -0 "$2" || exit 1; sleep 0.1; done' \
	- "$folder/socket" "$server" >"$folder/ping.log" 2>&1 || {
	echo 'make field: redis-server did not answer:'
	cat "$folder/server.log"
	exit 1
}
# timeout(1) is its parent
process=$(redis-cli -s "$folder/socket" info server | tr -d '\r' | sed -n 's/^process_id://p')
timeout "$limit" redis-benchmark -s "$folder/socket" -c 20 -P 4 -r 10000 -d 64 -l -q \
	-t set,get,lpush,lpop,sadd,hset,zadd >"$folder/load.log" 2>&1 &
load=$!

# ---- captures

# record <name> <options of perf record>...
record()
{
	name=$1
	shift
	"$perf" record -q -e cpu-clock -k CLOCK_MONOTONIC "$@" -p "$process" \
		-o "$folder/$name.data" -- sleep "$seconds" >"$folder/$name.log" 2>&1 || {
		cat "$folder/$name.log"
		exit 1
	}
	kill -0 "$load" 2>/dev/null || {
		echo 'make field: the load ended while it was recorded:'
		tail -n 3 "$folder/load.log"
		exit 1
	}
	mv "$folder/$name.data" "$kept/$name.data"
}
record frame-pointers -F "$hertz" -g
# dumps are large: fewer of them
record dumps -F "$((hertz / 2))" --call-graph dwarf,16384
stop "$load"
load=''
stop "$server"
server=''

# ---- what tephra says

for name in frame-pointers dumps; do
	for command in look audit 'top --limit=15'; do
		echo
		echo "\$ tephra $command $kept/$name.data"
		status=0
		# shellcheck disable=SC2086 # a command and its option
		"$tephra" $command "$kept/$name.data" || status=$?
		# audit says 1 where it finds something
		[ "$status" -le 1 ] || exit "$status"
	done
done
