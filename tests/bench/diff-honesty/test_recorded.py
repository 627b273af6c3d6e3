#!/usr/bin/env python3
# test_recorded.py - captures that were recorded of a program which did not change, and of one that did
"""The captures of the corpus beside the checkout: a1 to a30 of 4 s, L1 to L8 of 12 s, M1 to M8 of a
program of which kern_b does 60 % more; each with the units of work that it did. Pairs are drawn with
a fixed seed, so that what passes once passes always. Without the corpus it is skipped.

At most 5 % of pairs of the same may have a finding. Of few pairs the count itself varies: what is
refused is a count that a rate of 5 % would have passed in less than one of 20 such tests (of 60
pairs 6, of 360 pairs 25). What the rate is, 120 pairs of each size say: see ../README.md.

usage: test_recorded.py [--pairs=20]
"""
import io, json, math, os, random, subprocess, sys, tarfile, tempfile

TEPHRA = os.path.abspath(os.environ.get("TEPHRA", "./tephra"))
SOURCE = os.path.abspath(os.environ.get("srcdir", "."))
SHARED = os.environ.get("TEPHRA_SHARED", os.path.join(SOURCE, "..", "shared"))
ARCHIVE = os.path.join(SHARED, "corpus/evidence/stats/aa-samples.tar.gz")
PAIRS = int(sys.argv[1].split("=")[1]) if len(sys.argv) > 1 else 20
KERNELS = ["kern_" + letter for letter in "abcdefgh"]
number = 0
failed = False


def check(is_right, sentence, more=""):
    global number, failed
    number += 1
    failed |= not is_right
    print("%sok %d - %s" % ("" if is_right else "not ", number, sentence))
    print("# " + more)


def write_script(text, path):
    """The samples as a text of perf script. Returns the time of the first and of the last in ns."""
    times = []
    with open(path, "w") as out:
        for words in (line.split() for line in io.StringIO(text)):
            if len(words) != 3:
                continue
            times.append(round(float(words[0].rstrip(":")) * 1e9))
            out.write("app 7/7 [000] %s %s cpu-clock: \n\t10 %s (/opt/app)\n\t20 main (/opt/app)\n\n" % tuple(words))
    return min(times), max(times)


def tephra(*words):
    return subprocess.run([TEPHRA] + list(words), capture_output=True, check=True).stdout


def unpack(folder):
    """A profile of each capture, with a counter of its work from its first to its last sample."""
    texts = {}
    with tarfile.open(ARCHIVE) as archive:
        for member in archive.getmembers():
            if member.isfile():
                texts[os.path.basename(member.name)] = archive.extractfile(member).read().decode()
    for name in [name[:-4] for name in texts if name.endswith(".txt")]:
        path = os.path.join(folder, name)
        begin, end = write_script(texts[name + ".txt"], path)
        with open(path + ".csv", "w") as out:
            out.write("mono_ns,work_total\n%d,0\n%d,%d\n" % (begin, end, int(texts[name + ".work"])))
        tephra("import", "-q", "--symbols=no", path, "-o", path + ".tephra")
        tephra("import", "-q", "--add", path + ".csv", "-o", path + ".tephra")


def compare(folder, before, after):
    words = ["diff", "-q", "--format=json", "--per=work_total"]
    words += ["--before=%s.tephra" % os.path.join(folder, name) for name in before]
    words += ["--after=%s.tephra" % os.path.join(folder, name) for name in after]
    value = json.loads(tephra(*words))
    return value, {row["name"]: row for row in value["functions"] if row["verdict"] in ("established", "screen")}


def alarms(folder, names, side, seed):
    """Pairs of sides of one program in which something is found; and those not judged."""
    rng, count, short = random.Random(seed), 0, 0
    for _ in range(PAIRS):
        drawn = rng.sample(names, 2 * side)
        value, found = compare(folder, drawn[:side], drawn[side:])
        count += any(name in KERNELS for name in found)
        short += value["judgement"]["basis"] == "too short"
    return count, short


def most(pairs, rate=0.05, surely=0.95):
    """So many alarms of independent pairs, or fewer, are seen with this chance at this rate."""
    below, count = 0.0, -1
    while below < surely:
        count += 1
        below += math.comb(pairs, count) * rate ** count * (1 - rate) ** (pairs - count)
    return count


def main(folder):
    unpack(folder)
    short_names = ["a%d" % nr for nr in range(1, 31)]
    long_names = ["L%d" % nr for nr in range(1, 9)]
    counts = [alarms(folder, short_names, side, side)[0] for side in (3, 5, 10)]
    check(sum(counts) <= most(3 * PAIRS), "4 s, at most 5 % of pairs of several captures of the same have a finding",
          "3 and 3, 5 and 5, 10 and 10 captures: %d, %d and %d of %d each" % (*counts, PAIRS))
    count, short = alarms(folder, short_names, 1, 1)
    check(count == 0, "4 s, one pair of the same has no finding", "%d of %d, %d too short" % (count, PAIRS, short))
    count, short = alarms(folder, long_names, 1, 2)
    check(count <= 0.05 * PAIRS, "12 s, at most 5 % of single pairs of the same have a finding",
          "%d of %d, %d too short" % (count, PAIRS, short))
    _, found = compare(folder, long_names, ["M%d" % nr for nr in range(1, 9)])
    change = found["kern_b"]["values"][0] if "kern_b" in found else {"relative": 0}
    check(0.3 < change["relative"] < 0.65, "12 s, 8 and 8 captures: 60 % more work in kern_b is found, by work",
          "%+.0f %% per unit of work; found: %s" % (100 * change["relative"], ", ".join(sorted(found))))
    others = [name for name in found if name in KERNELS and name != "kern_b"]
    check(not others, "and nothing else of the program", ", ".join(others))


if not os.path.exists(ARCHIVE):
    print('1..0 # SKIP there is no folder "shared" beside the checkout')
    sys.exit(0)
with tempfile.TemporaryDirectory() as place:
    main(place)
print("1..%d" % number)
sys.exit(failed)
