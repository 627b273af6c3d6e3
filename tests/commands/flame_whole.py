#!/usr/bin/env python3
# flame_whole.py - a picture holds its whole tree: read again, it is what `tephra fold` says
#
# Reads the metadata as renderers/flame_rows.h and svg_tree.c describe it, with none of their code.
import os
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
RENDERERS = os.path.join(HERE, "..", "..", "renderers")
INPUTS = os.path.join(HERE, "..", "inputs")
RELAY = os.path.join(HERE, "..", "..", "samples", "relay", "relay.perf-script.txt.gz")
TEPHRA = os.path.abspath(os.environ.get("TEPHRA", "./tephra"))
DIGITS = [chr(code) for code in range(0x21, 0x7f) if chr(code) not in "\"&<>"]


def tephra(*words):
    return subprocess.run([TEPHRA, *words], check=True, capture_output=True).stdout.decode(errors="replace")


def numbers(text):
    """All numbers of a column: 60 digits end a number, 30 stand before its end."""
    high = None
    for character in text:
        digit = DIGITS.index(character)
        if digit >= 60:
            high = digit - 60 if high is None else (high + 1) * 30 + digit - 60
        else:
            yield digit if high is None else 60 + high * 60 + digit
            high = None


def pairs(text, rare):
    """Numbers of two characters each; what is beyond them is in `rare`."""
    rest = numbers(rare)
    for high, low in zip(text[::2], text[1::2]):
        high = DIGITS.index(high)
        yield (high + (next(rest) if high == 89 else 0)) * 90 + DIGITS.index(low)
    assert next(rest, None) is None


def shapes(text):
    """For each row how many levels it is nearer to the root, and whether it has a weight."""
    codes = numbers(text)
    for code in codes:
        more = code // 2 % 4
        if more == 3:
            more += next(codes)
        for row in range(more + 1):
            yield code // 8 if row == 0 else 0, row == more and code % 2


class Picture:
    """What the metadata of a picture say."""

    def __init__(self, svg):
        self.size = len(svg.encode())
        self.svg = svg
        root = ElementTree.fromstring(svg)
        self.data = {element.get("class"): element.text or "" for element in root.iter()
                     if element.tag.endswith("}metadata")}
        self.facts = dict(line.split("\t") for line in self.lines("facts"))
        self.sources = [line.split("\t") for line in self.lines("sources")]
        self.functions = [line.split(" ", 2) for line in self.lines("functions")]
        self.names = [line[2].split("\t")[0] for line in self.functions]

    def lines(self, name):
        return self.data.get(name, "").split("\n")[:-1]

    def rows(self):
        """Of each row the names on the way to it, the function, 0 for what is left out, and whether it has a weight."""
        path, depth, row = [], 0, -1
        functions = pairs(self.data["function"], self.data.get("rare", ""))
        for row, (levels, has_weight) in enumerate(shapes(self.data["shape"])):
            depth = depth + 1 - levels if row else 0
            function = next(functions)
            del path[depth:]
            path.append(self.names[function - 1] if function else None)
            yield tuple(path[1:]), function, has_weight
        assert row + 1 == int(self.facts["rows"])
        assert not any(True for _ in functions)

    def stacks(self):
        """{names: weight}, and how many frames are left out."""
        found, left_out = Counter(), 0
        selfs, more = numbers(self.data["self"]), numbers(self.data["more"])
        for path, function, has_weight in self.rows():
            if not function:
                left_out += next(more)
            if has_weight:
                found[path] += next(selfs) * Decimal(self.facts["step"])
        assert not any(True for column in (selfs, more) for _ in column)
        return found, left_out


def folded(text):
    """What fold wrote, with control characters as a picture shows them."""
    found = Counter()
    for line in re.sub("[\x01-\x09\x0b-\x1f\x7f]", "\ufffd", text).split("\n")[:-1]:
        stack, count = line.rsplit(" ", 1)
        found[tuple(stack.split(";"))] += Decimal(count)
    return found


def picture(*words):
    return Picture(tephra("flame", "-q", *words))


def the_tree_is_what_fold_says():
    for words in (["run.script"], ["stacks.folded"], ["--weight=samples", "run.script"]):
        words = words[:-1] + [os.path.join(INPUTS, words[-1])]
        stacks, left_out = picture(*words).stacks()
        expected = folded(tephra("fold", "-q", *words))
        # what stands between folded frames is written as ":" in a name
        assert Counter({tuple(name.replace(";", ":") for name in stack): weight
                        for stack, weight in stacks.items()}) == expected, words
        assert left_out == 0


def a_large_capture_is_all_there_however_little_is_drawn():
    drawn = picture("--min-width=20%", RELAY)
    assert drawn.stacks() == (folded(tephra("fold", "-q", RELAY)), 0)
    assert drawn.svg.count("<g role=") < 40
    assert drawn.facts["unit"] == "ns"
    # all samples of the capture weigh the same, so that a row's number is that of its samples
    assert drawn.facts["step"] == "1001001" and drawn.facts["samples-step"] == "1"


def read(folder, lines, *words):
    path = os.path.join(folder, "in.folded")
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(lines))
    return picture(*words, path), folded(tephra("fold", "-q", path))


