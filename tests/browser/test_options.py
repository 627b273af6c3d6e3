#!/usr/bin/python3
# test_options.py - what options of the command line ask for is what a picture opens with
import os
import sys

from browser import ActionChains, equal, main, near


def weight_ordered(page):
    return [page.rect(name)["x"] for name in ("parse(int)", "operator[]", "free", "malloc")]


def a_picture_to_scale_keeps_it_until_something_is_zoomed(page):
    page.draw("search.folded", "--total=24")
    near(page.width("all"), 1180 / 2)
    page.click("parse(int)")
    near(page.width("parse(int)"), 1180, 2)
    page.click("all")
    near(page.width("all"), 1180 / 2)
    page.one("button.order").click()
    near(page.width("all"), 1180 / 2)


def a_picture_by_weight_opens_so_and_says_the_other_order_in_its_link(page):
    page.draw("search.folded", "--sort=weight")
    found = weight_ordered(page)
    equal(found, sorted(found))
    page.one("button.order").click()
    assert "order=name" in page.driver.current_url, page.driver.current_url
    found = weight_ordered(page)
    assert found != sorted(found)
    page.reload()
    equal(weight_ordered(page), found)


def paints_of_the_command_line_are_those_of_the_script(page):
    page.draw("search.folded", "--paint=self")
    before = page.style("g[role] rect", "fill")
    looks = page.js("return Array.from(document.querySelectorAll('g[role]')).map("
                    "g => g.getAttribute('class')[0])")
    assert set(looks) <= set("rnopqm") and "q" in looks, looks
    page.click("parse(int)")
    assert page.style("g[role] rect", "fill") == before


def still_views_have_no_script(page):
    for words in (["--view=table", "--still"], ["--of=^(malloc|free)$"], ["--of=app", "--still"]):
        page.draw("search.folded", *words)
        equal(page.all("script"), [])
        assert page.all("text"), words


def a_sandwich_of_one_name_is_walked_in(page):
    page.draw("search.folded", "--of=parse(int)")
    equal(page.names(), ["parse(int)", "app", "parse(char)"])
    near(page.rect("app")["width"], page.full(), 3)
    assert page.rect("app")["y"] < page.rect("parse(int)")["y"] < page.rect("parse(char)")["y"]
    assert "12 samples" in page.one(".words .quiet").text, page.one(".words .quiet").text
    page.keys("1")
    near(page.width("parse(int)"), page.full() / 3)
    equal(page.weight("all"), "12 samples")
    equal(page.link(), "#view=flame")
    page.menu("malloc", "sandwich")
    equal(page.link(), "#of=malloc")
    page.open()
    equal(page.names(), ["parse(int)", "app", "parse(char)"])


def functions(page):
    return [row[4] for row in page.rows()]


def a_table_opens_as_one_and_is_walked_in(page):
    page.draw("search.folded", "--view=table")
    found = functions(page)
    equal(page.link(), "")
    equal(len(page.rows()), len(set(found)))
    selfs = [int(row[0].split()[0]) for row in page.rows()]
    equal(selfs, sorted(selfs, reverse=True))
    page.press("sort-name")
    equal(functions(page), sorted(found))
    equal(page.link(), "#sort=name")
    page.one("input.filter").click()
    page.keys("parse")
    equal(functions(page), ["parse(char)", "parse(int)"])
    equal(page.link(), "#filter=parse&sort=name")
    page.reload()
    equal(functions(page), ["parse(char)", "parse(int)"])
    page.press("view-flame")
    equal(page.one(".table").is_displayed(), False)
    equal(page.weight("all"), "12 samples")
    assert page.link().startswith("#view=flame&"), page.link()
    page.open("#view=sandwich&of=parse(int)")
    equal(page.names(), ["parse(int)", "app", "parse(char)"])


def a_table_tells_its_lines_and_a_legend_of_the_whole_tree(page):
    lines = "".join("main;f%03d %d\n" % (i, 1000 - i) for i in range(100))
    page.draw_text(lines, "--view=table", "--subtitle=of a test", "--title=What took it")
    equal([line.text for line in page.all(".words > div")][:2], ["What took it", "of a test"])
    equal(len(page.all(".words > div")), 3)
    assert page.one(".words .quiet").text.startswith("Weight: "), page.one(".words .quiet").text
    equal(page.one(".count").text, "101 functions")
    page.draw(os.path.join("..", "inputs", "run.script"), "--view=table")
    words = [key.text for key in page.all(".keys span")]
    page.draw(os.path.join("..", "inputs", "run.script"))
    equal(words, [key.text for key in page.all(".keys span")])
    assert "kernel" in words, words


def pictures_with_ids_stand_in_one_page(page):
    html = os.path.join(page.folder, "two.html")
    with open(html, "w", encoding="utf-8") as file:
        file.write("<!doctype html><meta charset=utf-8>")
        for name in ("a-", "b-"):
            page.draw("search.folded", "--id=" + name, "--title=" + name)
            with open(page.path, encoding="utf-8") as svg:
                file.write(svg.read().split("?>", 1)[1])
    page.path = html
    page.open()
    ids = page.js("return Array.from(document.querySelectorAll('[id]')).map(e => e.id)")
    equal(len(ids), len(set(ids)))
    pictures = page.all("svg.tephra")
    equal(len(pictures), 2)
    frame = "Array.from(arguments[0].querySelectorAll('g[role]')).find(g => " \
            "g.querySelector('title').textContent.startsWith('parse(int), '))"
    rect = page.js("return %s.querySelector('rect')" % frame, pictures[1])
    page.js("arguments[0].scrollIntoView({block: 'center'})", rect)
    ActionChains(page.driver).move_to_element(rect).click().perform()
    wide = [page.js("return %s.querySelector('rect').getBoundingClientRect().width" % frame, one)
            for one in pictures]
    assert wide[1] > 2 * wide[0], wide


CASES = [
    a_picture_to_scale_keeps_it_until_something_is_zoomed,
    a_picture_by_weight_opens_so_and_says_the_other_order_in_its_link,
    paints_of_the_command_line_are_those_of_the_script,
    still_views_have_no_script,
    a_sandwich_of_one_name_is_walked_in,
    a_table_opens_as_one_and_is_walked_in,
    a_table_tells_its_lines_and_a_legend_of_the_whole_tree,
    pictures_with_ids_stand_in_one_page,
]


if __name__ == "__main__":
    sys.exit(main(CASES))
