#!/usr/bin/env python3
# honesty.py - how often tephra diff is wrong, and how often it finds what can be found
"""usage: honesty.py <tephra> <folder> [<folder of long captures>] [--pairs=40] [--side=5] [--seed=1]
                  [--drawn] [--seconds=24] [--changed=b] [--trials=20] [--check]

The folder has what record.sh wrote: <kind>-<factor>-<nr>.tephra. Sides are drawn from it without a
capture twice in one pair, seeded, so that a run can be repeated. Of a changed program all that is
known: one function, kern_b, costs `factor` times as much per unit of work, all others what they did.
Captures that are cut in two are taken from the third folder, if there is one: what varies must have
ended many times in each part.

--drawn   the folder is filled with captures by chance instead (drawn.py): what they are is known
          exactly, and nothing else runs beside them; --seconds long, with --changed as the function
          that costs more. Plans are made from captures of 4 s, and followed in others
kind      what was drawn: A/A pairs of parts of one run (split), of one capture a side (pair), of
          several (replicates); pairs with the changed program
alarms    pairs with a finding that is none
found     changed pairs in which it is found
oracle    the same of one that is told the frame and its variance: z-test at 5 %
of nine   the same of one that knows the variance alone, and has nine functions to test at 5 %
covered   of the 95 % intervals of all eight functions those that hold the truth
--check   status 1 where a limit is passed
"""
import json, math, os, random, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import drawn

KERNELS = ["kern_" + letter for letter in "abcdefgh"]
FACTORS = ["1.1", "1.25", "1.5", "2"]
SERIES = "completed_total"
# limits: alarms of split-run and replicate pairs, of the oracle's findings, coverage, trials of the plan
ORACLE_LIMIT, STRICT_LIMIT = 1.959964, 2.7729
ALARMS_MOST, FOUND_LEAST, COVERED_LEAST, COVERED_MOST = 0.05, 0.9, 0.93, 0.97
PLAN_LEAST = 0.8
# what a plan is for: a tenth more. Of captures by chance so many seconds can be asked for, at most
PLAN_MORE = 1.1
PLAN_FROM_SECONDS = 4
PLAN_SECONDS = {"steady": 16, "phases": 128, "bursts": 256}
PLAN_CAPTURES = 40


def arguments():
    options = {"pairs": 40, "side": 5, "seed": 1, "check": False, "drawn": False, "trials": 20, "seconds": 24, "changed": "b"}
    if "--drawn" not in sys.argv:
        options["seconds"] = 2  # as record.sh does
    words = []
    for word in sys.argv[1:]:
        if word in ("--check", "--drawn"):
            options[word[2:]] = True
        elif word.startswith("--"):
            name, value = word[2:].split("=")
            options[name] = value if name == "changed" else int(value)
        else:
            words.append(word)
    if len(words) not in (2, 3):
        sys.exit(__doc__)
    return os.path.abspath(words[0]), words[1], words[-1], options


TEPHRA, FOLDER, LONG, OPTIONS = arguments()
PLANNED, SHORT = FOLDER + "-planned", FOLDER + "-short"
CHANGED = "kern_" + OPTIONS["changed"]
drawn.CHANGED = drawn.LETTERS.index(OPTIONS["changed"])
PLAN_FACTOR = "%.3f" % drawn.factor_of(PLAN_MORE) if OPTIONS["drawn"] else "1.1"


def captures(kind, factor, folder=FOLDER):
    names = [name for name in os.listdir(folder)
             if name.startswith("%s-%s-" % (kind, factor)) and ".new." not in name and
             name.endswith(".tephra") != OPTIONS["drawn"]]
    return [os.path.join(folder, name)
            for name in sorted(names, key=lambda n: int(n.split("-")[-1].removesuffix(".tephra")))]


def compare(before, after):
    """The comparison of two lists of captures, by name of function; and all of it."""
    words = [TEPHRA, "diff", "-q", "--format=json"]
    words += ["--symbols=no"] if OPTIONS["drawn"] else ["--per=" + SERIES]
    if len(before) == 1 and len(after) == 1:
        words += [before[0], after[0]]
    else:
        words += ["--before=" + name for name in before] + ["--after=" + name for name in after]
    result = subprocess.run(words, capture_output=True)
    if result.returncode:
        sys.exit("honesty: %s: %s" % (" ".join(words), result.stderr.decode()))
    value = json.loads(result.stdout)
    return {row["name"]: row for row in value["functions"]}, value


def compare_all(pairs):
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda pair: compare(*pair), pairs))


def lead(row):
    return row["values"][0]


def is_found(row):
    return row is not None and row["verdict"] in ("established", "screen")


def cost(path, name):
    """ns of a function for each unit of work, of one capture."""
    rows, value = COSTS.setdefault(path, None) or compare([path], [path])
    COSTS[path] = (rows, value)
    return lead(rows[name])["before_value"] if name in rows else 0.0


COSTS = {}


def mean_and_variance(paths, name):
    values = [cost(path, name) for path in paths]
    mean = sum(values) / len(values)
    return mean, sum((value - mean) ** 2 for value in values) / (len(values) - 1)


