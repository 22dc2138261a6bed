# SPDX-License-Identifier: BSD-2-Clause
"""Builds the x-kernel for the host, under address and undefined-behaviour sanitizers.

Into ``build/host`` by plain compiler calls; a file again when it or a header changed.
"""

import os
import subprocess
from functools import cache
from pathlib import Path

from mcpi import compose, pathunit
from mcpi.paths import BUILD, ROOT

FIRMWARE = ROOT / "firmware"
TEST = FIRMWARE / "test"
OUT = BUILD / "host"
CC = os.environ.get("MCPI_HOST_CC", "gcc")
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
FLAGS = ["-std=c11", "-g", "-O1", "-fPIC", "-fno-omit-frame-pointer", "-D_GNU_SOURCE", *WARNINGS]
# What only the host's graphs have, and checks of callers (xkernel/switches.h).
FLAGS += ["-DXK_FRAGMENTS=1", "-DXK_ARP=1", "-DXK_KEEPALIVE=1"]
FLAGS += ["-DXK_LINK_CHECK=1", "-DXK_CHECKS=1"]
KERNEL = [
    *sorted(p for p in (FIRMWARE / "xkernel").glob("*.c") if p.stem not in ("memory", "allocate")),
    *sorted((FIRMWARE / "protocols").glob("*/*.c")),
    *sorted((FIRMWARE / "platform" / "host").glob("*.c")),
]
# The driver of the chip is exercised on the simulated machine; here wire.c stands in its place.
KERNEL = [p for p in KERNEL if p.parent.name != "lance"]
PROGRAMS = (
    "path_guard",
    "pingpong",
    "test_heap",
    "storm",
    "storm_user",
    "solo",
    "echo_user",
    "tap",
    "machine",
    "invariants",
)
INVARIANTS = TEST / "invariants.c"  # in every machine (host_watch)
CASES = [p for p in sorted(TEST.glob("*.c")) if p.stem not in PROGRAMS]
SWITCHES = ["XK_WORDS", "XK_REFRESH", "XK_MAPINL", "XK_INLINE", "XK_NODIV", "XK_MISC"]
SWITCHES += ["XK_PACK", "XK_CONT", "XK_BUCKETS"]


