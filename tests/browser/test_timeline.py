#!/usr/bin/python3
# test_timeline.py - a timeline in a browser: crosshair, ranges and their flame graphs, keys, dark
import os
import re
import subprocess
import sys

from browser import ActionChains, HERE, Keys, TEPHRA, equal, main, near

LAB = os.path.join(HERE, "..", "..", "samples", "relay", "lab")
CAPTURE = os.path.join(LAB, "cpu", "cpu.perf.data.zst")
COUNTERS = os.path.join(LAB, "cpu", "counters.csv")
GIVEN = ["--symbols=given", "--debug-dir=" + LAB]
PANELS = "svg.panels"


def draw(page, *words):
    page.path = os.path.join(page.folder, "timeline.svg")
    subprocess.run([TEPHRA, "timeline", "-q", *words, "-o", page.path], check=True)
    page.open()


def incident(page):
    draw(page, *GIVEN, CAPTURE, COUNTERS)


def counters(page):
    """A queue that holds 3, then 7 for two seconds, then 3 again, over ten seconds."""
    path = os.path.join(page.folder, "counters.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("mono_ns,depth,admitted_total\n")
        for i in range(101):
            file.write("%d,%d,%d\n" % (i * 10 ** 8, 7 if 40 <= i < 60 else 3, 10 * i))
    draw(page, path)


def place(page, seconds):
    """Where in the window a second of the axis is, and the middle of the panels."""
    return page.js("""const p = document.querySelector("svg.panels"), b = p.getBoundingClientRect();
        const facts = new Map(Array.from(document.querySelector("metadata.axis").textContent
            .trim().split("\\n"), line => line.split("\\t")));
        const number = name => Number(facts.get(name));
        const x = number("left") + arguments[0] / number("duration") * number("width");
        return [b.x + x * b.width / p.viewBox.baseVal.width, b.y + 60]""", seconds)


def pointer(page, kind="mouse"):
    chain = ActionChains(page.driver)
    if kind == "touch":
        chain.w3c_actions.pointer_action.source.pointer_kind = kind
        chain.w3c_actions.pointer_action.source.parameters = {"pointerType": kind}
    return chain, chain.w3c_actions.pointer_action


def move(page, seconds):
    chain, hand = pointer(page)
    hand.move_to_location(*map(round, place(page, seconds)))
    chain.perform()


def drag(page, begin, end):
    chain, hand = pointer(page)
    hand.move_to_location(*map(round, place(page, begin)))
    hand.pointer_down()
    hand.move_to_location(*map(round, place(page, (begin + end) / 2)))
    hand.move_to_location(*map(round, place(page, end)))
    hand.pointer_up()
    chain.perform()


def focus(page):
    page.js("document.querySelector('svg.panels').focus()")


def readings(page):
    """What is written over the panels: the time first."""
    return page.js("""return Array.from(document.querySelectorAll("svg.panels .readings text"),
        text => text.textContent).filter(words => words)""")


def chosen(page):
    return page.js("""const b = document.querySelector("svg.panels .brush");
        return b.getAttribute("display") !== "none" """)


def is_shown(page, selector):
    return page.js("return document.querySelector(arguments[0]).getClientRects().length > 0",
                   selector)


def seconds(words):
    """The two ends of a range as it is told."""
    return [float(number) for number in re.findall(r"\+([0-9.]+) s", words)]


def a_crosshair_reads_all_panels_at_once(page):
    incident(page)
    equal(readings(page), [])
    move(page, 2.05)
    told = readings(page)
    equal(len(told), 1 + len(page.js("""return Array.from(document.querySelector(
        "metadata.series").textContent.matchAll(/^panel/gm)).map(String)""")))
    near(seconds(told[0])[0], 2.05, 0.02)
    assert re.match(r"all 0\.\d\d · application 0\.\d\d", told[1]), told
    assert re.match(r"queue.depth \d+ · capacity 1,024$", told[2]), told
    move(page, 6.95)
    assert re.match(r"queue.depth 3\d\d ", readings(page)[2]), readings(page)
    equal(chosen(page), False)


def what_is_not_known_is_said_to_be_so(page):
    counters(page)
    move(page, 2.5)
    equal(readings(page)[1:], ["queue.depth 3", "queue.admitted 100"])
    focus(page)
    page.keys(Keys.END)
    equal(readings(page), ["+10 s", "queue.depth not known", "queue.admitted not known"])


def keys_move_the_crosshair(page):
    counters(page)
    focus(page)
    page.keys(Keys.HOME)
    equal(readings(page)[0], "+0 s")
    page.keys(Keys.ARROW_RIGHT)
    first = seconds(readings(page)[0])[0]
    assert 0 < first < 0.1, first
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    near(seconds(readings(page)[0])[0], first, 1e-9)
    page.keys(Keys.PAGE_DOWN)
    near(seconds(readings(page)[0])[0], 21 * first, 1e-9)
    page.keys(Keys.END)
    equal(readings(page)[0], "+10 s")
    page.keys(Keys.ESCAPE)
    equal(readings(page), [])


def a_range_tells_its_numbers(page):
    counters(page)
    drag(page, 3, 5)
    told = readings(page)
    begin, end = seconds(told[0])
    near(begin, 3, 0.02)
    near(end, 5, 0.02)
    equal(chosen(page), True)
    mean = 3 + 4 * (end - 4) / (end - begin)
    found = re.match(r"queue.depth mean ([0-9.]+) \(3 to 7\)$", told[1])
    near(float(found.group(1)), mean, 0.01)
    equal(told[2], "queue.admitted 100, %d in all" % round(100 * (end - begin)))
    equal(page.link(), "#range=%g..%g" % (begin, end))
    # without samples there is nothing to draw of it
    equal(page.all(".stage"), [])


def shift_and_arrows_choose_a_range(page):
    counters(page)
    focus(page)
    page.keys(Keys.HOME, Keys.PAGE_DOWN)
    begin = seconds(readings(page)[0])[0]
    ActionChains(page.driver).key_down(Keys.SHIFT).send_keys(
        Keys.PAGE_DOWN, Keys.ARROW_RIGHT).key_up(Keys.SHIFT).perform()
    equal(page.link(), "#range=%g..%g" % (begin, round(begin * 2.05, 9)))
    ActionChains(page.driver).key_down(Keys.SHIFT).send_keys(
        Keys.HOME).key_up(Keys.SHIFT).perform()
    equal(page.link(), "#range=0..%g" % begin)
    page.keys(Keys.ESCAPE)
    equal(page.link(), "")
    equal(chosen(page), False)


def a_range_draws_its_flame_graph(page):
    incident(page)
    equal(is_shown(page, ".stage"), False)
    drag(page, 4.5, 6.5)
    equal(is_shown(page, ".stage"), True)
    assert page.width("classify_again") > 0.5 * page.full()
    inside = page.weight("all")
    drag(page, 1, 3)
    equal(page.width("classify_again"), 0)
    assert page.weight("all") != inside


def named(page):
    """What all frames say that are shown with a name of their own, in whatever window."""
    return sorted(title for title in page.js("""return Array.from(document.querySelectorAll(
        ".stage g[role] title"), title => title.textContent)""") if title[0] != "[")


def the_command_draws_the_same(page):
    incident(page)
    drag(page, 4.5, 6.5)
    command = page.one(".reading code").text
    found = re.match(r"tephra flame -o during.svg cpu.perf.data.zst(@[0-9.]+)$", command)
    same = os.path.join(page.folder, "same.svg")
    subprocess.run([TEPHRA, "flame", "-q", *GIVEN, CAPTURE + found.group(1), "-o", same], check=True)
    here = named(page)
    page.path = same
    page.open()
    equal(here, named(page))
    assert "all, 1.992 s in 994 samples, 100 %" in here, here


def a_link_restores_range_zoom_and_search(page):
    incident(page)
    drag(page, 4.5, 6.5)
    page.search("digest")
    page.click("classify_again")
    link, told = page.link(), readings(page)
    assert link.startswith("#range=4.5..6.5&"), link
    page.open(link)
    equal(page.link(), link)
    equal(readings(page), told)
    near(page.width("classify_again"), page.full())
    assert page.one(".found").text.startswith("matched: "), page.one(".found").text


def a_zoom_is_kept_where_the_range_has_it(page):
    incident(page)
    drag(page, 4.5, 6.5)
    page.click("event_serve")
    drag(page, 1, 3)
    near(page.width("event_serve"), page.full())


def escape_leads_out_of_all(page):
    incident(page)
    drag(page, 4.5, 6.5)
    page.click("classify_again")
    page.keys(Keys.ESCAPE)
    near(page.width("all"), page.full())
    assert page.width("classify_again") < page.full()
    page.keys(Keys.ESCAPE)
    equal(page.link(), "")
    equal(is_shown(page, ".stage"), False)
    equal(chosen(page), False)


def back_undoes_a_range(page):
    incident(page)
    drag(page, 4.5, 6.5)
    drag(page, 1, 3)
    page.driver.back()
    equal(page.link(), "#range=4.5..6.5")
    assert page.width("classify_again") > 0
    equal(seconds(readings(page)[0]), [4.5, 6.5])


def an_end_of_the_range_can_be_moved(page):
    incident(page)
    drag(page, 4.5, 6.5)
    drag(page, 6.5, 8)
    equal(page.link(), "#range=4.5..8")


def a_finger_reads_and_chooses(page):
    counters(page)
    chain, hand = pointer(page, "touch")
    hand.move_to_location(*map(round, place(page, 4.5)))
    hand.pointer_down()
    hand.pointer_up()
    chain.perform()
    equal(readings(page)[1], "queue.depth 7")


def a_wrong_link_chooses_nothing(page):
    for link in ("#range=7..3", "#range=x..y", "#range=", "#range=20..30", "#range=4"):
        incident(page)
        page.open(link)
        equal((link, chosen(page), is_shown(page, ".stage")), (link, False, False))


def heat_map(page):
    draw(page, *GIVEN, "--chart=heatmap", CAPTURE)


def cell(page, seconds):
    """Where in the window the cell of a time is."""
    return page.js("""const p = document.querySelector("svg.panels"), b = p.getBoundingClientRect();
        const facts = new Map(Array.from(document.querySelector("metadata.axis").textContent
            .trim().split("\\n"), line => line.split("\\t")));
        const number = name => Number(facts.get(name)), scale = b.width / p.viewBox.baseVal.width;
        const column = Math.floor(arguments[0] / number("column") + 1e-9);
        const part = arguments[0] / number("column") - column;
        const x = number("left") + (column + 0.5) * number("width") / number("columns");
        const y = number("cells") + part * number("height") + 3;
        return [b.x + x * scale, b.y + (y - p.viewBox.baseVal.y) * scale]""", seconds)


def drag_cells(page, begin, end):
    chain, hand = pointer(page)
    hand.move_to_location(*map(round, cell(page, begin)))
    hand.pointer_down()
    hand.move_to_location(*map(round, cell(page, end)))
    hand.pointer_up()
    chain.perform()


def cells_of_a_heat_map_are_read(page):
    heat_map(page)
    chain, hand = pointer(page)
    hand.move_to_location(*map(round, cell(page, 2.1)))
    chain.perform()
    equal(readings(page)[0], "+2.1 s")
    assert re.match(r"samples [1-5]$", readings(page)[1]), readings(page)
    focus(page)
    page.keys(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    equal(readings(page)[0], "+1.04 s")
    page.keys(Keys.ARROW_UP, Keys.ARROW_LEFT)
    equal(readings(page)[0], "+0.02 s")


def a_range_of_cells_draws_its_flame_graph(page):
    heat_map(page)
    drag_cells(page, 4.2, 5.4)
    equal(page.link(), "#range=4.2..5.42")
    assert re.match(r"samples mean \d+\.?\d* \(\d+ to \d+\), \d+ in all$", readings(page)[1])
    assert page.width("classify_again") > 0.5 * page.full()
    drag_cells(page, 1.3, 1.1)
    equal(page.link(), "#range=1.1..1.32")
    equal(page.width("classify_again"), 0)
    focus(page)
    page.keys(Keys.ESCAPE)
    equal((chosen(page), is_shown(page, ".stage")), (False, False))
    page.keys(Keys.HOME)
    ActionChains(page.driver).key_down(Keys.SHIFT).send_keys(
        Keys.ARROW_RIGHT, Keys.ARROW_DOWN).key_up(Keys.SHIFT).perform()
    equal(page.link(), "#range=0..1.04")


def dark_it_has_the_dark_colours(page):
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    try:
        incident(page)
        drag(page, 4.5, 6.5)
        equal(page.style("svg.tephra", "backgroundColor"), "rgb(22, 24, 28)")
        equal(page.style(".readings text", "fill"), "rgb(244, 244, 246)")
        equal(page.style(".readings .paper", "fill"), "rgb(22, 24, 28)")
        equal(page.style(".crosshair", "stroke"), "rgb(244, 244, 246)")
        equal(page.style(".panels .lines .a2", "fill"),
              page.js("""return getComputedStyle(document.querySelector(
                  ".keys .a2") || document.body).fill"""))
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def a_dark_heat_map_has_the_dark_colours(page):
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    try:
        heat_map(page)
        equal(page.style(".panels .z3", "fill"), "rgb(255, 208, 136)")
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    heat_map(page)
    equal(page.style(".panels .z3", "fill"), "rgb(133, 40, 12)")


def without_scripts_it_is_whole(page):
    incident(page)
    page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page.open("#range=4.5..6.5")
        equal(len(page.all("g.readings")), 0)
        titles = [element.text for element in page.all("g.head text.line")]
        assert "Items waiting" in titles, titles
        assert len(page.all("g.lines path")) > 20
    finally:
        page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


CASES = [
    a_crosshair_reads_all_panels_at_once,
    what_is_not_known_is_said_to_be_so,
    keys_move_the_crosshair,
    a_range_tells_its_numbers,
    shift_and_arrows_choose_a_range,
    a_range_draws_its_flame_graph,
    the_command_draws_the_same,
    a_link_restores_range_zoom_and_search,
    a_zoom_is_kept_where_the_range_has_it,
    escape_leads_out_of_all,
    back_undoes_a_range,
    an_end_of_the_range_can_be_moved,
    a_finger_reads_and_chooses,
    a_wrong_link_chooses_nothing,
    cells_of_a_heat_map_are_read,
    a_range_of_cells_draws_its_flame_graph,
    dark_it_has_the_dark_colours,
    a_dark_heat_map_has_the_dark_colours,
    without_scripts_it_is_whole,
]


if __name__ == "__main__":
    sys.exit(main(CASES))
