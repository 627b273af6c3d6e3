#!/usr/bin/python3
# perf_data_corpus.py - what tephra reads of a corpus of perf.data against what is known of it
#
# usage: perf_data_corpus.py <tephra> <corpus>
#
# SUMMARY.jsonl has, for each file, how many records of each type and samples of each event it
# holds, as another reader counted them. expected/<file>.script.zst is what perf script said of
# it. A TAP line each.
import glob
import json
import os
import re
import subprocess
import sys

TEPHRA, CORPUS = sys.argv[1:3]

# Where the summary and tephra differ on purpose: what tephra must say instead.
KNOWN = {
    # a record of size 0 ended the other reader; the records behind it can be found again
    "perf_data_converter/perf.data.piped.corrupted.zero_size_sample-3.2": {
        "samples": 227,
        "events": {"cycles": 227},
        "more_types": {"MMAP": 4, "COMM": 1, "EXIT": 2, "THROTTLE": 1, "UNTHROTTLE": 1, "SAMPLE": 227},
    },
    # simpleperf's META_INFO names the tracepoint
    "simpleperf/perf_sched_stat_runtime.data": {"events": {"sched:sched_stat_runtime": 2430}},
    "simpleperf/perf_with_trace_offcpu.data": {"events": {"cycles": 2270, "sched:sched_switch": 99}},
    # the file's own TRACING_DATA does
    "perfparser/probe.data.stream": {"events": {"probe_untitled1:main": 1}},
}

# perf drops a chain that holds a marker it does not know: file, number of the sample, its frames.
DROPPED_CHAINS = {("own/lost.data", 496): 2}

# Where a sample has no last branches perf 6.1 takes one from behind its record: of those the
# kernel's part is compared, and that perf's one frame more is all that differs.
EMPTY_BRANCHES = "perfparser/vector_static_gcc/perf.lbr.data"

# perf finds no call-frame information in a static program without .eh_frame_hdr.
NOT_UNWOUND_BY_PERF = {"own/dwarf-static.data": 48}

# The same recording with the other byte order. perf turns the bytes of the stack, too, which are
# those of an x86-64 still, and sees no frame.
SAME_AS = {"own/be-dwarf.data": "own/dwarf.data"}

# perf script prints so many frames at most.
FRAMES_MAX = 127

number = 0


def report(problems, sentence):
    global number
    number += 1
    print(f"{'not ok' if problems else 'ok'} {number} - {sentence}")
    for problem in problems[:10]:
        print("#", str(problem)[:400].replace("\n", " "))
    sys.stdout.flush()


def run(*words):
    return subprocess.run([TEPHRA, *words], capture_output=True, timeout=120)


# ---- how much there is


def check_summary(row):
    name = row["file"]
    known = KNOWN.get(name, {})
    done = run("info", "-q", "--format=json", f"{CORPUS}/{name}")
    if done.returncode:
        # no perf.data, one cut within its header, or one that holds no sample
        problems = [done.stderr.decode()] if row["samples"] or done.returncode != 2 else []
        report(problems, f"{name}: refused, and holds no sample")
        return
    info = json.loads(done.stdout)
    types = dict(row["counts"])
    for word, nr in known.get("more_types", {}).items():
        types[word] = types.get(word, 0) + nr
    events = {}
    for key, nr in row["per_event"].items():
        event = key.split(":", 1)[1]
        events[event] = events.get(event, 0) + nr
    wanted = {
        "samples": known.get("samples", row["samples"]),
        "record_types": types,
        "events": known.get("events", events),
    }
    got = {
        "samples": info["stats"]["samples"],
        "record_types": info["record_types"],
        "events": {event["name"]: event["samples"] for event in info["events"]},
    }
    report(
        [f"{key}: got {got[key]}, expected {wanted[key]}" for key in wanted if got[key] != wanted[key]],
        f"{name}: records, samples, events",
    )


# ---- what each sample is


def load(path, *options):
    done = run("samples", "-q", "--format=json", *options, path)
    return [json.loads(line) for line in done.stdout.decode("utf-8", "replace").split("\n") if line]


def module_of(frame):
    """The module's base name, "kernel" for the kernel and all that is loaded into it."""
    path, address = frame["module"], frame["address"]
    if path.startswith("["):
        if path in ("[vdso]", "[vsyscall]", "[heap]", "[stack]", "[unknown]"):
            return "kernel" if address is not None and address >= 1 << 63 else path
        return "kernel"
    base = path.rsplit("/", 1)[-1]
    if re.search(r"\.ko(\.\w+)?$", base) or base.startswith("vmlinux"):
        return "kernel"
    return base


def is_same_frame(got, wanted):
    got_module, wanted_module = module_of(got), module_of(wanted)
    if got_module == "kernel" and wanted_module in ("kernel", "[unknown]"):
        return True
    if wanted_module == "[unknown]":
        return got["address"] == wanted["address"]
    return got_module == wanted_module and got["address"] == wanted["address"]


ROOTS = ("[truncated]", "[incomplete]")


