#!/usr/bin/env python3
# recording.py - perf.data files as perf record writes them, of programs that were never run
"""Used by the tests beside it. The layout: linux/perf_event.h and perf.data-file-format.txt of
Linux; one event (cpu-clock), a callchain with every sample, all numbers little-endian."""
import re
import struct
import subprocess

SAMPLE_TYPE = 0x1 | 0x2 | 0x4 | 0x20 | 0x100  # ip, tid, time, callchain, period
FLAGS = 1 << 8 | 1 << 9 | 1 << 18  # mmap, comm, sample_id_all
RECORD_MMAP, RECORD_COMM, RECORD_SAMPLE, RECORD_MMAP2 = 1, 3, 9, 10
MISC_KERNEL, MISC_USER, MISC_BUILD_ID, MISC_ID_SIZE = 1, 2, 1 << 14, 1 << 15
MARK_KERNEL, MARK_USER = 2 ** 64 - 128, 2 ** 64 - 512
FEATURE_BUILD_ID, FEATURE_CLOCK_DATA = 2, 29
PAGE = 4096


def padded(data, to=8):
    return data + bytes(-len(data) % to)


class Recording:
    def __init__(self):
        self.records = []
        self.ids = []
        self.time = 1_000_000_000
        self.clock = None  # a clockid that perf record -k named

    def add(self, kind, misc, body):
        self.records.append(struct.pack("<IHH", kind, misc, 8 + len(body)) + body)

    def trailer(self, pid):
        self.time += 1000
        return struct.pack("<IIQ", pid, pid, self.time)

    def comm(self, pid, name):
        self.add(RECORD_COMM, 0, struct.pack("<II", pid, pid) + padded(name.encode() + b"\0")
                 + self.trailer(pid))

    def mmap(self, pid, begin, size, offset, path, build_id=None):
        """build_id: the kernel's word, in hex; None: the record has device and inode instead."""
        what = struct.pack("<IIQQ", 8, 1, 4711, 0)
        misc = MISC_USER
        if build_id is not None:
            raw = bytes.fromhex(build_id)
            what = struct.pack("<BBH20s", len(raw), 0, 0, raw)
            misc |= MISC_BUILD_ID
        self.add(RECORD_MMAP2, misc,
                 struct.pack("<IIQQQ", pid, pid, begin, size, offset) + what
                 + struct.pack("<II", 5, 2) + padded(str(path).encode() + b"\0")
                 + self.trailer(pid))

    def kernel(self, begin, size, text, name="[kernel.kallsyms]_text"):
        """text: where the symbol behind the bracket was."""
        self.add(RECORD_MMAP, MISC_KERNEL,
                 struct.pack("<IIQQQ", 2 ** 32 - 1, 0, begin, size, text)
                 + padded(name.encode() + b"\0") + self.trailer(0))

    def sample(self, pid, ip, returns=(), kernel=()):
        """Innermost first; an interrupted kernel stands in front of the program."""
        chain = [MARK_KERNEL, *kernel] if kernel else []
        chain += [MARK_USER, ip, *returns]
        self.time += 1000
        self.add(RECORD_SAMPLE, MISC_KERNEL if kernel else MISC_USER,
                 struct.pack("<QIIQQQ", kernel[0] if kernel else ip, pid, pid, self.time, 1,
                             len(chain)) + struct.pack(f"<{len(chain)}Q", *chain))

    def late_id(self, build_id, path, pid=-1, misc=MISC_USER):
        """perf's table, written when the recording ended. The size of the ID stands in it."""
        raw = bytes.fromhex(build_id)
        body = struct.pack("<i20sB3x", pid, raw, len(raw)) + padded(str(path).encode() + b"\0", 64)
        self.ids.append(struct.pack("<IHH", 0, misc | MISC_ID_SIZE, 8 + len(body)) + body)

    def write(self, path):
        attr = struct.pack("<IIQQQQQ", 1, 128, 0, 1, SAMPLE_TYPE, 0, FLAGS).ljust(128, b"\0")
        attrs = attr + struct.pack("<QQ", 0, 0)
        data = b"".join(self.records)
        features = {}
        if self.ids:
            features[FEATURE_BUILD_ID] = b"".join(self.ids)
        if self.clock is not None:
            features[FEATURE_CLOCK_DATA] = struct.pack("<IIQQ", 1, self.clock, 1, 1)
        begin = 104 + len(attrs)
        at = begin + len(data) + 16 * len(features)
        table = b""
        for number in sorted(features):
            table += struct.pack("<QQ", at, len(features[number]))
            at += len(features[number])
        bits = sum(1 << number for number in features)
        header = b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, len(attrs), 104, len(attrs), begin,
                                           len(data), 0, 0) + bits.to_bytes(32, "little")
        with open(path, "wb") as file:
            file.write(header + attrs + data + table
                       + b"".join(features[number] for number in sorted(features)))
        return path


def jitdump(pid, loads):
    """A jit-PID.dump: (time, address, size, name) of each piece of code."""
    data = struct.pack("<IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, pid, 0, 0)
    for index, (time, address, size, name) in enumerate(loads):
        body = struct.pack("<IIQQQQ", pid, pid, address, address, size, index)
        body += name.encode() + b"\0" + b"\x90" * size
        data += struct.pack("<IIQ", 0, 16 + len(body), time) + body
    return data


class Program:
    """An ELF file of 64 bits as a process has it mapped. Addresses are as the file counts them."""

    def __init__(self, file, base=0x55D5_5000_0000):
        data = open(file, "rb").read()
        self.file = file
        self.is_fixed = struct.unpack_from("<H", data, 16)[0] == 2
        self.base = 0 if self.is_fixed else base
        offset, = struct.unpack_from("<Q", data, 32)
        nr, = struct.unpack_from("<H", data, 56)
        headers = [struct.unpack_from("<IIQQQQQQ", data, offset + 56 * i) for i in range(nr)]
        # offset, address, bytes in the file
        self.code = [(head[2], head[3], head[5]) for head in headers if head[0] == 1 and head[1] & 1]

    def build_id(self):
        notes = subprocess.run(["readelf", "-n", self.file], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, check=True).stdout.decode()
        found = re.search(r"Build ID: ([0-9a-f]+)", notes)
        return found and found.group(1)

    def map_into(self, recording, pid, path, build_id=None):
        for offset, vaddr, size in self.code:
            first = offset // PAGE * PAGE
            end = -(-(offset + size) // PAGE) * PAGE
            recording.mmap(pid, self.base + vaddr // PAGE * PAGE, end - first, first, path,
                           build_id)

    def offset_of(self, vaddr):
        for offset, begin, size in self.code:
            if begin <= vaddr < begin + size:
                return vaddr - begin + offset
        raise ValueError(f"{vaddr:#x} is not in code of {self.file}")

    def at(self, vaddr):
        return self.base + vaddr
