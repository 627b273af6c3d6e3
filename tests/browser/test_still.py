#!/usr/bin/python3
# test_still.py - pictures without their script: every viewer draws what the file says
#
# Draws with $TEPHRA, else with ./tephra of the build directory; looks at the pixels that
# rsvg-convert, chromium with scripts off and an <img> in a page make of it.
import base64
import contextlib
import importlib.util
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = os.path.join(HERE, "..", "inputs")
TEPHRA = os.path.abspath(os.environ.get("TEPHRA", "./tephra"))
SVG = "{http://www.w3.org/2000/svg}"
# What may differ in a channel of a colour: rounding.
SLACK = 3

PICTURES = [
    ("a flame graph", ["run.script"]),
    ("an icicle", ["--icicle", "stacks.folded"]),
    ("callers", ["--view=callers", "run.script"]),
    ("a sandwich", ["--of=main", "run.script"]),
    ("a table", ["--view=table", "run.script"]),
    ("a flame chart", ["--flamechart", "steps.script"]),
    ("a narrow picture", ["--width=300", "run.script"]),
    ("a dark picture", ["--theme=dark", "run.script"]),
    ("a picture by module", ["--paint=module", "run.script"]),
    ("a picture by own weight", ["--paint=self", "run.script"]),
    ("odd names", ["odd.folded"]),
    ("a deep picture", ["deep.folded"]),
]


class Pixels:
    """An image of 8 bits a channel, as PNG (ISO 15948) without interlacing holds it."""

    def __init__(self, path):
        data = open(path, "rb").read()
        at, packed = 8, b""
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            if kind == b"IHDR":
                self.width, self.height, depth, colour = struct.unpack(
                    ">IIBB", data[at + 8:at + 18])
                assert depth == 8 and colour in (2, 6), "an unexpected kind of PNG"
                self.channels = 3 if colour == 2 else 4
            elif kind == b"IDAT":
                packed += data[at + 8:at + 8 + size]
            at += 12 + size
        self.rows = self.unfilter(zlib.decompress(packed))

    def unfilter(self, data):
        size, step, rows = self.width * self.channels, self.channels, []
        before = bytearray(size)
        for y in range(self.height):
            kind = data[y * (size + 1)]
            row = bytearray(data[y * (size + 1) + 1:(y + 1) * (size + 1)])
            if kind == 2:
                row = bytearray((a + b) & 255 for a, b in zip(row, before))
            elif kind:
                for i in range(size):
                    left = row[i - step] if i >= step else 0
                    above = before[i]
                    corner = before[i - step] if i >= step else 0
                    row[i] = row[i] + self.predicted(kind, left, above, corner) & 255
            rows.append(row)
            before = row
        return rows

    @staticmethod
    def predicted(kind, left, above, corner):
        if kind == 1:
            return left
        if kind == 3:
            return (left + above) // 2
        distances = [abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)]
        return (left, above, corner)[distances.index(min(distances))]

    def part(self, y, width, height):
        part = Pixels.__new__(Pixels)
        part.width, part.height, part.channels = width, height, self.channels
        part.rows = self.rows[y:y + height]
        return part

    def at(self, x, y):
        begin = int(x) * self.channels
        return tuple(self.rows[int(y)][begin:begin + 3])


def is_same(one, other):
    return all(abs(a - b) <= SLACK for a, b in zip(one, other))


def rgb(text):
    return tuple(int(text[i:i + 2], 16) for i in (0, 2, 4))


class Picture:
    """What a file says: its size, its boxes with their colours, its labels."""

    def __init__(self, path, what):
        self.path, self.what = path, what
        self.root = xml.etree.ElementTree.parse(path).getroot()
        self.width = round(float(self.root.get("width")))
        self.height = round(float(self.root.get("height")))
        style = self.root.find(SVG + "style").text.split("@media screen and (prefers-color")[0]
        self.fills = {name: rgb(colour) for name, colour in re.findall(
            r"\.tephra \.([a-z][0-9])\{fill:#([0-9a-f]{6})\}", style)}
        self.paper = rgb(re.search(r"\.paper\{fill:#([0-9a-f]{6})\}", style).group(1))
        groups = {g.get("class"): g for g in self.root.findall(SVG + "g")}
        self.frames = groups["frames"].findall(SVG + "g")
        self.head = groups["head"]

    def boxes(self):
        """(x, y, width, height, colour, label) of all frames that are not hatched."""
        for frame in self.frames:
            rect, text = frame.find(SVG + "rect"), frame.find(SVG + "text")
            box = [float(rect.get(name)) for name in ("x", "y", "width", "height")]
            if " " not in frame.get("class"):
                yield (*box, self.fills[frame.get("class")], text is not None and text.text)

    def swatches(self):
        for rect in self.head.findall(SVG + "rect"):
            if " " not in rect.get("class"):
                yield [float(rect.get(name)) for name in ("x", "y", "width", "height")] + [
                    self.fills[rect.get("class")]]

    def seen_swatches(self):
        """Those that are wide enough to be seen, and over which nothing is drawn later."""
        all_of_them = list(self.swatches())
        for i, (x, y, width, height, colour) in enumerate(all_of_them):
            if width >= 4 and not any(a <= x + 1.5 <= a + c and b <= y + height - 2 <= b + d
                                      for a, b, c, d, _ in all_of_them[i + 1:]):
                yield x, y, width, height, colour


