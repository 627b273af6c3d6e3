#!/usr/bin/python3
# test_transforms.py - the picture made simpler, and back; the same as with the options of `top`
import csv
import os
import random
import subprocess
import sys
import tempfile

from browser import HERE, Keys, TEPHRA, equal, main, near

RELAY = os.path.join(HERE, "..", "..", "samples", "relay", "relay.perf-script.txt.gz")
STACKS = "main;eval;apply;eval;apply;add 4\nmain;eval;const 1\nmain;print;write 3\nidle 2\n"


def steps(page):
    return [step.text.replace("\u00d7", "").strip() for step in page.all(".step")]


def table(page):
    """{name: (self, total)} of what the picture shows now."""
    page.keys("5")
    rows = {row[4]: (row[0].split()[0].replace(",", ""), row[2].split()[0].replace(",", ""))
            for row in page.rows()}
    page.keys("1")
    return rows


def top(*words):
    out = subprocess.run([TEPHRA, "top", "-q", "--format=csv", *words], check=True,
                         capture_output=True, text=True).stdout
    return {row["name"]: (row["self"], row["total"]) for row in csv.DictReader(out.splitlines())}


def stacks_can_begin_at_a_function(page):
    page.draw_text(STACKS)
    page.menu("apply", "focus")
    equal(page.weight("all"), "4 samples")
    near(page.width("apply"), page.full())
    equal(sorted(page.names()), ["add", "all", "apply", "apply", "eval"])
    equal(steps(page), ["only apply"])
    assert page.one(".steps").text.endswith("60 % of the weight is left out; shares are of the rest")
    equal(page.link(), "#do=focus%3Aapply")


def what_is_in_one_frame_can_be_all_there_is(page):
    page.draw_text(STACKS)
    page.menu("print", "subtree")
    equal(sorted(page.names()), ["all", "print", "write"])
    equal(page.weight("all"), "3 samples")
    equal(steps(page), ["only this print"])
    page.reload()
    equal(sorted(page.names()), ["all", "print", "write"])


def samples_in_a_function_can_be_dropped(page):
    page.draw_text(STACKS)
    page.menu("print", "ignore")
    equal(page.weight("all"), "7 samples")
    equal(table(page), top("--ignore=^print$", stacks(page)))


def a_function_can_be_hidden(page):
    page.draw_text(STACKS)
    page.menu("apply", "hide")
    equal(page.weight("all"), "10 samples")
    equal(table(page), top("--hide=^apply$", stacks(page)))
    assert "all of the weight is kept" in page.one(".steps").text


def stacks(page):
    return os.path.join(page.folder, "stacks.folded")


def recursion_is_collapsed_to_one_frame(page):
    page.draw_text(STACKS + "a;b;a;c;b 5\na;b;a;b;a 2\na;a;a 1\n")
    page.simplify("recursion")
    equal(table(page), top("--collapse-recursion=all", stacks(page)))
    equal(steps(page), ["recursion collapsed"])
    page.simplify("recursion")
    equal(steps(page), [])
    equal(table(page), top(stacks(page)))


def chains_of_one_child_are_joined(page):
    page.draw_text(STACKS)
    page.simplify("chains")
    names = [name for name in page.names() if "\u2026" in name]
    equal(sorted(names), ["apply \u2026 add (4 frames)", "print \u2026 write (2 frames)"])
    equal(table(page), top("--collapse-chains", stacks(page)))
    assert page.search("write").startswith("matched: 30 %")


def modules_are_collapsed(page):
    page.draw(RELAY, "--weight=samples")
    page.simplify("modules")
    equal(table(page), top("--weight=samples", "--group=module", RELAY))
    page.press("undo")
    page.search("kallsyms|do_syscall")
    page.keys(Keys.ENTER)
    page.keys("m")
    page.press("do-module")
    kernel = steps(page)[0].split(": ")[1]
    equal(table(page)[kernel],
          top("--weight=samples", "--collapse-module=" + kernel.replace("[", ".").replace("]", "."),
              RELAY)[kernel])


def all_of_a_module_can_be_hidden(page):
    page.draw(RELAY)
    page.search("^__strcspn_sse42$")
    page.keys(Keys.ENTER)
    page.keys("m")
    page.press("do-hide-module")
    assert not any("libc" in row[5] for row in table_rows(page))
    assert page.weight("all").startswith("3.477 s in 3"), page.weight("all")


def table_rows(page):
    page.keys("5")
    rows = page.rows()
    page.keys("1")
    return rows


def each_step_is_undone_alone(page):
    page.draw_text(STACKS)
    page.menu("idle", "ignore")
    page.menu("apply", "hide")
    page.simplify("recursion")
    equal(steps(page), ["without idle", "hidden: apply", "recursion collapsed"])
    page.all("button.undo")[1].click()
    equal(steps(page), ["without idle", "recursion collapsed"])
    page.all("button.undo")[0].click()
    equal(table(page), top("--collapse-recursion=all", stacks(page)))
    for _ in range(3):  # the table was a step, and the picture again
        page.driver.back()
        page.js("return new Promise(done => setTimeout(done, 200))")
    equal(steps(page), ["without idle", "recursion collapsed"])
    equal(table(page), top("--ignore=^idle$", "--collapse-recursion=all", stacks(page)))


def a_link_holds_all_steps_in_their_order(page):
    page.draw_text(STACKS)
    page.open("#search=add&do=hide:apply&do=recursion&do=ignore:idle&do=nonsense")
    equal(steps(page), ["hidden: apply", "recursion collapsed", "without idle"])
    expected = top("--ignore=^idle$", "--hide=^apply$", "--collapse-recursion=all", stacks(page))
    equal(table(page), expected)
    assert page.one(".found").text.startswith("matched: 50 % (4 of 8 samples)")


def random_stacks_are_transformed_as_the_options_do(page):
    chance = random.Random(11)
    for _ in range(4):
        page.draw_text("".join(";".join(chance.choice("abcdefg") for _ in range(
            chance.randint(1, 9))) + " %d\n" % chance.randint(1, 9) for _ in range(80)))
        for step, option in (("hide:c", "--hide=^c$"), ("ignore:c", "--ignore=^c$"),
                             ("recursion", "--collapse-recursion=all"),
                             ("chains", "--collapse-chains")):
            page.open("#do=" + step)
            expected = top(option, stacks(page))
            found = table(page)  # as much of it as has room in the window
            assert len(found) == len(expected) or len(found) > 20, len(found)
            equal(found, {name: expected.get(name) for name in found})


CASES = [
    stacks_can_begin_at_a_function,
    what_is_in_one_frame_can_be_all_there_is,
    samples_in_a_function_can_be_dropped,
    a_function_can_be_hidden,
    recursion_is_collapsed_to_one_frame,
    chains_of_one_child_are_joined,
    modules_are_collapsed,
    all_of_a_module_can_be_hidden,
    each_step_is_undone_alone,
    a_link_holds_all_steps_in_their_order,
    random_stacks_are_transformed_as_the_options_do,
]


if __name__ == "__main__":
    sys.exit(main(CASES))
