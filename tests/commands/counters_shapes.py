#!/usr/bin/env python3
# counters_shapes.py - one incident as counters of many shapes, at 10 Hz and every 15 s: all are read alike
#
# A queue of one worker whose items cost four times as much CPU from a moment on, and a calm queue before it. The table
# is written with columns renamed, in another order, missing, more of them, with two queues in one file, with other
# separators and other times; what is read must be what was written, and the incident must be read as it was.

import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile

tephra = os.path.abspath(os.environ.get("TEPHRA", "./tephra"))
START, WALL = 5_000_000_000_000, 1_796_007_000_000_000_000
RATE = {0.1: 500.0, 15: 20.0}
nr = 0


def report(is_good, sentence, *details):
    global nr
    nr += 1
    print(f"{'ok' if is_good else 'not ok'} {nr} - {sentence}", flush=True)
    for detail in details if not is_good else ():
        for line in str(detail).splitlines()[:40]:
            print(f"# {line}")


def run(*arguments):
    return subprocess.run([tephra, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


# ---- the incident

COLUMNS = ["mono_ns", "real_ns", "depth", "capacity", "oldest_age_ns", "offered_total", "admitted_total", "completed_total",
           "rejected_total", "service_ns_total", "process_cpu_ns"]


def rows_of(tick, chance):
    """Rows of the queue with the fault, and those of a calm one; and when the fault began and ended."""
    ticks, rate = 120, RATE[tick]
    first, last = 48, 84
    base = 0.3 / rate
    state = {"depth": 0.0, "service": 0, "cpu": 0, "done": 0, "offered": 0, "admitted": 0, "rejected": 0}
    capacity = int(rate * tick * 20)
    rows, calm = [], []
    for i in range(ticks):
        cost = base * (4 if first <= i < last else 1)
        came = max(0, round(rate * tick + chance.gauss(0, 1)))
        room = capacity - int(state["depth"])
        served = min(int(state["depth"]) + came, int(tick / cost))
        let_in = min(came, room + served)
        state["depth"] += let_in - served
        for key, value in (("offered", came), ("admitted", let_in), ("rejected", came - let_in), ("done", served),
                           ("service", round(served * cost * 1e9)), ("cpu", round(served * cost * 1e9 + tick * 1e7))):
            state[key] += value
        at = START + round((i + 1) * tick * 1e9) + chance.randrange(100_000)
        depth = int(state["depth"])
        rows.append([at, WALL + at - START, depth, capacity, round(depth / rate * 1e9), state["offered"], state["admitted"],
                     state["done"], state["rejected"], state["service"], state["cpu"]])
        calm.append([at, WALL + at - START, i % 2, capacity, i % 2 * 1000, state["offered"], state["offered"], state["offered"], 0,
                     round(state["offered"] * 1e5), state["cpu"]])
    return rows, calm, START + first * tick * 1e9, START + last * tick * 1e9


# ---- its shapes: (the table's text, options of import, the name of each column, series of the queue)

RENAMED = {"depth": "backlog", "capacity": "queue_limit", "oldest_age_ns": "head_age_ns", "offered_total": "received_total",
           "admitted_total": "accepted_total", "completed_total": "processed_total", "rejected_total": "dropped_total",
           "service_ns_total": "processing_ns_total", "process_cpu_ns": "cpu_time_ns"}


def table(header, rows, separator=",", end="\n"):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator=end)
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def keep(rows, names, wanted):
    places = [names.index(name) for name in wanted]
    return [[row[i] for i in places] for row in rows]


def shapes(rows, calm, chance):
    """(what it is, text, names by column, columns that are there)"""
    same = {name: name for name in COLUMNS}
    yield "as it was written", table(COLUMNS, rows), same, COLUMNS
    yield "renamed", table([RENAMED.get(c, c) for c in COLUMNS], rows), {c: RENAMED.get(c, c) for c in COLUMNS}, COLUMNS
    order = COLUMNS[:]
    chance.shuffle(order)
    yield "in another order", table(order, keep(rows, COLUMNS, order)), same, COLUMNS
    few = [c for c in COLUMNS if c not in ("real_ns", "capacity", "offered_total", "rejected_total")]
    yield "without four columns", table(few, keep(rows, COLUMNS, few)), same, few
    more = COLUMNS[:4] + ["shoe_size", "temperature_celsius"] + COLUMNS[4:] + ["generation"]
    yield "with three columns more", table(more, [row[:4] + [44, 21.5] + row[4:] + [i] for i, row in enumerate(rows)]), same, COLUMNS
    yield "with semicolons", table(COLUMNS, rows, ";"), same, COLUMNS
    yield "with tabs, comments and CR LF", "# made up\r\n" + table(COLUMNS, rows, "\t", "\r\n"), same, COLUMNS
    wall = ["epoch_s"] + COLUMNS[2:]
    yield "on wall time in seconds", table(wall, [[f"{row[1] / 1e9:.6f}"] + row[2:] for row in rows]), same, COLUMNS[2:]
    prefixes = ["mono_ns"] + [f"ingest_{c}" for c in COLUMNS[2:10]] + [f"classify_{c}" for c in COLUMNS[2:10]] + ["process_cpu_ns"]
    both = [b[:1] + a[2:10] + b[2:] for a, b in zip(calm, rows)]
    yield ("of two queues by names", table(prefixes, both), {c: f"classify_{c}" if c in COLUMNS[2:10] else c for c in COLUMNS},
           COLUMNS[:1] + COLUMNS[2:])
    labels = ["mono_ns"] + [f'{c}{{queue="ingest"}}' for c in COLUMNS[2:10]] + [f'{c}{{queue="classify"}}' for c in COLUMNS[2:10]] + ["process_cpu_ns"]
    yield "of two queues by labels in the header", table(labels, both), same, COLUMNS[:1] + COLUMNS[2:]
    lines = [[b[0], queue] + row[2:10] for a, b in zip(calm, rows) for queue, row in (("ingest", a), ("classify", b))]
    yield "of two queues by a column of labels", table(["mono_ns", "queue"] + COLUMNS[2:10], lines), same, COLUMNS[:1] + COLUMNS[2:10]


# ---- what must be read

ROLES = {"depth": "queue.depth", "capacity": "queue.capacity", "oldest_age_ns": "queue.oldest_age", "offered_total": "queue.offered",
         "admitted_total": "queue.admitted", "completed_total": "queue.completed", "rejected_total": "queue.rejected",
         "service_ns_total": "service.time", "process_cpu_ns": "cpu.process"}


def check_values(profile, names, there, rows):
    """Each point is there with its value, under the role that it should have."""
    query = ("SELECT s.name AS name, s.role AS role, p.value AS value FROM point p JOIN series s USING (series_id)"
             " WHERE series_id NOT IN (SELECT series_id FROM series_label WHERE value = 'ingest') ORDER BY series_id, position")
    out = run("sql", "--format=csv", profile, query)
    read = {}
    for row in csv.DictReader(io.StringIO(out.stdout)):
        read.setdefault((row["name"], row["role"]), []).append(float(row["value"]))
    bad = []
    for column in there:
        if column not in ROLES:
            continue
        want = [float(row[COLUMNS.index(column)]) for row in rows]
        got = read.get((names[column], ROLES[column]))
        if got != want:
            bad.append(f"{column}: {names[column]} {ROLES[column]}: {got and got[:3]}, expected {want[:3]}; {list(read)}")
    return not bad, "\n".join(bad) + out.stderr


def check_work(profile, rows, is_two, there):
    """Time and CPU of an item, before the fault and during it."""
    if "service_ns_total" not in there or "completed_total" not in there:
        return True, ""
    name = "queue.completed"
    if is_two:
        lines = csv.DictReader(io.StringIO(run("info", "--series", "--format=csv", profile).stdout))
        name = next(row["series"] for row in lines if row["role"] == "queue.completed" and "classify" in row["series"])
    out = run("counters", "--format=csv", f"--per={name}", profile)
    done = rows[-1][7] - rows[0][7]
    want = (rows[-1][9] - rows[0][9]) / done
    got = [float(row["value"]) for row in csv.DictReader(io.StringIO(out.stdout))
           if row["role"] == "service.time" and "ingest" not in row["series"]]
    return len(got) == 1 and abs(got[0] - want) < 1e-6 * want, f"{got}, expected {want}\n{out.stdout}{out.stderr}"


def check_order(profile, tick, begin, is_two, is_wall, has_cpu):
    """Without a counter of CPU time nobody can tell working from waiting, and what would tell is named."""
    out = run("order", "-q", "--format=json", profile)
    result = json.loads(out.stdout or "{}")
    shift = WALL - START if is_wall else 0
    first = result.get("readings", [{}])[0]
    depth = [o for o in result.get("onsets", []) if o["role"] == "queue.depth" and o["what"] == "onset"]
    is_good = (first.get("reading") == "working" and len(depth) == 1 and
               (first["verdict"] == "supported" if has_cpu else first["verdict"] == "undecided" and first["decided_by"]) and
               depth[0]["after_ns"] <= begin + shift <= depth[0]["until_ns"] and
               depth[0]["until_ns"] - depth[0]["after_ns"] <= 3 * tick * 1e9 and
               result["queue"] == ("classify" if is_two else None))
    return is_good, f"{first} {depth} {result.get('queue')} {begin + shift:.0f}\n{out.stderr}"


def check_other(profile):
    """The calm queue is read as calm where it is asked for, and the choice is said."""
    said = run("order", profile).stderr
    out = run("order", "-q", "--format=json", "--queue=ingest", profile)
    first = json.loads(out.stdout or '{"readings": [{}]}')["readings"][0]
    wrong = run("order", "--queue=nobody", profile)
    is_good = ("read is queue classify; there is also: ingest; choose with --queue" in said and
               first.get("reading") == "none" and wrong.returncode == 2 and "there is: ingest, classify" in wrong.stderr)
    return is_good, f"{said}\n{first}\n{out.stderr}{wrong.stderr}"


def main():
    chance = random.Random(8)
    with tempfile.TemporaryDirectory() as folder:
        for tick in (0.1, 15):
            rows, calm, begin, _ = rows_of(tick, chance)
            for i, (what, text, names, there) in enumerate(shapes(rows, calm, chance)):
                path, profile = os.path.join(folder, "queue.csv"), os.path.join(folder, f"{tick}-{i}.tephra")
                is_two, is_wall = "two queues" in what, "wall" in what
                with open(path, "w", newline="") as out:
                    out.write(text)
                told = run("import", path, "-o", profile)
                where = f"{tick} s, {what}"
                report(told.returncode == 0, f"{where}: it is imported", told.stderr)
                report(*(lambda a: (a[0], f"{where}: values and roles", a[1]))(check_values(profile, names, there, rows)))
                report(*(lambda a: (a[0], f"{where}: time of an item", a[1]))(check_work(profile, rows, is_two, there)))
                report(*(lambda a: (a[0], f"{where}: the incident", a[1]))(check_order(profile, tick, begin, is_two, is_wall,
                                                                                               "process_cpu_ns" in there)))
                if is_two:
                    report(*(lambda a: (a[0], f"{where}: the other queue", a[1]))(check_other(profile)))
    print(f"1..{nr}")


main()