def decimals_and_large_counts_are_exact(folder):
    drawn, expected = read(folder, ["a;b 0.125\n", "a;c 7.5\n", "a 1152921504606846976\n"])
    assert drawn.stacks()[0] == expected
    assert drawn.facts["step"] == "0.125"


def names_keep_what_they_are(folder):
    drawn, expected = read(folder, ["a<b>&amp;\"' x;</metadata>;]]> 3\n", "中;a b  c 1\n"])
    assert drawn.stacks()[0] == expected


def random_trees_are_read_again(folder):
    chance = random.Random(7)
    for _ in range(20):
        names = ["f%d" % i for i in range(chance.choice([3, 70, 400]))]
        lines = [";".join(chance.choice(names) for _ in range(chance.randint(1, 12))) +
                 " %d\n" % chance.choice([1, 59, 60, 61, 1860, 10 ** 9]) for _ in range(300)]
        drawn, expected = read(folder, lines)
        assert drawn.stacks() == (expected, 0)


def what_is_over_the_size_is_left_out_and_told(folder):
    chance = random.Random(3)
    lines = [";".join(chance.choice("abcdefghijklmnop") * 3 for _ in range(40)) +
             " %d\n" % (1 + i % 50) for i in range(30000)]
    drawn, expected = read(folder, lines, "--max-size=1")
    stacks, left_out = drawn.stacks()
    assert drawn.size <= 1 << 20, drawn.size
    assert drawn.size > 400 << 10, drawn.size
    assert sum(stacks.values()) == sum(expected.values())
    assert left_out > 0 and any(None in stack for stack in stacks)
    note = drawn.facts["note"]
    told = re.match(r"(\d+) of (\d+) frames, each less than [0-9.]+ % of all, are not in this "
                    r"file; --max-size keeps more$", note)
    assert told, note
    assert int(told.group(2)) - int(told.group(1)) == \
        int(drawn.facts["rows"]) - list(pairs(drawn.data["function"], "")).count(0)
    whole, _ = read(folder, lines, "--max-size=40")
    assert "note" not in whole.facts and whole.stacks() == (expected, 0)
    assert int(whole.facts["rows"]) == int(told.group(2))


def a_still_picture_has_neither_tree_nor_script():
    still = tephra("flame", "-q", "--still", os.path.join(INPUTS, "run.script"))
    whole = tephra("flame", "-q", os.path.join(INPUTS, "run.script"))
    assert "<metadata" not in still and "<script" not in still
    assert re.findall("<g role.*", still) == re.findall("<g role.*", whole)


def merged_from_the_leaf_the_tree_is_still_the_other_way_around():
    words = [os.path.join(INPUTS, "stacks.folded")]
    drawn = picture("--reverse", *words)
    assert drawn.stacks()[0] == folded(tephra("fold", "-q", *words))
    assert drawn.facts["view"] == "callers"


def the_same_capture_gives_the_same_bytes():
    assert tephra("flame", "-q", RELAY) == tephra("flame", "-q", RELAY)


def declared_in(files):
    """The names that these scripts declare, which share one scope: none of them twice."""
    seen = {}
    for file in files:
        with open(os.path.join(RENDERERS, "assets", file), encoding="utf-8") as text:
            names = re.findall(r"^(?:async )?(?:function\*?|const|let) (\w+)", text.read(), re.M)
        for name in names:
            assert name not in seen, "%s: in %s and %s" % (name, seen[name], file)
            seen[name] = file
    return seen


def no_two_scripts_declare_the_same_name():
    """Those of a flame chart have a picture of their own; all others may meet in one."""
    with open(os.path.join(RENDERERS, "svg.c"), encoding="utf-8") as text:
        listed = re.search(r"chart_scripts\[\] = \{(.*?)\};", text.read(), re.S).group(1)
    chart = re.findall(r'"([\w.]+)"', listed)
    others = [file for file in sorted(os.listdir(os.path.join(RENDERERS, "assets")))
              if file.endswith(".js") and not file.startswith("chart")]
    assert len(declared_in(others)) > 100
    assert len(declared_in(chart)) > 100
    assert not [file for file in os.listdir(os.path.join(RENDERERS, "assets"))
                if file.startswith("chart") and file.endswith(".js") and file not in chart]


CASES = [
    the_tree_is_what_fold_says,
    a_large_capture_is_all_there_however_little_is_drawn,
    decimals_and_large_counts_are_exact,
    names_keep_what_they_are,
    random_trees_are_read_again,
    what_is_over_the_size_is_left_out_and_told,
    a_still_picture_has_neither_tree_nor_script,
    merged_from_the_leaf_the_tree_is_still_the_other_way_around,
    the_same_capture_gives_the_same_bytes,
    no_two_scripts_declare_the_same_name,
]


def run(number, case):
    fault = None
    try:
        if case.__code__.co_argcount:
            with tempfile.TemporaryDirectory() as folder:
                case(folder)
        else:
            case()
    except Exception as error:  # a failed case must not keep the others from running
        fault = "%s: %s" % (type(error).__name__, error)
    print("%s %d - %s" % ("not ok" if fault else "ok", number, case.__name__))
    for line in (fault or "").splitlines():
        print("# " + line[:400])
    return not fault


def main():
    print("1..%d" % len(CASES))
    return 0 if all([run(i + 1, case) for i, case in enumerate(CASES)]) else 1


if __name__ == "__main__":
    sys.exit(main())
