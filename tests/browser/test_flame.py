#!/usr/bin/python3
# test_flame.py - the flamegraph in a browser: zoom, search, keyboard, links, dark mode
import os
import sys

from browser import ActionChains, By, HERE, Keys, equal, main, near, soon


def the_picture_is_as_wide_as_the_window(page):
    page.draw("search.folded")
    for width in (1200, 600):
        page.driver.set_window_size(width, 700)
        soon(page, lambda: page.js("return outerWidth"), lambda: width)
        soon(page, page.full, lambda: page.js("return innerWidth") - 21)
        near(page.width("app"), page.full())
        near(page.width("operator[]"), page.full() / 4)
    page.driver.set_window_size(1200, 700)
    soon(page, lambda: page.js("return outerWidth"), lambda: 1200)


def a_click_zooms_and_a_click_on_an_ancestor_goes_out(page):
    page.draw("search.folded")
    page.click("parse(int)")
    near(page.width("parse(int)"), page.full())
    near(page.width("parse(char)"), page.full())
    near(page.width("malloc"), 0)
    assert "under" in page.frame("app").get_attribute("class")
    page.click("app")
    near(page.width("operator[]"), page.full() / 4)
    near(page.width("malloc"), page.full() / 12)


def reset_and_escape_go_out(page):
    page.draw("search.folded")
    assert page.one("button.reset").get_property("disabled")
    page.click("malloc")
    near(page.width("malloc"), page.full())
    page.one("button.reset").click()
    near(page.width("malloc"), page.full() / 12)
    page.click("malloc")
    page.keys(Keys.ESCAPE)
    near(page.width("malloc"), page.full() / 12)


def search_finds_text_and_expressions(page):
    page.draw("search.folded")
    with open(os.path.join(HERE, "search.txt"), encoding="utf-8") as queries:
        for line in queries:
            if line.startswith("#"):
                continue
            query, samples = line.rstrip("\n").split("\t")
            found = page.search(query)
            assert "(%s of 12 samples)" % samples in found, query + ": " + found
    assert page.search("parse(").startswith("matched: 33.3 % (4 of 12 samples)")


def matches_are_outlined_and_can_be_cleared(page):
    page.draw("search.folded")
    page.search("malloc|free")
    equal(len(page.all("g.hit")), 2)
    equal(page.style("g.hit rect", "strokeWidth"), "2px")
    equal(page.style("g.hit rect", "stroke"), "rgb(214, 59, 209)")
    page.one("button.clear").click()
    equal(len(page.all("g.hit")), 0)
    equal(page.one(".found").text, "")


def keys_open_the_search_and_step_through_matches(page):
    page.draw("search.folded")
    page.keys("/")
    equal(page.js("return document.activeElement.className").split()[0], "search")
    page.keys("parse", Keys.ENTER)
    equal(page.focused(), "parse(int)")
    page.keys("n")
    equal(page.focused(), "parse(char)")
    page.keys("n")
    equal(page.focused(), "parse(int)")
    page.keys("N")
    equal(page.focused(), "parse(char)")
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("f").key_up(
        Keys.CONTROL).perform()
    equal(page.js("return document.activeElement.className").split()[0], "search")


def arrows_walk_and_enter_zooms(page):
    page.draw("search.folded")
    equal(len(page.all("g[tabindex]")), 1)
    for _ in range(30):
        page.keys(Keys.TAB)
        if page.focused():
            break
    equal(page.focused(), "all")
    page.keys(Keys.ARROW_UP)
    equal(page.focused(), "app")
    page.keys(Keys.ARROW_UP)
    equal(page.focused(), "parse(int)")
    page.keys(Keys.ARROW_LEFT)
    equal(page.focused(), "operator[]")
    page.keys(Keys.ARROW_RIGHT)
    equal(page.focused(), "parse(int)")
    equal(page.style(".ring", "display"), "inline")
    equal(page.style(".ring", "strokeWidth"), "2px")
    page.keys(Keys.ENTER)
    near(page.width("parse(int)"), page.full())
    equal(page.focused(), "parse(int)")
    page.keys(Keys.ARROW_DOWN)
    equal(page.focused(), "app")
    page.keys(Keys.ESCAPE)
    near(page.width("parse(int)"), page.full() / 3)
    equal(len(page.all("g[tabindex]")), 1)


def an_icicle_is_walked_downwards(page):
    page.draw("search.folded", "--icicle")
    assert page.rect("all")["y"] < page.rect("app")["y"]
    page.keys(Keys.ARROW_DOWN)
    equal(page.focused(), "app")


def details_say_what_is_pointed_at(page):
    page.draw("search.folded")
    page.click("app")
    rect = page.frame("operator[]").find_element(By.CSS_SELECTOR, "rect")
    ActionChains(page.driver).move_to_element(rect).perform()
    words = page.one(".details").text
    assert words.startswith("operator[] \u2014 3 samples, 25 %"), words
    assert words.endswith("25 % of app"), words


