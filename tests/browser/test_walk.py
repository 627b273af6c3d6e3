#!/usr/bin/python3
# test_walk.py - what a picture tells that is not drawn yet, and what is said of its frames
import os
import re
import sys

from browser import ActionChains, By, HERE, Keys, WebDriverWait, equal, main, near

RELAY = os.path.join(HERE, "..", "..", "samples", "relay", "relay.perf-script.txt.gz")

# 2000 children of 1, each with a child, beside one of 100,000: all are too narrow to be drawn.
NARROW = "app;wide 100000\n" + "".join("app;n%04d;leaf%04d 1\n" % (i, i) for i in range(2000))


def more_name(page):
    return next(name for name in page.names() if name.startswith("+ "))


def thin_boxes(page):
    """Boxes that are no symbols, since they are too thin to be read."""
    return page.js("""return Array.from(document.querySelectorAll(".paths path"),
        path => path.getAttribute("d").split("M").length - 1).reduce((a, b) => a + b, 0)""")


def what_was_too_narrow_is_drawn_when_it_is_zoomed(page):
    page.draw_text(NARROW)
    equal(more_name(page), "+ 2,000 more (2,000 frames too narrow to draw)")
    page.click(more_name(page))
    near(page.width("app"), page.full())
    equal(page.names(), ["all", "app"])
    equal(thin_boxes(page), 4000)  # each of them, and what it calls


def a_thin_box_can_be_pointed_at_and_zoomed(page):
    page.draw_text(NARROW)
    page.click(more_name(page))
    app = page.rect("app")
    stage = page.one(".stage")
    ActionChains(page.driver).move_to_element_with_offset(
        stage, 100, int(app["y"] - stage.rect["y"] - stage.rect["height"] / 2 - 9)).perform()
    assert re.match("n[0-9]{4} \u2014 1 sample, <0.01 %, self 0 %", page.details()), page.details()
    name = page.details()[:5]
    ActionChains(page.driver).click().perform()
    near(page.width(name), page.full())
    near(page.width("leaf" + name[1:]), page.full())


def there_are_children_at_any_depth(page):
    deep = ";".join("d%02d" % i for i in range(60))
    page.draw_text("big 1000000\n" + deep + ";a 1\n" + deep + ";b 2\n")
    page.search("^b$")
    page.keys(Keys.ENTER)
    equal(page.focused(), "b")
    near(page.width("b"), page.full(), 3)
    page.keys(Keys.ARROW_DOWN)
    page.keys(Keys.ENTER)
    near(page.width("d59"), page.full(), 3)
    near(page.width("b"), page.full() * 2 / 3, 3)
    near(page.width("a"), page.full() / 3, 3)


def children_of_one_weight_come_page_by_page(page):
    page.draw_text("".join("all_same;n%05d 1\n" % i for i in range(9000)))
    for shown, left in ((0, "8,600"), (400, "8,200"), (800, "7,800")):
        page.click(more_name(page))
        assert page.link().endswith("%%2B%d" % shown), page.link()
        equal(more_name(page), "+ %s more (%s frames too narrow to draw)" % (left, left))
        equal(thin_boxes(page), 400)


def all_of_the_tree_is_searched(page):
    page.draw_text(NARROW)
    equal(page.search("^leaf1.*7$").split(", ")[0], "matched: 0.1 % (100 of 102,000 samples)")
    assert page.one(".found").text.endswith(", 100 frames"), page.one(".found").text
    page.press("after")
    equal(page.focused(), "leaf1007")
    page.press("after")
    equal(page.focused(), "leaf1017")
    page.press("before")
    equal(page.focused(), "leaf1007")


def a_sample_counts_once_in_what_was_found(page):
    page.draw_text("f;f;f 3\nf;g 1\nh 4\n")
    equal(page.search("^f$"), "matched: 50 % (4 of 8 samples), 3 frames")
    page.click("h")
    equal(page.one(".found").text,
          "matched: 50 % (4 of 8 samples), 3 frames; 0 % of what is zoomed")


def case_counts_unless_it_is_told_not_to(page):
    page.draw_text("app;Parse 2\napp;parse 3\napp;other 5\n")
    assert page.search("parse").startswith("matched: 30 %")
    page.press("case")
    assert page.one(".found").text.startswith("matched: 50 %")
    equal(page.one("button.case").get_attribute("aria-pressed"), "true")
    equal(page.link(), "#search=parse&case=any")
    page.reload()
    assert page.one(".found").text.startswith("matched: 50 %")


