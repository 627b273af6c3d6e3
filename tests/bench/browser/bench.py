#!/usr/bin/python3
# bench.py - how large a picture is, and how long a browser takes for it
#
#   bench.py [<nodes>]     default: 23000 and 1000000
#
# Beside flamegraph.pl's picture of the same stacks, drawn without pruning, where $FLAMEGRAPH names
# the script. Times are those of the page's main thread, as the browser counts them: CPU time in
# scripts, and all of it with style, layout and painting. Each is the median of five, and the least
# is said of scripts; the other picture, which takes minutes, is looked at once. Draws with $TEPHRA,
# else with ./tephra of the build directory; prints a table.
#
# "thin" zooms to a frame that is a tenth of a pixel wide at load, where there is one: it is searched
# for by its name, and stepped to. What simplifies the tree is undone before the next job.
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "browser"))

from browser import TEPHRA, start  # noqa: E402

RUNS, PEER_RUNS = 5, 1
PATIENCE_S = 300
CLICK = """const at = arguments[0], all = Array.from(document.querySelectorAll(at[0]));
    const element = all[Math.floor(all.length * at[1])], rect = element.getBoundingClientRect();
    element.dispatchEvent(new MouseEvent("click", {bubbles: true,
        clientX: rect.x + rect.width / 2, clientY: rect.y + rect.height / 2}));"""
SEARCH = """const box = document.querySelector("input.search");
    box.value = arguments[0]; box.dispatchEvent(new Event("input"));"""
PRESS = "document.querySelector('button.%s').click()"
SIMPLIFY = PRESS + ";" + PRESS
MENU = """const all = Array.from(document.querySelectorAll(".stage g[role] rect"));
    const element = all[Math.floor(all.length * 0.6)], rect = element.getBoundingClientRect();
    element.dispatchEvent(new MouseEvent("contextmenu", {bubbles: true,
        clientX: rect.x + rect.width / 2, clientY: rect.y + rect.height / 2}));
    document.querySelector("button.do-%s").click()"""
FRAMES_PX = 1180    # of a window of 1200
THIN_PX = 0.1
WAIT = """const done = arguments[arguments.length - 1];
    requestAnimationFrame(() => setTimeout(done, 150));"""


class Clock:
    """The main thread's time in ms: scripts, everything."""

    def __init__(self, driver):
        self.driver = driver
        driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})

    def now(self):
        found = {one["name"]: one["value"] for one in
                 self.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}
        return found["ScriptDuration"] * 1000, found["TaskDuration"] * 1000

    def time(self, act):
        before = self.now()
        act()
        self.driver.execute_async_script(WAIT)
        return tuple(b - a for a, b in zip(before, self.now()))


def load(driver, path):
    driver.get("about:blank")
    return lambda: driver.get("file://" + path)


def script(driver, words, *values):
    return lambda: driver.execute_script(words, *values)


def first_frames(stacks):
    """{name: weight of the first frame of that name, in the order of the tree}; and the whole."""
    found, last, total = {}, [], 0
    with open(stacks, encoding="utf-8") as lines:
        for line in lines:
            stack, count = line.rstrip("\n").rsplit(" ", 1)
            frames, weight, same = stack.split(";"), int(count), 0
            while same < min(len(frames), len(last)) and frames[same] == last[same][0]:
                same += 1
            del last[same:]
            for name in frames[same:]:
                last.append((name, name not in found))
                found.setdefault(name, 0)
            for name, is_first in last:
                found[name] += weight if is_first else 0
            total += weight
    return found, total


def thin_name(stacks):
    """The function whose first frame is nearest to a tenth of a pixel; None where all are wider."""
    found, total = first_frames(stacks)
    width_px = {name: weight / total * FRAMES_PX for name, weight in found.items()}
    name = min(width_px, key=lambda one: (abs(width_px[one] - THIN_PX), one))
    return name if width_px[name] < 2 * THIN_PX else None