def draw(rng, before, after, side):
    """Disjoint sides; both from one list where there is one alone."""
    if before is after:
        drawn = rng.sample(before, 2 * side)
        return drawn[:side], drawn[side:]
    return rng.sample(before, side), rng.sample(after, side)


def split(rng, path):
    """One capture cut somewhere in its middle."""
    _, value = compare([path], [path])
    cut = value["before_captures"][0]["seconds"] * (0.4 + 0.2 * rng.random())
    return ["%s@+0..+%.3f" % (path, cut)], ["%s@+%.3f.." % (path, cut)]


def truth_of(kind, factor, name):
    """What the difference is: factor times as much in kern_b, else nothing; by the second all change."""
    if OPTIONS["drawn"]:
        function = KERNELS.index(name)
        return drawn.rate(kind, float(factor), function) - drawn.rate(kind, 1, function)
    if name != CHANGED:
        return 0.0
    mean, _ = mean_and_variance(captures(kind, "1"), name)
    return (float(factor) - 1) * mean


def covered(results, kind, factor):
    holds = total = 0
    for rows, _ in results:
        for name in KERNELS:
            if name not in rows or "low" not in lead(rows[name]) or lead(rows[name])["low"] is None:
                continue
            truth = truth_of(kind, factor, name)
            total += 1
            holds += lead(rows[name])["low"] <= truth <= lead(rows[name])["high"]
    return holds, total


def oracle(pairs, name, before_variance, after_variance, limit):
    found = 0
    for before, after in pairs:
        x = sum(cost(path, name) for path in before) / len(before)
        y = sum(cost(path, name) for path in after) / len(after)
        error = math.sqrt(before_variance / len(before) + after_variance / len(after))
        found += y > x and abs(y - x) / error > limit
    return found


def alarms_of(results, but=()):
    """Pairs in which a function of the program is found that did not change."""
    return sum(any(is_found(rows.get(name)) for name in rows if name in KERNELS and name not in but)
               for rows, _ in results)


def same_pairs(kind, what, rng):
    paths = captures(kind, "1")
    if what == "split":
        long = captures(kind, "1", LONG)
        return [split(rng, long[nr % len(long)]) for nr in range(OPTIONS["pairs"])]
    side = 1 if what == "pair" else OPTIONS["side"]
    return [draw(rng, paths, paths, side) for _ in range(OPTIONS["pairs"])]


def of(part, whole):
    return "%3d of %3d" % (part, whole)


def report_same(kind, what, rng, faults):
    results = compare_all(same_pairs(kind, what, rng))
    alarms = alarms_of(results)
    unjudged = sum(value["judgement"]["basis"] == "too short" for _, value in results)
    holds, total = covered(results, kind, "1")
    print("%-8s %-12s %-6s %-12s %-12s %-12s %-12s %.3f%s" %
          (kind, what, "1", of(alarms, len(results)), "", "", "", holds / max(total, 1),
           "  (%d too short)" % unjudged if unjudged else ""), flush=True)
    if what != "pair" and alarms > ALARMS_MOST * len(results):
        faults.append("%s, %s: %d alarms of %d" % (kind, what, alarms, len(results)))
    return holds, total


def report_changed(kind, what, factor, rng, faults):
    before, after = captures(kind, "1"), captures(kind, factor)
    side = 1 if what == "pair" else OPTIONS["side"]
    pairs = [draw(rng, before, after, side) for _ in range(OPTIONS["pairs"])]
    results = compare_all(pairs)
    found = sum(is_found(rows.get(CHANGED)) and lead(rows[CHANGED])["difference"] > 0 for rows, _ in results)
    variances = mean_and_variance(before, CHANGED)[1], mean_and_variance(after, CHANGED)[1]
    possible = oracle(pairs, CHANGED, *variances, ORACLE_LIMIT)
    strict = oracle(pairs, CHANGED, *variances, STRICT_LIMIT)
    # by the second all others have less of it, where one has more
    alarms = alarms_of(results, KERNELS if OPTIONS["drawn"] else (CHANGED,))
    holds, total = covered(results, kind, factor)
    print("%-8s %-12s %-6s %-12s %-12s %-12s %-12s %.3f" %
          (kind, what, factor, of(alarms, len(results)), of(found, len(results)),
           of(possible, len(results)), of(strict, len(results)), holds / max(total, 1)), flush=True)
    return found, possible, strict, holds, total


def plan_of(value):
    """What the comparison says to record: captures on each side, and their seconds."""
    words = value["judgement"]["plan"].split()
    return (int(words[words.index("record") + 1]), float(words[words.index("of") + 1])) if words else None


