#!/usr/bin/python3
# test_flame.py - the flamegraph in a browser: zoom, search, keyboard, links, dark mode
#
# Draws with $TEPHRA, else with ./tephra of the build directory.
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
TEPHRA = os.environ.get("TEPHRA", "./tephra")


def skip_all(reason):
    print("1..0 # SKIP " + reason)
    sys.exit(0)


try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    skip_all("python3-selenium is missing")

BROWSER = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
if not BROWSER or not DRIVER:
    skip_all("chromium or chromium-driver is missing")

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync
    --disable-background-networking --disable-component-update --disable-dev-shm-usage""".split()


def start(folder):
    options = Options()
    options.binary_location = BROWSER
    for flag in FLAGS + ["--user-data-dir=" + os.path.join(folder, "user")]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    try:
        driver = webdriver.Chrome(service=Service(DRIVER), options=options)
    except WebDriverException as error:
        skip_all("chromium does not start: " + str(error).splitlines()[0])
    driver.set_window_size(1200, 700)
    return driver


class Page:
    """A picture in the browser, and what is asked of it."""

    def __init__(self, driver, folder):
        self.driver = driver
        self.folder = folder
        self.path = None

    def draw(self, folded, *options):
        self.path = os.path.join(self.folder, "picture.svg")
        subprocess.run([TEPHRA, "flame", "-q", *options, os.path.join(HERE, folded),
                        "-o", self.path], check=True)
        self.open()

    def open(self, link=""):
        self.driver.get("about:blank")
        self.driver.get("file://" + urllib.parse.quote(self.path) + link)

    def reload(self):
        self.driver.refresh()

    def js(self, script, *values):
        return self.driver.execute_script(script, *values)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def frame(self, name):
        return self.js("""return Array.from(document.querySelectorAll("g[role]")).find(g =>
            g.querySelector("title").textContent.startsWith(arguments[0] + ", "))""", name)

    def rect(self, name):
        return self.js("""const r = arguments[0].querySelector("rect").getBoundingClientRect();
            return {x: r.x, y: r.y, width: r.width, height: r.height}""", self.frame(name))

    def width(self, name):
        return self.rect(name)["width"]

    def label(self, name):
        return self.js("""const t = arguments[0].querySelector("text");
            return t ? t.textContent : "" """, self.frame(name))

    def style(self, selector, name):
        return self.js("return getComputedStyle(document.querySelector(arguments[0]))"
                       "[arguments[1]]", selector, name)

    def click(self, name):
        rect = self.frame(name).find_element(By.CSS_SELECTOR, "rect")
        ActionChains(self.driver).move_to_element(rect).click().perform()

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def search(self, text):
        box = self.one("input.search")
        box.click()
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys("a").key_up(
            Keys.CONTROL).send_keys(Keys.DELETE, text).perform()
        return self.one(".found").text

    def focused(self):
        return self.js("const t = document.activeElement.querySelector(':scope > title');"
                       "return t ? t.textContent.split(', ')[0] : null")

    def full(self):
        return self.width("all")


def equal(found, expected):
    if found != expected:
        raise AssertionError("%r, expected %r" % (found, expected))


def near(found, expected, slack=1.5):
    if abs(found - expected) > slack:
        raise AssertionError("%r, expected about %r" % (found, expected))


def the_picture_is_as_wide_as_the_window(page):
    page.draw("search.folded")
    for width in (1200, 600):
        page.driver.set_window_size(width, 700)
        time.sleep(0.2)
        near(page.full(), page.js("return innerWidth") - 21)
        near(page.width("app"), page.full())
        near(page.width("operator[]"), page.full() / 4)
    page.driver.set_window_size(1200, 700)


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
    page.keys(Keys.TAB)
    page.keys(Keys.TAB)
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
    time.sleep(0.2)
    near(page.width("malloc"), page.full() / 12)


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


def run(page, number, case):
    fault = None
    try:
        case(page)
        for line in page.driver.get_log("browser"):
            if line["level"] == "SEVERE":
                fault = line["message"]
    except Exception as error:  # a failed case must not keep the others from running
        fault = "%s: %s" % (type(error).__name__, str(error).split("Stacktrace:")[0])
    print("%s %d - %s" % ("not ok" if fault else "ok", number, case.__name__))
    for line in (fault or "").splitlines():
        print("# " + line)
    sys.stdout.flush()
    return not fault


def main():
    with tempfile.TemporaryDirectory() as folder:
        driver = start(folder)
        print("1..%d" % len(CASES))
        try:
            page = Page(driver, folder)
            good = [run(page, i + 1, case) for i, case in enumerate(CASES)]
        finally:
            driver.quit()
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