def zoomed(driver, name):
    """The step, and that it led to the frame."""
    def act():
        driver.execute_script(PRESS % "after")
        shown = driver.execute_script("return [document.querySelector('.details b').textContent,"
                                      " location.hash.includes('zoom=')]")
        assert shown == [name, True], shown
    return act


def measure(driver, path, jobs, runs):
    """{job: (script ms, all ms, least script ms)}; a job without a name is not timed."""
    clock, found = Clock(driver), {}
    for _ in range(runs):
        found.setdefault("load", []).append(clock.time(load(driver, path)))
        for name, act in jobs:
            took = clock.time(act)
            if name:
                found.setdefault(name, []).append(took)
    return {name: tuple(statistics.median(column) for column in zip(*times)) + (min(times)[0],)
            for name, times in found.items()}


def views(driver):
    return [(name, script(driver, PRESS % ("view-" + name)))
            for name in ("callers", "sandwich", "icicle", "table")]


def simplifications(driver):
    """In the flame view, each of the whole tree."""
    undo = (None, script(driver, PRESS % "undo"))
    jobs = []
    for name in ("focus", "ignore", "hide", "subtree"):
        jobs += [(name, script(driver, MENU % name)), undo]
    for name in ("recursion", "chains", "modules"):
        jobs += [(name, script(driver, SIMPLIFY % ("simplify", "do-" + name))), undo]
    return jobs


def ours(driver, path, thin=None):
    """Views are asked for in a picture that was just opened, as the tree is read when needed."""
    again = (None, lambda: load(driver, path)())
    jobs = [
        ("zoom", script(driver, CLICK, [".stage g[role] rect", 0.6])),
        ("back", script(driver, PRESS % "reset")),
        ("search", script(driver, SEARCH, "method_12")),
        ("step", script(driver, PRESS % "after")), again,
    ]
    if thin:
        jobs += [(None, script(driver, SEARCH, thin)), ("thin", zoomed(driver, thin)), again]
    return jobs + views(driver) + [again] + simplifications(driver)


def perls(driver):
    return [
        ("zoom", script(driver, CLICK, ["#frames > g rect", 0.6])),
        ("back", script(driver, "unzoom()")),
        ("search", script(driver, "search('method_12')")),
    ]


def show(what, path, times):
    print("%-14s %6.2f MB" % (what, os.path.getsize(path) / 1e6))
    for name, (scripts, everything, least) in times.items():
        print("    %-10s %5.0f (%.0f)   least %.0f" % (name, scripts, everything, least))
    sys.stdout.flush()


def main():
    sizes = [int(word) for word in sys.argv[1:]] or [23000, 1000000]
    with tempfile.TemporaryDirectory() as folder:
        driver = start(folder)
        driver.set_script_timeout(PATIENCE_S)
        driver.set_page_load_timeout(PATIENCE_S)
        for nodes in sizes:
            stacks = os.path.join(folder, "stacks.folded")
            with open(stacks, "w", encoding="utf-8") as out:
                subprocess.run([sys.executable, os.path.join(HERE, "tree.py"), str(nodes)],
                               check=True, stdout=out)
            print("%d nodes; ms of scripts (with style, layout and painting)" % nodes)
            picture = os.path.join(folder, "tephra.svg")
            subprocess.run([TEPHRA, "flame", "-q", stacks, "-o", picture], check=True)
            show("tephra", picture,
                 measure(driver, picture, ours(driver, picture, thin_name(stacks)), RUNS))
            if os.environ.get("FLAMEGRAPH") and nodes < 100000:
                picture = os.path.join(folder, "perl.svg")
                with open(picture, "w", encoding="utf-8") as out:
                    subprocess.run([os.environ["FLAMEGRAPH"], "--minwidth=0", stacks],
                                   check=True, stdout=out)
                show("flamegraph.pl", picture, measure(driver, picture, perls(driver),
                                                         PEER_RUNS))
        driver.quit()


if __name__ == "__main__":
    main()
