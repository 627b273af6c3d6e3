#!/usr/bin/python3
# order_campaign.py - incidents of samples/relay/lab with known faults, and what tephra order reads them as
#
# usage: order_campaign.py <tephra> <relay-lab> <capture.sh> [--short] [--seed=<n>] [--keep=<folder>]
#
# Each is run with faults at random times, with counters at 10 Hz or every 15 s, some of them renamed or missing, with perf's
# clock or the counters'. A TAP line each, and one of sums: none may be read wrongly, at most six may stay undecided,
# and each of those must name a capture. What happened one after the other must be claimed so, what began with
# the fault must not be ordered. Where other work took the CPU from the lab the run is made again.
#
# --short: three of them, for 'make check'.
import csv
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

FAST = {"tick": 0.1, "total": 10.0, "at": (3.5, 4.5), "for": (3.0, 3.5), "rate": 500, "service": 0.0006, "capacity": 300}
COARSE = {"tick": 15.0, "total": 195.0, "at": (94.0, 104.0), "for": (64.0, 74.0), "rate": 150, "service": 0.002, "capacity": 60000}
SHORT = dict(FAST, total=7.0, at=(2.5, 3.0))

RENAMED = {"depth": "backlog", "capacity": "queue_limit", "oldest_age_ns": "head_age_ns", "offered_total": "received_total",
           "admitted_total": "accepted_total", "completed_total": "processed_total", "rejected_total": "dropped_total",
           "process_cpu_ns": "cpu_time_ns"}
NO_WAITS = ("service_ns_total", "queue_wait_ns_total", "lock_wait_ns_total", "run_delay_ns_total", "throttled_ns_total")

# faults, what is right, how it is run, columns that are missing, whether columns are renamed, perf's options
CLOCK, NO_CLOCK = "-k CLOCK_MONOTONIC", ""
INCIDENTS = [
    ("baseline", {"none"}, FAST, (), False, CLOCK),
    ("baseline", {"none"}, FAST, (), True, NO_CLOCK),
    ("cpu", {"working"}, FAST, (), False, CLOCK),
    ("cpu", {"working"}, FAST, (), True, NO_CLOCK),
    ("cpu", {"working"}, FAST, NO_WAITS, False, CLOCK),
    ("cpu", {"working"}, FAST, ("offered_total", "rejected_total"), False, CLOCK),
    ("load", {"overload"}, FAST, (), False, CLOCK),
    ("load", {"overload"}, FAST, ("offered_total", "service_ns_total"), False, NO_CLOCK),
    ("lock", {"waiting"}, FAST, (), False, CLOCK),
    ("lock", {"waiting"}, FAST, NO_WAITS, True, CLOCK),
    ("block", {"waiting"}, FAST, (), False, CLOCK),
    ("block", {"waiting"}, FAST, ("completed_total", "oldest_age_ns"), False, NO_CLOCK),
    ("quota", {"run-queue"}, FAST, (), False, CLOCK),
    ("quota", {"run-queue"}, FAST, NO_WAITS, False, CLOCK),
    ("cpu,lock", {"working", "waiting"}, FAST, (), False, CLOCK),
    ("load,block", {"overload", "waiting"}, FAST, (), False, CLOCK),
    ("cpu", {"working"}, COARSE, (), False, CLOCK),
    ("lock", {"waiting"}, COARSE, (), True, CLOCK),
    ("load", {"overload"}, COARSE, NO_WAITS, False, NO_CLOCK),
    ("block", {"waiting"}, COARSE, NO_WAITS, False, CLOCK),
]
SHORT_INCIDENTS = [
    ("cpu", {"working"}, SHORT, (), True, CLOCK),
    ("lock", {"waiting"}, SHORT, (), False, NO_CLOCK),
    ("baseline", {"none"}, SHORT, (), False, CLOCK),
]
TOGETHER = 2  # coarse incidents, which take minutes
TRIES = 3     # of a run that other work disturbed
BUSY = 0.08   # of the time without a CPU: the run is not what was asked for


class Skip(Exception):
    pass


