#!/usr/bin/env python3
# test_corpus.py - recordings of a folder "shared" beside the checkout, named, beside what perf script called their frames
"""A line for each recording with an expected/*.script.zst. No frame has a name that perf does not
have there; and each frame whose file is given has its name. See whole_program.py."""
import collections
import os
import pathlib
import re
import sqlite3
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_chains  # noqa: E402
from whole_program import TEPHRA, has, main, say, tephra  # noqa: E402

SHARED = pathlib.Path(os.environ.get("TEPHRA_SHARED")
                      or pathlib.Path(os.environ.get("srcdir", ".")) / "../shared")
OWN = SHARED / "corpus/perfdata/own"
# the files of these are in the folder with all their symbols
WHOLE = {"faults", "fpwork", "inl", "inl-static", "minijit", "mtmp"}
# perf had libraries' debug files: these have only dynamic symbols in the folder
PARTLY = {"ld-linux-x86-64.so.2", "libc.so.6", "libgcc_s.so.1", "libm.so.6", "libstdc++.so.6.0.30"}
FILES = {"libstdc++.so.6.0.30": "libstdc++.so.6"}
SAME_STACKS = {"be-dwarf.data": "dwarf.data"}
# names of libc's own symbol table, which the folder does not have, and the dynamic ones there
SAME = {("execve", "__GI___execve"), ("fstatat", "__GI___fstatat64"), ("open", "__GI___libc_open"),
        ("strnlen", "__strnlen_ifunc"), ("strtoimax", "__GI_strtoll"), ("wait4", "__GI___wait4"),
        ("write", "__GI___libc_write")}


def options(folder):
    return ("--symbols=given", "--sysroot", OWN / "symfs", "--debug-dir", OWN / "bin",
            "--debug-dir", OWN / "stripped", "--debug-dir", OWN / "debugdir",
            "--perf-map-dir", OWN / "perfmaps", "--kallsyms", OWN / "kallsyms.zst", *folder)


# ---- what perf said

def plain(name):
    """As far as two tools agree on writing a name."""
    # the maps of runtimes were copied and their paths edited
    return re.sub(r"/\S+/(\w+\.(js|py)\b)", r"\1", compare_chains.name_of(name))


def samples_of_perf(text):
    """Per sample the frames [(name, module)], the innermost first."""
    samples = []
    for line in text.splitlines():
        frame = re.match(r"\s+([0-9a-f]+) (.*) \((.*)\)$", line)
        if frame and samples:
            if frame.group(3) != "inlined":
                name = re.sub(r"\+0x[0-9a-f]+$", "", frame.group(2))
                samples[-1].append((name, frame.group(3).rsplit("/", 1)[-1].strip("[]")))
        elif line and not line[0].isspace() or re.match(r" *\S.* +\d+(/\d+)? .*: +\d* *\S+:", line):
            samples.append([])
    return samples


# ---- what tephra says

def samples_of(profile):
    """The same of a profile: the functions that were called, without those inlined into them."""
    base = sqlite3.connect(profile)
    base.text_factory = lambda data: data.decode("utf-8", "replace")
    names = {}
    for location, name, module, is_named in base.execute(
            "SELECT location_id, location_frame.name, location_frame.module, count(frame.depth)"
            " OR symbol_id IS NOT NULL FROM location JOIN location_frame USING (location_id)"
            " LEFT JOIN frame USING (location_id, depth) GROUP BY location_id"
            " HAVING location_frame.depth = max(location_frame.depth)"):
        names[location] = (name if is_named else None,
                           (module or "[unknown]").rsplit("/", 1)[-1].strip("[]"))
    stacks = {stack: [int(word) for word in re.findall(r"\d+", callers)]
              for stack, callers in base.execute("SELECT stack_id, callers FROM stack")}
    samples = []
    for leaf, stack, count in base.execute(
            "SELECT leaf_location_id, stack_id, count FROM sample ORDER BY sample_id"):
        frames = [leaf, *reversed(stacks.get(stack, []))]
        samples.append([names[frame] for frame in frames if frame is not None])
    return samples


# ---- side by side

def kernel_aliases():
    names_at = collections.defaultdict(set)
    text = subprocess.run(["zstdcat", OWN / "kallsyms.zst"], stdout=subprocess.PIPE, check=True)
    for line in text.stdout.decode().splitlines():
        address, _, name, *_ = line.split()
        names_at[address].add(name)
    return {name: names for names in names_at.values() for name in names if len(names) > 1}


