#!/usr/bin/python3
# test_chart.py - a flame chart in a browser: zoom in time, details, search, keys, links, touch
import os
import re
import sys

from browser import ActionChains, HERE, Keys, WebDriverWait, equal, main, near

RELAY = os.path.join(HERE, "..", "..", "samples", "relay", "relay.perf-script.txt.gz")

BOXES = """return Array.from(document.querySelectorAll("g.frames > g[role]"), g => {
    const r = g.querySelector("rect").getBoundingClientRect();
    const text = g.querySelector("text");
    return {tip: g.querySelector("title").textContent, x: r.x, y: r.y, width: r.width,
        label: text ? text.textContent : "", look: g.getAttribute("class")};
})"""


def sample(tid, ms, names, period=1000000):
    frames = "".join("\t%x %s (/opt/app)\n" % (16 + ord(name[0]), name) for name in reversed(names))
    return "app 7/%d 1.%06d: %d cpu-clock: \n%s\n" % (tid, round(ms * 1000), period, frames)


def phases():
    """Two threads over 800 ms: one in load, then 40 short turns of tick and tock, then in store."""
    text = ""
    for ms in range(1, 401):
        names = ["main", "load", "read"] if ms <= 300 else ["main", "turn", "tick" if ms % 2 else "tock"]
        text += sample(8, ms, names)
    for ms in range(401, 801):
        text += sample(8, ms, ["main", "store"])
    for ms in range(501, 521):
        text += sample(9, ms, ["helper", "parse<int>"])
    return text


def draw(page):
    page.draw_script(phases(), "--flamechart")


def boxes(page):
    return page.js(BOXES)


def box(page, name):
    return next(box for box in boxes(page) if box["tip"].startswith(name + ", "))


def full(page):
    return page.js("return document.querySelector('.stage').getBoundingClientRect().width") - 20


def range_words(page):
    return page.one(".range").text


def x_of(page, ms, whole=(0, 800)):
    return page.js("""const s = document.querySelector(".stage").getBoundingClientRect();
        return s.x + 10 + (s.width - 20) * arguments[0]""", (ms - whole[0]) / (whole[1] - whole[0]))


def drag(page, begin, end, y, whole=(0, 800)):
    chain = ActionChains(page.driver)
    hand = chain.w3c_actions.pointer_action
    for i, ms in enumerate((begin, (begin + end) / 2, end)):
        hand.move_to_location(round(x_of(page, ms, whole)), round(y))
        if not i:
            hand.pointer_down()
    hand.pointer_up()
    chain.perform()


def swipe(page, begin, end, y):
    for kind, ms in (("touchStart", begin), *(("touchMove", begin + (end - begin) * i / 10) for i in range(1, 11)),
                     ("touchEnd", None)):
        points = [] if ms is None else [{"x": round(x_of(page, ms)), "y": round(y)}]
        page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def ticks(page):
    return page.js("return Array.from(document.querySelectorAll('.axis text'), t => t.textContent)")


# ---- the whole

def the_whole_is_the_still_picture(page):
    """Every box is where the picture without scripts has it, and says the same."""
    for words in ((None,), (RELAY,)):
        if words[0]:
            page.draw(words[0], "--flamechart")
        else:
            draw(page)
        page.js("document.querySelector('.view').style.overflow = 'visible'")
        still = page.js("""const text = arguments[0];
            const svg = new DOMParser().parseFromString(text, "image/svg+xml");
            return Array.from(svg.querySelectorAll("g.frames > g[role]"), g => {
                const r = g.querySelector("rect"), t = g.querySelector("text");
                return [g.querySelector("title").textContent, Number(r.getAttribute("x")),
                    Number(r.getAttribute("y")), Number(r.getAttribute("width")),
                    g.getAttribute("class"), t ? t.textContent : ""];
            })""", open(page.path, encoding="utf-8").read())
        assert len(still) > 5
        wide = [s for s in still if s[3] >= 4]
        shown = page.js("""dispatchEvent(new Event("beforeprint"));
            const all = Array.from(document.querySelectorAll(".stage g.frames > g[role]"), g => {
                const r = g.querySelector("rect"), t = g.querySelector("text");
                return [g.querySelector("title").textContent, Number(r.getAttribute("x")),
                    Number(r.getAttribute("y")), Number(r.getAttribute("width")),
                    g.getAttribute("class"), t ? t.textContent : ""];
            });
            dispatchEvent(new Event("afterprint"));
            return all""")
        scale = full(page) / 1180
        top = min(s[2] for s in still) - 17
        for tip, x, y, drawn, look, label in wide:
            found = [s for s in shown if s[0] == tip and abs(s[1] - 10 - (x - 10) * scale) < 0.1]
            assert found, (tip, x, drawn)
            equal(found[0][4], look)
            near(found[0][2], y - top, 0.1)
            near(found[0][3], drawn * scale, 1)
        near(len([s for s in shown if s[3] >= 4 * scale]), len([s for s in still if s[3] >= 4]), 0)


