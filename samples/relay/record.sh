#!/bin/sh
# record.sh - record the relay again, on a Debian 12 machine with gcc, linux-perf, python3, gzip and zstd; needs root
#
# usage: record.sh [<folder to work in, made where missing>]     default: /opt/relay
# Leaves relay.perf-script.txt.gz and relay.perf.data.zst there. Copy them here only after reading them (strings(1)):
# they name the machine.

set -eu
export LC_ALL=C

source=$(cd "$(dirname "$0")" && pwd)/relay.c
folder=${1:-/opt/relay}
mkdir -p "$folder"
cp "$source" "$folder/relay.c"
cd "$folder"
gcc -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o relay relay.c
perf record -e cpu-clock -F 999 -g -o perf.data -- ./relay 2
perf script --header -i perf.data >relay.perf-script.txt
# the two lines that are set and not measured
sed -i 's/^# hostname : .*/# hostname : relay-1/; s/^\(# os release : [0-9.]*\).*/\1/' relay.perf-script.txt
gzip -9 -n -f -k relay.perf-script.txt

# perf has no switch for what its header says of the machine: the same two strings, which are padded to 64 bytes there
python3 - perf.data relay.perf.data <<'END'
import re, struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
begin, size = struct.unpack_from("<QQ", data, 40)
bits = int.from_bytes(data[72:104], "little")
table = begin + size
for feature in range(256):
    if not bits >> feature & 1:
        continue
    at = struct.unpack_from("<Q", data, table)[0]
    table += 16
    if feature in (3, 4):  # HOSTNAME, OSRELEASE: u32 length, bytes, NULs
        length = struct.unpack_from("<I", data, at)[0]
        old = bytes(data[at + 4:at + 4 + length]).rstrip(b"\0")
        new = b"relay-1" if feature == 3 else re.match(rb"[0-9.]*", old).group()
        data[at + 4:at + 4 + length] = new.ljust(length, b"\0")
open(sys.argv[2], "wb").write(data)
END
zstd -q -f -19 relay.perf.data
ls -l relay.perf-script.txt relay.perf-script.txt.gz relay.perf.data relay.perf.data.zst
