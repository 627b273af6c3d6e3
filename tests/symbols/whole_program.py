#!/usr/bin/env python3
# whole_program.py - what tests of tephra as a whole share: programs built, recorded, named, and the truth
"""A TAP line per fact. TEPHRA names the program; tools that are not installed are left out, and
what is left out is said."""
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import compare_chains  # noqa: E402 (it stands beside this file)
import recording  # noqa: E402

PROGRAMS = HERE / "programs"
TEPHRA = os.path.abspath(os.environ.get("TEPHRA", "./tephra"))
ADDRESSES_MAX = 1000  # of one program; beyond, a fixed random choice
PID = 4711
tests_nr = 0
failed_nr = 0


def say(is_good, text, details=()):
    global tests_nr, failed_nr
    tests_nr += 1
    failed_nr += not is_good
    print(f"{'ok' if is_good else 'not ok'} {tests_nr} - {text}")
    for line in details if not is_good else ():
        print("# " + str(line).encode("ascii", "backslashreplace").decode()[:600])
    sys.stdout.flush()


def has(*tools):
    return all(shutil.which(tool) for tool in tools)


def run(*command, stdin=None, folder=None):
    result = subprocess.run([str(word) for word in command], input=stdin, cwd=folder,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if result.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: status {result.returncode}: "
                           + result.stderr.decode(errors="replace").strip()[-400:])
    return result.stdout.decode(errors="surrogateescape")


def tephra(*words):
    return run(TEPHRA, *words)


# ---- what is at an address

def sections(file):
    """(name, address, size) of those with code."""
    return [(name, int(begin, 16), int(size, 16)) for name, begin, size in re.findall(
        r"\] (\S+) +(?:PROGBITS|NOBITS) +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) \S+ +\S*X",
        run("readelf", "-SW", file))]


def code_addresses(file):
    """Of all code but what the linker made (PLT)."""
    addresses = [address for name, begin, size in sections(file) if "plt" not in name
                 for address in range(begin, begin + size)]
    if len(addresses) > ADDRESSES_MAX:
        addresses = random.Random(1).sample(addresses, ADDRESSES_MAX)
    return sorted(addresses)


def return_addresses(file):
    """Behind each call."""
    lines = run("objdump", "-d", "--no-show-raw-insn", file).splitlines()
    found = set()
    for line, after in zip(lines, lines[1:]):
        address = re.match(r" *([0-9a-f]+):", after)
        if address and re.match(r" *[0-9a-f]+:\s+(notrack )?(bnd )?call", line):
            found.add(int(address.group(1), 16))
    return sorted(found)[:400]


def llvm(file, addresses):
    """address -> chain, of llvm-symbolizer."""
    text = "".join(f"{address:#x}\n" for address in addresses).encode()
    with tempfile.NamedTemporaryFile("w+", errors="surrogateescape") as answer:
        answer.write(run("llvm-symbolizer", "--inlines", "--functions=linkage", "--no-demangle",
                         f"--obj={file}", stdin=text))
        answer.flush()
        return compare_chains.read_llvm(answer.name, addresses)


# ---- recordings of it

class Recorded:
    """All code of a program, as leaves and as callers, in a recording."""

    def __init__(self, file, folder, path=None, build_id="own", late_id=None, returns=True,
                 leaves=None):
        """path: as recorded. build_id: what the kernel saw, "own": the file's, None: nothing."""
        self.program = recording.Program(file)
        self.path = path or f"/srv/app/{pathlib.Path(file).name}"
        self.leaves = code_addresses(file) if leaves is None else leaves
        self.returns = return_addresses(file) if returns else []
        self.file = pathlib.Path(folder) / "perf.data"
        whole = recording.Recording()
        whole.comm(PID, "app")
        self.program.map_into(whole, PID, self.path,
                              self.program.build_id() if build_id == "own" else build_id)
        for address in self.leaves:
            whole.sample(PID, self.program.at(address))
        for i in range(0, len(self.returns), 100):
            whole.sample(PID, self.program.at(self.leaves[0]),
                         map(self.program.at, self.returns[i:i + 100]))
        if late_id:
            whole.late_id(late_id, self.path)
        folder.mkdir(parents=True, exist_ok=True)
        whole.write(self.file)

    def asked(self):
        """What is looked up: of a return address, the call."""
        return sorted({*self.leaves, *(address - 1 for address in self.returns)})

    def named(self, *options):
        """address -> chain, of a profile that tephra names; what it says of the module."""
        profile = self.file.with_suffix(".tephra")
        profile.unlink(missing_ok=True)
        tephra("import", "-q", "--symbols=given", *options, "-o", profile, self.file)
        return self.read(profile)

    def read(self, profile):
        offsets = {self.program.offset_of(address): address for address in self.asked()}
        rows = sqlite3.connect(profile).execute(
            "SELECT location_id, location.address - location.is_return, frame.raw_name, frame.file, frame.line,"
            " location_frame.name FROM location JOIN frame USING (location_id)"
            " JOIN location_frame USING (location_id, depth)"
            " WHERE module_id = (SELECT module_id FROM module WHERE path = ?)"
            " ORDER BY location_id, depth", (self.path,))
        chains = {}  # an address may have two locations: as a leaf, and of a call behind it
        for location, offset, raw, file, line, name in rows:
            place = compare_chains.place_of(f"{file}:{line}", False) if file and line else None
            chains.setdefault((location, offset), []).append(
                (compare_chains.name_of(raw or name), place))
        info = json.loads(tephra("info", "-q", "--format=json", profile))
        module = [m for m in info["modules"] if m["path"] == self.path][0]
        return {offsets[offset]: chain for (_, offset), chain in chains.items()}, module


def fold(file, *options):
    return tephra("fold", "-q", "--symbols=given", *options, file)


# ---- names beside the truth

def compare(title, asked, ours, theirs, aliases, only_functions=False, share_min=0.99):
    """
    Every name that they have, we have; and at least 99 % of the chains are equal. What is in
    no function (padding) is not asked for.
    """
    wanted = [address for address in asked if theirs[address][-1][0] not in ("??", "")]
    unnamed = [address for address in wanted if not ours.get(address)]
    kinds, examples = compare_chains.compare(wanted, ours, theirs, aliases, only_functions)
    equal = kinds.pop(None, 0) + kinds.pop(compare_chains.NO_FUNCTION, 0)
    details = [f"{equal} of {len(wanted)} chains equal"]
    details += [f"{nr} {kind}; such as {examples[kind][0]:#x}: we {examples[kind][1]}, they "
                f"{examples[kind][2]}" for kind, nr in kinds.most_common()]
    details += [f"no name for {len(unnamed)}, such as {unnamed[0]:#x}: {theirs[unnamed[0]]}"
                ] if unnamed else []
    say(len(wanted) > 20 and not unnamed and equal >= share_min * len(wanted), title, details)


def main(tests):
    kept = os.environ.get("SCRATCH")
    scratch = pathlib.Path(kept or tempfile.mkdtemp(prefix="whole-")).resolve()
    os.environ["LC_ALL"] = "C"
    os.environ.pop("DEBUGINFOD_URLS", None)
    try:
        for test in tests:
            try:
                test(scratch / test.__name__.removeprefix("test_"))
            except (RuntimeError, KeyError, IndexError, OSError) as error:
                say(False, f"{test.__name__}: {error!r}".replace("\n", " "))
    finally:
        if not kept:
            shutil.rmtree(scratch, ignore_errors=True)
    print(f"1..{tests_nr}")
    return failed_nr > 0