def aliases_of(module):
    if module == "kernel.kallsyms":
        return kernel_aliases()
    for folder in (OWN / "bin", OWN / "symfs/usr/lib/x86_64-linux-gnu"):
        if (folder / FILES.get(module, module)).exists():
            return compare_chains.read_aliases(folder / FILES.get(module, module))
    return {}


KNOWN_ALIASES = collections.defaultdict(dict)


def is_same(ours, theirs, module):
    # perf 6.1 counts the stubs of a PLT and is wrong behind the first without a symbol
    if ours.endswith("@plt") and theirs.endswith("@plt") and module in PARTLY:
        return True
    ours, theirs = plain(ours), plain(theirs)
    if ours == theirs or (ours, theirs) in SAME:
        return True
    if module not in KNOWN_ALIASES:
        KNOWN_ALIASES[module] = aliases_of(module)
    return ours in KNOWN_ALIASES[module].get(theirs, ())


def must_be_named(theirs, module):
    if module in WHOLE or module == "kernel.kallsyms" or re.match(r"perf-\d+\.map|jitted-\d+-\d+\.so", module):
        return True
    if module in PARTLY:
        if module not in KNOWN_ALIASES:
            KNOWN_ALIASES[module] = aliases_of(module)
        return plain(theirs) in KNOWN_ALIASES[module]
    return False


def compare_frames(ours, theirs, counts, problems):
    name, module = ours
    their_name, _ = theirs
    if their_name == "[unknown]":
        counts["named by neither"] += name is None
        if name is not None:
            problems[f"{name} ({module}), which perf does not know"] += 1
    elif name is None:
        counts["not named by us"] += 1
        if must_be_named(their_name, module):
            problems[f"no name for {their_name} ({module})"] += 1
    elif is_same(name, their_name, module):
        counts["equal"] += 1
    else:
        problems[f"{name} where perf has {their_name} ({module})"] += 1


def check(folder, name, script, more=()):
    """script: what perf said of the recording, or of the same with code of runtimes put in."""
    profile = folder / "named.tephra"
    profile.unlink(missing_ok=True)
    theirs = samples_of_perf(script)
    if not any(theirs):
        return
    tephra("import", "-q", *options(more), "-o", profile, OWN / name)
    ours = samples_of(profile)
    counts, problems = collections.Counter(), collections.Counter()
    if len(ours) != len(theirs):
        problems[f"{len(ours)} samples, perf has {len(theirs)}"] += 1
    for our_frames, their_frames in zip(ours, theirs):
        # where a dump could not be unwound to its end is no frame of the program's
        our_frames = [frame for frame in our_frames if frame[0] != "[incomplete]"]
        for frames in zip(our_frames, their_frames):
            compare_frames(*frames, counts, problems)
    say(not problems, f"{name}: " + ", ".join(f"{counts[key]} {key}" for key in sorted(counts)),
        [f"{nr} x {problem}" for problem, nr in problems.most_common(12)])


# Stack dumps, unwound here: tests/support/perf_data_corpus.py compares these stacks frame by frame.
UNWOUND = ("dwarf.data", "be-dwarf.data", "zstd.data")


def test_own(scratch):
    scratch.mkdir(parents=True)
    for path in sorted((OWN / "expected").glob("*.script.zst")):
        name = path.name.removesuffix(".script.zst")
        if name in UNWOUND:
            continue
        more = ()
        if name == "node-jitdump.data":
            subprocess.run(["tar", "-xf", OWN / "node-jitdump.tar.zst", "-C", scratch], check=True)
            more = ("--debug-dir", scratch)
        # perf does not unwind the dumps of a machine of another byte order; they are the same
        path = path.with_name(SAME_STACKS.get(name, name) + ".script.zst")
        text = subprocess.run(["zstdcat", path], stdout=subprocess.PIPE, check=True).stdout
        check(scratch, name, text.decode("utf-8", "replace"), more)
        if more:  # named by the runtime's own dump
            check(scratch, "node-jitdump.raw", text.decode("utf-8", "replace"),
                  ("--perf-map-dir", scratch))


if not (OWN / "expected").is_dir() or not has("zstdcat"):
    print('1..0 # SKIP there is no folder "shared" beside the checkout, or no zstd')
    sys.exit(0)
sys.exit(main([test_own]))