def lanes_and_axis_stand_as_in_the_still_picture(page):
    draw(page)
    equal(page.js("return Array.from(document.querySelectorAll('.names text'), t => t.textContent)"),
          ["app 7/8800 samples", "app 7/920 samples"])
    equal(ticks(page), ["0 ms", "100 ms", "200 ms", "300 ms", "400 ms", "500 ms", "600 ms"] +
          (["700 ms"] if len(ticks(page)) > 7 else []))


# ---- zoom

def a_click_shows_a_box_over_the_whole_width(page):
    draw(page)
    near(box(page, "load")["width"], full(page) * 300 / 800)
    page.click("load")
    near(box(page, "load")["width"], full(page))
    equal(range_words(page), "300.0 ms from 0 ns on")
    equal([b for b in boxes(page) if b["tip"].startswith(("store", "helper"))], [])
    equal(ticks(page)[:3], ["0 ms", "50 ms", "100 ms"])


def short_runs_come_apart_when_they_are_wide_enough(page):
    page.draw_script(phases(), "--flamechart", "--min-width=4")
    merged = box(page, "100 short runs")
    near(merged["width"], full(page) * 100 / 800)
    equal(merged["look"], "m0")
    page.click("100 short runs")
    names = [b["tip"].split(", ")[0] for b in boxes(page)]
    equal([names.count("tick"), names.count("tock")], [50, 50])
    near(box(page, "tick")["width"], full(page) / 100, 1.1)
    equal("1.000 ms from 301.0 ms on, 1 sample" in [b["tip"] for b in boxes(page)
          if b["tip"].startswith("tock")][0], True)


def dragging_chooses_a_range(page):
    draw(page)
    y = box(page, "main")["y"] + 5
    drag(page, 200, 600, y)
    words = range_words(page).split()
    near(float(words[0]), 400, 2)
    near(float(words[3]), 200, 2)
    drag(page, 500, 300, y, whole=(200, 600))
    near(float(range_words(page).split()[0]), 200, 2)
    axis = page.js("return document.querySelector('.axis').getBoundingClientRect().y") + 8
    drag(page, 320, 340, axis, whole=(300, 500))
    near(float(range_words(page).split()[0]), 20, 1)


def back_goes_step_by_step(page):
    draw(page)
    page.click("load")
    page.click("read")
    page.press("back")
    equal((range_words(page), page.one("button.back").is_enabled()), ("", False))
    page.click("store")
    page.keys("+")
    near(float(range_words(page).split()[0]), 200, 1)
    page.keys(Keys.ESCAPE)
    near(float(range_words(page).split()[0]), 400, 1)
    page.keys(Keys.BACKSPACE)
    equal(range_words(page), "")
    page.click("load")
    page.click("main")
    page.press("reset")
    equal((range_words(page), page.one("button.reset").is_enabled()), ("", False))


