#!/usr/bin/env python3
# test_recall.py - what can be named is named: programs built in each sound way, recorded, and named by tephra
"""Beside llvm-symbolizer, which is given the unstripped program. See whole_program.py."""
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_chains  # noqa: E402
from whole_program import (PROGRAMS, Recorded, compare, has, llvm, main, recording, run,  # noqa: E402
                           say)

C = [PROGRAMS / "calls.c", PROGRAMS / "calls_walk.c"]
CXX = [PROGRAMS / "shapes.cc"]


KEPT = tempfile.TemporaryDirectory(prefix="recall-")
BUILT = {}


def build(folder, command, sources=None, name="program"):
    """Once for each command; split debug data is found where it was built."""
    sources = sources or (CXX if "++" in command[0] else C)
    folder.mkdir(parents=True, exist_ok=True)
    if "-gsplit-dwarf" in command:
        run(*command, *sources, "-o", folder / name, folder=folder)
        return folder / name
    key = " ".join(map(str, [*command, *sources]))
    if key not in BUILT:
        BUILT[key] = pathlib.Path(KEPT.name) / str(len(BUILT))
        run(*command, *sources, "-o", BUILT[key], folder=KEPT.name)
    return shutil.copy(BUILT[key], folder / name)


class Case:
    """A program, what ran of it, and the truth."""

    def __init__(self, folder, program, ran=None, **how):
        self.folder = folder
        self.program = program
        self.recorded = Recorded(ran or program, folder / "recorded", **how)
        self.truth = llvm(program, self.recorded.asked())
        self.aliases = compare_chains.read_aliases(program)

    def check(self, title, *options, status="exact", only_functions=False, truth=None):
        ours, module = self.recorded.named(*options)
        compare(title, self.recorded.asked(), ours, truth or self.truth, self.aliases,
                only_functions)
        if module["status"] != status:
            say(False, f"{title}: status {status}", [module["status"], module["detail"]])


# ---- compilers and linkers

def ways():
    for compiler in ("gcc", "clang", "g++", "clang++"):
        yield compiler, [compiler, "-O2", "-g"]
    for linker in ("bfd", "gold", "lld", "mold"):
        yield f"linked by {linker}", ["gcc", "-O2", "-g", f"-fuse-ld={linker}"]
    for options in (["-Wl,-z,noseparate-code"], ["-Wl,-z,max-page-size=0x200000"], ["-no-pie"],
                    ["-static-pie"], ["-static", "-no-pie"], ["-gz"],
                    ["-fuse-ld=lld", "-no-pie"], ["-fuse-ld=mold", "-no-pie"],
                    ["-fuse-ld=lld", "-Wl,-z,separate-loadable-segments"]):
        yield " ".join(options), ["gcc", "-O2", "-g", *options]


def can_build(command):
    linkers = [word.split("=")[1] for word in command if word.startswith("-fuse-ld=")]
    return has(command[0]) and all(has("ld." + linker) or has(linker) for linker in linkers)


def test_ways(scratch):
    for number, (title, command) in enumerate(ways()):
        if not can_build([*command, "-Wl,--build-id"]):
            print(f"# {title}: left out, as a tool is not installed")
            continue
        folder = scratch / str(number)
        program = build(folder / "files", [*command, "-Wl,--build-id"])
        Case(folder, program).check(title, "--debug-dir", folder / "files")
    if has("rustc"):
        folder = scratch / "rust"
        program = build(folder / "files", ["rustc", "-g", "-O", "-Clink-arg=-Wl,--build-id"],
                        [PROGRAMS / "chain.rs"])
        Case(folder, program).check("rustc", "--debug-dir", folder / "files")
    else:
        print("# rustc is not installed")


