#!/usr/bin/env python3
# compare_chains.py - inline chains of print_chains beside those of llvm-symbolizer or addr2line
"""usage: compare_chains.py [--addr2line] [--functions] <file> <addresses> <ours> <theirs>

addresses: a hexadecimal number per line. ours: the output of print_chains. theirs: of
'llvm-symbolizer --inlines --functions=linkage --no-demangle --obj=FILE', or, with --addr2line, of
'addr2line -a -i -f -e FILE', for the same addresses. file: whose symbol table says which
names are one function. Prints how many chains are equal, and the
others by kind, with an example each; status 1 under 99 %. --functions: without files and lines.

Clone suffixes (.isra.0, .cold ...) are left off: DWARF does not know them, and what LLVM
and binutils show with one comes from the symbol table.
"""
import collections
import re
import subprocess
import sys

SUFFIX = re.compile(r"(\.(isra|constprop|part|cold|lto_priv|llvm|localalias|warm|clone)(\.\d+)*)+$")
EQUAL_SHARE_MIN = 0.99
UNKNOWN = ("??", None)
# the same line, and a function that is in the symbol table and not in DWARF: not our part
SYMBOL_ONLY = "named by the symbol table alone"
# LLVM 14 takes symbols without a type too: gcc -flto makes one for each file
NO_FUNCTION = "theirs ends in a symbol that is no function's"
NOT_OURS = (SYMBOL_ONLY, NO_FUNCTION)


def name_of(text):
    return SUFFIX.sub("", text.split("@")[0])


def place_of(text, has_column):
    """'file:line', or None where nothing is known. Line 0 says as much as no line."""
    text = re.sub(r" \(discriminator \d+\)$", "", text)
    if has_column:
        text = text.rsplit(":", 1)[0]
    file, _, line = text.rpartition(":")
    if file == "??" or line in ("?", "0"):
        return None
    # what a tool makes of /a/b/../c is its own taste
    parts = []
    for part in file.split("/"):
        if part == ".." and parts and parts[-1]:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts) + ":" + line


def read_ours(path):
    chains = {}
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            address, *fields = line.rstrip("\n").split("\t")
            chains[int(address, 16)] = [
                (name_of(fields[i]), place_of(fields[i + 1], False))
                for i in range(0, len(fields), 2)]
    return chains


def read_llvm(path, addresses):
    """A block per address, with an empty line after it."""
    chains = {}
    blocks = open(path, encoding="utf-8", errors="surrogateescape").read().split("\n\n")
    for address, block in zip(addresses, blocks):
        lines = block.strip("\n").split("\n")
        chains[address] = [(name_of(lines[i]), place_of(lines[i + 1], True))
                           for i in range(0, len(lines) - 1, 2)]
    return chains


def read_addr2line(path):
    chains = {}
    lines = []
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            line = line.rstrip("\n")
            if re.fullmatch(r"0x[0-9a-f]{16}", line):
                lines = chains.setdefault(int(line, 16), [])
            else:
                lines.append(line)
    return {address: [(name_of(lines[i]), place_of(lines[i + 1], False))
                      for i in range(0, len(lines) - 1, 2)]
            for address, lines in chains.items()}


def read_aliases(file):
    """The names in the symbol table that stand at the address of each name."""
    names_at = collections.defaultdict(set)
    output = subprocess.run(["readelf", "-sW", file], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, check=False).stdout
    for line in output.decode(errors="surrogateescape").splitlines():
        fields = line.split()
        if len(fields) >= 8 and fields[3] in ("FUNC", "IFUNC"):
            names_at[fields[1]].add(name_of(fields[7]))
    aliases = collections.defaultdict(set)
    for names in names_at.values():
        for name in names:
            aliases[name] |= names
    return aliases