def details_tell_all_that_is_known(page):
    page.draw(os.path.join(HERE, RELAY))
    page.click("worker-2")
    rect = page.frame("message_classify").find_element(By.CSS_SELECTOR, "rect")
    ActionChains(page.driver).move_to_element(rect).perform()
    words = page.details()
    assert re.match(r"message_classify \u2014 [0-9.]+ m?s in [0-9]+ samples, [0-9.]+ %, "
                    r"application relay, self [0-9.]+ %; [0-9.]+ % of worker-2$", words), words


def a_file_and_its_lines_are_told_where_they_are_known(page):
    page.draw_script("""relay 200 1.000000:     250000 cpu-clock:
\t    55d0 parse+0x10 (/opt/relay)
  parse.c:12
\t    4400 main+0x0 (/opt/relay)
  relay.c:90

relay 200 1.100000:     250000 cpu-clock:
\t    55d8 parse+0x18 (/opt/relay)
  parse.c:20
\t    4400 main+0x0 (/opt/relay)
  relay.c:90

""")
    page.click("parse")
    assert "application relay, parse.c:12-20, self 100 %" in page.details(), page.details()


def the_largest_by_self_weight_are_listed(page):
    page.draw("search.folded")
    equal([entry.text for entry in page.all(".plateaus button")],
          ["parse(char) 33.3 %", "operator[] 25 %", "free 16.7 %", "main.(*T).Do 16.7 %",
           "malloc 8.3 %"])
    page.all(".plateaus button")[2].click()
    equal(page.one("input.search").get_property("value"), "free")
    equal(len(page.all("g.hit")), 1)


def the_legend_says_what_occurs(page):
    page.draw_script("""relay 200 1.000000:     250000 cpu-clock:
\tffffffff81000010 vfs_read+0x10 ([kernel.kallsyms])
\t    4400 main+0x0 (/opt/relay)

""")
    words = [key.text for key in page.all(".keys span")]
    assert any("kernel" in word for word in words), words
    assert any("application" in word for word in words), words
    assert not any("library" in word or "JIT" in word for word in words), words


def a_tap_zooms(page):
    page.draw("search.folded")
    rect = page.rect("malloc")
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    at = [{"x": rect["x"] + rect["width"] / 2, "y": rect["y"] + 8}]
    for kind, points in (("touchStart", at), ("touchEnd", [])):
        page.driver.execute_cdp_cmd("Input.dispatchTouchEvent",
                                    {"type": kind, "touchPoints": points})
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    WebDriverWait(page.driver, 60).until(lambda _: page.width("malloc") > page.full() / 2)
    near(page.width("malloc"), page.full())
    equal(len(page.all(".menu")), 0)


def siblings_can_stand_by_weight(page):
    page.draw("search.folded")
    assert page.rect("free")["x"] < page.rect("parse(int)")["x"]
    page.press("order")
    order = ["parse(int)", "operator[]", "free", "main.(*T).Do", "malloc"]
    found = sorted(order, key=lambda name: page.rect(name)["x"])
    equal(found, order)
    equal(page.link(), "#order=weight")
    page.keys("w")
    equal(page.link(), "")


def copied(page):
    """What the clipboard was given, whether or not this browser has one."""
    return page.js("return navigator.clipboard.readText ? window.tephraCopied : null")


def watch_clipboard(page):
    page.js("navigator.clipboard.writeText = text => { window.tephraCopied = text;"
            "return Promise.resolve(); }")


def name_stack_and_path_can_be_copied(page):
    page.draw("search.folded")
    watch_clipboard(page)
    page.menu("parse(char)", "copy-name")
    equal(copied(page), "parse(char)")
    page.menu("parse(char)", "copy-stack")
    equal(copied(page), "parse(char)\nparse(int)\napp")
    page.menu("parse(char)", "copy-path")
    equal(copied(page), "app;parse(int);parse(char)")
    equal(page.one(".said").text, "copied: the path")
    page.press("link")
    assert copied(page).startswith("file://") and copied(page).endswith("#"), copied(page)


def the_menu_is_walked_with_keys(page):
    page.draw("search.folded")
    page.keys(Keys.ARROW_UP, Keys.ARROW_UP, "m")
    equal(page.one(".menu").get_attribute("aria-label"), "parse(int)")
    page.keys(Keys.ARROW_DOWN)
    equal(page.js("return document.activeElement.textContent"), "callers and callees")
    page.keys(Keys.ARROW_UP, Keys.ARROW_UP)
    equal(page.js("return document.activeElement.textContent"), "copy path")
    page.keys(Keys.ESCAPE)
    equal(len(page.all(".menu")), 0)
    equal(page.focused(), "parse(int)")
    near(page.width("parse(int)"), page.full() / 3)


