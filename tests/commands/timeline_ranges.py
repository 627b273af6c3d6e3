#!/usr/bin/env python3
# timeline_ranges.py - a timeline holds what ranges of its time are asked for: stacks by bin, values by stretch
#
# Reads the metadata as renderers/timeline.h and svg_timeline.c describe it, with none of their
# code, and compares it with what `tephra fold` says of the same range.
import csv
import os
import random
import sys
import tempfile
from collections import Counter
from decimal import Decimal

from flame_whole import HERE, Picture, folded, numbers, run, tephra

LAB = os.path.join(HERE, "..", "..", "samples", "relay", "lab")
CAPTURE = os.path.join(LAB, "cpu", "cpu.perf.data.zst")
COUNTERS = os.path.join(LAB, "cpu", "counters.csv")
GIVEN = ["--symbols=given", "--debug-dir=" + LAB]
SECOND = 10 ** 9


def timeline(*words):
    return Picture(tephra("timeline", "-q", "--format=svg", *words))


class Ranges:
    """The stacks of a timeline by bin."""

    def __init__(self, drawn):
        self.drawn = drawn
        facts = dict(line.split("\t") for line in drawn.lines("range"))
        self.first, self.bin = int(facts["first"]), int(facts["bin"])
        self.step = Decimal(drawn.facts["step"])
        self.cells = []  # (stack, bin, steps, samples)
        self.read()

    def stacks(self):
        """Of rows with a self weight, that and the names on the way to them."""
        selfs = numbers(self.drawn.data["self"])
        for path, _, has_weight in self.drawn.rows():
            if has_weight:
                yield path, next(selfs)

    def read(self):
        bins = numbers(self.drawn.data["bins"])
        has_samples = "samples" in self.drawn.data
        for stack, steps in self.stacks():
            at = -1
            while steps:
                at += next(bins) + 1
                part = 1 if steps == 1 else next(bins)
                self.cells.append((stack, at, part, next(bins) if has_samples else part))
                steps -= part
                assert steps >= 0
        assert not any(True for _ in bins)

    def of(self, first, end):
        found = Counter()
        for stack, at, steps, _ in self.cells:
            if first <= at < end:
                found[stack] += steps * self.step
        return found

    def samples(self, first, end):
        return sum(samples for _, at, _, samples in self.cells if first <= at < end)

    def operand(self, path, first, end):
        return "%s@%s..%s" % (path, *("%d.%09d" % divmod(self.first + at * self.bin, SECOND)
                                      for at in (first, end)))


def compare(ranges, path, first, end, *words):
    """A range of bins against fold's words on the same range."""
    expected = folded(tephra("fold", "-q", *words, ranges.operand(path, first, end)))
    assert ranges.of(first, end) == expected, (first, end)
    assert expected, (first, end)


def a_range_is_what_fold_says_of_it():
    ranges = Ranges(timeline(*GIVEN, CAPTURE, COUNTERS))
    for first, end in ((0, 200), (41, 68), (10, 11), (66, 75)):
        compare(ranges, CAPTURE, first, end, *GIVEN)


def script(chance, nr, event, is_even):
    lines, at = [], 100 * SECOND + chance.randrange(SECOND)
    for _ in range(nr):
        at += chance.randrange(1, 8 * 10 ** 6)
        frames = ["f%d" % chance.randrange(6) for _ in range(chance.randint(1, 6))]
        lines.append("work %d/%d [00%d] %d.%09d: %d %s: \n%s\n" % (
            7, 7 + chance.randrange(2), chance.randrange(2), *divmod(at, SECOND),
            10 ** 6 if is_even else chance.randrange(1, 10 ** 6), event,
            "".join("\t%x %s (/opt/x)\n" % (16 + i, name) for i, name in enumerate(frames))))
    return "".join(lines)


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def random_captures_are_read_again(folder):
    chance = random.Random(11)
    for event, is_even in (("cpu-clock", True), ("cycles", False)):
        path = write(folder, event + ".script", script(chance, 1500, event, is_even))
        ranges = Ranges(timeline(path))
        last = max(at for _, at, _, _ in ranges.cells) + 1
        assert ranges.samples(0, last) == 1500
        for _ in range(6):
            first = chance.randrange(last - 1)
            compare(ranges, path, first, chance.randrange(first + 1, last + 1))


def what_is_left_out_keeps_its_time(folder):
    chance = random.Random(5)
    text = "".join("work 7/7 [000] %d.%06d: 1000000 cpu-clock: \n%s\n" % (
        100 + i // 1000, i % 1000 * 1000,
        "".join("\t%x %s%d (/opt/x)\n" % (16 + k, "name_of_some_length_", chance.randrange(40))
                for k in range(30))) for i in range(20000))
    path = write(folder, "large.script", text)
    large, small = timeline("--max-size=40", path), timeline("--max-size=1", path)
    assert small.size < 1 << 20 < large.size, (small.size, large.size)
    assert "note" not in large.facts
    assert "not in this file" in small.facts["note"], small.facts["note"]
    large, small = Ranges(large), Ranges(small)
    compare(large, path, 3, 40)
    assert any(None in stack for stack, _, _, _ in small.cells)
    wider = small.bin // large.bin
    for first, end in ((0, 1), (3, 7), (0, 1000)):
        assert sum(small.of(first, end).values()) == \
            sum(large.of(first * wider, end * wider).values()), (first, end)


