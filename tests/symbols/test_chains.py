#!/usr/bin/env python3
# test_chains.py - programs built in each way that DWARF is written, beside llvm-symbolizer and addr2line
"""A TAP line per way. Ways whose tools are not installed are left out, and say so.

Run by 'make check'; PRINT_CHAINS names the driver, SCRATCH a folder to keep what is built.
"""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import compare_chains  # noqa: E402 (it stands beside this file)

PROGRAMS = HERE / "programs"
PRINT_CHAINS = os.path.abspath(os.environ.get("PRINT_CHAINS", "tests/symbols/print_chains"))
ADDRESSES_MAX = 6000  # of one program; beyond, a fixed random choice
C = ["calls.c", "calls_walk.c"]
CXX = ["shapes.cc"]
tests_nr = 0
failed_nr = 0


def say(is_good, text, details=()):
    global tests_nr, failed_nr
    tests_nr += 1
    failed_nr += not is_good
    print(f"{'ok' if is_good else 'not ok'} {tests_nr} - {text}")
    for line in details:
        print("# " + line.encode("ascii", "backslashreplace").decode()[:500])
    sys.stdout.flush()


def run(command, stdin=None, folder=None):
    result = subprocess.run(command, input=stdin, cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=False)
    if result.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: status {result.returncode}: "
                           + result.stderr.decode(errors="replace").strip()[-400:])
    return result


def has(tool):
    return shutil.which(tool) is not None


def code_addresses(file):
    """Of the executable sections, from readelf's table."""
    text = run(["readelf", "-SW", file]).stdout.decode()
    sections = re.findall(r"\] (\S+) +(?:PROGBITS|NOBITS) +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) \S+ +\S*X",
                          text)
    all_of_them = [address for name, begin, size in sections if not name.startswith(".plt")
                   for address in range(int(begin, 16), int(begin, 16) + int(size, 16))]
    if len(all_of_them) > ADDRESSES_MAX:
        all_of_them = random.Random(1).sample(all_of_them, ADDRESSES_MAX)
    return sorted(all_of_them)


def words(addresses):
    return "".join(f"{address:#x}\n" for address in addresses).encode()


def ours(file, addresses, *options, folder=None):
    result = run([PRINT_CHAINS, *options, file], words(addresses), folder)
    path = pathlib.Path(str(file) + ".ours")
    path.write_bytes(result.stdout)
    return compare_chains.read_ours(path), result.stderr.decode()


def llvm(file, addresses):
    result = run(["llvm-symbolizer", "--inlines", "--functions=linkage", "--no-demangle",
                  f"--obj={file}"], words(addresses))
    path = pathlib.Path(str(file) + ".llvm")
    path.write_bytes(result.stdout)
    return compare_chains.read_llvm(path, addresses)


def addr2line(file, addresses):
    result = run(["addr2line", "-a", "-i", "-f", "-e", file], words(addresses))
    path = pathlib.Path(str(file) + ".addr2line")
    path.write_bytes(result.stdout)
    return compare_chains.read_addr2line(path)


def compare(addresses, our, their, aliases):
    kinds, examples = compare_chains.compare(addresses, our, their, aliases)
    equal = kinds.pop(None, 0) + sum(kinds[kind] for kind in compare_chains.NOT_OURS)
    share = equal / len(addresses) if addresses else 1
    return share, [f"{equal} of {len(addresses)} chains equal"] + [
        f"{nr} {kind}; such as {examples[kind][0]:#x}: we {examples[kind][1]}, "
        f"they {examples[kind][2]}" for kind, nr in kinds.most_common()]


def check(title, file, oracles=("llvm",)):
    """What is in no function (the program's first code, padding) is not asked for."""
    aliases = compare_chains.read_aliases(file)
    addresses = code_addresses(file)
    our, facts = ours(file, addresses)
    for oracle in oracles:
        if not has({"llvm": "llvm-symbolizer"}.get(oracle, oracle)):
            print(f"# {title}: no {oracle} here")
            continue
        their = (llvm if oracle == "llvm" else addr2line)(file, addresses)
        asked = [address for address in addresses if address in our or has_line(their.get(address))]
        share, details = compare(asked, our, their, aliases)
        inlined_nr = sum(len(chain) > 1 for chain in our.values())
        details.insert(0, f"{inlined_nr} with inlined functions")
        say(share >= compare_chains.EQUAL_SHARE_MIN and inlined_nr and not facts,
            f"{title}: as {oracle} says", details + facts.splitlines())
    return our


