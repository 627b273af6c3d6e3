#!/usr/bin/python3
# test_captures.py - captures that are recorded here, unwound as perf unwinds them
#
# A TAP line each; TEPHRA names the program, SCRATCH a folder to keep what is recorded.
# Skipped without perf, or where it may not record.
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare_stacks  # noqa: E402

TEPHRA = os.path.abspath(os.environ.get("TEPHRA", "./tephra"))
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
SCRATCH = os.environ.get("SCRATCH") or tempfile.mkdtemp()
SECONDS = "0.8"

# The share of stacks that must be the same, frame by frame.
SAME = 0.995

number = 0


def report(is_good, sentence, notes=()):
    global number
    number += 1
    print(f"{'ok' if is_good else 'not ok'} {number} - {sentence}")
    for note in notes:
        print("#", note)
    sys.stdout.flush()


def run(*words, **options):
    return subprocess.run(words, capture_output=True, timeout=300, **options)


def build(name, source, compiler, *flags):
    path = f"{SCRATCH}/{name}"
    done = run(compiler, "-O2", "-g", "-o", path, f"{PROGRAMS}/{source}", *flags)
    return path if done.returncode == 0 else None


def record(name, size, *command):
    path = f"{SCRATCH}/{name}.data"
    done = run("perf", "record", "-q", "-F", "499", "--call-graph", f"dwarf,{size}", "-o", path, "--", *command)
    return path if done.returncode == 0 and os.path.exists(path) else None


def script(path):
    text = f"{path}.script"
    with open(text, "wb") as out:
        subprocess.run(
            ["perf", "script", "--no-inline", "-F", "comm,pid,tid,time,event,ip,sym,dso", "-i", path],
            stdout=out,
            stderr=subprocess.DEVNULL,
            timeout=300,
            check=True,
        )
    return text


def is_in(pattern):
    """A function of this name is on the stack."""
    return lambda ours, theirs: any(re.search(pattern, frame["name"] or "") for frame in theirs["stack"])


def is_leaf_in(module, section=None):
    """The leaf is in this module, or in a section of this file."""
    begin, size = 0, 1 << 64
    if section:
        found = re.search(rf" {re.escape(section)} +\S+ +\S+ (\S+) (\S+)", run("readelf", "-SW", module).stdout.decode())
        begin, size = (int(word, 16) for word in found.groups()) if found else (0, 0)
    return lambda ours, theirs: (
        bool(ours["stack"]) and ours["stack"][0]["module"] == module
        and 0 <= ours["stack"][0]["address"] - begin < size
    )


def check_held(name, got, wanted, differences, held):
    """
    Samples of each kind are there, and are among those that are the same. One may be at the last two
    instructions of _Unwind_Resume, where the stack pointer is another one than its rules say: perf goes
    on from there into what is no code, on one sample in some ten thousand.
    """
    differ = {nr for numbers in differences.values() for nr in numbers}
    for what, (claim, least) in held.items():
        numbers = [nr for nr, (ours, theirs) in enumerate(zip(got, wanted)) if claim(ours, theirs)]
        other = len(differ.intersection(numbers))
        report(
            len(numbers) >= least and other <= max(1, len(numbers) * (1 - SAME)),
            f"{name}: {what}: {len(numbers) - other} of {len(numbers)} are perf's",
        )


def check(name, path, held=None, threads=1):
    """Returns the samples, as tephra has them."""
    got, wanted, differences = compare_stacks.compare_all(TEPHRA, path, ("--symbols=auto",), script(path))
    differences = compare_stacks.without_returning(got, wanted, differences)
    nr = sum(map(len, differences.values()))
    notes = [f"{len(numbers)}: {what}; the first is sample {numbers[0]}" for what, numbers in differences.items()]
    report(
        len(got) >= 50 and nr <= max(2, len(got) * (1 - SAME)),
        f"{name}: {len(got) - nr} of {len(got)} stacks are perf's",
        notes,
    )
    check_held(name, got, wanted, differences, held or {})
    tids = {sample["tid"] for sample in got}
    if threads > 1:
        report(len(tids) >= threads, f"{name}: samples of {len(tids)} threads")
    return got


def has_avx():
    with open("/proc/cpuinfo") as file:
        return " avx " in file.read()


def names(sample):
    return [frame["name"] for frame in sample["stack"]]


def share(samples, claim):
    return sum(map(claim, samples)) / max(1, len(samples))


def is_python(path):
    """perf loses the files of a program that a script of the shell has become."""
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def check_handler(samples, sentence, least):
    signals = [sample for sample in samples if any(f.get("found_by") == "signal" for f in sample["stack"])]
    report(len(signals) >= least, f"{sentence}: {len(signals)} of {len(samples)} go through a signal's frame")


