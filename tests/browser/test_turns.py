#!/usr/bin/python3
# test_turns.py - what a picture can be turned into: icicle, callers, sandwich, table
import csv
import os
import subprocess
import sys

from browser import ActionChains, By, HERE, Keys, TEPHRA, equal, main, near

RELAY = os.path.join(HERE, "..", "..", "samples", "relay", "relay.perf-script.txt.gz")

# malloc from two places, one of them twice; and once within itself
PLACES = "main;parse;malloc 4\nmain;read;buf;malloc 2\nmain;read;malloc;grow;malloc 1\nidle 3\n"


def pressed(page):
    return [b.text for b in page.all(".views button") if b.get_attribute("aria-pressed") == "true"]


def an_icicle_is_the_flame_graph_upside_down(page):
    page.draw("search.folded")
    equal(pressed(page), ["flame"])
    page.click("parse(int)")
    page.press("view-icicle")
    equal(pressed(page), ["icicle"])
    assert page.rect("all")["y"] < page.rect("app")["y"] < page.rect("parse(int)")["y"]
    near(page.width("parse(int)"), page.full())
    page.press("view-flame")
    assert page.rect("all")["y"] > page.rect("app")["y"]
    near(page.width("parse(int)"), page.full())


def callers_are_merged_from_the_leaf(page):
    page.draw_text(PLACES)
    page.press("view-callers")
    equal(page.weight("malloc"), "7 samples")
    near(page.width("malloc"), page.full() * 0.7)
    near(page.width("idle"), page.full() * 0.3)
    near(page.width("parse"), page.full() * 0.4)
    # of read's three samples two came by buf and one by grow
    assert page.rect("buf")["y"] < page.rect("malloc")["y"] < page.rect("all")["y"]
    equal(page.weight("buf"), "2 samples")
    equal(page.weight("grow"), "1 sample")


def drawn_from_the_leaf_it_opens_so(page):
    page.draw_text(PLACES, "--view=callers")
    equal(pressed(page), ["callers"])
    equal(page.weight("malloc"), "7 samples")
    page.press("view-flame")
    equal(page.weight("main"), "7 samples")
    equal(page.link(), "#view=flame")


def a_sandwich_merges_all_places_of_a_function(page):
    page.draw_text(PLACES)
    page.menu("parse", "sandwich")
    equal(page.names(), ["parse", "main", "malloc"])
    page.press("view-flame")
    page.search("malloc")
    page.press("view-sandwich")
    malloc = page.rect("malloc")
    near(malloc["width"], page.full(), 3)
    assert page.rect("parse")["y"] < malloc["y"] < page.rect("grow")["y"]
    near(page.width("parse"), page.full() * 4 / 7)
    near(page.width("read"), page.full() * 1 / 7)
    near(page.width("grow"), page.full() / 7)
    equal(page.link(), "#view=sandwich&of=malloc&search=malloc")
    # the outermost malloc of a stack counts, the one in it is what it calls
    equal(page.weight("malloc"), "7 samples")