def test_two_segments(scratch):
    """Code in two places of the file, each with its own distance to its address."""
    scratch.mkdir(parents=True)
    for linker in ("bfd", "lld"):
        if not can_build(["gcc", f"-fuse-ld={linker}"]):
            print(f"# {linker} is not installed")
            continue
        folder = scratch / linker
        (folder / "files").mkdir(parents=True)
        source = folder / "two.c"
        source.write_text(
            '__attribute__((section(".far.text"), noinline)) int far(int x) { return x * 3 + 1; }\n'
            "__attribute__((noinline)) int near(int x) { return far(x) + far(x + 1); }\n"
            "int main(int argc, char **argv) { (void)argv; return near(argc) + far(argc); }\n")
        program = build(folder / "files", ["gcc", "-O2", "-g", f"-fuse-ld={linker}", "-no-pie",
                                           "-Wl,--build-id",
                                           "-Wl,--section-start=.far.text=0x900abc0"], [source])
        case = Case(folder, program)
        say(len(case.recorded.program.code) > 1, f"{linker}: there are two segments of code")
        case.check(f"{linker}: code in two segments", "--debug-dir", folder / "files")


# ---- where the debug data is

def strip(program, to, *how):
    to.parent.mkdir(parents=True, exist_ok=True)
    run("objcopy", *how, program, to)
    return to


def by_id(folder, program, suffix=".debug"):
    ident = recording.Program(program).build_id()
    return folder / ".build-id" / ident[:2] / (ident[2:] + suffix)


def test_debug_files(scratch):
    program = build(scratch / "build", ["g++", "-O2", "-g", "-Wl,--build-id"])
    debug = strip(program, scratch / "flat" / "anything.debug", "--only-keep-debug")
    stripped = strip(program, scratch / "root/srv/app/program", "--strip-all")
    case = Case(scratch, program)
    case.check("stripped, and a debug file in a folder", "--debug-dir", scratch / "flat",
               "--sysroot", scratch / "root")
    case.check("a debug file alone", "--debug-dir", scratch / "flat")
    tree = by_id(scratch / "tree", program)
    tree.parent.mkdir(parents=True)
    shutil.copy(debug, tree)
    case.check("a debug file in a .build-id tree", "--debug-dir", scratch / "tree",
               "--sysroot", scratch / "root")
    shutil.copy(stripped, by_id(scratch / "tree", program, ""))
    case.check("both in a .build-id tree", "--debug-dir", scratch / "tree")
    bundle = by_id(scratch / "recorded/perf.data.symbols", program, "")
    bundle.parent.mkdir(parents=True)
    shutil.copy(program, bundle)
    case.check("beside the capture", "--debug-dir", scratch / "empty-is-fine"
               if (scratch / "empty-is-fine").mkdir() else scratch / "empty-is-fine")
    shutil.rmtree(scratch / "recorded/perf.data.symbols")
    case.check("by hand, by the base name", "--binary", f"program={program}")
    case.check("by hand, by the build ID",
               "--binary", f"{recording.Program(program).build_id()}={program}")


def test_debuglink(scratch):
    program = build(scratch / "build", ["gcc", "-O2", "-g", "-Wl,--build-id"])
    place = scratch / "root/srv/app"
    debug = strip(program, place / ".debug/program.debug", "--only-keep-debug")
    strip(program, place / "program", "--strip-all", f"--add-gnu-debuglink={debug}")
    Case(scratch, program).check("a debug link", "--sysroot", scratch / "root")
    # a program without an ID: the link's checksum is all there is
    program = build(scratch / "no-id", ["gcc", "-O2", "-g", "-Wl,--build-id=none"])
    place = scratch / "root2/srv/app"
    debug = strip(program, place / "program.debug", "--only-keep-debug")
    strip(program, place / "program", "--strip-all", f"--add-gnu-debuglink={debug}")
    Case(scratch / "2", program, build_id=None).check(
        "a debug link without IDs", "--sysroot", scratch / "root2", status="unverified")


