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


def is_returning(ours, theirs):
    """
    In the system call that ends a signal's handler, where nothing is left of the restorer's frame: perf
    stops there, or takes what lies on the stack for its caller. Ours goes on by the signal's frame, which
    is on the stack until the kernel has read it.
    """
    same = same_frames(ours_of(ours), theirs_of(theirs))
    found_by = [frame.get("found_by") for frame in ours["stack"][: same + 1]]
    return same >= 2 and found_by[-3:] == ["kernel-chain", "leaf", "signal"]


def without_returning(got, wanted, differences):
    """The differences but those of samples on their way back from a handler, one in fifty at most."""
    if len(got) != len(wanted):
        return differences
    left = {what: [nr for nr in numbers if not is_returning(got[nr], wanted[nr])]
            for what, numbers in differences.items()}
    returning = sum(map(len, differences.values())) - sum(map(len, left.values()))
    return {what: numbers for what, numbers in left.items() if numbers} if returning <= len(got) / 50 else differences