def stacks_of_one_that_calls_itself(other):
    """From 3000 callers, up to 40 times, ending anywhere; every 4th calls `other` on the way."""
    stacks = {}
    for i in range(3000):
        times, caller = 1 + i * 7 % 40, "main;c%04d;" % i
        stacks[caller + ";".join(["f"] * times)] = 1 + i % 3
        if i % 5 == 0:
            stacks[caller + ";".join(["f"] * times + ["z"])] = 2
        if i % 4 == 0:
            stacks[caller + ";".join(["f"] * (1 + times // 2) + other)] = 3
    return stacks


def weights_by_times(runs):
    """Of {how often a function follows itself: weight}, what does so 1, 2, ... times at least."""
    return [sum(weight for times, weight in runs if times >= least)
            for least in range(1, 1 + max(times for times, _ in runs))]


def samples_of_f(page, first=0):
    """By level, outwards from the one at `first`, 0 or -1 of the levels on the screen; of those that
    stand upon that one the leftmost is all f, as others have a z between, which comes behind."""
    found = page.js("""return Array.from(document.querySelectorAll(".stage g[role]"), g =>
        [g.querySelector("rect").getBoundingClientRect(), g.querySelector("title").textContent])
        .filter(of => of[1].startsWith("f, ")).map(of => [of[0].y, of[0].x, of[1]])""")
    levels = sorted({y for y, _, _ in found}, reverse=first < 0)
    begin = min(x for y, x, _ in found if y == levels[0]) - 0.1
    words = [min(of for of in found if of[0] == y and of[1] > begin)[2] for y in levels]
    return [int(of.split(", ", 1)[1].split(" sample")[0].replace(",", "")) for of in words]


def scroll(page, top):
    page.js("document.querySelector('.view').scrollTop = arguments[0]", top)
    page.driver.execute_async_script("const done = arguments[arguments.length - 1];"
                                     "requestAnimationFrame(() => setTimeout(done, 200));")


def one_that_calls_itself_is_counted_level_by_level(page):
    for other in (["a"], ["z", "f", "f"], []):
        stacks = stacks_of_one_that_calls_itself(other)
        page.draw_text("".join("%s %d\n" % of for of in sorted(stacks.items())))
        below, above = [], []
        for stack, weight in stacks.items():
            frames = stack.split(";")[2:]
            below.append(((frames + ["end"]).index(next((x for x in frames if x != "f"), "end")),
                          weight))
            above.append((len(stack) - len(stack.rstrip("f;")), weight))
        page.open("#view=sandwich&of=f")
        expected, found = weights_by_times(below), samples_of_f(page)
        assert len(found) > 10, found
        equal(found, expected[:len(found)])
        scroll(page, 1e6)
        found = samples_of_f(page)
        assert len(found) > 10, found
        equal(found, expected[-len(found):])
        page.open("#view=callers")
        expected = weights_by_times([((frames + 1) // 2, weight) for frames, weight in above])
        scroll(page, 1e6)
        found = samples_of_f(page, -1)
        assert len(found) > 10, found
        equal(found, expected[:len(found)])


def callers_too_narrow_to_be_drawn_are_there_when_asked_for(page):
    page.draw_text("main;wide;leaf 50000\nleaf 50\n" +
                   "".join("main;n%03d;leaf 1\n" % i for i in range(200)), "--view=callers")
    more = "+ 200 more (200 frames too narrow to draw)"
    assert page.frame("leaf") and page.frame("wide") and not page.frame("n007")
    equal(page.weight(more), "200 samples")
    page.click("leaf")
    equal(page.weight(more), "200 samples")
    page.click(more)
    assert not page.frame("wide")
    near(page.width("n007"), page.width("n009"))
    page.click("n007")
    equal(page.weight("n007"), "1 sample")
    near(page.width("main"), page.full())
    link = page.link()
    page.press("reset")
    equal(page.weight(more), "200 samples")
    page.open(link)
    near(page.width("n007"), page.full())
    equal(page.weight("main"), "1 sample")
    page.press("reset")
    assert page.frame("wide") and not page.frame("n007")
    equal(page.weight(more), "200 samples")


def both_sides_of_a_sandwich_are_walked_and_zoomed(page):
    page.draw_text(PLACES)
    page.open("#view=sandwich&of=malloc")
    page.keys(Keys.ARROW_UP)
    equal(page.focused(), "parse")
    page.keys(Keys.ARROW_DOWN)
    equal(page.focused(), "malloc")
    page.keys(Keys.ARROW_DOWN)
    equal(page.focused(), "grow")
    page.keys(Keys.ENTER)
    near(page.width("grow"), page.full())
    near(page.width("parse"), page.full() * 4 / 7)
    page.keys(Keys.ESCAPE)
    near(page.width("grow"), page.full() / 7)
    page.keys(Keys.ARROW_UP, Keys.ARROW_UP, Keys.ENTER)
    near(page.width("parse"), page.full())


def links_lead_to_a_frame_of_any_view(page):
    page.draw_text(PLACES)
    for view, name in (("callers", "buf"), ("sandwich&of=malloc", "buf"),
                       ("sandwich&of=malloc", "grow")):
        page.open("#view=" + view)
        page.click(name)
        near(page.width(name), page.full())
        link = page.link()
        page.open(link)
        near(page.width(name), page.full())
        equal(page.link(), link)


def top(*words):
    out = subprocess.run([TEPHRA, "top", "-q", "--format=csv", *words], check=True,
                         capture_output=True, text=True).stdout
    return list(csv.DictReader(out.splitlines()))


def the_table_says_what_top_says(page):
    page.draw(RELAY, "--weight=samples")
    page.press("view-table")
    expected = [(row["name"], int(row["self"]), int(row["total"]))
                for row in top("--weight=samples", RELAY)][:20]
    found = [(row[4], int(row[0].split()[0].replace(",", "")),
              int(row[2].split()[0].replace(",", ""))) for row in page.rows()][:20]
    equal(found, expected)


def the_table_is_sorted_and_filtered(page):
    page.draw_text(PLACES)
    page.press("view-table")
    equal([row[4] for row in page.rows()], ["malloc", "idle", "main", "parse", "read", "buf", "grow"])
    page.press("sort-total")
    equal([row[4] for row in page.rows()][:3], ["malloc", "main", "parse"])
    equal(page.rows()[1][2:4], ["7 samples", "70 %"])
    page.press("sort-name")
    equal([row[4] for row in page.rows()], sorted(row[4] for row in page.rows()))
    box = page.one("input.filter")
    box.click()
    page.keys("A")
    equal([row[4] for row in page.rows()], ["main", "malloc", "parse", "read"])
    equal(page.one(".count").text, "4 of 7 functions")
    equal(page.link(), "#view=table&filter=A&sort=name")
    page.reload()
    equal([row[4] for row in page.rows()], ["main", "malloc", "parse", "read"])
    equal(page.one("input.filter").get_property("value"), "A")


def a_line_of_the_table_shows_its_places_and_opens_a_sandwich(page):
    page.draw_text(PLACES)
    page.press("view-table")
    line = page.one(".table tbody tr:nth-child(2)")
    line.click()
    equal(len(page.all("g.hit")), 4)
    ActionChains(page.driver).double_click(page.one(".table tbody tr:nth-child(2)")).perform()
    equal(page.link(), "#view=sandwich&of=malloc&search=malloc")


def a_long_table_is_drawn_where_it_is_scrolled(page):
    page.draw_text("".join("f%05d %d\n" % (i, 6000 - i) for i in range(5000)))
    page.press("view-table")
    assert len(page.rows()) < 100
    page.js("document.querySelector('.room').scrollTop = 20 * 3000")
    page.js("return new Promise(done => setTimeout(done, 200))")
    assert "f03000" in [row[4] for row in page.rows()], page.rows()[:2]


def keys_switch_views(page):
    page.draw_text(PLACES)
    for key, name in (("2", "icicle"), ("3", "callers"), ("4", "sandwich"), ("5", "table"),
                      ("1", "flame")):
        page.keys(key)
        equal(pressed(page), [name])


THREADS = "".join("""\
%s 1%d 1.%d00000: %d cycles:
\t    20 inflate+0x1 (/usr/lib/libz.so.1)
\t    30 worker_run+0x1 (/usr/bin/app)

%s 1%d 1.%d50000: %d cycles:
\t    40 idle+0x1 (/usr/bin/app)

""" % (name, nr, nr, 1000, name, nr, nr, 9000) for nr, name in enumerate(["worker-a", "worker-b"]))


def a_sandwich_is_of_a_function_and_no_thread(page):
    page.draw_script(THREADS)
    page.search("worker")
    page.press("view-sandwich")
    near(page.width("worker_run"), page.full(), 3)


def the_legend_of_a_sandwich_has_what_other_views_show(page):
    def keys():
        return [key.text for key in page.all(".keys > span")]

    page.draw_script(THREADS)
    whole = keys()
    equal(whole, ["application", "library"])
    page.draw_script(THREADS, "--of=idle")
    equal(keys(), whole)


CASES = [
    an_icicle_is_the_flame_graph_upside_down,
    callers_are_merged_from_the_leaf,
    drawn_from_the_leaf_it_opens_so,
    a_sandwich_merges_all_places_of_a_function,
    one_that_calls_itself_is_counted_level_by_level,
    callers_too_narrow_to_be_drawn_are_there_when_asked_for,
    both_sides_of_a_sandwich_are_walked_and_zoomed,
    links_lead_to_a_frame_of_any_view,
    the_table_says_what_top_says,
    the_table_is_sorted_and_filtered,
    a_line_of_the_table_shows_its_places_and_opens_a_sandwich,
    a_long_table_is_drawn_where_it_is_scrolled,
    keys_switch_views,
    a_sandwich_is_of_a_function_and_no_thread,
    the_legend_of_a_sandwich_has_what_other_views_show,
]


if __name__ == "__main__":
    sys.exit(main(CASES))
