# compare_stacks.py - stacks that tephra unwound beside those that perf did
import json
import subprocess

ROOTS = ("[truncated]", "[incomplete]")
NO_FRAME = (1 << 64) - 1

# perf script prints so many frames at most.
FRAMES_MAX = 127


def load(tephra, path, options=()):
    done = subprocess.run(
        [tephra, "samples", "-q", "--format=json", *options, path], capture_output=True, timeout=300, check=True
    )
    return [json.loads(line) for line in done.stdout.decode("utf-8", "replace").split("\n") if line]


def ours_of(sample):
    return [frame for frame in sample["stack"] if frame["name"] not in ROOTS]


def theirs_of(sample):
    stack = list(sample["stack"])
    # perf shows the word that it could not read as a frame
    while stack and stack[-1]["address"] == NO_FRAME:
        stack.pop()
    return stack


def is_same_frame(got, wanted):
    if wanted["address"] is None or got["address"] is None:
        return False
    if wanted["address"] >= 1 << 63:  # the kernel's
        return got["address"] == wanted["address"]
    # perf prints the address less 1 of what is a return address
    return got["address"] - wanted["address"] in (0, 1)


def same_frames(ours, theirs):
    """How many frames from the leaf on are the same."""
    same = 0
    while same < min(len(ours), len(theirs)) and is_same_frame(ours[same], theirs[same]):
        same += 1
    return same


def compare(got, wanted):
    """What differs of two samples: None, or a few words for it."""
    ours, theirs = ours_of(got), theirs_of(wanted)
    same = same_frames(ours, theirs)
    if same == len(ours) == len(theirs) or (len(theirs) >= FRAMES_MAX and same == len(theirs)):
        return None
    stop = got.get("unwind_stop", "no dump")
    if same == len(theirs):
        return f"ours goes on, to '{stop}'"
    if same == len(ours):
        return f"perf goes on behind '{stop}'"
    return f"frame {same} differs, ours ends with '{stop}'"


def compare_all(tephra, path, options, script):
    """(samples, perf's, {difference: [numbers of samples]})"""
    got, wanted = load(tephra, path, options), load(tephra, script)
    differences = {}
    if len(got) != len(wanted):
        differences[f"{len(got)} samples, perf has {len(wanted)}"] = list(range(len(wanted)))
    for nr, (ours, theirs) in enumerate(zip(got, wanted)):
        difference = compare(ours, theirs)
        if difference:
            differences.setdefault(difference, []).append(nr)
    return got, wanted, differences
