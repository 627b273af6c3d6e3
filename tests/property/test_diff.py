#!/usr/bin/env python3
# test_diff.py - what holds for every comparison: random trees on both sides; ROUNDS says how many
"""Sums hold, nothing is left out: every frame of either side is in the JSON and in the picture."""
import json, os, random, re, subprocess, sys, tempfile
from collections import Counter
from fractions import Fraction
from html import unescape

TEPHRA = os.path.abspath(os.environ.get("TEPHRA", "./tephra"))
ROUNDS = int(os.environ.get("ROUNDS", "40"))
NAMES = ["main", "read", "write", "a b", "operator<<", "x::y(int)", "[libc.so.6]", "\u00fc", "loop", "a&b<c>"]
number, failed = 0, False


def check(faults, sentence):
    global number, failed
    number += 1
    failed |= bool(faults)
    print("%sok %d - %s" % ("not " if faults else "", number, sentence))
    for fault in faults[:5]:
        print("# " + fault)


def tree(rng):
    """Weights of stacks; decimal ones too, and some that both sides have."""
    stacks = {}
    for _ in range(rng.randint(0, 30)):
        stack = tuple(rng.choice(NAMES[:rng.randint(1, len(NAMES))]) for _ in range(rng.randint(1, 6)))
        weight = Fraction(rng.randint(1, 4000), rng.choice((1, 1, 4, 1000)))
        stacks[stack] = stacks.get(stack, 0) + weight
    return stacks


def digits(weight):
    whole, rest = divmod(weight, 1)
    return "%d" % whole if not rest else "%d.%09d" % (whole, rest * 10**9)


def write(path, stacks):
    with open(path, "w") as out:
        for stack, weight in stacks.items():
            out.write(";".join(stack) + " " + digits(weight) + "\n")


def inclusive(stacks):
    frames = {}
    for stack, weight in stacks.items():
        for depth in range(1, len(stack) + 1):
            path = ";".join(stack[:depth])
            frames[path] = frames.get(path, 0) + weight
    return frames


def run(*words):
    result = subprocess.run([TEPHRA, *words], capture_output=True)
    if result.returncode:
        sys.exit("not ok - %s: %s" % (" ".join(words), result.stderr.decode()))
    return result.stdout.decode()


def number_of(value):
    return Fraction(str(value)).limit_denominator(10**9)


def check_json(before, after, value):
    faults, wanted = [], (inclusive(before), inclusive(after))
    frames = {row["path"]: row for row in value["frames"]}
    if set(frames) != set(wanted[0]) | set(wanted[1]):
        faults.append("paths: %s" % (set(frames) ^ (set(wanted[0]) | set(wanted[1]))))
    for path, row in frames.items():
        pair = wanted[0].get(path, 0), wanted[1].get(path, 0)
        if (number_of(row["before"]), number_of(row["after"])) != pair:
            faults.append("%s: %s, expected %s" % (path, row, pair))
        if number_of(row["delta"]) != pair[1] - pair[0]:
            faults.append("%s: delta %s" % (path, row["delta"]))
    total = sum(after.values()) - sum(before.values())
    if number_of(value["delta_total"]) != total or \
            sum(number_of(row["delta_self"]) for row in value["frames"]) != total:
        faults.append("self weights do not add up to %s" % total)
    return faults


def check_picture(value, picture):
    titles = [unescape(title) for title in re.findall(r'<g role="graphics-symbol"[^>]*><title>(.*?)</title>', picture)]
    drawn = Counter(title.split(", ")[0] for title in titles)
    wanted = Counter(["all"] + [row["name"] for row in value["frames"]])
    # what is thinner than a pixel is an outline in a path of its colour
    thin = sum(path.count("M") for path in re.findall(r'<path class="[a-z]\d[^"]*" d="([^"]*)"', picture))
    faults = ["%s is drawn and in no side" % name for name in drawn - wanted]
    if sum(drawn.values()) + thin != sum(wanted.values()):
        faults.append("%d boxes and %d thin ones of %d frames" % (sum(drawn.values()), thin, sum(wanted.values())))
    return faults


def check_widths(picture):
    """No box stands on another one of its row, and none stands out of what is below it."""
    faults, rows = [], {}
    for x, y, width in re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="16"/>', picture):
        rows.setdefault(float(y), []).append((float(x), float(x) + float(width)))
    for boxes in rows.values():
        boxes.sort()
        for one, other in zip(boxes, boxes[1:]):
            if one[1] > other[0] + 0.05:
                faults.append("%s and %s overlap" % (one, other))
    return faults


def check_fold(before, after, text):
    wanted = sorted("%s %s %s" % (";".join(stack), digits_short(before.get(stack, 0)), digits_short(after.get(stack, 0)))
                    for stack in set(before) | set(after))
    got = sorted(text.splitlines())
    return [] if got == wanted else ["folded: %s" % (set(got) ^ set(wanted))]


def digits_short(weight):
    return digits(Fraction(weight)).rstrip("0").rstrip(".") if Fraction(weight) % 1 else "%d" % weight


def main():
    faults = {"json": [], "picture": [], "widths": [], "fold": [], "numbers": []}
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in ("before", "after")]
        for seed in range(ROUNDS):
            rng = random.Random(seed)
            sides = [tree(rng), tree(rng)]
            if not sides[0] and not sides[1]:
                continue
            for name, stacks in zip(names, sides):
                write(name, stacks)
            text = run("diff", "-q", "--match=exact", "--format=json", *names)
            faults["numbers"] += ["NaN or Infinity"] if re.search("NaN|Infinity|nan|inf\\b", text) else []
            value = json.loads(text)
            faults["json"] += check_json(*sides, value)
            picture = run("diff", "-q", "--match=exact", "--format=svg", "--min-width=0", "--width=20000", *names)
            faults["picture"] += check_picture(value, picture)
            faults["widths"] += check_widths(picture)
            faults["fold"] += check_fold(*sides, run("fold", "-q", "--diff", *names))
    check(faults["json"], "every frame of either side is in the JSON, and changes of self weights add up")
    check(faults["picture"], "every frame of either side is in the picture")
    check(faults["widths"], "no two boxes overlap")
    check(faults["fold"], "fold --diff has each stack of either side once")
    check(faults["numbers"], "whatever a side is, no number is none")
    print("1..%d" % number)


main()
sys.exit(failed)
