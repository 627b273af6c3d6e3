#!/usr/bin/python3
# test_leaves.py - chains of frame pointers that lead past the leaf's caller say so, others are silent
#
# A TAP line each; TEPHRA names the program. What is recorded here is skipped without perf, what
# lies in a folder "shared" beside the checkout without that.
import json
import os
import shutil
import subprocess
import tempfile

TEPHRA = os.path.abspath(os.environ.get("TEPHRA", "./tephra"))
HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.environ.get("TEPHRA_SHARED", os.path.join(HERE, "../../../shared"))
EVIDENCE = os.path.abspath(os.path.join(SHARED, "corpus/evidence"))
SCRATCH = tempfile.mkdtemp()
WORDS = "may lack the leaf's caller"

number = 0


def report(is_good, sentence, notes=()):
    global number
    number += 1
    print(f"{'ok' if is_good else 'not ok'} {number} - {sentence}", flush=True)
    for note in [] if is_good else notes:
        print("#", str(note)[:300])


def run(*words):
    return subprocess.run(words, capture_output=True, timeout=300)


def tephra(*words):
    done = run(TEPHRA, *words)
    if done.returncode:
        print("#", done.stderr.decode())
    return done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def chains_of(path, *options):
    return json.loads(tephra("info", "-q", "--format=json", *options, path)[0])["call_chains"]


def row_of(path, name, *options):
    rows = json.loads(tephra("top", "-q", "--format=json", *options, path)[0])["table"]
    return next((row for row in rows if row["name"] == name), None)


def tells(path, *options):
    """Who says so: stderr, the table's head, the picture, and its frames."""
    top, err = tephra("top", *options, path)
    picture = tephra("flame", "-q", "-o", "-", *options, path)[0]
    return [WORDS in err, WORDS in top, WORDS in picture, "the caller may be missing in" in picture]


def check_roads(path, name, *options):
    """From the capture, and from a profile that was named later: the same."""
    profile = f"{SCRATCH}/later.tephra"
    tephra("import", "-q", "--symbols=no", "-o", profile, path)
    tephra("symbolize", "-q", *options, profile)
    roads = [
        (row_of(source, name, *how), chains_of(source, *how), tells(source, *how))
        for source, how in ((path, options), (profile, ()))
    ]
    report(roads[0] == roads[1], f"{name}: a profile that was named later says the same", roads)
    sql = "SELECT count(*) FROM function WHERE lacks_caller"
    marked = int(tephra("sql", "--format=csv", profile, sql)[0].split()[1])
    report(marked > 0, f"{name}: {marked} functions of the profile are marked")
    os.remove(profile)


def check_corpus():
    if not os.path.isdir(EVIDENCE):
        print("# there is no folder 'shared' beside the checkout")
        return
    for folder, program, lacking, of in (
        ("relay-leafomit", "relay-leafomit", 3331, 3470),
        ("relay", "relay", 3, 3484),
    ):
        path = f"{EVIDENCE}/{folder}/cpu/perf.cpu.data"
        options = ("--symbols=given", "--binary", f"relay={EVIDENCE}/src/{program}")
        chains = chains_of(path, *options)
        told = tells(path, *options)
        report(
            chains["lacks_caller"] == lacking and chains["samples"] == of,
            f"{folder}: {lacking} of {of} samples may lack a caller",
            [chains],
        )
        report(
            told[:3] == [lacking > of / 100] * 3,
            f"{folder}: {'said by stderr, table and picture' if told[0] else 'prologues are no news'}",
            [told],
        )
    # the file at the recorded path is another build: nothing is known of its frames
    path = f"{EVIDENCE}/relay-leafomit/cpu/perf.cpu.data"
    options = ("--symbols=given", "--binary", f"relay={EVIDENCE}/src/relay")
    report(chains_of(path, *options)["lacks_caller"] == 0, "another build says nothing of a leaf")


def build(name, *flags):
    path = f"{SCRATCH}/{name}"
    source = os.path.join(HERE, "programs/leaf.c")
    done = run("gcc", "-g", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", *flags, "-o", path, source)
    return path if done.returncode == 0 else None


def record(program, how):
    path = f"{program}.{how[:2]}.data"
    done = run("perf", "record", "-q", "-F", "499", "--call-graph", how, "-o", path, "--", program, "0.5")
    return path if done.returncode == 0 and os.path.exists(path) else None


def check_recorded(name, program, how, is_lacking):
    path = program and record(program, how)
    if not path:
        print(f"# {name}: not built or not recorded here")
        return
    row, folded = row_of(path, "mix"), tephra("fold", "-q", path)[0]
    if not row or row["self"] < 0.5 * sum(int(line.rsplit(" ", 1)[1]) for line in folded.splitlines()):
        report(False, f"{name}: nearly all time is mix's", [row])
        return
    share = row["lacks_caller"] / row["self"]
    callers = {line.split(";mix")[0].rsplit(";", 1)[-1] for line in folded.splitlines() if ";mix" in line}
    report(share > 0.95 if is_lacking else share < 0.02, f"{name}: of mix {share:.1%} may lack the caller", [row])
    report(
        ("work" if is_lacking else "guilty") in callers,
        f"{name}: mix is shown under {' and '.join(sorted(callers))}",
    )
    told = tells(path)
    report(
        told == [is_lacking] * 4 or (not is_lacking and told[:3] == [False] * 3),
        f"{name}: {'said everywhere' if is_lacking else 'nothing is said'}",
        [told],
    )
    stacks = [json.loads(line)["stack"] for line in tephra("samples", "-q", "--format=json", path)[0].splitlines()]
    kinds = {frame.get("found_by") for stack in stacks for frame in stack}
    wanted = {"leaf", "user-chain"} if how == "fp" else {"leaf", "cfi"}
    report(wanted <= kinds, f"{name}: each frame of a sample says what it was found by", [kinds])
    if is_lacking:
        check_roads(path, "mix")


def main():
    check_corpus()
    probe = f"{SCRATCH}/probe.data"
    if not shutil.which("perf") or run("perf", "record", "-q", "-g", "-o", probe, "--", "true").returncode:
        print("# perf is not here, or may not record")
    else:
        check_recorded("a leaf that needs no frame", build("bare", "-O1"), "fp", True)
        check_recorded("a leaf that sets one up", build("framed", "-O0"), "fp", False)
        check_recorded("the same leaf by its dump", f"{SCRATCH}/bare", "dwarf,4096", False)
    print(f"1..{number}" if number else "1..0 # SKIP there is nothing to look at")


try:
    main()
finally:
    shutil.rmtree(SCRATCH)