def check(picture, pixels):
    """What is drawn otherwise than the file says, in words; nothing where all is well."""
    if (pixels.width, pixels.height) != (picture.width, picture.height):
        return "it is %d x %d" % (pixels.width, pixels.height)
    if not is_same(pixels.at(2, 2), picture.paper):
        return "the paper is %s" % (pixels.at(2, 2),)
    seen = 0
    for x, y, width, height, colour, label in picture.boxes():
        if width < 4:
            continue
        seen += 1
        found = pixels.at(x + 1.5, y + height - 2)
        if not is_same(found, colour):
            return "a box at %g,%g is %s and not %s" % (x, y, found, colour)
        if label and all(is_same(pixels.at(x + 3 + i, y + 3 + j), colour)
                         for i in range(int(width) - 4) for j in range(10)):
            return "the label '%s' is not there" % label
        # a label stays inside of its box: the gap right of it has no ink
        if label and x + width + 1 < picture.width and width == int(width):
            gap = [pixels.at(x + width, y + j) for j in range(2, 14)]
            if any(abs(a - b) > 60 for one in gap for a, b in zip(one, gap[0])):
                return "the label '%s' is wider than its box" % label
    for x, y, width, height, colour in picture.seen_swatches():
        if not is_same(pixels.at(x + 1.5, y + height - 2), colour):
            return "a swatch at %g,%g is %s" % (x, y, pixels.at(x + 1.5, y + height - 2))
    return "" if seen or not picture.frames else "no box was looked at"


def rsvg(pictures, folder):
    """The pixels of each picture."""
    png = os.path.join(folder, "picture.png")
    for picture in pictures:
        subprocess.run(["rsvg-convert", picture.path, "-o", png], check=True, capture_output=True)
        yield Pixels(png)


def screenshot(driver, path, width, height):
    """Pixels of what the browser shows of a file once that is loaded."""
    png = os.path.join(os.path.dirname(path), "page.png")
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
    driver.get("file://" + path)
    with open(png, "wb") as file:
        file.write(base64.b64decode(driver.execute_cdp_cmd("Page.captureScreenshot", {})["data"]))
    return Pixels(png)


def without_script(pictures, folder):
    """Of each picture opened by itself, where the browser runs no script."""
    with browser(folder) as driver:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        for picture in pictures:
            yield screenshot(driver, picture.path, picture.width, picture.height)
            assert not driver.find_elements("css selector", ".stage"), "a script has run"


def as_images(pictures, folder):
    """Of a page of all of them, one below the other."""
    page, y = os.path.join(folder, "page.html"), 0
    with open(page, "w") as file:
        file.write('<!doctype html><body style="margin:0">')
        for picture in pictures:
            file.write('<img src="%s" decoding="sync" style="display:block;width:%dpx;height:%dpx">'
                       % (os.path.basename(picture.path), picture.width, picture.height))
    with browser(folder) as driver:
        whole = screenshot(driver, page, max(picture.width for picture in pictures),
                           sum(picture.height for picture in pictures))
    for picture in pictures:
        yield whole.part(y, picture.width, picture.height)
        y += picture.height


@contextlib.contextmanager
def browser(folder):
    from browser import start
    driver = start(folder)
    try:
        yield driver
    finally:
        driver.quit()


def has_browser():
    return all(map(shutil.which, ("chromium", "chromedriver"))) and importlib.util.find_spec(
        "selenium")


VIEWERS = [
    ("rsvg-convert", lambda: shutil.which("rsvg-convert"), rsvg),
    ("chromium with scripts off", has_browser, without_script),
    ("an <img>", has_browser, as_images),
]


def write_inputs(folder):
    with open(os.path.join(folder, "deep.folded"), "w") as file:
        file.write(";".join("f%d" % i for i in range(40)) + " 1\n")
    with open(os.path.join(folder, "steps.script"), "w") as file:
        for i in range(40):
            file.write("worker 7/%d 1.%03d000: 1000000 cpu-clock: \n\t10 %s (/opt/x)\n"
                       "\t20 main (/opt/x)\n\n" % (7 + i % 2, i, "abc"[i // 8 % 3]))


def draw(folder):
    for nr, (what, words) in enumerate(PICTURES):
        path = os.path.join(folder, "picture%d.svg" % nr)
        source = INPUTS if os.path.exists(os.path.join(INPUTS, words[-1])) else folder
        subprocess.run([TEPHRA, "flame", "-q", "--width=600", *words[:-1], os.path.join(source, words[-1]),
                        "-o", path], check=True)
        yield Picture(path, what)


def main():
    folder, nr, is_good = tempfile.mkdtemp(), 0, True
    try:
        write_inputs(folder)
        pictures = list(draw(folder))
        print("1..%d" % (len(pictures) * len(VIEWERS)))
        for viewer, is_there, look in VIEWERS:
            found = look(pictures, folder) if is_there() else None
            for picture in pictures:
                nr += 1
                name = "%d - %s: %s draws what the file says" % (nr, picture.what, viewer)
                if not found:
                    print("ok %s # SKIP there is no %s" % (name, viewer))
                    continue
                wrong = check(picture, next(found))
                is_good &= not wrong
                print(("not ok " if wrong else "ok ") + name + ("\n# " + wrong if wrong else ""))
                sys.stdout.flush()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if is_good else 1)


main()
