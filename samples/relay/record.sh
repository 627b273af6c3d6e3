#!/bin/sh
# record.sh - record the relay again, on a Debian 12 machine with gcc, linux-perf, python3, gzip and zstd; needs root
#
# usage: record.sh [<folder to work in, made where missing>]     default: /opt/relay
# Leaves relay.perf-script.txt.gz and relay.perf.data.zst there. Copy them here only after reading them (strings(1)):
# they name the machine.

set -eu
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-/opt/relay}
mkdir -p "$folder"
cp "$here/relay.c" "$folder/relay.c"
cd "$folder"
gcc -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o relay relay.c
perf record -e cpu-clock -F 999 -g -o perf.data -- ./relay 2
perf script --header -i perf.data >relay.perf-script.txt
# the two lines that are set and not measured
sed -i 's/^# hostname : .*/# hostname : relay-1/; s/^\(# os release : [0-9.]*\).*/\1/' relay.perf-script.txt
gzip -9 -n -f -k relay.perf-script.txt

"$here/neutral_header.py" perf.data relay.perf.data
zstd -q -f -19 relay.perf.data
ls -l relay.perf-script.txt relay.perf-script.txt.gz relay.perf.data relay.perf.data.zst
