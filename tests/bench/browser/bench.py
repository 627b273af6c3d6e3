#!/usr/bin/python3
# bench.py - how large a picture is, and how long a browser takes for it
#
#   bench.py [<nodes>]     default: 23000 and 1000000
#
# Beside flamegraph.pl's picture of the same stacks, drawn without pruning, where $FLAMEGRAPH names
# the script. Times are those of the page's main thread, as the browser counts them: CPU time in
# scripts, and all of it with style, layout and painting. Each is the median of five; the other
# picture, which takes minutes, is looked at once. Draws with $TEPHRA, else with ./tephra of the
# build directory; prints a table.
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
# The next match is mostly one that is too narrow to be drawn: it is zoomed.
STEP = "document.querySelector('button.before').click()"
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


def measure(driver, path, jobs, runs):
    """{job: (script ms, all ms)}"""
    clock, found = Clock(driver), {}
    for _ in range(runs):
        found.setdefault("load", []).append(clock.time(load(driver, path)))
        for name, act in jobs:
            found.setdefault(name, []).append(clock.time(act))
    return {name: tuple(statistics.median(column) for column in zip(*times))
            for name, times in found.items()}


def ours(driver):
    press = "document.querySelector('button.%s').click()"
    return [
        ("zoom", script(driver, CLICK, [".stage g[role] rect", 0.6])),
        ("back", script(driver, press % "reset")),
        ("search", script(driver, SEARCH, "method_12")),
        ("step", script(driver, STEP)),
        ("out", script(driver, press % "reset")),
        ("callers", script(driver, press % "view-callers")),
        ("sandwich", script(driver, press % "view-sandwich")),
        ("icicle", script(driver, press % "view-icicle")),
        ("table", script(driver, press % "view-table")),
    ]


def perls(driver):
    return [
        ("zoom", script(driver, CLICK, ["#frames > g rect", 0.6])),
        ("back", script(driver, "unzoom()")),
        ("search", script(driver, "search('method_12')")),
    ]


def show(what, path, times):
    print("%-14s %6.2f MB  %s" % (what, os.path.getsize(path) / 1e6, "  ".join(
        "%s %.0f (%.0f)" % (name, *pair) for name, pair in times.items())))
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
            show("tephra", picture, measure(driver, picture, ours(driver), RUNS))
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