def check_same(title, file, plain):
    """llvm-symbolizer 14 loses the inlined functions of all .dwo files but the first."""
    addresses = code_addresses(file)
    our, facts = ours(file, addresses)
    before, _ = ours(plain, addresses)
    inlined_nr = sum(len(chain) > 1 for chain in our.values())
    say(our == before and inlined_nr and not facts, f"{title}: as without -gsplit-dwarf",
        [f"{inlined_nr} with inlined functions"] + facts.splitlines())


def has_line(chain):
    return chain and any(place for _, place in chain)


# ---- building

def compile_all(folder, name, sources, command, link=(), cwd=None):
    """
    Objects in the folder, since split debug data is found through their names. cwd: what relative
    names of sources are relative to; the folder itself.
    """
    folder.mkdir(parents=True, exist_ok=True)
    objects = []
    for source in sources:
        target = folder / (pathlib.Path(source).stem + ".o")
        run([*command, "-c", PROGRAMS / source, "-o", target], folder=cwd or folder)
        objects.append(target)
    file = folder / name
    run([*command, *link, *objects, "-o", file], folder=folder)
    return file


def ways():
    """(title, sources, compiler and options, linker's options, oracles)"""
    both = ("llvm", "addr2line")
    for version in (2, 3, 4, 5):
        yield f"gcc -gdwarf-{version}", C, ["gcc", "-O2", f"-gdwarf-{version}"], [], both
        yield f"clang -gdwarf-{version}", C, ["clang", "-O2", f"-gdwarf-{version}"], [], ("llvm",)
    for version in (4, 5):
        yield (f"g++ -gdwarf-{version}", CXX, ["g++", "-O2", f"-gdwarf-{version}"], [],
               both if version == 5 else ("llvm",))
    yield "clang++", CXX, ["clang++", "-O2", "-g"], [], ("llvm",)
    for compiler, sources in (("clang", C), ("clang++", CXX)):
        yield (f"{compiler} -gline-tables-only", sources, [compiler, "-O2", "-gline-tables-only"],
               [], ("llvm",))
    for version in (4, 5):
        for compiler, sources in (("gcc", C), ("clang", C), ("clang++", CXX)):
            yield (f"{compiler} -gdwarf-{version} -gsplit-dwarf", sources,
                   [compiler, "-O2", f"-gdwarf-{version}", "-gsplit-dwarf"], [], ("unsplit",))
    yield "gcc -flto", C, ["gcc", "-O2", "-g", "-flto"], [], ("llvm",)
    yield "g++ -flto", CXX, ["g++", "-O2", "-g", "-flto"], [], ("llvm",)
    yield "clang -flto, lld", C, ["clang", "-O2", "-g", "-flto"], ["-fuse-ld=lld"], ("llvm",)
    yield "gcc -static -no-pie", C, ["gcc", "-O2", "-g", "-no-pie"], ["-static"], ("llvm",)
    sections = ["-O2", "-g", "-ffunction-sections"]
    for linker in ("bfd", "gold", "lld", "mold"):
        for version in (4, 5) if linker in ("bfd", "lld") else (5,):
            yield (f"gcc -gdwarf-{version}, sections dropped by {linker}", C,
                   ["gcc", *sections, f"-gdwarf-{version}"],
                   [f"-fuse-ld={linker}", "-Wl,--gc-sections"], ("llvm",))
    for linker in ("gold", "lld"):
        yield (f"gcc, like functions folded by {linker}", C, ["gcc", *sections],
               [f"-fuse-ld={linker}", "-Wl,--icf=all"], ("llvm",))


def foreign_ways():
    """Other machines' programs, without a library: 32 bits, and the other byte order."""
    for target in ("i386-linux-gnu", "powerpc64-linux-gnu", "aarch64-linux-gnu"):
        for version in (4, 5):
            yield target, version


def can_build(command, link):
    linkers = [word.split("=")[1] for word in link if word.startswith("-fuse-ld=")]
    return has(command[0]) and all(has("ld." + linker) or has(linker) for linker in linkers)


