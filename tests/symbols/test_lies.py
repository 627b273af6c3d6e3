#!/usr/bin/env python3
# test_lies.py - files that claim to be what ran and are not: no wrong name is ever shown plainly
"""Two builds of one program (many.c): functions of the one that ran end in _ran, those of the
other one in _other. See whole_program.py."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from whole_program import (PID, PROGRAMS, TEPHRA, Recorded, fold, has, llvm, main, recording,  # noqa: E402
                           run, say, tephra)

ID = "11223344556677889900aabbccddeeff00112233"
KERNEL_ID = "aa" * 20
TEXT = 0xFFFFFFFF81000000
FRAME_POINTERS = ["-O1", "-fno-omit-frame-pointer"]
NO_FRAME_POINTERS = ["-O2", "-fomit-frame-pointer"]


KEPT = tempfile.TemporaryDirectory(prefix="lies-")
BUILT = {}


def build(folder, name, *options, ident="sha1"):
    """Once for each set of options."""
    folder.mkdir(parents=True, exist_ok=True)
    if (options, ident) in BUILT:
        return shutil.copy(BUILT[options, ident], folder / name)
    file = BUILT[options, ident] = pathlib.Path(KEPT.name) / str(len(BUILT))
    run("gcc", "-g", *options, f"-Wl,--build-id={ident}", PROGRAMS / "many.c", "-o", file)
    return shutil.copy(file, folder / name)


def put(file, place):
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, place)
    return place


def objcopy(file, place, *how):
    place.parent.mkdir(parents=True, exist_ok=True)
    run("objcopy", *how, file, place)
    return place


def build_id(file):
    return recording.Program(file).build_id()


def by_id(folder, ident, suffix=""):
    return folder / ".build-id" / ident[:2] / (ident[2:] + suffix)


def module_of(source, path, *options):
    info = json.loads(tephra("info", "-q", "--format=json", *options, source))
    return [module for module in info["modules"] if module["path"] == path][0]


# ---- what every lie must not lead to

def other_names(text):
    return sorted(set(re.findall(r"[\w.]*_other\b[^;\n]*", text)))[:5]


def check(title, recorded, *options, status, has_names=False):
    """
    status: what info must say. has_names: functions of the file that ran are named; all else
    has no name, on both roads: from the capture, and from a profile that is named later.
    """
    wanted = ("--symbols=given", *options)
    profile = recorded.file.with_suffix(".later.tephra")
    profile.unlink(missing_ok=True)
    tephra("import", "-q", "--symbols=no", "-o", profile, recorded.file)
    tephra("symbolize", "-q", *wanted, profile)
    problems = []
    for source, how in ((recorded.file, wanted), (profile, ())):
        outputs = {
            "fold": tephra("fold", "-q", *how, source),
            "fold without inlines": tephra("fold", "-q", "--inline=off", *how, source),
            "top": tephra("top", "-q", "-n", "1000", *how, source),
            "tree": tephra("tree", "-q", *how, source),
        }
        for name, text in outputs.items():
            if other_names(text):
                problems.append(f"{name} of {source.name} shows {other_names(text)}")
            if name != "tree" and ("_ran" in text) != has_names:
                problems.append(f"{name} of {source.name} shows {text[:300]!r}")
        module = module_of(source, recorded.path, *how)
        if module["status"] != status:
            problems.append(f"status {module['status']}: {module['detail']}")
        if (module["file"] is not None) != has_names:
            problems.append(f"file {module['file']}")
        if not has_names and module["named"]:
            problems.append(f"{module['named']} samples named")
    if has_names:
        chains, _ = recorded.read(profile)
        truth = llvm(recorded.program.file, recorded.asked())
        wrong = [(hex(at), chain, truth[at]) for at, chain in chains.items()
                 if chain[-1][0] != truth[at][-1][0] and truth[at][-1][0] != "??"]
        problems += wrong[:3]
    say(not problems, title, problems)


# ---- (a) to (c): a file with another ID

def test_other_id(scratch):
    ran = build(scratch / "build", "app", *FRAME_POINTERS)
    other = build(scratch / "build", "other", "-DOTHER", *FRAME_POINTERS)
    recorded = Recorded(ran, scratch / "mmap2")
    late = Recorded(ran, scratch / "late", build_id=None, late_id=build_id(ran))
    tree = scratch / "tree"
    put(other, by_id(tree, build_id(ran)))
    objcopy(other, by_id(tree, build_id(ran), ".debug"), "--only-keep-debug")
    root = scratch / "root"
    put(other, root / "srv/app/app")
    for who, what in (("the kernel saw", recorded), ("perf saw at the end", late)):
        check(f"(a) another program under the ID that {who}", what, "--debug-dir", tree,
              status="mismatch")
        check(f"(c) replaced by one without the ID that {who}", what, "--sysroot", root,
              status="mismatch")
        check(f"by hand, without the ID that {who}", what, "--binary", f"app={other}",
              status="mismatch")
        check(f"the one with the ID that {who} is found among others", what, "--debug-dir", tree,
              "--sysroot", root, "--debug-dir", scratch / "build", status="exact", has_names=True)
    text = fold(recorded.file, "--binary", f"app={other}", "--accept-mismatch", "app")
    names = [name for line in text.splitlines() for name in line.rsplit(" ", 1)[0].split(";")[1:]
             if "_other" in name]
    say(names and not any(re.search(r"_other$", name) for name in names),
        "what is taken against the evidence is marked in each frame", names[:3])


def test_debuglink(scratch):
    """(b): the link's checksum is right, the ID is not."""
    ran = build(scratch / "build", "app", *FRAME_POINTERS)
    other = build(scratch / "build", "other", "-DOTHER", *FRAME_POINTERS)
    place = scratch / "root/srv/app"
    debug = objcopy(other, place / ".debug/app.debug", "--only-keep-debug")
    objcopy(ran, place / "app", "--strip-all", f"--add-gnu-debuglink={debug}")
    recorded = Recorded(ran, scratch / "recorded")
    text = fold(recorded.file, "--sysroot", scratch / "root")
    module = module_of(recorded.file, recorded.path, "--symbols=given", "--sysroot",
                       scratch / "root")
    say(not other_names(text) and "_ran" not in text and module["status"] == "exact",
        "(b) a debug link to a file of another ID", [other_names(text), module])
    late = Recorded(ran, scratch / "none", build_id=None)
    text = fold(late.file, "--sysroot", scratch / "root")
    say(not other_names(text), "(b) the same where no ID was recorded", [other_names(text)])