def a_finger_that_rests_asks_for_the_menu(page):
    page.draw("search.folded")
    rect = page.rect("malloc")
    page.js("""const init = {clientX: arguments[0], clientY: arguments[1], bubbles: true,
            pointerType: "touch", pointerId: 7};
        document.querySelector(".stage").dispatchEvent(new PointerEvent("pointerdown", init));""",
            rect["x"] + rect["width"] / 2, rect["y"] + 8)
    WebDriverWait(page.driver, 60).until(lambda _: page.all(".menu"))
    equal(page.one(".menu").get_attribute("aria-label"), "malloc")


def what_the_file_leaves_out_is_told(page):
    import random
    chance = random.Random(5)
    page.draw_text("".join(";".join(chance.choice("abcdefgh") * 2 for _ in range(50)) +
                           " %d\n" % (1 + i % 40) for i in range(25000)), "--max-size=1")
    note = page.one(".note").text
    assert re.match(r"[0-9]+ of [0-9]+ frames, each less than 0\.[0-9]+ % of all, are not in "
                    r"this file; --max-size keeps more\.$", note), note
    page.keys(Keys.ARROW_UP, Keys.ARROW_UP)
    for _ in range(12):
        page.keys(Keys.ENTER, Keys.ARROW_UP)
    for _ in range(60):
        if "more" in page.focused():
            break
        page.keys(Keys.ARROW_RIGHT)
    assert "this file leaves out" in page.js(
        "return document.activeElement.querySelector('title').textContent")
    page.keys(Keys.ENTER)
    assert "larger --max-size" in page.one(".said").text


def two_pictures_in_a_page_do_not_disturb_each_other(page):
    page.draw("search.folded", "--id=one-")
    with open(page.path, encoding="utf-8") as picture:
        first = picture.read().split("?>", 1)[1]
    page.draw_text("main;b 1\nmain;c 3\n", "--id=two-")
    with open(page.path, encoding="utf-8") as picture:
        second = picture.read().split("?>", 1)[1]
    page.path = os.path.join(page.folder, "both.html")
    with open(page.path, "w", encoding="utf-8") as both:
        both.write("<!DOCTYPE html><meta charset=utf-8><title>both</title>" + first + second)
    page.open()
    ids = page.js("return Array.from(document.querySelectorAll('[id]'), e => e.id)")
    equal(len(ids), len(set(ids)))
    equal(len(page.all("svg.tephra .app")), 2)
    page.click("parse(int)")
    near(page.width("main"), page.rect("c")["width"] * 4 / 3, 2.5)
    near(page.width("parse(int)"), page.rect("app")["width"])
    equal(page.link(), "")


def printed_it_is_whole(page):
    page.draw_text(";".join("r%03d" % i for i in range(100)) + " 7\nr000;leaf 3\n")
    pdf = page.driver.execute_cdp_cmd("Page.printToPDF", {"landscape": True})["data"]
    assert len(pdf) > 4000
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        for hidden in (".tools", ".details", ".found"):
            equal(page.style(hidden, "display"), "none")
        equal(page.style("svg", "backgroundColor"), "rgb(255, 255, 255)")
        equal(page.one(".stage").get_dom_attribute("preserveAspectRatio"), "xMidYMin")
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


CASES = [
    what_was_too_narrow_is_drawn_when_it_is_zoomed,
    a_thin_box_can_be_pointed_at_and_zoomed,
    there_are_children_at_any_depth,
    children_of_one_weight_come_page_by_page,
    all_of_the_tree_is_searched,
    a_sample_counts_once_in_what_was_found,
    case_counts_unless_it_is_told_not_to,
    details_tell_all_that_is_known,
    a_file_and_its_lines_are_told_where_they_are_known,
    the_largest_by_self_weight_are_listed,
    the_legend_says_what_occurs,
    a_tap_zooms,
    siblings_can_stand_by_weight,
    name_stack_and_path_can_be_copied,
    the_menu_is_walked_with_keys,
    a_finger_that_rests_asks_for_the_menu,
    what_the_file_leaves_out_is_told,
    two_pictures_in_a_page_do_not_disturb_each_other,
    printed_it_is_whole,
]


if __name__ == "__main__":
    sys.exit(main(CASES))
