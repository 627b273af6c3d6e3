#!/usr/bin/env python3
# flame_chart_whole.py - a flame chart holds its samples: read again, they are those of the capture
#
# Reads the metadata as renderers/flamechart.h describes it, with none of tephra's code.
import os
import random
import sys
from collections import Counter

import flame_whole
from flame_whole import Picture, RELAY, numbers, tephra


class Chart(Picture):
    """Of each lane its name, and its samples as (begin, end, names, how many they are) in ns."""

    def __init__(self, *words):
        super().__init__(tephra("flame", "-q", "--flamechart", *words))
        self.chart = {name: float(number) for name, number in
                      (line.split("\t") for line in self.lines("chart"))}
        self.paths, self.weights = [], []
        selfs = numbers(self.data["self"])
        for path, _, has_weight in self.rows():
            self.paths.append(path)
            self.weights.append(next(selfs) if has_weight else 0)

    def by_use(self):
        rows = [row for row, weight in enumerate(self.weights) if weight]
        return sorted(rows, key=lambda row: (-self.weights[row], row))

    def lanes(self):
        times, ends = numbers(self.data["times"]), numbers(self.data["ends"])
        groups, by_use = self.data.get("groups"), self.by_use()
        counts = numbers(groups) if groups else None
        step, usual = int(self.chart["step"]), int(self.chart["usual"])
        for line in self.lines("lanes"):
            nr, name = line.split("\t")
            at, found = 0, []
            for _ in range(int(nr)):
                code = next(times)
                at += next(times) + 1 if code % 2 else 0
                begin, far = at, code // 2
                at += usual - (far + 1) // 2 if far % 2 else usual + far // 2
                found.append((begin * step, at * step, self.paths[by_use[next(ends)]],
                              next(counts) + 1 if counts else 1))
            yield name, found
        assert not any(True for column in (times, ends, counts or iter(())) for _ in column)

    def samples(self):
        return sum(count for _, found in self.lanes() for *_, count in found)


def in_script(comm, tid, time_us, names, period=1000000):
    frames = "".join("\t%x %s (/opt/app)\n" % (16 + i, name) for i, name in enumerate(reversed(names)))
    return "%s 7/%d %d.%06d: %d cpu-clock: \n%s\n" % (comm, tid, time_us // 10 ** 6, time_us % 10 ** 6, period, frames)


def write(folder, text):
    path = os.path.join(folder, "run.script")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def times_and_stacks_of_a_lane_are_there(folder):
    path = write(folder, in_script("a", 8, 1001000, "mfg") + in_script("a", 8, 1002000, "mfh") +
                 in_script("a", 8, 1002900, "m") + in_script("a", 8, 1009000, "mfg") +
                 in_script("b", 9, 1001500, "z"))
    chart = Chart(path)
    ms = 1000000
    assert dict(chart.lanes()) == {
        "a 7/8": [(500000 - 500000, ms, ("m", "f", "g"), 1), (ms, 2 * ms, ("m", "f", "h"), 1),
                  (2 * ms, 2900000, ("m",), 1), (8 * ms, 9 * ms, ("m", "f", "g"), 1)],
        "b 7/9": [(500000, 1500000, ("z",), 1)]}, list(chart.lanes())
    assert chart.chart["step"] == 100000 and "note" not in chart.facts


def random_captures_are_read_again(folder):
    rng = random.Random(5)
    for _ in range(40):
        now, said, text = 5000, {}, []
        for _ in range(rng.randint(1, 200)):
            now += rng.choice([0, 250, 1000, 1000, 1000, 1300, 40000])
            tid, names = rng.randint(1, 4), [rng.choice("uvwxyz") for _ in range(rng.randint(1, 9))]
            text.append(in_script("t", tid, now, names))
            said.setdefault("t 7/%d" % tid, []).append((now * 1000, tuple(names)))
        path = write(folder, "".join(text))
        chart = Chart(path)
        lanes, begin = dict(chart.lanes()), None
        assert lanes.keys() == said.keys()
        for name, found in lanes.items():
            begins = [time - end for (time, _), (_, end, *_) in zip(said[name], found)]
            begin = begins[0] if begin is None else begin
            assert set(begins) == {begin}, "a sample is at another time"
            assert [names for _, names in said[name]] == [names for _, _, names, _ in found]
            assert all(a[1] <= b[0] for a, b in zip(found, found[1:]))
            assert all(b <= e for b, e, *_ in found)
        assert chart.svg == Chart(path).svg, "the same twice"
        assert max(found[-1][1] for found in lanes.values()) == chart.chart["duration"] * chart.chart["step"]


def samples_are_those_of_the_head():
    chart = Chart(RELAY)
    assert chart.samples() == 3474 and "3,474 samples" in chart.facts["head"]
    for line, (_, found) in zip(chart.lines("lanes"), chart.lanes()):
        assert ">%d sample" % len(found) in chart.svg and int(line.split("\t")[0]) == len(found)
    assert sum(chart.weights) == 3474


def large(folder):
    rng, text = random.Random(3), []
    for i in range(40000):
        text.append(in_script("t", 1 + i % 2, 1000 + i * 500, ["m", "f%d" % (i // 300)] +
                              ["g%d" % rng.randint(0, 10 ** 6) for _ in range(4)]))
    return write(folder, "".join(text))


def what_is_over_the_size_is_told_together(folder):
    path = large(folder)
    whole, cut = Chart("--max-size=100", path), Chart("--max-size=1", path)
    assert cut.size <= 1 << 20 < whole.size, (cut.size, whole.size)
    assert whole.samples() == cut.samples() == 40000
    assert "note" not in whole.facts and "--max-size" in cut.facts["note"]
    lost = 0
    for (name, found), (same, less) in zip(whole.lanes(), cut.lanes()):
        assert name == same
        told = iter(found)
        for begin, end, names, count in less:
            part = [next(told) for _ in range(count)]
            assert (part[0][0], part[-1][1]) == (begin, end), "another time"
            kept = names[:-1] if names and names[-1] is None else names
            assert all(sample[2][:len(kept)] == kept for sample in part), "another stack"
            lost += count if kept != names else 0
            assert kept != names or all(sample[2] == names for sample in part)
        assert next(told, None) is None
    assert "%s of 40,000 samples" % format(lost, ",") in cut.facts["note"], cut.facts["note"]


def a_still_picture_holds_nothing(folder):
    svg = tephra("flame", "-q", "--flamechart", "--still", RELAY)
    assert "<metadata" not in svg and "<script" not in svg
    walked = Chart(RELAY).svg
    boxes = lambda text: Counter(line for line in text.split("\n") if line.startswith(("<g role", "<text", "<rect")))
    assert boxes(svg) == boxes(walked), "another picture"


flame_whole.CASES = [times_and_stacks_of_a_lane_are_there, random_captures_are_read_again, samples_are_those_of_the_head,
                     what_is_over_the_size_is_told_together, a_still_picture_holds_nothing]

if __name__ == "__main__":
    sys.exit(flame_whole.main())
