#!/usr/bin/env python3
# test_honesty.py - the short form of honesty.py: captures by chance, seeded, whose truth is known
"""What is claimed of captures that are the same and, of steady ones, of those in which one function
became twice as much. The same seeds give the same texts: what passes once passes always.
"""
import json, os, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import drawn

TEPHRA = os.path.abspath(os.environ.get("TEPHRA", "./tephra"))
PAIRS = 10
number = 0
failed = False


def check(is_right, sentence, more=""):
    global number, failed
    number += 1
    failed |= not is_right
    print("%sok %d - %s" % ("" if is_right else "not ", number, sentence))
    if not is_right and more:
        print("# " + more)


def compare(before, after):
    words = [TEPHRA, "diff", "-q", "--symbols=no", "--format=json"]
    words += ["--before=" + path for path in before] + ["--after=" + path for path in after]
    result = subprocess.run(words, capture_output=True, check=True)
    return json.loads(result.stdout)


def found(value):
    return {row["name"]: row["values"][0]["difference"] for row in value["functions"]
            if row["verdict"] in ("established", "screen")}


class World:
    """Captures of one kind, written when first needed."""

    def __init__(self, folder, kind, seconds):
        self.folder, self.kind, self.seconds = folder, kind, seconds

    def capture(self, factor, seed):
        path = os.path.join(self.folder, "%s-%g-%d" % (self.kind, factor, seed))
        if not os.path.exists(path):
            drawn.write(path, self.kind, factor, seed * 1000 + int(factor * 100), self.seconds)
        return path

    def side(self, factor, first, nr):
        return [self.capture(factor, first + i) for i in range(nr)]


def test_replicates(world):
    alarms, hits = [], 0
    for pair in range(PAIRS):
        before = world.side(1, pair * 5, 5)
        alarms.append(found(compare(before, world.side(1, 500 + pair * 5, 5))))
        if world.kind == "steady":
            hits += found(compare(before, world.side(2, pair * 5, 5))).get("kern_b", 0) > 0
    nr = sum(bool(alarm) for alarm in alarms)
    check(nr <= 1, "%s: of %d pairs of 5 and 5 captures of the same at most one has a finding" %
          (world.kind, PAIRS), "%d: %s" % (nr, alarms))
    if world.kind == "steady":
        check(hits >= 9, "steady: twice as much of one function is found in 9 of %d pairs" % PAIRS, str(hits))


def test_one_pair(world):
    short, alarms = 0, 0
    for pair in range(PAIRS):
        value = compare([world.capture(1, pair)], [world.capture(1, 500 + pair)])
        short += value["judgement"]["basis"] == "too short"
        alarms += bool(found(value))
    check(alarms == 0, "%s: one pair of the same has no finding" % world.kind, str(alarms))
    if world.kind == "steady":
        check(short == 0, "steady: captures of 2 s are long enough")
    else:
        check(short >= PAIRS - 2, "%s: captures of 2 s are told to be too short" % world.kind, str(short))


def test_split(folder):
    alarms, judged = 0, 0
    long = World(folder, "phases", 24)
    for pair in range(PAIRS):
        path = long.capture(1, 900 + pair)
        value = compare([path + "@+0..+%g" % (11 + 0.2 * pair)], [path + "@+%g..+24" % (11 + 0.2 * pair)])
        judged += value["judgement"]["basis"] == "one run"
        alarms += bool(found(value))
    check(judged >= PAIRS - 2, "phases: parts of 12 s of one run are judged", str(judged))
    check(alarms <= 1, "phases: of %d runs cut in two at most one has a finding" % PAIRS, str(alarms))


with tempfile.TemporaryDirectory() as folder:
    for kind in drawn.KINDS:
        test_replicates(World(folder, kind, 2))
        test_one_pair(World(folder, kind, 2))
    test_split(folder)
print("1..%d" % number)
sys.exit(failed)
