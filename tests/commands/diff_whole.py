#!/usr/bin/env python3
# diff_whole.py - a picture of a comparison holds all frames of both sides: read again, it is the JSON
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from decimal import Decimal

from flame_whole import Picture, TEPHRA, numbers, tephra


class Compared(Picture):
    """Both weights of a row, by its path."""

    def frames(self):
        """{path: (before, after)} of what ends in each frame, and how many frames are left out."""
        found, left_out = {}, 0
        columns = [numbers(self.data[name]) for name in ("self", "after", "more")]
        selfs, afters, more = columns
        steps = [Decimal(self.facts[name]) for name in ("step", "after-step")]
        for path, function, has_weight in self.rows():
            left_out += 0 if function else next(more)
            found[path] = (next(selfs) * steps[0], next(afters) * steps[1]) if has_weight else (0, 0)
        assert not any(True for column in columns for _ in column)
        return found, left_out

    def verdicts(self):
        """{name: (letter, before, after, smallest, words)}"""
        lines = [line.split("\t") for line in self.lines("verdicts")]
        assert len(lines) == len(self.names)
        steps = [Decimal(self.facts[name]) for name in ("step", "after-step")]
        return {name: (line[0], int(line[1]) * steps[0], int(line[2]) * steps[1], float(line[3]), line[4])
                for name, line in zip(self.names, lines)}


def picture(*words):
    return Compared(tephra("diff", "-q", "--format=svg", *words))


def frames_of_json(*words):
    value = json.loads(tephra("diff", "-q", "--format=json", *words), parse_float=Decimal)
    frames = {tuple(row["path"].split(";")): (Decimal(row["before_self"]), Decimal(row["after_self"]))
              for row in value["frames"]}
    return frames, value


def check(drawn, *words):
    frames, value = frames_of_json(*words)
    found, left_out = drawn.frames()
    assert left_out == 0
    root = found.pop(())
    assert found == frames, set(found.items()) ^ set(frames.items())
    for side, key in ((0, "before"), (1, "after")):
        total = sum(pair[side] for pair in found.values()) + root[side]
        assert total == Decimal(value[key + "_total"]), key
    return value


def write(folder, name, lines):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(lines))
    return path


def both_weights_of_every_frame_are_there(folder):
    words = [write(folder, "a", ["m;a 10\n", "m;b 2.5\n", "m 1\n"]), write(folder, "b", ["m;a 7\n", "m;c;d 12\n"])]
    check(picture(*words), *words)
    check(picture(*words[::-1]), *words[::-1])


def little_is_drawn_and_all_is_there(folder):
    words = [write(folder, "a", ["m;f%d;g%d %d\n" % (i % 30, i, i + 1) for i in range(900)]),
             write(folder, "b", ["m;f%d;g%d %d.125\n" % (i % 30, i, i + 1) for i in range(300, 1100)])]
    drawn = picture("--min-width=20%", *words)
    check(drawn, *words)
    assert drawn.svg.count("<g role=") < 10
    # each side has a step of its own
    assert (drawn.facts["step"], drawn.facts["after-step"]) == ("1", "0.125")


def random_sides_are_read_again(folder):
    rng = random.Random(7)
    for _ in range(30):
        words = []
        for name in ("a", "b"):
            stacks = {";".join(rng.choice("uvwxyz") for _ in range(rng.randint(1, 7))): rng.randint(1, 10 ** rng.randint(1, 12))
                      for _ in range(rng.randint(1, 60))}
            words.append(write(folder, name, ["%s %d\n" % pair for pair in stacks.items()]))
        check(picture("--widths=" + rng.choice(["both", "after", "before"]), *words), *words)