def values(drawn, name):
    """(begin, end, least, mean, most) of a line, in microseconds."""
    line = next(words for words in (line.split("\t") for line in drawn.lines("series"))
                if words[0] == "line" and words[2] == name)
    at = width = 0
    for token in line[3].split():
        if token[0] == "@":
            at = int(token[1:])
        elif token[0] == "~":
            width = int(token[1:])
        else:
            parts = [float(part) for part in token.split("/")]
            yield (at, at + width, parts[0], parts[len(parts) // 2], parts[-1])
            at += width


def a_reading_holds_until_the_next():
    drawn = timeline("--track=queue.depth", COUNTERS)
    with open(COUNTERS, encoding="utf-8") as file:
        rows = [(int(row["mono_ns"]), float(row["depth"])) for row in csv.DictReader(file)]
    found = list(values(drawn, "queue.depth"))
    assert [value for _, _, value, _, _ in found] == [depth for _, depth in rows[:-1]]
    for (begin, end, least, mean, most), now, then in zip(found, rows, rows[1:]):
        assert least == mean == most
        assert abs(begin - (now[0] - rows[0][0]) / 1000) <= 1 and \
            abs(end - (then[0] - rows[0][0]) / 1000) <= 1, (begin, end)


def of_many_points_each_stretch_tells_least_mean_and_most(folder):
    chance = random.Random(2)
    rows = [(i * 10 ** 7, chance.randrange(100)) for i in range(20000)]
    text = "mono_ns,depth\n" + "".join("%d,%d\n" % row for row in rows if not 5000 < row[0] // 10 ** 7 < 7000)
    drawn = timeline("--track=queue.depth", write(folder, "long.csv", text))
    found, depths = list(values(drawn, "queue.depth")), [depth for _, depth in rows]
    assert 800 < len(found) <= 1201, len(found)
    for begin, end, least, mean, most in found[:-1]:
        inside = depths[begin // 10000:end // 10000]
        if begin // 10000 > 4990 and begin // 10000 < 7010:
            continue  # the last reading before the hole holds until the next behind it
        assert (least, most) == (min(inside), max(inside)), (begin, end)
        assert abs(mean - sum(inside) / len(inside)) < 1e-4, (begin, end, mean)


def what_is_not_known_has_no_stretch(folder):
    text = "mono_ns,depth\n0,1\n1000000000,2\n2000000000,\n3000000000,4\n4000000000,5\n"
    drawn = timeline("--track=queue.depth", write(folder, "hole.csv", text))
    assert [stretch[:3] for stretch in values(drawn, "queue.depth")] == [
        (0, 1000000, 1), (1000000, 2000000, 2), (3000000, 4000000, 4)]


def cells_are_what_fold_counts():
    words = [*GIVEN, CAPTURE]
    drawn = timeline("--chart=heatmap", *words)
    ranges, cells = Ranges(drawn), list(values(drawn, "samples"))
    assert len(cells) > 400 and all(end - begin == 20000 for begin, end, _, _, _ in cells)
    assert ranges.bin == 20 * 10 ** 6
    counts = Counter()
    for _, at, _, samples in ranges.cells:
        counts[at] += samples
    for i, (begin, _, samples, _, _) in enumerate(cells):
        assert begin == i * 20000 and samples == counts[i], (i, samples, counts[i])
    expected = folded(tephra("fold", "-q", "--weight=samples", *words))
    assert sum(samples for _, _, samples, _, _ in cells) == sum(expected.values())
    rows = list(csv.DictReader(tephra("timeline", "-q", "--chart=heatmap", "--format=csv",
                                      *words).split("\n")))
    assert [int(row["samples"]) for row in rows] == [samples for _, _, samples, _, _ in cells]
    assert int(rows[0]["from_ns"]) == ranges.first * 1


def without_samples_there_is_no_tree():
    drawn = timeline(COUNTERS)
    assert sorted(drawn.data) == ["axis", "series"]
    assert "bins.js" not in drawn.svg and "hands.js" not in drawn.svg


CASES = [
    a_range_is_what_fold_says_of_it,
    random_captures_are_read_again,
    what_is_left_out_keeps_its_time,
    a_reading_holds_until_the_next,
    of_many_points_each_stretch_tells_least_mean_and_most,
    what_is_not_known_has_no_stretch,
    cells_are_what_fold_counts,
    without_samples_there_is_no_tree,
]


def main():
    print("1..%d" % len(CASES))
    return 0 if all([run(i + 1, case) for i, case in enumerate(CASES)]) else 1


if __name__ == "__main__":
    sys.exit(main())
