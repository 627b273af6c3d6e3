#!/usr/bin/python3
# test_provisional.py - a program without a build ID is unwound by the file that ran, and by no other
#
# A TAP line each; TEPHRA names the program. Skipped without perf, or where it may not record.
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare_stacks  # noqa: E402

TEPHRA = os.path.abspath(os.environ.get("TEPHRA", "./tephra"))
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
SCRATCH = tempfile.mkdtemp()
PATH = f"{SCRATCH}/program"
DATA = f"{SCRATCH}/program.data"
ROADS = (
    ("fold", "--unknown=address"),
    ("samples", "--format=json"),
    ("info", "--format=json"),
    ("flame", "-o", "-"),
)

number = 0


def report(is_good, sentence, notes=()):
    global number
    number += 1
    print(f"{'ok' if is_good else 'not ok'} {number} - {sentence}", flush=True)
    for note in [] if is_good else notes:
        print("#", str(note)[:300])


def run(*words, **options):
    return subprocess.run(words, capture_output=True, timeout=300, **options)


def build(name, source, compiler, *flags):
    path = f"{SCRATCH}/{name}"
    done = run(compiler, "-g", "-Wl,--build-id=none", "-o", path, f"{PROGRAMS}/{source}", *flags, "-lm", "-pthread")
    return path if done.returncode == 0 else None


def stacks(path, *options):
    return [
        [frame["address"] for frame in compare_stacks.ours_of(sample)]
        for sample in compare_stacks.load(TEPHRA, path, options)
    ]


def status(*options):
    text = run(TEPHRA, "info", "-q", "--modules", "--format=csv", *options, DATA).stdout.decode()
    return next(line.split(",")[4] for line in text.splitlines() if line.startswith(PATH))


def stops(path, *options):
    samples = compare_stacks.load(TEPHRA, path, options)
    words = [sample.get("unwind_stop") for sample in samples]
    return {word: words.count(word) for word in words}


def outputs(source, *options):
    return [run(TEPHRA, words[0], "-q", *words[1:], *options, source).stdout for words in ROADS]


def check_wrong(title, right):
    """No stack may go on where the wrong file was needed, or hold what the right one does not show."""
    wrong = stacks(DATA)
    longer = [nr for nr, (got, true) in enumerate(zip(wrong, right)) if got != true[: len(got)]]
    report(len(wrong) == len(right) and not longer, f"{title}: no frame that is not in the true stack", longer[:5])
    shorter = sum(len(got) < len(true) for got, true in zip(wrong, right))
    report(shorter > 0.9 * len(right), f"{title}: {shorter} of {len(right)} stacks end where it was needed")
    report(status() == "contradicted", f"{title}: its names are refused, too", [status()])


def check_later(title, *options):
    """Imported without files and named later, and from a pipe: the same as from the capture."""
    profiles = [f"{SCRATCH}/{name}.tephra" for name in ("later", "at-once")]
    for profile in filter(os.path.exists, profiles):
        os.remove(profile)
    run(TEPHRA, "import", "-q", "--name=x", "--symbols=no", "-o", profiles[0], DATA)
    run(TEPHRA, "symbolize", "-q", *options, profiles[0])
    run(TEPHRA, "import", "-q", "--name=x", *options, "-o", profiles[1], DATA)
    same = [a == b for a, b in zip(outputs(profiles[0]), outputs(profiles[1]))]
    report(all(same), f"{title}: unwound later the same as at once", [same])
    with open(DATA, "rb") as data:
        piped = subprocess.run(
            f"cat | {TEPHRA} samples -q --format=json {' '.join(options)} -",
            shell=True, stdin=data, capture_output=True, timeout=300, check=True,
        ).stdout
    report(piped == outputs(DATA, *options)[1], f"{title}: the same through a pipe")
    return profiles[0]


def record(options, *command):
    how = ("perf", "record", "-q", *options, "-F", "499", "--call-graph", "dwarf,16384", "-o", DATA, "--", *command)
    return run(*how).returncode == 0