def follow(rng, kind, factor, plan):
    """As many captures as the plan says, as long as it says; None where there are not so many."""
    nr, seconds = plan
    if not OPTIONS["drawn"]:
        before, after = captures(kind, "1"), captures(kind, factor)
        enough = nr <= min(len(before), len(after)) and seconds <= OPTIONS["seconds"] * 1.5
        return (rng.sample(before, nr), rng.sample(after, nr)) if enough else None
    if nr > PLAN_CAPTURES or seconds > PLAN_SECONDS[kind] * 1.01:
        return None
    sides = []
    for of in ("1", factor):
        paths = rng.sample(captures(kind, of, PLANNED), nr)
        begin = rng.random() * max(PLAN_SECONDS[kind] - seconds, 0)
        sides.append(["%s@+%.3f..+%.3f" % (path, begin, begin + seconds) for path in paths])
    return sides


def report_plan(kind, rng, faults):
    """A function has a tenth more; where 3 and 3 captures do not find it, the plan is followed."""
    folder = FOLDER
    if OPTIONS["drawn"]:
        folder = SHORT
        drawn.fill_kind(SHORT, kind, ("1", PLAN_FACTOR), PLAN_FROM_SECONDS, 60, "short")
        drawn.fill_kind(PLANNED, kind, ("1", PLAN_FACTOR), PLAN_SECONDS[kind], PLAN_CAPTURES, "plan")
    before, after = captures(kind, "1", folder), captures(kind, PLAN_FACTOR, folder)
    trials = found = none = beyond = 0
    plans = []
    for _ in range(OPTIONS["pairs"] * 4):
        if trials == OPTIONS["trials"]:
            break
        rows, value = compare(*draw(rng, before, after, 3))
        plan = plan_of(value)
        if is_found(rows.get(CHANGED)):
            continue
        none += not plan
        sides = follow(rng, kind, PLAN_FACTOR, plan) if plan else None
        if not sides:
            beyond += plan is not None
            continue
        plans.append(plan)
        rows, _ = compare(*sides)
        trials += 1
        found += is_found(rows.get(CHANGED))
    report_trials(kind, trials, found, plans, none, beyond, faults)


def report_trials(kind, trials, found, plans, none, beyond, faults):
    if trials:
        print("%-8s %-12s %-6s where 3 and 3 captures found nothing, the plan found it: %s" %
              (kind, "plan", PLAN_FACTOR, of(found, trials)))
        print("%-28s plans: %d to %d captures of %g to %g s; %d without one, %d beyond what is here" %
              ("", min(p[0] for p in plans), max(p[0] for p in plans), min(p[1] for p in plans),
               max(p[1] for p in plans), none, beyond), flush=True)
        if found < PLAN_LEAST * trials:
            faults.append("%s: the plan found it in %d of %d trials" % (kind, found, trials))
    elif none + beyond:
        print("%-8s %-12s %-6s no plan to follow: %d without one, %d beyond what is here" %
              (kind, "plan", PLAN_FACTOR, none, beyond), flush=True)
    else:
        print("%-8s %-12s %-6s 3 and 3 captures find it always" % (kind, "plan", PLAN_FACTOR), flush=True)


def main():
    faults, rng = [], random.Random(OPTIONS["seed"])
    if OPTIONS["drawn"]:
        drawn.fill(FOLDER, 60, 40, OPTIONS["seconds"], FACTORS)
        drawn.fill(LONG, OPTIONS["pairs"], 0, 24, [])
    kinds = sorted({name.split("-")[0] for name in os.listdir(FOLDER)})
    side = OPTIONS["side"]
    print("replicates: %d and %d captures; %d pairs each" % (side, side, OPTIONS["pairs"]))
    print("%-8s %-12s %-6s %-12s %-12s %-12s %-12s %s" %
          ("kind", "pairs", "factor", "alarms", "found", "oracle", "of nine", "covered"))
    found = possible = strict = 0
    holds, total = {"split": 0, "replicates": 0, "pair": 0}, {"split": 0, "replicates": 0, "pair": 0}
    for kind in kinds:
        for what in ("split", "pair", "replicates"):
            got = report_same(kind, what, rng, faults)
            holds[what] += got[0]
            total[what] += got[1]
        for factor in FACTORS:
            if not captures(kind, factor):
                continue
            report_changed(kind, "pair", factor, rng, faults)
            got = report_changed(kind, "replicates", factor, rng, faults)
            found += got[0]
            possible += got[1]
            strict += got[2]
            holds["replicates"] += got[3]
            total["replicates"] += got[4]
        if OPTIONS["trials"] and (OPTIONS["drawn"] or captures(kind, PLAN_FACTOR)):
            report_plan(kind, rng, faults)
    print("replicates: found %d times, by the oracle %d times, by the one of nine tests %d times" %
          (found, possible, strict))
    if found < FOUND_LEAST * possible:
        faults.append("found is %.2f of what the oracle finds" % (found / possible))
    for what in ("split", "replicates"):
        share = holds[what] / max(total[what], 1)
        print("%s: %.3f of %d intervals hold the truth" % (what, share, total[what]))
        if not COVERED_LEAST <= share <= COVERED_MOST:
            faults.append("%s: %.3f of the intervals hold the truth" % (what, share))
    for fault in faults:
        print("beyond the limit: " + fault)
    return 1 if OPTIONS["check"] and faults else 0


sys.exit(main())