def is_same_function(ours, theirs, aliases):
    """
    The tools take the outermost name from the symbol table, where a constructor has the number of
    one of its kinds, a static function a linkage name, and one address several names.
    """
    if ours in aliases.get(theirs, ()):
        return True
    if ours.startswith(("_Z", "_R")):
        return re.sub(r"([CD])[0-5](?=[EIB])", r"\1_", ours) == re.sub(
            r"([CD])[0-5](?=[EIB])", r"\1_", theirs)
    ours = re.sub(r"<.*", "", ours).split("::")[-1]
    ours = ours.lstrip("~")
    return ours in theirs or (ours.startswith("operator") and theirs.startswith("_Z"))


def is_same_inlined(ours, theirs):
    """LLVM leaves the scopes off; addr2line names a function without linkage after its caller."""
    if ours == theirs or ours.endswith("::" + theirs):
        return True
    return not ours.startswith(("_Z", "_R")) and theirs.startswith(("_Z", "_R"))


def kind_of(ours, theirs, aliases):
    """None where they are equal."""
    if ours == theirs:
        return None
    ours, theirs = list(ours), list(theirs)
    our_names = [name for name, _ in ours]
    their_names = [name for name, _ in theirs]
    if our_names in ([], ["??"]) and len(theirs) == 1 and (
            ours[0][1] if ours else None) == theirs[0][1]:
        return SYMBOL_ONLY
    if not ours or our_names == ["??"]:
        return "only they have a function" if their_names != ["??"] else "only they have a line"
    if not theirs or their_names == ["??"]:
        return "only we have a function" if our_names != ["??"] else "only we have a line"
    if len(ours) > len(theirs):
        return "our chain is longer"
    if len(ours) < len(theirs):
        return "their chain is longer"
    if our_names[:-1] != their_names[:-1]:
        if all(is_same_inlined(*names) for names in zip(our_names[:-1], their_names[:-1])):
            their_names[:-1] = our_names[:-1]
        else:
            return "an inlined name"
    if not is_same_function(our_names[-1], their_names[-1], aliases):
        return NO_FUNCTION if aliases and their_names[-1] not in aliases else "the outermost name"
    if [place for _, place in ours] == [place for _, place in theirs]:
        return None
    if ours[0][1] != theirs[0][1]:
        if not ours[0][1]:
            return "only they have the innermost line"
        if not theirs[0][1]:
            return "only we have the innermost line"
        return "the innermost line"
    return "the line of a call"


def compare(addresses, ours, theirs, aliases, only_functions=False):
    """How many of each kind, and of each the first: (address, our chain, their chain)."""
    kinds = collections.Counter()
    examples = {}
    for address in addresses:
        pair = [chains.get(address, []) for chains in (ours, theirs)]
        pair = [[] if chain in ([UNKNOWN], [("", None)]) else chain for chain in pair]
        if only_functions:
            pair = [[(name, None) for name, _ in chain] for chain in pair]
        kind = kind_of(*pair, aliases)
        kinds[kind] += 1
        examples.setdefault(kind, (address, *pair))
    return kinds, examples


def main(arguments):
    options = [word for word in arguments if word.startswith("--")]
    paths = [word for word in arguments if not word.startswith("--")]
    addresses = [int(line, 16) for line in open(paths[1], encoding="ascii")]
    ours = read_ours(paths[2])
    theirs = (read_addr2line(paths[3]) if "--addr2line" in options
              else read_llvm(paths[3], addresses))
    kinds, examples = compare(addresses, ours, theirs, read_aliases(paths[0]),
                              "--functions" in options)
    not_ours = {kind: kinds.pop(kind) for kind in NOT_OURS if kind in kinds}
    equal = kinds.pop(None, 0) + sum(not_ours.values())
    print(f"{equal} of {len(addresses)} chains equal ({100 * equal / len(addresses):.2f} %)"
          + "".join(f", {nr} of them {kind}" for kind, nr in not_ours.items()))
    for kind, nr in kinds.most_common():
        address, our, their = examples[kind]
        print(f"{nr:8} {kind}; such as {address:#x}:\n         we:   {our}\n         they: {their}")
    return equal < EQUAL_SHARE_MIN * len(addresses)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