def check_as_perf(title, is_asked=lambda sample: True):
    with open(f"{DATA}.script", "wb") as out:
        fields = "comm,pid,tid,time,event,ip,sym,dso"
        subprocess.run(["perf", "script", "--no-inline", "-F", fields, "-i", DATA], stdout=out,
                       stderr=subprocess.DEVNULL, check=True, timeout=300)
    got, wanted, differences = compare_stacks.compare_all(TEPHRA, DATA, (), f"{DATA}.script")
    differences = compare_stacks.without_returning(got, wanted, differences)
    asked = {nr for nr, sample in enumerate(got) if is_asked(sample)}
    nr = sum(len(asked.intersection(numbers)) for numbers in differences.values())
    report(len(asked) >= 50 and nr <= max(2, len(asked) * 0.005),
           f"{title}: {len(asked) - nr} of {len(asked)} stacks are perf's, by the file that ran", differences)


def check_handlers():
    """The C library is on trial, too, and few places in it: a handler returns to where nobody called."""
    program = build("signals", "signals.c", "gcc", "-O2")
    for title, words in (("a signal's handler", ()), ("a handler on a stack of its own", ("alternate",))):
        if program and record(("--no-buildid",), program, "0.6", *words):
            # nothing shows which vdso ran, and no stack goes on behind it
            check_as_perf(title, lambda sample: "[vdso]" not in [frame["module"] for frame in sample["stack"]])
        else:
            print(f"# {title}: not built or not recorded here")


def check_program(title, source, compiler):
    ran = build("ran", source, compiler, "-O2")
    other = build("other", source, compiler, "-O1", "-fno-inline", "-fno-omit-frame-pointer")
    if not ran or not other:
        print(f"# {title}: not built here")
        return
    shutil.copy(ran, PATH)
    if not record((), PATH, "0.6"):
        print(f"# {title}: not recorded here")
        return
    check_as_perf(title)
    right = stacks(DATA)
    report(status() in ("unverified", "consistent"), f"{title}: it is not said to be proven by an ID")
    check_later(f"{title}, the file that ran")
    for file, root in ((other, "wrong"), (ran, "right")):
        os.makedirs(f"{SCRATCH}/{root}{SCRATCH}", exist_ok=True)
        shutil.copy(file, f"{SCRATCH}/{root}{PATH}")
    shutil.copy(other, PATH)
    check_wrong(title, right)
    profile = check_later(f"{title}, another build")
    report(stacks(DATA, "--binary", f"program={ran}") == right, f"{title}: the file that ran is taken from elsewhere")
    report(stacks(DATA, "--sysroot", f"{SCRATCH}/wrong", "--sysroot", f"{SCRATCH}/right") == right,
           f"{title}: behind one that is refuted the next is tried")
    fresh = f"{SCRATCH}/fresh.tephra"
    run(TEPHRA, "symbolize", "-q", "--binary", f"program={ran}", profile)
    run(TEPHRA, "import", "-q", "--name=x", "--binary", f"program={ran}", "-o", fresh, DATA)
    report(outputs(profile) == outputs(fresh) != [b""] * 4,
           f"{title}: a profile that lacked it is unwound when it turns up")
    os.remove(fresh)
    forced = stops(DATA, "--accept-mismatch", "program")
    report(sum(forced.values()) == len(right) and forced.get("no-file", 0) < 0.1 * len(right),
           f"{title}: who insists gets what the other build says", [forced])


def main():
    probe = f"{SCRATCH}/probe.data"
    if not shutil.which("perf") or run("perf", "record", "-q", "-g", "-o", probe, "--", "true").returncode:
        print("1..0 # SKIP perf is not here, or may not record")
        return
    check_program("threads in C", "threads.c", "gcc")
    check_program("objects in C++", "objects.cc", "g++")
    check_handlers()
    print(f"1..{number}")


try:
    main()
finally:
    shutil.rmtree(SCRATCH)
