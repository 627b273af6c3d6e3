#!/usr/bin/python3
# test_diff_view.py - a comparison in a browser: whose widths, what changed, how sure that is
import os
import re
import subprocess
import sys
from html import unescape

from browser import Keys, TEPHRA, equal, main, near

BEFORE = "main;keep 40\nmain;old 40\nmain;keep;deep 20\n"
AFTER = "main;keep 60\nmain;fast 40\nmain;keep;deep 20\nmain;deep;tiny 80\n"

# as palette.def has them
MORE = {"light": ["#fad5c8", "#fcb8a3", "#f9967c", "#f37257"], "dark": ["#5f3a32", "#793b30", "#963b2f", "#b63c30"]}
LESS = {"light": ["#cce1f4", "#a9cff3", "#84b9ef", "#5fa3e9"], "dark": ["#35475a", "#305275", "#2c5f92", "#2b6cb0"]}
SAME = {"light": "#f0f0ef", "dark": "#3a3c3e"}


def draw(page, before, after, *options):
    paths = []
    for name, text in (("before", before), ("after", after)):
        kind = ".script" if "cpu-clock" in text else ".folded"
        paths.append(os.path.join(page.folder, name + kind))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(text)
    page.path = os.path.join(page.folder, "diff.svg")
    subprocess.run([TEPHRA, "diff", "-q", *options, *paths, "-o", page.path], check=True)
    page.open()