# ---- (c) to (e): no ID, or one that came late

def test_no_id(scratch):
    for kind, options in (("program", []), ("library", ["-shared", "-fPIC", "-Wl,-Bsymbolic"])):
        folder = scratch / kind
        name = "app" if kind == "program" else "libapp.so.1"
        ran = build(folder / "build", name, *FRAME_POINTERS, *options)
        other = build(folder / "build", "other", "-DOTHER", *FRAME_POINTERS, *options)
        root = folder / "root"
        put(other, root / "srv/app" / name)
        recorded = Recorded(ran, folder / "none", build_id=None)
        check(f"(d, e) no ID was recorded and the {kind} was replaced", recorded, "--sysroot", root,
              status="contradicted")
        check(f"(d, e) the same by hand, {kind}", recorded, "--binary", f"{name}={other}",
              status="contradicted")
        late = Recorded(ran, folder / "late", build_id=None, late_id=build_id(other))
        check(f"(c) the {kind} was replaced while perf recorded", late, "--sysroot", root,
              status="contradicted")
        put(ran, root / "srv/app" / name)
        check(f"(d) no ID was recorded and the {kind} is there", recorded, "--sysroot", root,
              status="consistent", has_names=True)


def test_unverified(scratch):
    """Nothing tells: names are shown, and every output says what they are worth."""
    ran = build(scratch / "build", "app", *NO_FRAME_POINTERS)
    put(build(scratch / "build", "other", "-DOTHER", *NO_FRAME_POINTERS),
        scratch / "root/srv/app/app")
    few = Recorded(ran, scratch / "few", build_id=None, returns=False)
    pointless = Recorded(ran, scratch / "pointless", build_id=None)
    for title, recorded in (("no return addresses", few), ("no frame pointers", pointless)):
        options = ("--symbols=given", "--sysroot", scratch / "root")
        module = module_of(recorded.file, recorded.path, *options)
        top = tephra("top", *options, recorded.file)
        result = subprocess.run([TEPHRA, "fold", *map(str, options), recorded.file],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
        picture = tephra("flame", "-q", "-o", "-", *options, recorded.file)
        words = "named by files that nothing shows to be those that ran"
        names = json.loads(tephra("fold", "-q", "--format=json", *options, recorded.file))["names"]
        say(module["status"] == "unverified" and words in top and words in picture
            and words in result.stderr.decode()
            and names["unverified"] == names["named"] == len(recorded.leaves) + bool(
                recorded.returns),
            f"(d) no ID and {title}: names are said to be unverified",
            [module, top[:300], result.stderr[:300], words in picture, names])


# ---- (h), (i): IDs that are equal, and IDs that nearly are

def test_fixed_id(scratch):
    ran = build(scratch / "build", "app", *FRAME_POINTERS, ident="0x" + ID)
    other = build(scratch / "other", "app", "-DOTHER", *FRAME_POINTERS, ident="0x" + ID)
    # the same code somewhere else, as tools that move code and keep the note do
    moved = build(scratch / "moved", "app", *FRAME_POINTERS, "-Wl,-z,noseparate-code",
                  "-Wl,--section-start=.text=0x3010", ident="0x" + ID)
    recorded = Recorded(ran, scratch / "recorded")
    for title, file in (("another build", other), ("moved code", moved)):
        check(f"(h) {title} with the same ID", recorded, "--debug-dir", file.parent,
              status="contradicted")
    folder = scratch / "pair"
    objcopy(ran, folder / "bin/app", "--strip-all")
    for title, file in (("another build", other), ("moved code", moved)):
        objcopy(file, folder / "debug/app.debug", "--only-keep-debug")
        text = fold(recorded.file, "--debug-dir", folder)
        truth = {"app", "[app]", "_init", "_fini", "_start"}
        names = {name for line in text.splitlines()
                 for name in line.rsplit(" ", 1)[0].split(";")}
        say(names <= truth, f"(h) the debug file is of {title} with the same ID",
            sorted(names - truth)[:5])


def test_short_ids(scratch):
    for size in (8, 16):
        folder = scratch / str(size)
        ident = ID[:2 * size]
        ran = build(folder / "build", "app", *FRAME_POINTERS, ident="0x" + ident)
        longer = build(folder / "longer", "app", "-DOTHER", *FRAME_POINTERS, ident="0x" + ID)
        padded = build(folder / "padded", "app", "-DOTHER", *FRAME_POINTERS,
                       ident="0x" + ident + "00" * (20 - size))
        recordings = (Recorded(ran, folder / "mmap2"),
                      Recorded(ran, folder / "late", build_id=None, late_id=ident))
        for recorded, who in zip(recordings, ("the kernel", "perf")):
            check(f"(i) an ID of {size} bytes, from {who}", recorded, "--debug-dir",
                  folder / "build", status="exact", has_names=True)
            for other in (longer, padded):
                check(f"(i) an ID that begins with its {size} bytes, from {who}, "
                      f"{other.parent.name}", recorded, "--binary", f"app={other}",
                      status="mismatch")


# ---- (f), (g): lists of names of other machines

def kallsyms(path, text, mark):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{text + 0x1000 * i:016x} T {name}{mark}\n" for i, name in
                            enumerate(["_text" if not mark else "first", "do_work", "do_idle"]))
                    .replace(f"first{mark}", "_text"))
    return path