def keys_zoom_and_move(page):
    draw(page)
    page.keys(Keys.TAB)
    page.js("document.querySelector('.stage [tabindex=\"0\"]').focus()")
    page.keys("+")
    near(float(range_words(page).split()[0]), 400, 1)
    page.keys(Keys.END)
    near(float(range_words(page).split()[3]), 400, 1)
    page.keys(Keys.HOME)
    near(float(range_words(page).split()[0]), 400, 1)
    page.keys("+")
    page.js("document.querySelector('.stage [tabindex=\"0\"]').focus()")
    chain = ActionChains(page.driver)
    chain.key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT).key_up(Keys.SHIFT).perform()
    near(float(range_words(page).split()[3]), 150, 1)
    page.keys("-", "-")
    equal(range_words(page), "")


def arrows_walk_over_boxes_and_lanes(page):
    draw(page)
    page.js("document.querySelector('.stage [tabindex=\"0\"]').focus()")
    equal(page.focused(), "main")
    page.keys(Keys.ARROW_DOWN)
    equal(page.focused(), "load")
    page.keys(Keys.ARROW_RIGHT)
    equal(page.focused(), "turn")
    page.keys(Keys.ARROW_RIGHT)
    equal(page.focused(), "store")
    page.keys(Keys.ARROW_DOWN)
    equal(page.focused(), "helper")
    page.keys(Keys.ARROW_UP)
    equal(page.focused(), "main")
    page.keys(Keys.ARROW_DOWN, Keys.ENTER)
    equal(page.focused(), "load")
    near(box(page, "load")["width"], full(page))
    equal(len(page.all(".stage [tabindex='0']")), 1)
    assert page.js("return document.querySelector('.ring').getAttribute('display')") == "inline"


def a_wheel_with_ctrl_zooms_around_the_pointer(page):
    draw(page)
    page.js("""const s = document.querySelector(".stage"), b = s.getBoundingClientRect();
        s.dispatchEvent(new WheelEvent("wheel", {deltaY: -100, ctrlKey: true, bubbles: true,
            cancelable: true, clientX: b.x + 10 + (b.width - 20) / 2, clientY: b.y + 30}))""")
    near(float(range_words(page).split()[0]), 640, 2)
    near(float(range_words(page).split()[3]), 80, 2)


def lanes_keep_their_places_while_a_part_is_shown(page):
    text = phases() + "".join(sample(10, ms, ["deep"] * 12) for ms in (100, 101))
    page.draw_script(text, "--flamechart", "--min-width=5")
    y = lambda: page.js("""return Array.from(document.querySelectorAll(".names text"),
        t => Number(t.getAttribute("y")))""")
    whole = y()
    drag(page, 90, 110, box(page, "main")["y"] + 5)
    inside = y()
    equal(inside[:2], whole[:2])
    page.keys(Keys.END)
    equal(y(), inside)
    page.keys("0")
    equal(y(), whole)