class Run:
    """One incident: its captures in a folder, and what was read."""

    def __init__(self, number, incident, tools, top, chance):
        self.number = number
        self.faults, self.right, self.how, self.missing, self.is_renamed, self.perf = incident
        self.tools, self.folder = tools, os.path.join(top, f"{number:02}-{self.faults.replace(',', '-')}")
        self.at = round(chance.uniform(*self.how["at"]), 2)
        self.length = round(chance.uniform(*self.how["for"]), 2)
        self.again = chance.randint(4, 6)

    def words(self):
        words = [f"{self.faults} at {self.at} s", f"{self.how['tick']} s counters"]
        words += ["renamed"] if self.is_renamed else []
        words += ["without " + " ".join(c.replace("_total", "") for c in self.missing)] if self.missing else []
        words += ["no -k"] if not self.perf else []
        return ", ".join(words)

    def options(self):
        how = self.how
        rounds = int(self.tools["rounds_per_second"] * how["service"])
        options = {"--total": how["total"], "--at": self.at, "--for": self.length, "--tick": how["tick"], "--rate": how["rate"],
                   "--capacity": how["capacity"], "--rounds": rounds, "--again": self.again, "--times": 5}
        return [str(word) for pair in options.items() for word in pair]

    def start(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.mkdir(self.folder)
        env = dict(os.environ, LAB=self.tools["lab"], PERF_OPTIONS=self.perf)
        if self.tools["has_perf"]:
            command = [self.tools["capture"], self.faults, self.folder] + self.options()
        else:
            command = [os.path.join(self.tools["lab"], "relay-lab"), "--mode", self.faults] + self.options()
        return subprocess.Popen(command, cwd=self.folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def finish(self, process):
        message = process.communicate()[1].decode()
        if process.returncode == 77 or "quota" in self.faults and process.returncode:
            raise Skip("no CPU cgroup that can be written")
        if process.returncode:
            raise RuntimeError(f"{self.words()}: status {process.returncode}: {message}")

    def rows(self):
        return list(csv.DictReader(open(os.path.join(self.folder, "counters.csv"))))

    def was_disturbed(self):
        """Did the worker lack a CPU for long, where no quota took it?"""
        rows = self.rows()
        waited = int(rows[-1]["run_delay_ns_total"]) - int(rows[0]["run_delay_ns_total"])
        return "quota" not in self.faults and waited > BUSY * (int(rows[-1]["mono_ns"]) - int(rows[0]["mono_ns"]))

    def write_counters(self):
        rows = self.rows()
        columns = [c for c in rows[0] if c not in self.missing]
        path = os.path.join(self.folder, "queue.csv")
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([RENAMED.get(c, c) if self.is_renamed else c for c in columns])
            writer.writerows([row[c] for c in columns] for row in rows)
        return path

    def read(self):
        captures = [self.write_counters()]
        samples = os.path.join(self.folder, "cpu.perf.data")
        if os.path.exists(samples):
            captures.insert(0, samples)
        out = subprocess.run([self.tools["tephra"], "order", "-q", "--symbols=no", "--format=json"] + captures,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if out.returncode:
            raise RuntimeError(out.stderr.decode())
        self.result = json.loads(out.stdout)
        with open(os.path.join(self.folder, "order.json"), "wb") as file:
            file.write(out.stdout)

    def outcome(self):
        first = self.result["readings"][0]
        if first["verdict"] == "undecided":
            return "undecided" if first["decided_by"] else "wrong"
        return "right" if first["verdict"] == "supported" and first["reading"] in self.right else "wrong"

    def relation(self, one, other):
        for row in self.result["relations"]:
            if {row["first"], row["second"]} == {one, other}:
                return row["first"] if row["relation"] == "precedes" else "not-separable"
        return None

    def orders(self):
        """(how it is claimed, how it was) of what certainly came later, and of what began together."""
        first, later = "queue.depth onset", "queue.rejected first-rejection"
        claimed = self.relation(first, later)
        # two faults fill the queue within a tick or two: no order is to be seen
        ordered = (claimed == first) if claimed and "," not in self.faults else None
        tied = None
        if {"cpu"} & set(self.faults.split(",")) or self.faults in ("lock", "block", "load"):
            claimed = self.relation("cpu.process onset", first)
            tied = (claimed == "not-separable") if claimed else None
        return ordered, tied


def measure_rounds(tools):
    """Rounds of the digest that this machine makes in a second."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.path.join(tools["lab"], "relay-lab"), "--at", "0.1", "--for", "0.1", "--total", "1", "--rounds", "1000", "--rate", "100"],
                       cwd=folder, stdout=subprocess.DEVNULL, check=True)
        rows = list(csv.DictReader(open(os.path.join(folder, "counters.csv"))))
        # the fastest row: others may have been slowed down by other work
        times = [(int(b["service_ns_total"]) - int(a["service_ns_total"])) / (int(b["completed_total"]) - int(a["completed_total"]))
                 for a, b in zip(rows, rows[1:]) if int(b["completed_total"]) > int(a["completed_total"])]
        return 1000 * 1e9 / min(times)


def tools_of(tephra, program, capture, top):
    lab = os.path.join(top, "lab")
    os.mkdir(lab)
    shutil.copy(program, os.path.join(lab, "relay-lab"))
    tools = {"tephra": os.path.abspath(tephra), "capture": os.path.abspath(capture), "lab": lab}
    perf = shutil.which("perf")
    tools["has_perf"] = bool(perf) and subprocess.run(
        [perf, "record", "-q", "-e", "cpu-clock", "-o", os.path.join(top, "try.data"), "--", "true"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0
    tools["rounds_per_second"] = measure_rounds(tools)
    return tools


def run_all(runs):
    """Runs them, those of coarse counters some at a time; of each why it was not made, or None."""
    why = {}
    waiting = list(runs)
    tries = {run.number: 0 for run in runs}
    while waiting:
        together = [run for run in waiting if run.how is COARSE][:TOGETHER] if waiting[0].how is COARSE else waiting[:1]
        for run, process in [(run, run.start()) for run in together]:
            waiting.remove(run)
            try:
                run.finish(process)
                tries[run.number] += 1
                if run.was_disturbed() and tries[run.number] < TRIES:
                    print(f"# {run.number}: other work took the CPU; again", flush=True)
                    waiting.append(run)
                elif run.was_disturbed():
                    why[run.number] = "other work took the CPU each time"
            except Skip as skip:
                why[run.number] = str(skip)
        waiting.sort(key=lambda run: run.how is COARSE)
    return why


def tell(run, sums):
    run.read()
    outcome, (ordered, tied) = run.outcome(), run.orders()
    first = run.result["readings"][0]
    sums[outcome] += 1
    for key, claim in (("ordered", ordered), ("tied", tied)):
        if claim is not None:
            sums[key][claim] += 1
    is_good = outcome != "wrong" and ordered is not False and tied is not False
    print(f"{'ok' if is_good else 'not ok'} {run.number} - {run.words()}: {first['reading']} {first['verdict']}", flush=True)
    if outcome == "undecided":
        print(f"# decided by {first['decided_by']}")
    if not is_good:
        print(f"# {json.dumps(run.result['readings'][:3])}")
        print(f"# {json.dumps(run.result['onsets'])}")


def main():
    operands = [word for word in sys.argv[1:] if not word.startswith("--")]
    options = dict((word[2:] + "=").split("=")[:2] for word in sys.argv[1:] if word.startswith("--"))
    chance = random.Random(int(options.get("seed") or time.time_ns() % 100000))
    keep = options.get("keep")
    top = keep or tempfile.mkdtemp()
    os.makedirs(top, exist_ok=True)
    sums = {"right": 0, "undecided": 0, "wrong": 0, "ordered": {True: 0, False: 0}, "tied": {True: 0, False: 0}}
    try:
        tools = tools_of(*operands, top)
        incidents = SHORT_INCIDENTS if "short" in options else INCIDENTS
        runs = [Run(i + 1, incident, tools, top, chance) for i, incident in enumerate(incidents)]
        why = run_all(runs)
        for run in runs:
            if run.number in why:
                print(f"ok {run.number} - {run.words()} # SKIP {why[run.number]}")
            else:
                tell(run, sums)
    finally:
        if not keep:
            shutil.rmtree(top)
    print(f"# {sums['right']} right, {sums['undecided']} undecided, {sums['wrong']} wrong;"
          f" {sums['ordered'][True]} of {sum(sums['ordered'].values())} true precedences claimed,"
          f" {sums['tied'][True]} of {sum(sums['tied'].values())} ties not ordered")
    nr = len(runs) + 1
    is_good = sums["undecided"] <= (6 if "short" not in options else 1)
    print(f"{'ok' if is_good else 'not ok'} {nr} - few incidents stay undecided")
    print(f"1..{nr}")


main()
