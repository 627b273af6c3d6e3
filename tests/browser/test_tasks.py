#!/usr/bin/python3
# test_tasks.py - ten questions, each answered in at most two actions from the opened file
#
# An action is a press of a button, a frame or a menu's entry, or a text that is typed.
import sys

from browser import equal, main, near

STACKS = """\
    # a program, its runtime, a library and the kernel
main;run;rt_call;parse;malloc;brk_[k] 30
main;run;rt_call;parse;malloc 20
main;run;rt_call;eval;rt_call;eval;malloc 10
main;run;rt_call;eval;add 15
main;run;write;vfs_write_[k] 5
main;run;[libz.so.1] 8
"""
SCRIPT = """\
app 10 1.000000:     1000 cycles:
\t    10 inflate+0x1 (/usr/lib/libz.so.1)
\t    20 load+0x1 (/usr/bin/app)
\t    30 main+0x1 (/usr/bin/app)

app 10 1.100000:     3000 cycles:
\t    40 crc32+0x1 (/usr/lib/libz.so.1)
\t    20 load+0x1 (/usr/bin/app)
\t    30 main+0x1 (/usr/bin/app)

app 10 1.200000:     9000 cycles:
\t    50 work+0x1 (/usr/bin/app)
\t    30 main+0x1 (/usr/bin/app)

app 10 1.300000:     7000 cycles:
\t    60 [unknown] (/usr/bin/app)
\t    30 main+0x1 (/usr/bin/app)

"""


class Hands:
    """Does what the page can do, and counts it."""

    def __init__(self, page):
        self.page = page
        self.nr = 0

    def __getattr__(self, name):
        def act(*words):
            self.nr += 1
            return getattr(self.page, name)(*words)
        return act

    def choose(self, name, entry):
        self.nr += 1  # the menu is asked for, and an entry pressed
        self.nr += 1
        self.page.menu(name, entry)


def within(hands, most=2):
    assert hands.nr <= most, "%d actions" % hands.nr


def the_callers_of_malloc(page):
    page.draw_text(STACKS)
    hands = Hands(page)
    hands.search("malloc")
    hands.press("view-sandwich")
    within(hands)
    middle = page.rect("malloc")
    near(middle["width"], page.full(), 3)
    above = {name for name in page.names() if page.rect(name)["y"] < middle["y"]}
    assert above >= {"parse", "eval"}, above
    near(page.width("parse"), page.full() * 50 / 60, 3)


def the_largest_self_weight_in_a_library(page):
    page.draw_script(SCRIPT)
    hands = Hands(page)
    hands.press("view-table")
    page.one("input.filter").click()
    hands.keys("library")
    within(hands)
    equal([row[4] for row in page.rows()], ["crc32", "inflate"])
    equal(page.rows()[0][1], "15 %")


def the_share_of_a_function_under_one_caller(page):
    page.draw_text(STACKS)
    hands = Hands(page)
    hands.search("malloc")
    hands.click("eval")
    within(hands)
    assert page.one(".found").text.endswith("40 % of what is zoomed"), page.one(".found").text


def all_places_of_a_name(page):
    page.draw_text(STACKS)
    hands = Hands(page)
    hands.search("malloc")
    within(hands, 1)
    equal(len(page.all("g.hit")), 2)
    equal(page.one(".found").text, "matched: 68.2 % (60 of 88 samples), 2 frames")


def what_is_under_n_more_of_the_widest_frame(page):
    page.draw_text("main;wide 50000\n" + "".join("main;f%03d 1\n" % i for i in range(300)))
    hands = Hands(page)
    hands.click(next(name for name in page.names() if name.startswith("+ 300 more")))
    within(hands, 1)
    assert {"f000", "f150", "f299"} <= set(page.names()), page.names()


def the_same_without_recursion(page):
    page.draw_text(STACKS)
    hands = Hands(page)
    hands.press("simplify")
    hands.press("do-recursion")
    within(hands)
    equal(sum(name == "eval" for name in page.names()), 1)
    equal(page.weight("eval"), "25 samples")


def the_same_without_the_frames_of_a_runtime(page):
    page.draw_script(SCRIPT)
    hands = Hands(page)
    hands.choose("load", "hide-module")
    within(hands)
    equal(set(page.names()), {"all", "app", "inflate", "crc32"})
    equal(page.weight("all"), "20,000 cycles in 4 samples")


def the_exact_stack_of_a_leaf(page):
    page.draw_text(STACKS)
    page.js("navigator.clipboard.writeText = text => { window.tephraCopied = text;"
            "return Promise.resolve(); }")
    hands = Hands(page)
    hands.choose("brk_[k]", "copy-stack")
    within(hands)
    equal(page.js("return window.tephraCopied"),
          "brk_[k]\nmalloc\nparse\nrt_call\nrun\nmain")


def the_view_as_a_link(page):
    page.draw_text(STACKS)
    page.js("navigator.clipboard.writeText = text => { window.tephraCopied = text;"
            "return Promise.resolve(); }")
    hands = Hands(page)
    hands.click("parse")
    hands.press("link")
    within(hands)
    link = page.js("return window.tephraCopied")
    page.driver.get("about:blank")
    page.driver.get(link)
    near(page.width("parse"), page.full(), 3)


def the_share_without_a_name(page):
    page.draw_script(SCRIPT)
    within(Hands(page), 0)
    assert "35.0 % end in a frame without a name" in page.one(".words").text


CASES = [
    the_callers_of_malloc,
    the_largest_self_weight_in_a_library,
    the_share_of_a_function_under_one_caller,
    all_places_of_a_name,
    what_is_under_n_more_of_the_widest_frame,
    the_same_without_recursion,
    the_same_without_the_frames_of_a_runtime,
    the_exact_stack_of_a_leaf,
    the_view_as_a_link,
    the_share_without_a_name,
]


if __name__ == "__main__":
    sys.exit(main(CASES))