def the_name_of_a_lane_stays_while_the_lane_is_in_the_window(page):
    page.draw(RELAY, "--flamechart")
    page.open("#range=0.7..0.8")
    shown = """const top = document.querySelector(".view").getBoundingClientRect().y;
        return Array.from(document.querySelectorAll(".names text")).map(t => [t.textContent,
            t.getBoundingClientRect().y - top]).find(([name]) => name.startsWith("worker-1"))[1]"""
    at = page.js(shown)
    page.js("document.querySelector('.view').scrollTop += %d" % (at + 60))
    page.js("return new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
    near(page.js(shown), 0, 4)
    page.js("document.querySelector('.view').scrollTop = 0")
    page.js("return new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
    near(page.js(shown), at, 1)


# ---- details

def details_say_what_a_box_is(page):
    draw(page)
    ActionChains(page.driver).move_to_element(page.frame("load")).perform()
    words = page.details()
    assert words.startswith("load \u2014 300.0 ms from 0 ns on, 300 samples, 37.5 % of app 7/8"), words
    page.click("read")
    page.keys("+", "+")
    words = page.details()
    assert "300.0 ms from 0 ns on, 300 samples" in words, "beyond the range, too: " + words


def details_of_short_runs_say_how_many(page):
    page.draw_script(phases(), "--flamechart", "--min-width=4")
    ActionChains(page.driver).move_to_element(page.frame("100 short runs")).perform()
    words = page.details()
    assert words.startswith("100 short runs \u2014 100.0 ms from 300.0 ms on, 100 samples, 12.5 % of"), words


# ---- search

def a_search_is_of_samples_each_once(page):
    draw(page)
    equal(page.search("main"), "matched: 97.6 % (800 of 820 samples)")
    equal(page.search("t[io]ck"), "matched: 12.2 % (100 of 820 samples)")
    equal(page.search("TICK"), "matched: 0 % (0 of 820 samples)")
    page.press("case")
    equal(page.one(".found").text, "matched: 6.1 % (50 of 820 samples)")
    page.press("case")
    equal(page.search("parse<int>"), "matched: 2.4 % (20 of 820 samples)")
    equal([b["tip"].split(",")[0] for b in boxes(page) if "hit" in b["look"]], ["parse<int>"])


def what_is_found_within_short_runs_is_marked(page):
    page.draw_script(phases(), "--flamechart", "--min-width=4")
    page.search("tock")
    path = page.js("return document.querySelector('.marks path.found').getAttribute('d')")
    assert path.count("M") > 20, path


def steps_go_to_matches_and_zoom_where_they_are_thin(page):
    draw(page)
    page.search("tock")
    page.keys(Keys.ENTER)
    equal(page.focused(), "tock")
    assert box(page, "tock")["width"] >= 20
    first = range_words(page)
    page.js("document.activeElement.blur()")
    page.keys("n")
    equal(page.focused(), "tock")
    page.keys("N")
    equal(range_words(page), first)
    page.search("parse")
    page.keys(Keys.ENTER)
    equal(page.focused(), "parse<int>")


def a_share_of_the_range_is_said(page):
    draw(page)
    page.search("tock")
    page.click("turn")
    equal(page.one(".found").text,
          "matched: 6.1 % (50 of 820 samples); 50 % of the 100 in this range")


# ---- what is not there

def what_the_file_leaves_out_is_said_and_shown(page):
    text = "".join(sample(8 + i % 2, i / 4, ["m", "f%d" % (i // 400)] + ["g%d" % (i * 7919 % 40009 + k) for k in range(4)])
                   for i in range(1, 40001))
    page.draw_script(text, "--flamechart", "--max-size=1")
    note = page.one(".note").text
    assert re.search(r"[0-9,]+ of 40,000 samples are in it without their inner frames", note), note
    page.open("#range=5..5.02")
    left_out = [b for b in boxes(page) if b["tip"].startswith("[left out of this file], ")]
    assert left_out and all(b["look"] == "m0" for b in left_out), boxes(page)[:5]
    near(box(page, "m")["width"], full(page), 3)
    page.press("reset")
    equal(page.search("m"), "matched: 100 % (40,000 of 40,000 samples)")


def threads_that_are_not_drawn_are_said(page):
    page.draw_script("".join(sample(100 + i % 203, i, ["m"]) for i in range(1, 1000)), "--flamechart")
    equal(page.one(".note").text, "+ 3 more threads with 12 samples, not drawn.")
    equal(page.search("m"), "matched: 100 % (987 of 987 samples)")


# ---- links, looks

def a_link_restores_range_and_search(page):
    draw(page)
    page.search("tick")
    page.click("turn")
    link = page.link()
    equal(link, "#range=0.3..0.4&search=tick")
    page.open(link)
    equal(range_words(page), "100.0 ms from 300.0 ms on")
    equal(page.one("input.search").get_attribute("value"), "tick")
    near(box(page, "turn")["width"], full(page))
    page.open("#range=9..8&search=")
    equal(range_words(page), "")
    page.open("#range=0.1..nonsense")
    equal(range_words(page), "")
    page.open("#range=-5..90")
    equal(range_words(page), "")


def the_browsers_back_goes_back_too(page):
    draw(page)
    page.click("load")
    page.keys("+")
    assert range_words(page).startswith("150"), range_words(page)
    page.driver.back()
    WebDriverWait(page.driver, 10).until(lambda _: range_words(page).startswith("300"))
    page.driver.back()
    WebDriverWait(page.driver, 10).until(lambda _: range_words(page) == "")


def a_finger_moves_the_time(page):
    draw(page)
    page.keys("+")
    equal(range_words(page), "400.0 ms from 200.0 ms on")
    swipe(page, 300, 100, box(page, "main")["y"] + 5)
    moved = range_words(page).split()
    near(float(moved[0]), 400, 1)
    near(float(moved[3]), 300, 12)
    page.keys(Keys.ESCAPE)
    equal(range_words(page), "400.0 ms from 200.0 ms on")


def labels_fit_their_boxes(page):
    page.draw(RELAY, "--flamechart")
    page.open("#range=0.7..0.8")
    wrong = page.js("""return Array.from(document.querySelectorAll("g.frames > g[role]")).filter(g => {
        const t = g.querySelector("text"), r = g.querySelector("rect").getBoundingClientRect();
        return t && t.textContent && t.getBoundingClientRect().right > r.right + 0.5;
    }).map(g => g.textContent)""")
    equal(wrong, [])
    assert len([b for b in boxes(page) if b["label"]]) > 20


def paper_shows_what_is_on_the_screen(page):
    page.draw(RELAY, "--flamechart")
    page.open("#range=0.7..0.8")
    before = page.js("return document.querySelector('.stage').getAttribute('viewBox')")
    page.js("document.querySelector('.view').scrollTop = 400")
    page.js("dispatchEvent(new Event('beforeprint'))")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    lanes, axis, tools, left, words, range_of_time = page.js("""const s = document.querySelector(".stage");
        const shown = name => getComputedStyle(document.querySelector(name)).display;
        return [s.getAttribute("viewBox").split(" ").map(Number),
            Array.from(s.querySelectorAll(".axis text"), t => t.textContent),
            shown(".tools"), shown(".left"), document.querySelector(".left").textContent,
            document.querySelector(".range").textContent]""")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    page.js("dispatchEvent(new Event('afterprint'))")
    equal(page.js("return document.querySelector('.view').scrollTop"), 400)
    equal((lanes[1], tools, left, range_of_time), (400 - 17, "none", "block", "100.0 ms from 700.0 ms on"))
    equal(axis[:2], ["700 ms", "710 ms"])
    assert re.match(r"\+ [4-6] threads more, for which the page has no room$", words), words
    equal(page.js("return document.querySelector('.stage').getAttribute('viewBox')"), before)
    equal(page.all(".stage .axis"), [])


def dark_is_dark(page):
    draw(page)
    light = page.style(".paper", "fill")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    assert page.style(".paper", "fill") != light
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def two_pictures_in_a_page_do_not_meet(page):
    draw(page)
    svg = open(page.path, encoding="utf-8").read().split("?>", 1)[1]
    path = os.path.join(page.folder, "two.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write("<!doctype html><meta charset=utf-8><body>" + svg + svg)
    page.path = path
    page.open()
    equal(len(page.all(".stage")), 2)
    page.click("load")
    equal([e.text for e in page.all(".range")], ["300.0 ms from 0 ns on", ""])


if __name__ == "__main__":
    sys.exit(main([
        the_whole_is_the_still_picture, lanes_and_axis_stand_as_in_the_still_picture,
        a_click_shows_a_box_over_the_whole_width, short_runs_come_apart_when_they_are_wide_enough,
        dragging_chooses_a_range, back_goes_step_by_step, keys_zoom_and_move,
        arrows_walk_over_boxes_and_lanes, a_wheel_with_ctrl_zooms_around_the_pointer,
        lanes_keep_their_places_while_a_part_is_shown, details_say_what_a_box_is,
        the_name_of_a_lane_stays_while_the_lane_is_in_the_window, details_of_short_runs_say_how_many, a_search_is_of_samples_each_once,
        what_is_found_within_short_runs_is_marked, steps_go_to_matches_and_zoom_where_they_are_thin,
        a_share_of_the_range_is_said, what_the_file_leaves_out_is_said_and_shown,
        threads_that_are_not_drawn_are_said, a_link_restores_range_and_search,
        the_browsers_back_goes_back_too, a_finger_moves_the_time, labels_fit_their_boxes,
        paper_shows_what_is_on_the_screen, dark_is_dark, two_pictures_in_a_page_do_not_meet,
    ]))