def verdicts_are_those_of_the_table(folder):
    def turns(seed, long):
        lines, state = [], seed
        for t in range(2000):
            if t % 20 == 0:
                state = state * 16807 % 2147483647
                busy = state % (100 + long)
            name = "hot" if busy < 40 + long else "warm" if busy < 70 + long else "cold"
            lines.append("app 7/7 [000] %d.%03d000: 1000000 cpu-clock: \n\t10 %s (/opt/app)\n\t20 main (/opt/app)\n\n" %
                         (t // 1000, t % 1000, name))
        return lines

    words = [write(folder, "a.script", turns(1, 0)), write(folder, "b.script", turns(5, 200))]
    drawn, value = picture(*words), json.loads(tephra("diff", "-q", "--format=json", *words), parse_float=Decimal)
    assert drawn.facts["judged"] == "yes" and drawn.facts["compared"] == "per_second"
    letters = {"below": "b", "open": "o", "screen": "e", "established": "e", "unjudged": "u"}
    found = drawn.verdicts()
    assert found["all"][0] == "-" and found["app"][0] == "-"
    for row in value["functions"]:
        if row["name"] == "app":
            continue
        letter, before, after, smallest, said = found[row["name"]]
        assert letter == letters[row["verdict"]], row
        assert (before, after) == (Decimal(row["before"]), Decimal(row["after"])), row
        assert said.startswith(row["verdict"]) and smallest > 0
    assert found["hot"][0] == "e"


def unjudged_sides_say_so(folder):
    words = [write(folder, "a", ["m;a 10\n"]), write(folder, "b", ["m;a 12\n"])]
    drawn = picture(*words)
    assert "judged" not in drawn.facts and drawn.facts["total"] == "u"
    assert drawn.verdicts()["a"][0] == "u"


def what_is_over_the_size_is_left_out_and_told(folder):
    sides = []
    for side in range(2):
        lines = ["m;g%d;h%d;i%d;leaf%d %d\n" % (i % 7, i % 111, i, i + side * 7, i % 5 + 1) for i in range(45000)]
        sides.append(write(folder, "side%d" % side, lines))
    whole = picture("--max-size=100", *sides)
    frames, left_out = whole.frames()
    assert left_out == 0 and "note" not in whole.facts
    cut = picture("--max-size=1", *sides)
    kept, left_out = cut.frames()
    assert len(cut.svg.encode()) < 1.05 * 2 ** 20 < len(whole.svg.encode())
    told = re.match(r"(\d+) of (\d+) frames, each less than ([\d.]+) % of all, are not in this file", cut.facts["note"])
    assert told and int(told.group(2)) == len(frames), (cut.facts["note"], len(frames))
    assert left_out and int(told.group(1)) >= left_out
    # what is left out keeps its weights, of both sides
    for side in range(2):
        assert sum(pair[side] for pair in kept.values()) == sum(pair[side] for pair in frames.values())
    run = subprocess.run([TEPHRA, "diff", "--max-size=1", *sides, "-o", os.path.join(folder, "x.svg")],
                         check=True, capture_output=True, text=True)
    assert "note: " + cut.facts["note"] in run.stderr, run.stderr


def a_still_picture_has_neither_tree_nor_script(folder):
    words = [write(folder, "a", ["m;a 10\n"]), write(folder, "b", ["m;a 12\n"])]
    walked, still = tephra("diff", "-q", "--format=svg", *words), tephra("diff", "-q", "--format=svg", "--still", *words)
    assert "<metadata" not in still and "<script" not in still
    frames = re.compile(r'<g class="(?:head|frames)">.*?</g>\n(?=<)', re.S)
    assert frames.findall(walked)[0] == frames.findall(still)[0]
    # a picture of one capture has nothing of what only comparisons need
    assert "setWidths(tree)" in walked
    assert "function comparedTip" not in tephra("flame", "-q", words[0])


CASES = [
    both_weights_of_every_frame_are_there,
    little_is_drawn_and_all_is_there,
    random_sides_are_read_again,
    verdicts_are_those_of_the_table,
    unjudged_sides_say_so,
    what_is_over_the_size_is_left_out_and_told,
    a_still_picture_has_neither_tree_nor_script,
]


def run(number, case):
    fault = None
    try:
        with tempfile.TemporaryDirectory() as folder:
            case(folder)
    except Exception as error:  # a failed case must not keep the others from running
        fault = "%s: %s" % (type(error).__name__, error)
    print("%s %d - %s" % ("not ok" if fault else "ok", number, case.__name__))
    for line in (fault or "").splitlines():
        print("# " + line[:400])
    return not fault


if __name__ == "__main__":
    print("1..%d" % len(CASES))
    sys.exit(0 if all([run(i + 1, case) for i, case in enumerate(CASES)]) else 1)