def run(command: list, **more) -> subprocess.CompletedProcess:
    """Run a command that must succeed; its whole output is in the failure."""
    words = [str(c) for c in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
    return done


def make(command: list, output: Path) -> None:
    """The same with an output, which is there whole or not at all: tests of other files, side by
    side with these, make and start the same programs."""
    part = output.with_name(f"{output.name}.{os.getpid()}")
    run([*command, "-o", part])
    part.replace(output)


def is_fresh(output: Path) -> bool:
    """Newer than all that the compiler read for it."""
    needs = output.with_suffix(".d")
    if not output.exists() or not needs.exists():
        return False
    inputs = needs.read_text().replace("\\\n", " ").partition(":")[2].split()
    made = output.stat().st_mtime
    return all(Path(i).exists() and Path(i).stat().st_mtime < made for i in inputs)


def compile_object(
    source: Path, folder: Path, options: tuple[str, ...] = (), compiler: str = CC
) -> Path:
    """One object file, up to date."""
    name = str(source.relative_to(ROOT)).replace("/", "_")
    output = (folder / name).with_suffix(".o")
    command = [compiler, *FLAGS, *SANITIZE, *options, f"-I{FIRMWARE}", "-MMD", "-c", source]
    command += ["-MF", output.with_suffix(".d")]
    words = " ".join(str(c) for c in command)
    made_by = output.with_suffix(".command")
    if not is_fresh(output) or not made_by.exists() or made_by.read_text() != words:
        folder.mkdir(parents=True, exist_ok=True)
        make(command, output)
        made_by.write_text(words)
    return output


def compile_all(sources: list[Path], table: Path, options: tuple[str, ...] = ()) -> list[Path]:
    """The machine's objects: those of sources are shared by all programs with these options."""
    shared = OUT / ("objects" + "".join(options).replace("=", "_"))
    objects = [compile_object(s, shared, options) for s in [*sources, INVARIANTS]]
    objects.append(compile_object(FIRMWARE / "main.c", shared, (*options, "-Dmain=kernel_main")))
    return [*objects, compile_object(table, table.parent, options)]


def graph_table(folder: Path, *graphs: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    table = folder / "graph_table.c"
    compose.compose_files(list(graphs), table)
    return table


PATH = "path"  # among options: with the path's functions, as in PIN


def inlined_path(
    folder: Path, stack: str, role: str, sources: list[Path], options: tuple[str, ...]
) -> list:
    """The path's object and the linker's options, for whoever links ``sources``."""
    made = pathunit.unit(pathunit.specification(stack, role), sources, without=("lance",))
    file = folder / "path.c"
    if not file.is_file() or file.read_text() != made.text:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(made.text)
    return [compile_object(file, folder, options), *(f"-Wl,{flag}" for flag in made.flags)]


@cache
def host_tests(options: tuple[str, ...] = ()) -> Path:
    """The program with all cases; ``options`` are switches of another build, and PATH: TCP's."""
    folder = OUT / ("cases" + "".join(options).replace("=", "_"))
    switches = tuple(o for o in options if o != PATH)
    table = graph_table(folder, TEST / "tcp.graph", TEST / "rpc.graph")
    sources = [*KERNEL, *CASES]
    objects = compile_all(sources, table, switches)
    if PATH in options:
        objects += inlined_path(folder, "tcp", "client", sources, switches)
    program = folder / "host_tests"
    make([CC, *SANITIZE, *objects], program)
    return program


@cache
def machines(stack: str, options: tuple[str, ...] = ()) -> list[Path]:
    """The machine as a library, in two copies: two sets of globals in one process."""
    folder = OUT / (f"machine-{stack}" + "".join(options).replace("=", "_"))
    top = {"tcp": "tcptest", "rpc": "xrpctest"}[stack]
    sources = sorted((FIRMWARE / "tests" / top).glob("*.c"))
    table = graph_table(folder, FIRMWARE / "graphs" / f"{stack}.graph")
    if PATH not in options:
        return libraries(folder, sources, table, options)
    switches = tuple(o for o in options if o != PATH)
    objects = compile_all([*KERNEL, *sources], table, switches)
    made = []
    for role in ("client", "server"):
        place = folder / role
        path = inlined_path(place, stack, role, [*KERNEL, *sources], switches)
        made.append(place / "machine.so")
        make([CC, *SANITIZE, "-shared", "-Wl,-Bsymbolic", *objects, *path], made[-1])
    return made


def libraries(
    folder: Path, above: list[Path], table: Path, options: tuple[str, ...] = ()
) -> list[Path]:
    """A machine with the protocols of ``above`` on top, in two copies."""
    objects = compile_all([*KERNEL, *above], table, options)
    copies = [folder / f"machine{n}.so" for n in (0, 1)]
    for library in copies:
        make([CC, *SANITIZE, "-shared", "-Wl,-Bsymbolic", *objects], library)
    return copies


@cache
def services_machine() -> Path:
    """What Linux and other strangers talk to: ARP, ICMP, UDP, TCP, and services above them."""
    folder = OUT / "services"
    table = graph_table(folder, FIRMWARE / "graphs" / "strangers" / "tcp.graph")
    above = [p for t in ("services", "udpecho") for p in (FIRMWARE / "tests" / t).glob("*.c")]
    return libraries(folder, sorted(above), table)[0]


@cache
def program(name: str) -> Path:
    """``firmware/test/<name>.c``, which loads machines."""
    folder = OUT / "programs"
    folder.mkdir(parents=True, exist_ok=True)
    sources = [TEST / f"{name}.c", TEST / "machine.c"]
    make([CC, *FLAGS, *SANITIZE, f"-I{FIRMWARE}", *sources, "-ldl"], folder / name)
    return folder / name


CLANG = "clang-14"
FUZZ = TEST / "fuzz"


def _fuzz_table(folder: Path) -> Path:
    """With the numbers of its own users (fuzz/tcp.table)."""
    with compose.graphs_in(FUZZ):
        return graph_table(folder, FUZZ / "tcp.graph")


def _fuzz_sources(main: str) -> list[Path]:
    """Without the protocols: the fuzzer's own, with one of its two main programs."""
    mains = {"drive", "libfuzzer"} - {main}
    shared = [TEST / f"{n}.c" for n in ("peer", "user", "caller", "rpc_peer")]
    return [*shared, *(p for p in sorted(FUZZ.glob("*.c")) if p.stem not in mains)]


def _fuzz_kernel() -> tuple[list[Path], list[Path]]:
    """What coverage is taken of, and the rest: idle time passes in the platform and in the event
    wheel, which is not worth a count in every block."""
    traced = [p for p in KERNEL if p.parent.parent.name == "protocols"]
    echo = sorted((FIRMWARE / "tests" / "udpecho").glob("*.c"))
    return traced, [*(p for p in KERNEL if p not in traced), *echo]


@cache
def fuzz_replay(coverage: bool = False) -> Path:
    """Replays inputs of the fuzzer; with ``coverage`` gcc counts lines for gcov."""
    trace = ("--coverage", "-O0") if coverage else ()
    folder = OUT / ("fuzz-coverage" if coverage else "fuzz")
    table = _fuzz_table(folder)
    traced, rest = _fuzz_kernel()
    objects = [compile_object(s, OUT / ("objects" + "".join(trace)), trace) for s in traced]
    objects += compile_all(rest, table)
    objects += [compile_object(s, OUT / "objects") for s in _fuzz_sources("drive")]
    make([CC, *SANITIZE, *(["--coverage"] if coverage else []), *objects], folder / "fuzz")
    return folder / "fuzz"


def fuzz_replay_with(source: Path, text: str, folder: Path) -> Path:
    """The same with ``text`` in the place of one of the protocols' files."""
    folder.mkdir(parents=True, exist_ok=True)
    changed = folder / source.name
    changed.write_text(text)
    table = _fuzz_table(folder)
    traced, rest = _fuzz_kernel()
    assert source in traced
    objects = [compile_object(s, OUT / "objects") for s in traced if s != source]
    objects += [compile_object(changed, folder), *compile_all(rest, table)]
    objects += [compile_object(s, OUT / "objects") for s in _fuzz_sources("drive")]
    make([CC, *SANITIZE, *objects], folder / "fuzz")
    return folder / "fuzz"


@cache
def libfuzzer() -> Path:
    """libFuzzer and the machine, by clang."""
    folder = OUT / "libfuzzer"
    table = _fuzz_table(folder)
    traced, rest = _fuzz_kernel()
    every = [*rest, INVARIANTS, *_fuzz_sources("libfuzzer"), table]
    objects = [compile_object(FIRMWARE / "main.c", folder, ("-Dmain=kernel_main",), CLANG)]
    objects += [compile_object(s, folder, (), CLANG) for s in every]
    objects += [compile_object(s, folder, ("-fsanitize=fuzzer-no-link",), CLANG) for s in traced]
    make([CLANG, *SANITIZE, "-fsanitize=fuzzer", *objects], folder / "fuzz")
    return folder / "fuzz"


def case_names() -> list[str]:
    """From the tables in the sources, so that collecting tests builds nothing."""
    names = []
    for source in CASES:
        for line in source.read_text().splitlines():
            if line.startswith('\t{ "'):
                names.append(line.split('"')[1])
    return names


def run_case(program: Path, name: str, **environment: str) -> None:
    done = subprocess.run(
        [program, name],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    setting = " ".join(f"{k}={v}" for k, v in environment.items())
    assert done.returncode == 0, (
        f"{done.stdout}{done.stderr}\nagain: {setting} {program.relative_to(ROOT)} {name}"
    )