def a_link_restores_zoom_and_search(page):
    page.draw("search.folded")
    page.click("parse(int)")
    page.search("parse(c")
    link = page.driver.current_url
    page.driver.get("about:blank")
    page.driver.get(link)
    near(page.width("parse(int)"), page.full())
    equal(page.one("input.search").get_property("value"), "parse(c")
    equal(len(page.all("g.hit")), 1)
    page.open("#zoom=gone&search=%F0%9F")
    near(page.width("operator[]"), page.full() / 4)


def back_goes_out(page):
    page.draw("search.folded")
    page.click("malloc")
    page.driver.back()
    soon(page, lambda: page.width("malloc"), lambda: page.full() / 12)


def emulate(page, name, value):
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                {"features": [{"name": name, "value": value}]})


def dark_mode_follows_the_browser(page):
    page.draw("search.folded")
    equal(page.style("svg", "backgroundColor"), "rgb(255, 255, 255)")
    equal(page.style("g[role] text", "fill"), "rgb(26, 26, 31)")
    emulate(page, "prefers-color-scheme", "dark")
    equal(page.style("svg", "backgroundColor"), "rgb(22, 24, 28)")
    equal(page.style("g[role] text", "fill"), "rgb(244, 244, 246)")
    page.draw("search.folded", "--theme=light")
    equal(page.style("svg", "backgroundColor"), "rgb(255, 255, 255)")
    emulate(page, "prefers-color-scheme", "light")
    page.draw("search.folded", "--theme=dark")
    equal(page.style("svg", "backgroundColor"), "rgb(22, 24, 28)")


def nothing_moves_by_itself(page):
    emulate(page, "prefers-reduced-motion", "reduce")
    page.draw("search.folded")
    page.click("malloc")
    near(page.width("malloc"), page.full(), 1.5)
    equal(page.js("return document.getAnimations().length"), 0)


def names_do_not_run(page):
    page.draw("names.folded")
    page.search("script|img")
    page.click("app")
    for name in ("<img src=x onerror=document.title=\"run\">", "${document.title=\"run\"}"):
        page.click(name)
        assert page.one(".details").text.startswith(name), page.one(".details").text
        page.keys(Keys.ESCAPE)
    assert page.js("return document.title") != "run"
    equal(len(page.all("script")), 1)
    equal(len(page.all("img")), 0)


def names_are_read_whole(page):
    page.draw("names.folded")
    found = page.search("two, 3 samples")
    assert "(2 of 10 samples)" in found, found
    label = page.label("with  two blanks")
    assert label.startswith("with  two"), label
    wide = page.label("中" * 12)
    assert wide.endswith("\u2026") or wide == "中" * 12, wide


def without_a_script_the_picture_is_whole(page):
    page.draw("search.folded")
    with open(page.path, encoding="utf-8") as picture:
        bare = picture.read().split("<script>")[0] + "</svg>"
    with open(page.path, "w", encoding="utf-8") as picture:
        picture.write(bare)
    page.open()
    near(page.width("operator[]"), page.full() / 4)
    equal(page.label("operator[]"), "operator[]")
    near(page.js("return document.documentElement.getBoundingClientRect().width"),
         page.js("return innerWidth"))


def deep_pictures_keep_head_and_details_in_reach(page):
    deep = os.path.join(page.folder, "deep.folded")
    with open(deep, "w", encoding="utf-8") as folded:
        folded.write(";".join("r%04d" % i for i in range(2500)) + " 7\nr0000;leaf 3\n")
    page.draw(deep)
    room = page.js("return innerHeight")
    assert page.one(".search").rect["y"] < 60
    assert page.one(".details").rect["y"] < room
    assert 0 < page.rect("all")["y"] < room
    page.search("r2499")
    page.keys(Keys.ENTER)
    assert 0 < page.rect("r2499")["y"] < room
    equal(page.js("return scrollY"), 0)


def a_zoom_keeps_only_the_rows_it_needs(page):
    deep = os.path.join(page.folder, "deep.folded")
    with open(deep, "w", encoding="utf-8") as folded:
        folded.write(";".join("r%04d" % i for i in range(100)) + " 7\nr0000;leaf 3\n")
    page.draw(deep)
    assert page.js("const v = document.querySelector('.view');"
                   "return v.scrollHeight > v.clientHeight")
    page.click("leaf")
    assert page.js("const v = document.querySelector('.view');"
                   "return v.scrollHeight <= v.clientHeight")
    for name in ("all", "r0000", "leaf"):
        assert 0 < page.rect(name)["y"] < page.one(".details").rect["y"], name


CASES = [
    the_picture_is_as_wide_as_the_window,
    a_click_zooms_and_a_click_on_an_ancestor_goes_out,
    reset_and_escape_go_out,
    search_finds_text_and_expressions,
    matches_are_outlined_and_can_be_cleared,
    keys_open_the_search_and_step_through_matches,
    arrows_walk_and_enter_zooms,
    an_icicle_is_walked_downwards,
    details_say_what_is_pointed_at,
    a_link_restores_zoom_and_search,
    back_goes_out,
    dark_mode_follows_the_browser,
    nothing_moves_by_itself,
    names_do_not_run,
    names_are_read_whole,
    without_a_script_the_picture_is_whole,
    deep_pictures_keep_head_and_details_in_reach,
    a_zoom_keeps_only_the_rows_it_needs,
]


if __name__ == "__main__":
    sys.exit(main(CASES))