def test_kernel(scratch):
    whole = recording.Recording()
    whole.comm(PID, "app")
    whole.kernel(TEXT, 0x100000, TEXT)
    whole.late_id(KERNEL_ID, "[kernel.kallsyms]", misc=recording.MISC_KERNEL)
    for i in range(50):
        whole.sample(PID, 0x1000, kernel=[TEXT + 0x1010 + i, TEXT + 0x2020])
    scratch.mkdir(parents=True)
    capture = whole.write(scratch / "perf.data")
    moved = kallsyms(scratch / "moved", TEXT + 0x200000, "_other")
    hidden = scratch / "hidden"
    hidden.write_text("".join(f"{0:016x} T {name}_other\n" for name in ("do_work", "do_idle")))
    kallsyms(scratch / "beside/perf.data.symbols/kallsyms", TEXT + 0x200000, "_other")
    shutil.copy(capture, scratch / "beside/perf.data")
    for title, file, status, *options in (
            ("a kernel that lay elsewhere", capture, "mismatch", "--kallsyms", moved),
            ("one beside the capture, of a kernel that lay elsewhere", scratch / "beside/perf.data",
             "mismatch"),
            ("none", capture, "missing")):
        text = fold(file, *options)
        module = module_of(file, "[kernel.kallsyms]", "--symbols=given", *options)
        say(not other_names(text) and module["status"] == status and module["file"] is None
            and "[kernel.kallsyms]" in text, f"(f) kallsyms: {title}", [module, text[:300]])
    result = subprocess.run([TEPHRA, "fold", "--symbols=given", "--kallsyms", hidden, capture],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    say(b"_other" not in result.stdout, "(f) kallsyms whose addresses are hidden names nothing",
        [result.stdout[:300], result.stderr[:300]])
    text = tephra("fold", "-q", "--symbols=auto", capture)
    say(re.search(r"\[kernel.kallsyms\];\[kernel.kallsyms\] ", text),
        "(f) this machine's kernel is not the recorded one", [text[:300]])
    same = kallsyms(scratch / "same", TEXT, "_listed")
    module = module_of(capture, "[kernel.kallsyms]", "--symbols=given", "--kallsyms", same)
    top = tephra("top", "--symbols=given", "--kallsyms", same, capture)
    say(module["status"] == "unverified" and "do_work_listed" in top
        and "nothing shows" in top, "kallsyms of a kernel at the same place names, unverified",
        [module, top[:300]])


def test_interrupted_kernel(scratch):
    """An address in the middle of a stack is of a call, or of an interrupted function."""
    whole = recording.Recording()
    whole.comm(PID, "app")
    whole.kernel(TEXT, 0x100000, TEXT)
    whole.sample(PID, 0x1000, kernel=[TEXT + 0x2010, TEXT + 0x1010])
    whole.sample(PID, 0x1000, kernel=[TEXT + 0x2010, TEXT + 0x1011])
    scratch.mkdir(parents=True)
    names = ((0, "_text"), (0x1000, "__pfx_do_work"), (0x1010, "do_work"), (0x2000, "do_idle"))
    (scratch / "kallsyms").write_text("".join(f"{TEXT + at:016x} T {name}\n" for at, name in names))
    text = fold(whole.write(scratch / "perf.data"), "--kallsyms", scratch / "kallsyms")
    say(text.count("do_work;do_idle") == 1 and "__pfx" not in text and text.endswith(" 2\n"),
        "a kernel function that was interrupted as it began", [text])


def test_perf_map(scratch):
    pid = 4_190_000 + os.getpid() % 4000
    whole = recording.Recording()
    whole.comm(pid, "runtime")
    whole.mmap(pid, 0x7F0000000000, 0x10000, 0, "//anon")
    for i in range(20):
        whole.sample(pid, 0x7F0000001000 + i)
    scratch.mkdir(parents=True)
    capture = whole.write(scratch / "perf.data")
    words = "7f0000001000 100 jitted_other\n"
    here = pathlib.Path(f"/tmp/perf-{pid}.map")
    if here.exists() or not os.access("/tmp", os.W_OK):
        print("# /tmp is not ours to write to")
        return
    here.write_text(words)
    try:
        texts = [tephra("fold", "-q", f"--symbols={how}", capture) for how in ("auto", "given")]
    finally:
        here.unlink()
    say(not any("jitted_other" in text for text in texts),
        "(g) this machine's /tmp/perf-PID.map is not read", texts)
    (scratch / "maps").mkdir()
    (scratch / "maps" / here.name).write_text(words.replace("_other", "_here"))
    path = f"/tmp/perf-{pid}.map"
    module = module_of(capture, path, "--symbols=given", "--perf-map-dir", scratch / "maps")
    top = tephra("top", "--symbols=given", "--perf-map-dir", scratch / "maps", capture)
    say(module["status"] == "unverified" and "jitted_here" in top and "nothing shows" in top,
        "a map from a folder that was named names, unverified", [module, top[:300]])


def test_jitdump(scratch):
    """A runtime used an address again: one is named only where the time tells, or all agree."""
    code, pid = 0x7F0000001000, 31740
    loads = [(500, code, 64, "gone_other"),  # before the capture
             (600, code, 64, "hot_here"),
             (700, code + 64, 64, "first_other"), (2_000_010_000, code + 64, 64, "second_other"),
             (700, code + 128, 64, "twice_here"), (2_000_010_000, code + 128, 64, "twice_here"),
             (9_000_000_000, code, 64, "later_other")]
    for title, clock in (("the dump's clock", 1), ("another clock", None)):
        whole = recording.Recording()
        whole.time = 2_000_000_000
        whole.clock = clock
        whole.comm(pid, "runtime")
        whole.mmap(pid, code - 0x1000, 0x10000, 0, "//anon")
        for i in range(32):
            for piece in range(4):
                whole.sample(pid, code + 64 * piece + i)
        folder = scratch / title.replace(" ", "-").replace("'", "")
        folder.mkdir(parents=True)
        capture = whole.write(folder / "perf.data")
        (folder / f"jit-{pid}.dump").write_bytes(recording.jitdump(pid, loads))
        text = fold(capture)
        module = module_of(capture, f"/tmp/perf-{pid}.map", "--symbols=given")
        wanted = {"hot_here", "twice_here"} if clock else {"twice_here"}
        names = set(re.findall(r"\w+_(?:here|other)", text))
        say(names == wanted and module["status"] == "unverified"
            and f"{32 if clock else 64} addresses held code of different names" in module["detail"]
            and ("cannot be compared" in module["detail"]) == (clock is None),
            f"a runtime's dump, and {title}", [text[:500], module])


# ---- perf itself

def test_recorded_by_perf(scratch):
    if not has("perf"):
        print("# perf is not installed")
        return
    for title, options in (("a late ID", []), ("an ID at mmap", ["--buildid-mmap"]),
                           ("no ID", ["-B", "-N"])):
        folder = scratch / re.sub(r"\W", "", title)
        ran = build(folder / "root/srv", "app", *FRAME_POINTERS)
        command = ["perf", "record", "-q", "-e", "cpu-clock:u", "-F", "4000", "-g", *options, "-o",
                   folder / "perf.data", "--", ran, "again"]
        result = subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, check=False,
                                env={**os.environ, "HOME": str(folder)})
        capture = folder / "perf.data"
        if not capture.exists() or not capture.stat().st_size or b"rror" in result.stderr:
            print(f"# perf record does not work here: {result.stderr.decode()[-200:]!r}")
            return
        text = fold(capture, "--binary", f"app={ran}")
        ours = [line for line in text.splitlines() if "_ran" in line.rsplit(";", 1)[-1]]
        say(len(ours) >= 0.9 * len(text.splitlines()) and "farm_ran" in text,
            f"perf, {title}: the program is named", [text[:400]])
        other = build(folder / "other", "app", "-DOTHER", *FRAME_POINTERS)
        shutil.copy(other, ran)
        for how in (("--binary", f"app={ran}"), ("--symbols=auto",)):
            outputs = [tephra(command, "-q", *how, capture) for command in ("fold", "top")]
            say(not any(map(other_names, outputs)),
                f"perf, {title}: replaced, {how[0]}", [outputs[0][:400]])


sys.exit(main([test_other_id, test_debuglink, test_no_id, test_unverified, test_fixed_id,
               test_short_ids, test_kernel, test_interrupted_kernel, test_perf_map, test_jitdump,
               test_recorded_by_perf]))
