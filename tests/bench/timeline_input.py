#!/usr/bin/env python3
# timeline_input.py - an hour of an incident: timeline_input.py <folder> [<samples> [<series> [<seed>]]]
#
# Writes samples.script (as perf script prints them, stacks of a made-up program whose load rises
# for ten minutes) and counters.csv (10 readings a second). The same words give the same bytes.
import os
import random
import sys

HOUR_NS = 3600 * 10 ** 9
FUNCTIONS = 3000


def stacks(chance, nr):
    """Distinct stacks, some far more frequent than others."""
    calls = [[min(FUNCTIONS - 1, f + 1 + int(chance.expovariate(0.01))) for _ in range(4)]
             for f in range(FUNCTIONS)]
    made = []
    while len(made) < nr:
        stack = [0]
        while len(stack) < 40 and chance.random() > 0.06:
            stack.append(calls[stack[-1]][min(3, int(chance.expovariate(0.9)))])
        made.append("".join("\t%16x ns%d::method_%d (/opt/app/program)\n" % (
            0x400000 + f * 64, f % 17, f) for f in reversed(stack)) + "\n")
    return made


def write_samples(path, nr, chance):
    known = stacks(chance, 30000)
    with open(path, "w", encoding="utf-8") as file:
        for i in range(nr):
            at = i * HOUR_NS // nr
            which = min(len(known) - 1, int(chance.expovariate(1 / 2500)))
            cpu = chance.randrange(4)
            file.write("worker %d/%d [%03d] %d.%09d:   14400000 cpu-clock: \n%s" % (
                700, 700 + cpu, cpu, *divmod(1000 * 10 ** 9 + at, 10 ** 9), known[which]))


def write_counters(path, series, chance):
    names = ["depth", "capacity", "admitted_total", "completed_total", "rejected_total"]
    names += ["series_%d" % i for i in range(series - len(names))]
    total = [0, 0, 0]
    with open(path, "w", encoding="utf-8") as file:
        file.write("mono_ns," + ",".join(names) + "\n")
        for i in range(36000):
            is_late = 18000 <= i < 24000
            total = [total[0] + chance.randrange(40, 60), total[1] + chance.randrange(40, 60),
                     total[2] + (chance.randrange(5) if is_late else 0)]
            row = [chance.randrange(200, 900) if is_late else chance.randrange(8), 1024, *total]
            row += [round(chance.gauss(100 * k, 5), 3) for k in range(series - 5)]
            file.write("%d,%s\n" % (1000 * 10 ** 9 + i * 10 ** 8 + chance.randrange(10 ** 6),
                                    ",".join(map(str, row))))


def main():
    folder = sys.argv[1]
    nr, series, seed = (int(word) for word in (sys.argv[2:] + ["1000000", "20", "1"][
        len(sys.argv) - 2:]))
    write_samples(os.path.join(folder, "samples.script"), nr, random.Random(seed))
    write_counters(os.path.join(folder, "counters.csv"), series, random.Random(seed + 1))


if __name__ == "__main__":
    main()
