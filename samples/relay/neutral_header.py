#!/usr/bin/python3
# neutral_header.py - in the header of a perf.data, another host name, and the kernel's release cut to its number
#
# usage: neutral_header.py <perf.data> <new file>
#
# perf has no switch for what its header says of the machine: the strings are padded to 64 bytes there, and stay so long.
import re
import struct
import sys

HOSTNAME, OSRELEASE = 3, 4  # features: u32 length, bytes, NULs

data = bytearray(open(sys.argv[1], "rb").read())
begin, size = struct.unpack_from("<QQ", data, 40)
bits = int.from_bytes(data[72:104], "little")
table = begin + size
for feature in range(256):
    if not bits >> feature & 1:
        continue
    at = struct.unpack_from("<Q", data, table)[0]
    table += 16
    if feature in (HOSTNAME, OSRELEASE):
        length = struct.unpack_from("<I", data, at)[0]
        old = bytes(data[at + 4:at + 4 + length]).rstrip(b"\0")
        new = b"relay-1" if feature == HOSTNAME else re.match(rb"[0-9.]*", old).group()
        data[at + 4:at + 4 + length] = new.ljust(length, b"\0")
open(sys.argv[2], "wb").write(data)
