#!/usr/bin/python3
# order_corpus.py - what tephra order printed of the relay's captures against what is known of them
#
# usage: order_corpus.py <corpus folder> <folder of baseline.json cpu.json lock.json>
#
# truth.jsonl of each capture says when the fault began; order.expected.txt has the interval of each series' departure,
# in seconds from the start, as another program found them in the counters. A TAP line each.
import json
import re
import sys

CORPUS, FOUND = sys.argv[1:3]
NAMES = {"cpu_util_pct": ("cpu.process", "onset"), "depth": ("queue.depth", "onset"),
         "oldest_age_ms": ("queue.oldest_age", "onset"), "completed_per_s": ("queue.completed", "onset"),
         "rejected_per_s": ("queue.rejected", "onset"), "service_ms": ("service.time", "onset"),
         "depth reaches capacity": ("queue.depth", "at-capacity"),
         "first rejection": ("queue.rejected", "first-rejection")}
TICK = 100_000_000
nr = 0


def check(is_good, sentence, why=""):
    global nr
    nr += 1
    print(f"{'ok' if is_good else 'not ok'} {nr} - {sentence}")
    if not is_good:
        print(f"# {why}")


def truth(mode):
    return {json.loads(line)["event"]: json.loads(line)["mono_ns"] for line in open(f"{CORPUS}/{mode}/truth.jsonl")}


def expected(mode):
    """(role, what) -> (after, until) in seconds, None where nothing is expected."""
    intervals, is_mode = {}, False
    for line in open(f"{CORPUS}/order.expected.txt"):
        if not line.startswith(" "):
            is_mode = line.startswith(mode + " ")
        elif is_mode:
            name = next(n for n in sorted(NAMES, key=len, reverse=True) if line.strip().startswith(n))
            found = re.search(r"\(([\d.]+), ([\d.]+)\] s", line)
            intervals[NAMES[name]] = tuple(map(float, found.groups())) if found else None
    return intervals


def onset(result, role, what):
    return next((o for o in result["onsets"] if o["role"] == role and o["what"] == what), None)


def relation(result, one, other):
    for row in result["relations"]:
        if {row["first"], row["second"]} == {one, other}:
            return row["first"] if row["relation"] == "precedes" else "not-separable"
    return "absent"


results = {mode: json.load(open(f"{FOUND}/{mode}.json")) for mode in ("baseline", "cpu", "lock")}

for mode in ("cpu", "lock"):
    begin = truth(mode)["inject-begin"]
    for role in ("cpu.process", "cpu.util", "queue.depth", "queue.oldest_age", "service.time"):
        found = onset(results[mode], role, "onset")
        check(found and found["after_ns"] <= begin <= found["until_ns"],
              f"{mode}: the onset of {role} holds the beginning of the fault", f"{found}, {begin}")
        check(found and found["until_ns"] - found["after_ns"] <= 3 * TICK,
              f"{mode}: the onset of {role} is no wider than three ticks", found)
    # an independent program's intervals and these must touch: neither is wrong, the one widens rates
    for (role, what), interval in expected(mode).items():
        if interval is None or (mode, role) == ("cpu", "queue.completed"):
            continue  # completions fell by a sixth and rose again: below admission is what is dated
        found = onset(results[mode], role, what)
        start = truth(mode)["start"]
        after, until = (start + int(s * 1e9) for s in interval)
        if what == "at-capacity":  # there the whole capacity is meant, here nearly all of it
            after = min(after, found["until_ns"]) if found else after
        check(found and found["after_ns"] <= until + TICK // 10 and found["until_ns"] >= after - TICK // 10,
              f"{mode}: {role} {what} is where it is expected", f"{found}, expected {after} {until}")

cpu, lock, baseline = results["cpu"], results["lock"], results["baseline"]
check(relation(cpu, "cpu.process saturation", "queue.rejected first-rejection") == "cpu.process saturation",
      "cpu: saturation precedes the first rejection")
for one, other in (("cpu.process", "queue.depth"), ("cpu.process", "queue.oldest_age"), ("queue.depth", "queue.oldest_age")):
    check(relation(cpu, one + " onset", other + " onset") == "not-separable",
          f"cpu: {one} and {other} are not separable at this tick")
check(onset(cpu, "queue.completed", "below-admission"), "cpu: completions fell below admissions")
check((cpu["readings"][0]["reading"], cpu["readings"][0]["verdict"]) == ("working", "supported"), "cpu: the first reading is working",
      cpu["readings"][0])
check((lock["readings"][0]["reading"], lock["readings"][0]["verdict"]) == ("waiting", "supported"),
      "lock: the first reading is waiting", lock["readings"][0])
verdicts = {row["reading"]: row for row in lock["readings"]}
check(verdicts["working"]["verdict"] == "contradicted" and verdicts["working"]["against"],
      "lock: working is contradicted, and by what is said", verdicts["working"])
check((baseline["readings"][0]["reading"], baseline["readings"][0]["verdict"]) == ("none", "supported"),
      "baseline: the first reading is none", baseline["readings"][0])
check(not [o for o in baseline["onsets"] if o["role"] in ("queue.depth", "queue.oldest_age", "queue.rejected")],
      "baseline: no onset of depth, age or rejection", baseline["onsets"])
check(baseline["incident"] is None, "baseline: nothing is to be explained")
print(f"1..{nr}")