def test_dwz(scratch):
    if not has("dwz"):
        print("# dwz is not installed")
        return
    program = build(scratch / "build", ["g++", "-O2", "-g", "-Wl,--build-id"])
    other = build(scratch / "build", ["g++", "-O2", "-g", "-DTWO", "-Wl,--build-id"], name="other")
    case = Case(scratch, program)
    (scratch / "files").mkdir()
    for file in (program, other):
        shutil.copy(file, scratch / "files")
    run("dwz", "-m", "shared.debug", "-M", "shared.debug", "program", "other",
        folder=scratch / "files")
    case.check("dwz with a shared file", "--debug-dir", scratch / "files")


def test_minidebuginfo(scratch):
    if not has("xz"):
        print("# xz is not installed")
        return
    program = build(scratch / "build", ["gcc", "-O2", "-g", "-Wl,--build-id"])
    mini = strip(program, scratch / "mini", "--strip-debug", "--remove-section=.comment")
    run("xz", "-k", mini)
    place = scratch / "root/srv/app/program"
    strip(program, place, "--strip-all", f"--add-section=.gnu_debugdata={mini}.xz")
    case = Case(scratch, program)
    symbols = llvm(mini, case.recorded.asked())
    case.check("minidebuginfo", "--sysroot", scratch / "root", only_functions=True, truth=symbols)


def test_split(scratch):
    # LLVM 14 loses the inlined functions of all .dwo files but the first: compared with one file
    for version in (4, 5):
        folder = scratch / str(version)
        how = ["gcc", "-O2", "-g", f"-gdwarf-{version}", "-Wl,--build-id"]
        program = build(folder / "files", [*how, "-gsplit-dwarf"])
        plain = build(folder / "plain", how)
        case = Case(folder, program)
        case.check(f"split debug data, DWARF {version}", "--debug-dir", folder / "files",
                   truth=llvm(plain, case.recorded.asked()), only_functions=True)


def test_symbols_alone(scratch):
    program = build(scratch / "build", ["gcc", "-O2", "-g", "-Wl,--build-id", "-rdynamic"])
    case = Case(scratch, program)
    place = strip(program, scratch / "root/srv/app/program", "--strip-debug")
    symbols = llvm(place, case.recorded.asked())
    case.check("a symbol table alone", "--sysroot", scratch / "root", only_functions=True,
               truth=symbols)
    place = strip(program, scratch / "root2/srv/app/program", "--strip-all")
    case.check("dynamic symbols alone", "--sysroot", scratch / "root2", only_functions=True,
               truth=llvm(place, case.recorded.asked()))
    packed = scratch / "root3/srv/app/program"
    try:
        strip(program, packed, "--compress-debug-sections=zstd")
    except RuntimeError:
        print("# objcopy cannot compress with zstd here")
        return
    case.check("debug data packed with zstd", "--sysroot", scratch / "root3", only_functions=True,
               truth=symbols, status="unsupported")


# ---- what the linker made

def test_plt(scratch):
    for linker in ("bfd", "gold", "lld", "mold"):
        if not can_build(["gcc", f"-fuse-ld={linker}"]):
            print(f"# {linker} is not installed")
            continue
        folder = scratch / linker
        program = build(folder / "files", ["gcc", "-O2", f"-fuse-ld={linker}", "-Wl,--build-id"])
        stubs = {}
        for line in run("objdump", "-d", program).splitlines():
            if line.endswith("@plt>:"):
                stubs[int(line.split()[0], 16)] = line.split("<")[1][:-len("@plt>:")]
        stubs = {at: name.split("@")[0] for at, name in stubs.items()}
        strip(program, folder / "root/srv/app/program", "--strip-all")
        recorded = Recorded(program, folder / "recorded", returns=False, leaves=sorted(stubs))
        ours, _ = recorded.named("--sysroot", folder / "root")
        ours = {at: chain[0][0] for at, chain in ours.items()}
        say(stubs and all(ours.get(at, "").split("@")[0] == name for at, name in stubs.items()),
            f"{linker}: stubs of a stripped program are called as what they call",
            [f"wanted {stubs}", f"got {ours}"])


sys.exit(main([test_ways, test_two_segments, test_debug_files, test_debuglink, test_dwz,
               test_minidebuginfo, test_split, test_symbols_alone, test_plt]))
