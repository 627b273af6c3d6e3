# drawn.py - captures by chance, whose truth is known: for test_honesty.py and honesty.py
"""Texts of perf script: eight functions, steady, in phases, or in bursts with pauses between them.

They run in turns as program.c's do. For 30 to 270 ms, or 100 to 400 ms, one function is favoured; it
takes part of the samples, and the others theirs. Favourites are drawn by their parts, so that in the
long run each function has its part of the time, and phases are as long whatever is favoured.
"""
import os, random

LETTERS = "abcdefgh"
PARTS = [18, 24, 14, 12, 10, 9, 7, 6]
# of a favourite: least and most ms, ms of pause at most, part of the samples
KINDS = {"steady": None, "phases": (30, 270, 0, 0.7), "bursts": (100, 400, 200, 0.7)}
SAMPLE_MS = 2
CHANGED = 1  # of LETTERS, the function that costs factor times as much


def parts_of(factor):
    """The changed function takes factor times as long as it did."""
    return [part * factor if i == CHANGED else part for i, part in enumerate(PARTS)]


def factor_of(more):
    """Factor at which the changed function has so many times of what it had in each second."""
    share = PARTS[CHANGED] / sum(PARTS)
    return more * (1 - share) / (1 - more * share)


def samples(kind, factor, seed, seconds):
    """(ms, function) of each sample."""
    rng = random.Random(seed)
    parts, phase, now = parts_of(factor), KINDS[kind], 0.0
    until, favourite = 0.0, None
    while now < seconds * 1000:
        if phase and now >= until:
            now += rng.uniform(0, phase[2])
            favourite = rng.choices(range(8), parts)[0]
            until = now + rng.uniform(phase[0], phase[1])
        is_favourite = favourite is not None and rng.random() < phase[3]
        yield now, favourite if is_favourite else rng.choices(range(8), parts)[0]
        now += SAMPLE_MS


def write(path, kind, factor, seed, seconds):
    with open(path, "w") as out:
        for now, function in samples(kind, factor, seed, seconds):
            out.write("app 7/7 [000] %.6f: %d cpu-clock: \n\t10 kern_%s (/opt/app)\n\t20 main (/opt/app)\n\n" %
                      (100 + now / 1000, SAMPLE_MS * 1000000, LETTERS[function]))
    return path


def rate(kind, factor, function):
    """ns of a function in each second, in the long run."""
    parts, phase = parts_of(factor), KINDS[kind]
    busy = 1.0
    if phase and phase[2]:
        busy = (phase[0] + phase[1]) / (phase[0] + phase[1] + phase[2])
    return 1e9 * busy * parts[function] / sum(parts)


def fill_kind(folder, kind, factors, seconds, captures, what):
    """Writes <kind>-<factor>-<nr> of one kind."""
    os.makedirs(folder, exist_ok=True)
    for factor in factors:
        for nr in range(1, captures + 1):
            path = os.path.join(folder, "%s-%s-%d" % (kind, factor, nr))
            if not os.path.exists(path):
                write(path, kind, float(factor), "%s %s %s %d %d" % (what, kind, factor, nr, CHANGED), seconds)


def fill(folder, base, changed, seconds, factors):
    """Writes what honesty.py reads: <kind>-<factor>-<nr>."""
    os.makedirs(folder, exist_ok=True)
    for kind in KINDS:
        for factor in ["1"] + factors:
            for nr in range(1, (base if factor == "1" else changed) + 1):
                path = os.path.join(folder, "%s-%s-%d" % (kind, factor, nr))
                if not os.path.exists(path):
                    write(path, kind, float(factor), "%s %s %d %d" % (kind, factor, nr, CHANGED), seconds)