def check_jobs(name, path):
    """The same bytes with any number of threads, and the same profile."""
    outputs, profiles = set(), set()
    for jobs in ("--jobs=1", "--jobs=2", "--jobs=3", "--jobs=7"):
        profile = f"{SCRATCH}/jobs.tephra"
        outputs.add(b"".join(run(TEPHRA, *words, "-q", jobs, path).stdout
                             for words in (("samples", "--format=json"), ("fold", "--unknown=address"))))
        run(TEPHRA, "import", "-q", "--name=x", jobs, "-o", profile, path)
        with open(profile, "rb") as file:
            profiles.add(hashlib.sha256(file.read()).hexdigest())
        os.remove(profile)
    report(len(outputs) == len(profiles) == 1 and b"" not in outputs, f"{name}: the same with 1, 2, 3 and 7 threads")


def check_later(path):
    """Imported without files, and named with them later: the same as imported with them."""
    profiles = [f"{SCRATCH}/{name}.tephra" for name in ("later", "at-once")]
    run(TEPHRA, "import", "-q", "--name=x", "--symbols=no", "-o", profiles[0], path)
    kept = sum(sample.get("unwind_stop") == "no-file" for sample in compare_stacks.load(TEPHRA, profiles[0]))
    run(TEPHRA, "symbolize", "-q", profiles[0])
    run(TEPHRA, "import", "-q", "--name=x", "-o", profiles[1], path)
    differ = [
        " ".join(words)
        for words in (
            ("fold", "--unknown=address"),
            ("samples", "--format=json"),
            ("info", "--format=json"),
            ("flame", "-o", "-"),
        )
        if len({run(TEPHRA, words[0], "-q", *words[1:], profile).stdout for profile in profiles}) > 1
    ]
    report(kept and not differ, f"unwound later: the same as at once, of {kept} dumps that were kept", differ)


def main():
    probe = f"{SCRATCH}/probe.data"
    if not shutil.which("perf") or run("perf", "record", "-q", "-g", "-o", probe, "--", "true").returncode:
        print("1..0 # SKIP perf is not here, or may not record")
        return
    threads = {
        "an array of variable size": (is_in(r"^variable"), 5),
        "recursion": (is_in(r"^recurse"), 5),
        "within the vdso": (is_leaf_in("[vdso]"), 5),
    }
    objects = {"an exception on its way": (is_in(r"^_Unwind_"), 5), "a virtual call": (is_in(r"words<"), 5)}
    aligned = {"a frame that vectors align": (is_in(r"^(re)?aligned"), 5 if has_avx() else 0)}
    programs = [
        ("threads", build("threads", "threads.c", "gcc", "-lm", "-pthread"), threads, 4),
        ("threads, linked by lld", build("threads-lld", "threads.c", "clang", "-fuse-ld=lld", "-lm", "-pthread"), threads, 4),
        ("threads with frame pointers", build("threads-fp", "threads.c", "gcc", "-fno-omit-frame-pointer", "-lm", "-pthread"), threads, 4),
        ("objects that throw", build("objects", "objects.cc", "g++", "-pthread"), objects, 3),
        ("corners, linked by bfd", build("corners", "corners.c", "gcc", "-fno-builtin", "-fuse-ld=bfd"), aligned, 1),
        ("corners, linked by lld", build("corners-lld", "corners.c", "clang", "-fno-builtin", "-fuse-ld=lld"), aligned, 1),
    ]
    for name, program, held, threads_nr in programs:
        path = program and record(os.path.basename(program), "16384", program, SECONDS)
        if held is aligned and program:
            held = {**aligned, "within a stub of the PLT": (is_leaf_in(program, ".plt"), 3)}
        if path:
            samples = check(name, path, held, threads_nr)
            if name in ("objects that throw", "threads"):
                check_jobs(name, path)
            if name == "objects that throw":
                check_later(path)
            whole = share(samples, lambda sample: sample.get("unwind_stop") == "end")
            report(whole > 0.98, f"{name}: {whole:.1%} of the stacks are whole")
        else:
            print(f"# {name}: not built or not recorded here")
    python = os.path.realpath("/usr/bin/python3")
    if os.path.exists(python) and is_python(python):
        path = record("python", "32768", python, f"{PROGRAMS}/threads.py", SECONDS)
        if path:
            check("threads of Python", path, {"the interpreter": (is_in(r"_PyEval_Eval|python"), 50)}, 2)
    signals = build("signals", "signals.c", "gcc")
    path = signals and record("signals", "16384", signals, SECONDS)
    if path:
        check_handler(check("a signal's handler", path), "a signal's handler", 50)
    path = signals and record("alternate", "16384", signals, SECONDS, "alternate")
    if path:
        samples = check("a handler on a stack of its own", path)
        cut = [sample for sample in samples if "[truncated]" in names(sample)]
        report(len(cut) >= 20, f"a handler on a stack of its own: {len(cut)} stacks end where the dump does")
    deep = build("deep", "deep.c", "gcc", "-fno-optimize-sibling-calls")
    path = deep and record("deep", "8192", deep, SECONDS)
    if path:
        samples = check("1000 frames deep", path)
        cut = share(samples, lambda sample: names(sample)[-1] == "[truncated]")
        report(cut > 0.9, f"1000 frames deep: {cut:.1%} of the stacks are cut, and say so")
    print(f"1..{number}")


try:
    main()
finally:
    if not os.environ.get("SCRATCH"):
        shutil.rmtree(SCRATCH)