def test_ways(scratch):
    for title, sources, command, link, oracles in ways():
        if not can_build(command, link):
            print(f"# {title}: left out, as a tool is not installed")
            continue
        folder = scratch / re.sub(r"[^a-z0-9+]+", "-", title)
        file = compile_all(folder, "program", sources, command, link)
        if oracles == ("unsplit",):
            plain = [word for word in command if word != "-gsplit-dwarf"]
            check_same(title, file, compile_all(folder / "plain", "program", sources, plain, link,
                                                folder))
        else:
            check(title, file, oracles)


def test_foreign(scratch):
    if not has("clang") or not has("ld.lld"):
        print("# other machines: left out, as clang or lld is not installed")
        return
    for target, version in foreign_ways():
        folder = scratch / f"{target}-{version}"
        file = compile_all(folder, "program", ["alone.c"],
                           ["clang", f"--target={target}", "-O2", f"-gdwarf-{version}",
                            "-ffreestanding"], ["-nostdlib", "-fuse-ld=lld", "-static"])
        check(f"{target}, DWARF {version}", file)


# ---- settings with a point of their own

def test_rust(scratch):
    if not has("rustc"):
        print("# rustc is not installed")
        return
    folder = scratch / "rust"
    folder.mkdir(exist_ok=True)
    for name, options in (("plain", []), ("parts", ["-Ccodegen-units=4"]), ("lto", ["-Clto"])):
        file = folder / name
        run(["rustc", "-g", "-O", *options, "-o", file, PROGRAMS / "chain.rs"], folder=folder)
        our = check(f"rustc {' '.join(options)}", file)
        names = {frame[0] for chain in our.values() for frame in chain}
        say(any("deeper" in name and "mix" in name for name in names),
            f"rustc {' '.join(options)}: a function in a module is found where it was inlined")


def test_split_missing(scratch):
    folder = scratch / "missing-dwo"
    file = compile_all(folder, "program", C, ["gcc", "-O2", "-g", "-gsplit-dwarf"])
    addresses = code_addresses(file)
    our, facts = ours(file, addresses)
    say(not facts and any(len(chain) > 1 for chain in our.values()), "split debug data is found",
        facts.splitlines())
    for path in folder.glob("*.dwo"):
        path.unlink()
    our, facts = ours(file, addresses)
    say("split debug data (.dwo) is missing: 2" in facts and "calls" in facts
        and any(has_line(chain) for chain in our.values())
        and all(name == "??" for chain in our.values() for name, _ in chain),
        "split debug data that is missing is told, and lines are there without it",
        facts.splitlines())


def test_split_other(scratch):
    folder = scratch / "other-dwo"
    file = compile_all(folder, "program", C, ["gcc", "-O2", "-g", "-gsplit-dwarf"])
    addresses = code_addresses(file)
    for name in ("calls", "calls_walk"):
        run(["gcc", "-O1", "-DOTHER", "-g", "-gsplit-dwarf", "-c", PROGRAMS / f"{name}.c",
             "-o", folder / f"{name}.o"], folder=folder)
    our, facts = ours(file, addresses)
    say("split debug data (.dwo) is missing: 2" in facts
        and all(name == "??" for chain in our.values() for name, _ in chain),
        "split debug data of another build is not used", facts.splitlines())


def test_dwz(scratch):
    if not has("dwz"):
        print("# dwz is not installed")
        return
    folder = scratch / "dwz"
    one = compile_all(folder / "a", "one", CXX, ["g++", "-O2", "-g"])
    two = folder / "a" / "two"
    run(["g++", "-O2", "-g", "-DTWO", PROGRAMS / "shapes.cc", "-o", two])
    addresses = code_addresses(one)
    before, _ = ours(one, addresses)
    alone = folder / "a" / "alone"
    shutil.copy(one, alone)
    run(["dwz", alone])
    after, facts = ours(alone, addresses)
    say(before == after and not facts, "dwz within a file changes no chain", facts.splitlines())
    run(["dwz", "-m", "shared.debug", one, two], folder=folder / "a")
    after, facts = ours(one, addresses, "--alt", folder / "a" / "shared.debug")
    say(before == after and not facts, "dwz's shared file is used when it is given",
        facts.splitlines())
    shutil.copy(one, folder / "moved")
    after, facts = ours(folder / "moved", addresses)
    say("(dwz) is missing: 1" in facts, "dwz's shared file is missed when it is away",
        facts.splitlines())
    say(all(not ours or len(ours) == len(before[address]) and
            all(a[0] in (b[0], "??") for a, b in zip(ours, before[address]))
            for address, ours in after.items()),
        "without dwz's shared file names are unknown, never wrong")
    shutil.copy(alone, folder / "wrong.debug")
    after, facts = ours(one, addresses, "--alt", folder / "wrong.debug")
    say("(dwz) has another build ID: 1" in facts and
        all(a[0] in (b[0], "??") for address, chain in after.items()
            for a, b in zip(chain, before[address])),
        "a shared file of another build is not used", facts.splitlines())