def is_same_unwound(got, wanted):
    """A stack out of a dump: perf prints the address less 1 of what is a return address."""
    frames = [frame for frame in got["stack"] if frame["name"] not in ROOTS]
    # without the file perf leaves out the leaf, too, where the kernel's frames stand before it
    if got.get("unwind_stop") in ("no-file", "no-map") and len(frames) == len(wanted) + 1:
        frames.pop()
    return len(frames) == len(wanted) and all(
        is_same_frame(ours, theirs) or is_same_frame({**ours, "address": ours["address"] - 1}, theirs)
        for ours, theirs in zip(frames, wanted)
    )


def is_same_stack(got, wanted, name, nr):
    if (name, nr) in DROPPED_CHAINS:
        return not wanted and len(got) == DROPPED_CHAINS[name, nr]
    if len(wanted) == FRAMES_MAX:
        got = got[:FRAMES_MAX]
    # perf ends some chains with the address -1
    while wanted and wanted[-1]["address"] == (1 << 64) - 1 and len(wanted) > len(got):
        wanted = wanted[:-1]
    if len(got) == len(wanted) and all(map(is_same_frame, got, wanted)):
        return True
    kernel = [frame for frame in got if module_of(frame) == "kernel"]
    return name == EMPTY_BRANCHES and 0 < len(kernel) == len(wanted) - 1 and all(map(is_same_frame, kernel, wanted))


def is_same_event(got, wanted):
    if got == wanted:
        return True
    # a file without names of events: perf adds the modifiers that it takes from the attr
    return got == re.sub(r":[a-zA-Z]+$", "", wanted)


def compare(name, got, wanted, with_stacks):
    problems = []
    if len(got) != len(wanted):
        return [f"{len(got)} samples, expected {len(wanted)}"]
    # perf script prints microseconds where --ns was not given
    unit = 1000 if all((sample["time_ns"] or 0) % 1000 == 0 for sample in wanted) else 1
    for nr, (ours, theirs) in enumerate(zip(got, wanted)):
        if theirs["time_ns"] is not None and ours["time_ns"] // unit != theirs["time_ns"] // unit:
            problems.append(f"sample {nr}: time {ours['time_ns']}, expected {theirs['time_ns']}")
        for key in ("comm", "pid", "tid", "period"):
            if theirs[key] is not None and ours[key] != theirs[key]:
                problems.append(f"sample {nr}: {key} {ours[key]}, expected {theirs[key]}")
        if not is_same_event(ours["event"], theirs["event"]):
            problems.append(f"sample {nr}: event {ours['event']}, expected {theirs['event']}")
        is_same = (
            is_same_unwound(ours, theirs["stack"])
            if "unwind_stop" in ours
            else is_same_stack(ours["stack"], theirs["stack"], name, nr)
        )
        if with_stacks and not is_same:
            problems.append(f"sample {nr}: stack {ours['stack']}, expected {theirs['stack']}")
    return problems


def check_script(text, row):
    """
    Left out: the stacks of files without call chains (perf prints the absolute address behind the
    event, if at all) and those that perf did not unwind. Counters of a group that were read with
    a sample are lines of both.
    """
    name = row["file"]
    folder = f"{CORPUS}/{name.split('/')[0]}"
    files = [f"--debug-dir={folder}/{sub}" for sub in ("bin", "debugdir", "symfs") if os.path.isdir(f"{folder}/{sub}")]
    got, wanted = load(f"{CORPUS}/{name}", "--symbols=given", *files), load(text)
    has_chains = "callchain" in row["feat"] and any(sample["stack"] for sample in wanted)
    with_stacks = has_chains and name not in NOT_UNWOUND_BY_PERF
    what = "times, tasks, events, periods" + (", stacks" if with_stacks else "")
    report(compare(name, got, wanted, with_stacks), f"{name}: {what} of {len(wanted)} samples as perf script has them")


def check_whole(name, nr):
    """Nobody else unwinds it: each chain must end where threads begin, or with the dump."""
    folder = f"{CORPUS}/{name.split('/')[0]}"
    files = [f"--debug-dir={folder}/{sub}" for sub in ("bin", "debugdir", "symfs")]
    stops = [sample.get("unwind_stop") for sample in load(f"{CORPUS}/{name}", "--symbols=given", *files)]
    whole = sum(stop in ("end", "truncated") for stop in stops)
    report([f"{set(stops)}"] if len(stops) != nr or whole < nr * 0.9 else [], f"{name}: {whole} of {nr} stacks are unwound")


def main():
    rows = [json.loads(line) for line in open(f"{CORPUS}/SUMMARY.jsonl", encoding="utf-8")]
    for row in rows:
        check_summary(row)
    # expected/folder-file.script.zst is of folder/file
    by_text = {}
    for row in rows:
        top, _, rest = row["file"].partition("/")
        by_text[f"{top}/expected/{rest.replace('/', '-')}.script.zst"] = row
    for text in sorted(glob.glob(f"{CORPUS}/*/expected/*.script.zst")):
        row = by_text.get(os.path.relpath(text, CORPUS))
        if row and row["file"] in SAME_AS:
            top, _, rest = SAME_AS[row["file"]].partition("/")
            text = f"{CORPUS}/{top}/expected/{rest.replace('/', '-')}.script.zst"
        if row:
            check_script(text, row)
    for name, nr in {**NOT_UNWOUND_BY_PERF, "own/zstd.data": 463}.items():
        if os.path.exists(f"{CORPUS}/{name}"):
            check_whole(name, nr)
    print(f"1..{number}")


main()
