# browser.py - a picture in a browser, and what tests of it share
#
# Draws with $TEPHRA, else with ./tephra of the build directory.
import os
import shutil
import subprocess
import sys
import tempfile
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
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    skip_all("python3-selenium is missing")

BROWSER = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
if not BROWSER or not DRIVER:
    skip_all("chromium or chromium-driver is missing")

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync
    --disable-background-networking --disable-component-update --disable-dev-shm-usage
    --hide-scrollbars --force-color-profile=srgb""".split()


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

    def draw_text(self, folded, *options):
        """Draws folded stacks that are given as text."""
        path = os.path.join(self.folder, "stacks.folded")
        with open(path, "w", encoding="utf-8") as file:
            file.write(folded)
        self.draw(path, *options)

    def draw_script(self, text, *options):
        """Draws text as perf script prints it."""
        path = os.path.join(self.folder, "stacks.script")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self.draw(path, *options)

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
        """Where its frame is; one that is not drawn has no width."""
        return self.js("""const r = arguments[0] ?
                arguments[0].querySelector("rect").getBoundingClientRect() : new DOMRect();
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

    def press(self, name):
        """Presses a button by its class."""
        self.one("button." + name).click()

    def menu(self, name, entry):
        """Asks for the menu of a frame and chooses from it."""
        rect = self.frame(name).find_element(By.CSS_SELECTOR, "rect")
        ActionChains(self.driver).context_click(rect).perform()
        self.press("do-" + entry)

    def simplify(self, entry):
        self.press("simplify")
        self.press("do-" + entry)

    def names(self):
        """Of all frames that are drawn."""
        return self.js("""return Array.from(document.querySelectorAll(".stage g[role] title"),
            title => title.textContent.split(", ")[0])""")

    def weight(self, name):
        """What a frame says it weighs: "4 samples"."""
        return self.js("""return arguments[0].querySelector("title").textContent
            .slice(arguments[1].length + 2).split(/, (?![0-9])|, [0-9<.]+ %/)[0]""",
                       self.frame(name), name)

    def details(self):
        return self.one(".details").text

    def link(self):
        return self.js("return location.hash")

    def rows(self):
        """The lines of the table as lists of words."""
        return self.js("""return Array.from(document.querySelectorAll(".table tbody tr"),
            tr => Array.from(tr.children, td => td.textContent)).filter(td => td.length > 1)""")

    def focused(self):
        return self.js("const t = document.activeElement.querySelector(':scope > title');"
                       "return t ? t.textContent.split(', ')[0] : null")

    def full(self):
        """How wide a frame is that is as wide as the picture."""
        stage = self.js("const s = document.querySelector('.stage');"
                        "return s ? s.getBoundingClientRect().width : 0")
        return stage - 21 if stage else self.width("all")


def equal(found, expected):
    if found != expected:
        raise AssertionError("%r, expected %r" % (found, expected))


def near(found, expected, slack=1.5):
    if abs(found - expected) > slack:
        raise AssertionError("%r, expected about %r" % (found, expected))


def soon(page, found, expected, slack=1.5):
    """What a function says becomes near to that: where the browser does it in its own time."""
    WebDriverWait(page.driver, 60).until(lambda _: abs(found() - expected()) <= slack)


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


def main(cases):
    with tempfile.TemporaryDirectory() as folder:
        driver = start(folder)
        print("1..%d" % len(cases))
        try:
            page = Page(driver, folder)
            good = [run(page, i + 1, case) for i, case in enumerate(cases)]
        finally:
            driver.quit()
    return 0 if all(good) else 1