def turns(seed, long, threads=("app",)):
    """Samples of a program that works in turns of 20 ms; how long those of `hot` are."""
    lines, state = [], seed
    for t in range(2000):
        if t % 20 == 0:
            state = state * 16807 % 2147483647
            busy = state % (100 + long)
        name = "hot" if busy < 40 + long else "warm" if busy < 70 + long else "cold"
        lines.append("%s 7/7 [000] %d.%03d000: 1000000 cpu-clock: \n\t10 %s (/opt/app)\n\t18 step (/opt/app)\n"
                     "\t20 main (/opt/app)\n\n" % (threads[t // 20 % len(threads)], t // 1000, t % 1000, name))
    return "".join(lines)


JUDGED = (turns(1, 0), turns(5, 200))


def look(page, name):
    return page.frame(name).get_attribute("class")


def fill(page, name):
    return page.js("return getComputedStyle(arguments[0].querySelector('rect')).fill", page.frame(name))


def rgb(colour):
    return "rgb(%d, %d, %d)" % tuple(int(colour[i:i + 2], 16) for i in (1, 3, 5))


def tip(page, name):
    return page.js("return arguments[0].querySelector('title').textContent", page.frame(name))


def tips(page):
    return sorted(page.js("return Array.from(document.querySelectorAll('.stage g[role] title'), t => t.textContent)"))


def pressed(page):
    return [b.text for b in page.all(".sides button") if b.get_attribute("aria-pressed") == "true"]


def head(page):
    return page.one(".words").text


def theme(page, name):
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                {"features": [{"name": "prefers-color-scheme", "value": name}]})


def what_is_walked_in_says_what_the_still_picture_says(page):
    for sides in ((BEFORE, AFTER), JUDGED, (turns(1, 0, ("a", "b")), turns(5, 60, ("a", "b")))):
        draw(page, *sides, "--still", "--min-width=0")
        with open(page.path, encoding="utf-8") as file:
            svg = file.read()
        assert "<script>" not in svg and "<metadata" not in svg
        found = re.findall(r'<g role="graphics-symbol" class="([^"]*)"><title>(.*?)</title>', svg)
        draw(page, *sides, "--min-width=0")
        equal(tips(page), sorted(unescape(words) for _, words in found))
        for kind, words in found:
            equal(look(page, unescape(words).split(", ")[0]) if svg.count(">" + words.split(", ")[0] + ", ") == 1
                  else kind, kind)
        assert len(found) > 3


def a_switch_says_whose_widths_are_shown(page):
    draw(page, BEFORE, AFTER)
    equal(pressed(page), ["difference"])
    assert head(page).count("Width: the larger side of each frame, share of all samples.") == 1
    near(page.width("keep"), page.full() * 60 / 160)
    near(page.width("old"), page.full() * 40 / 160)
    near(page.width("fast"), page.full() * 20 / 160)
    near(page.width("tiny"), page.full() * 40 / 160)
    page.press("side-before")
    equal(pressed(page), ["before"])
    near(page.width("keep"), page.full() * 0.6)
    near(page.width("old"), page.full() * 0.4)
    equal(page.width("fast"), 0)
    equal(page.link(), "#widths=before")
    assert "Width: the before side, share of all samples. 3 frames that are new have no width here." in head(page)
    page.keys("a")
    equal(pressed(page), ["after"])
    near(page.width("keep"), page.full() * 0.4)
    near(page.width("tiny"), page.full() * 0.4)
    equal(page.width("old"), 0)
    assert "1 frame that is vanished has no width here." in head(page)
    page.keys("d")
    equal(pressed(page), ["difference"])
    equal(page.link(), "")
    page.keys("b")
    near(page.width("old"), page.full() * 0.4)


def a_link_restores_the_side_and_what_is_shown_of_it(page):
    draw(page, BEFORE, AFTER)
    page.press("side-after")
    page.click("keep")
    page.press("view-icicle")
    link, shown = page.link(), tips(page)
    assert "widths=after" in link and "zoom=" in link
    page.open(link)
    equal(pressed(page), ["after"])
    equal(tips(page), shown)
    near(page.width("keep"), page.full())
    page.open("#widths=never")
    equal(pressed(page), ["difference"])


def drawn_with_one_side_it_opens_so(page):
    draw(page, BEFORE, AFTER, "--widths=before")
    equal(pressed(page), ["before"])
    equal(page.width("fast"), 0)
    page.press("side-both")
    near(page.width("fast"), page.full() * 20 / 160)
    equal(page.link(), "#widths=both")


def colours_are_the_sign_and_the_size_in_light_and_dark(page):
    draw(page, BEFORE, AFTER)
    for name in ("light", "dark"):
        theme(page, name)
        equal(fill(page, "old"), rgb(LESS[name][3]))	# -40 points, which is the most
        equal(fill(page, "tiny"), rgb(MORE[name][3]))
        equal(fill(page, "fast"), rgb(MORE[name][2]))	# +20: half of the most, the root of which is 0.7
        equal(fill(page, "main"), rgb(SAME[name]))
        assert page.style("svg", "backgroundColor") == ("rgb(22, 24, 28)" if name == "dark" else "rgb(255, 255, 255)")
    theme(page, "light")
    equal(look(page, "old"), "s3 gone")
    equal(look(page, "fast"), "t2 new")
    equal(page.label("old"), "-40.0 old")


def a_number_is_whole_or_not_there(page):
    """Its begin would be another number; the name beside it is cut."""
    draw(page, "".join("main;keep%02d %d\n" % (i, 50 + i * 20) for i in range(24)), "main;other 1\n", "--widths=before")
    labels = page.js("return Array.from(document.querySelectorAll('.stage g[role] text'), t => t.textContent)")
    assert len(labels) > 15, labels
    for label in labels:
        assert not label or re.match(r"[+-]\d+\.\d+( \S*)?$", label), label
    assert any(re.match(r"-\d+\.\d+$", label) for label in labels), labels
    with open(page.path, encoding="utf-8") as file:
        for label in re.findall(r"<text x=[^>]*>([+-][^<]*)</text></g>", file.read()):
            assert re.match(r"[+-]\d+\.\d+( \S*)?$", label), label


def the_legend_gives_the_scale(page):
    draw(page, BEFORE, AFTER)
    words = page.one(".keys").text
    assert "more: to +2.5, +10.0, +22.5, +40.0 points" in words, words
    assert "less: to -2.5, -10.0, -22.5, -40.0 points" in words, words
    for word in ("the same", "new", "vanished", "unjudged: nothing tells a change from noise"):
        assert word in words, words
    assert "not established" not in words
    # where the largest change is another one, a step has a scale of its own
    page.open("#do=focus:keep")
    words = page.one(".keys").text
    assert re.search(r"more: to \+1.[23], \+5.0, \+11.[23], \+20.0 points", words), words
    draw(page, *JUDGED)
    words = page.one(".keys").text
    assert "not established" in words and "not judged" in words and "unjudged" not in words, words


def details_have_both_sides_and_how_sure_that_is(page):
    draw(page, *JUDGED)
    page.click("hot")
    said = page.details()
    assert re.search(r"hot \u2014 [\d.]+ ms/s before, [\d.]+ ms/s after, \+[\d.]+ points; screen: the function everywhere "
                     r"\+[\d.]+ ms/s to \+[\d.]+ ms/s; application app; self [\d.]+ ms/s before,", said), said
    draw(page, BEFORE, AFTER)
    page.click("deep")
    said = page.details()
    equal(said, "deep \u2014 0.00 % before, 40.00 % after, +40.0 points; new; unjudged")
    page.press("reset")
    page.click("keep")
    page.keys(Keys.ARROW_UP)
    equal(page.focused(), "deep")
    assert page.details().endswith("; 33.3 % before, 25 % after of keep"), page.details()


def search_says_what_was_found_of_both_sides(page):
    draw(page, BEFORE, AFTER)
    equal(page.search("deep"), "matched: 20.00 % before, 50.00 % after, +30.0 points, 2 frames")
    assert "hit" in page.frame("deep").get_attribute("class")


def callers_and_callees_add_up_both_sides(page):
    draw(page, BEFORE, AFTER)
    page.press("view-callers")
    assert tip(page, "keep").startswith("keep, 40.00 % before, 30.00 % after, -10.0 points, "), tip(page, "keep")
    assert tip(page, "tiny").startswith("tiny, 0.00 % before, 40.00 % after, +40.0 points, new"), tip(page, "tiny")
    near(page.width("keep"), page.full() * 40 / (40 + 40 + 20 + 20 + 40))
    page.open("#view=sandwich&of=deep")
    assert tip(page, "deep").startswith("deep, 20.00 % before, 50.00 % after, +30.0 points"), tip(page, "deep")
    assert tip(page, "keep").startswith("keep, 20.00 % before, 10.00 % after, -10.0 points"), tip(page, "keep")
    near(page.width("tiny"), page.full() * 40 / 60)
    page.click("tiny")
    page.press("side-after")
    assert "view=sandwich" in page.link() and "zoom=" in page.link() and "widths=after" in page.link()
    near(page.width("tiny"), page.full(), 3)


def the_table_has_signed_columns(page):
    draw(page, *JUDGED)
    page.press("view-table")
    rows = page.rows()
    hot = next(row for row in rows if row[7] == "hot")
    equal(rows[0], hot)
    assert hot[0].startswith("+") and hot[3] == hot[0] and hot[6] == "screen", hot
    assert hot[1].endswith(" ms/s") and hot[2].endswith(" ms/s"), hot
    warm = next(row for row in rows if row[7] == "warm")
    assert warm[0].startswith("-"), warm
    page.press("sort-name")
    equal([row[7] for row in page.rows()], sorted(row[7] for row in rows))
    page.press("sort-sure")
    equal(page.rows()[0][6], "screen")
    equal(page.link(), "#view=table&sort=sure")
    # a part of the samples was not tested
    page.open("#view=table&do=ignore:step&do=ignore:nothing")
    page.open("#view=table&do=hide:hot")
    equal([row[6] for row in page.rows() if row[7] == "warm"], [warm[6]])


def what_was_not_judged_says_so(page):
    draw(page, turns(1, 0, ("a", "b")), turns(5, 200, ("a", "b", "b")))
    assert look(page, "b").endswith(" y") and "not judged" in tip(page, "b"), look(page, "b")
    assert not re.search(" [xy]", look(page, "all")), look(page, "all")
    # what ends in functions, but not all of what they are in
    page.press("view-callers")
    assert " y" in look(page, "step"), look(page, "step")
    assert "not judged" in tip(page, "step")
    # hot ends where it stands: all of it is what was judged
    assert " y" not in look(page, "hot") and "screen" in tip(page, "hot"), tip(page, "hot")
    page.open("#view=sandwich&of=hot")
    assert " y" not in look(page, "hot") and "screen" in tip(page, "hot"), tip(page, "hot")
    # a module, and a chain, are no function
    page.open("#do=modules")
    assert " y" in look(page, "app") and "not judged" in tip(page, "app"), tip(page, "app")
    page.open("#do=chains")
    chain = next(name for name in page.names() if "\u2026" in name)
    assert "not judged" in tip(page, chain)
    # the same function under another caller is still that function
    page.open("#do=hide:step")
    assert "screen" in tip(page, "hot"), tip(page, "hot")


def steps_say_what_they_drop_of_each_side(page):
    draw(page, BEFORE, AFTER)
    page.open("#do=ignore:deep")
    assert "20 % of before and 50 % of after are left out; points are still of the whole" in page.one(".steps").text
    assert tip(page, "keep").startswith("keep, 40.00 % before, 30.00 % after, -10.0 points"), tip(page, "keep")
    page.open("#do=hide:old")
    assert "all of the weight is kept" in page.one(".steps").text
    # what ends on one side alone keeps a frame out of a chain, whichever side is shown
    draw(page, "a;b;c 1\n", "a;b;c 1\na;b 1\n")
    page.open("#widths=before&do=chains")
    assert "c" in page.names() and "a \u2026 b (2 frames)" in page.names(), page.names()


def the_same_on_both_sides_is_grey(page):
    draw(page, BEFORE, BEFORE)
    assert "No difference." in head(page)
    for kind in page.js("return Array.from(document.querySelectorAll('.stage g[role]'), g => g.className.baseVal)"):
        equal(kind, "v0")
    equal(page.all(".plateaus button"), [])
    page.press("view-callers")
    equal(look(page, "keep"), "v0")


def a_side_without_samples_is_no_picture(page):
    draw(page, "", AFTER)
    assert page.one(".side-before").get_property("disabled")
    equal(look(page, "main"), "t3 new")
    page.keys("b")
    equal(pressed(page), ["difference"])
    page.open("#widths=before")
    equal(pressed(page), ["difference"])


def sums_of_what_is_too_narrow_have_both_sides(page):
    many = "".join("main;f%04d %d\n" % (i, 1 + i % 3) for i in range(9000))
    draw(page, "main;wide 50000\n" + many, "main;wide 50000\n" + many.replace("main;f0", "main;g0"))
    words = [words for words in tips(page) if words.startswith("+ ")]
    equal(len(words), 1)
    assert re.match(r"\+ [\d,]+ more \([\d,]+ frames too narrow to draw\), [\d.]+ % before, [\d.]+ % after, "
                    r"[+-]0\.\d\d points$", words[0]), words
    assert "26." in words[0]


CASES = [
    what_is_walked_in_says_what_the_still_picture_says,
    a_switch_says_whose_widths_are_shown,
    a_link_restores_the_side_and_what_is_shown_of_it,
    drawn_with_one_side_it_opens_so,
    colours_are_the_sign_and_the_size_in_light_and_dark,
    a_number_is_whole_or_not_there,
    the_legend_gives_the_scale,
    details_have_both_sides_and_how_sure_that_is,
    search_says_what_was_found_of_both_sides,
    callers_and_callees_add_up_both_sides,
    the_table_has_signed_columns,
    what_was_not_judged_says_so,
    steps_say_what_they_drop_of_each_side,
    the_same_on_both_sides_is_grey,
    a_side_without_samples_is_no_picture,
    sums_of_what_is_too_narrow_have_both_sides,
]


if __name__ == "__main__":
    sys.exit(main(CASES))