def test_same_however_packed(scratch):
    folder = scratch / "packed"
    plain = compile_all(folder, "plain", CXX, ["g++", "-O2", "-g"])
    addresses = code_addresses(plain)
    before, _ = ours(plain, addresses)
    for packing in ("zlib", "zlib-gnu"):
        packed = folder / packing
        run(["objcopy", f"--compress-debug-sections={packing}", plain, packed])
        say(before == ours(packed, addresses)[0], f"compressing ({packing}) changes no chain")
    apart = folder / "apart.debug"
    run(["objcopy", "--only-keep-debug", plain, apart])
    say(before == ours(apart, addresses)[0], "a separate debug file has the same chains")


def test_unreadable(scratch):
    """zstd is newer than Debian 12's libelf, and objcopy may not know it either."""
    file = compile_all(scratch / "unreadable", "program", C, ["gcc", "-O2", "-g"])
    packed = scratch / "unreadable" / "zstd"
    try:
        run(["objcopy", "--compress-debug-sections=zstd", file, packed])
    except RuntimeError:
        print("# objcopy cannot compress with zstd here")
        return
    result = subprocess.run([PRINT_CHAINS, packed], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    text = result.stderr.decode()
    say("(zstd): " in text and "(section .debug_" in text and ": type 2)" in text,
        "debug data that is compressed with zstd is told from none at all", text.splitlines())


def test_unit_without_ranges(scratch):
    if os.uname().machine != "x86_64":
        print("# the unit without ranges is written for x86-64")
        return
    file = compile_all(scratch / "lines-alone", "program", ["lines_alone.s"], ["gcc"],
                       ["-nostdlib", "-static", "-no-pie"])
    our, facts = ours(file, code_addresses(file))
    say([chain for _, chain in sorted(our.items())] ==
        [[("??", "/from/made/up.txt:11")]] + [[("??", "/from/made/up.txt:12")]] * 2 and not facts,
        "a unit that does not say what it covers is looked into", [str(our), facts])


def test_options(scratch):
    file = compile_all(scratch / "options", "program", CXX, ["g++", "-O2", "-g"])
    addresses = code_addresses(file)
    chains, _ = ours(file, addresses)
    plain, _ = ours(file, addresses, "--no-inlines")
    say(all(len(chain) == 1 for chain in plain.values()) and
        all(chain[0] == (chains[address][-1][0], chains[address][0][1])
            for address, chain in plain.items() if address in chains),
        "without inlines a chain is its last function, at the line of the address")
    names = {name for chain in chains.values() for name, _ in chain}
    say("geometry::local_class::doubler::twice::(anonymous class)::operator()" in names,
        "a lambda in a local class is named after what is around it",
        sorted(name for name in names if "operator()" in name)[:20])


def main():
    kept = os.environ.get("SCRATCH")
    scratch = pathlib.Path(kept or tempfile.mkdtemp(prefix="chains-")).resolve()
    os.environ["LC_ALL"] = "C"
    os.environ.pop("DEBUGINFOD_URLS", None)
    try:
        for test in (test_ways, test_foreign, test_rust, test_split_missing, test_split_other,
                     test_dwz, test_same_however_packed, test_unreadable, test_unit_without_ranges,
                     test_options):
            test(scratch)
    except RuntimeError as error:
        say(False, str(error).replace("\n", " "))
    finally:
        if not kept:
            shutil.rmtree(scratch)
    print(f"1..{tests_nr}")
    return failed_nr > 0


if __name__ == "__main__":
    sys.exit(main())
