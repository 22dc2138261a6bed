# SPDX-License-Identifier: BSD-2-Clause
"""Builds the x-kernel for the host, under address and undefined-behaviour sanitizers.

Into ``build/host``; objects with the same options are shared.
"""

import os
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from mcpi.base.compiler import linked
from mcpi.base.ninja import Edge
from mcpi.base.process import heard
from mcpi.base.repo import BUILD, FIRMWARE, ROOT
from mcpi.build import native
from mcpi.build.graph import write
from mcpi.firmware import path_inline, protocol_graph, structures, switch_deps
from mcpi.firmware import sources as sources_of
from mcpi.firmware.sources import in_rooms

TEST = FIRMWARE / "test"
HOST = TEST / "host"  # cases' peers and checks, and whole machines
PROGRAMS = HOST / "programs"
SUPPORT = TEST / "firmware_support"
OUT = BUILD / "host"
CC = os.environ.get("MCPI_HOST_CC", "gcc")
LIBRARY = ("-shared", "-Wl,-Bsymbolic")
SWITCH = re.compile(r"-[DU]\w+(=\w*)?$")
# Parameters that a test leaves unused have no name, as in C23.
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-c2x-extensions"]
WARNINGS += ["-Wno-unused-parameter"]  # as mcpi.firmware.commands
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
FLAGS = ["-std=c11", "-g", "-O1", "-fPIC", "-fno-omit-frame-pointer", "-D_GNU_SOURCE", *WARNINGS]
# Parts that only the host's graphs have, and checks of callers (xkernel/switches.h).
FLAGS += ["-DXK_FRAGMENTS=1", "-DXK_ARP=1", "-DXK_KEEPALIVE=1"]
FLAGS += ["-DXK_LINK_CHECK=1", "-DXK_CHECKS=1"]
HEAP = FIRMWARE / "platform" / "host" / "heap.c"  # in the place of xkernel/memory
# The driver of the chip is exercised on the simulated machine; here wire.c stands in its place.
PROTOCOLS = in_rooms(
    [f"protocols/{p.name}" for p in (FIRMWARE / "protocols").iterdir() if p.name != "lance"]
)
KERNEL = [
    *(p for p in in_rooms(["xkernel"]) if p.stem not in ("memory", "allocate")),
    *PROTOCOLS,
    *in_rooms(["platform/host"]),
]
# In every machine (host_watch).
INVARIANTS = [HOST / "invariants.c", HOST / "right_edge.c"]
# Cases of all rooms but the allocator's, which has a program of its own (test_host.py).
CASES = [p for room in ("protocols", "xkernel") for p in sorted((TEST / room).rglob("test_*.c"))]
CASES = [p for p in CASES if p.stem != "test_allocate"]
PEERS = [HOST / f"{name}.c" for name in ("caller", "peer", "rpc_peer", "user")]
CASE_SOURCES = [HOST / "host_tests.c", *PEERS, *CASES]
SWITCHES = ["XK_WORDS", "XK_REFRESH", "XK_MAPINL", "XK_INLINE", "XK_NODIV", "XK_MISC"]
SWITCHES += ["XK_PACK", "XK_CONT", "XK_BUCKETS"]
NET2 = ("-DXK_TCP_NET2=1", "-DXK_TCP_HDRPRED=1")
FAST = tuple(f"-DXK_FAST_{s}" for s in ("IN", "OUT", "USER", "RING", "TIMER"))
RECOGNISED = (*FAST, "-DLANCE_CLASSIFIER=1")  # the driver recognises a connection's frames
SEVERAL = (*FAST, "-DXK_FAST_TABLE")  # connections with the fast path


def xkernel(*names: str) -> list[Path]:
    """Sources of the x-kernel by name, in whichever of its folders they lie."""
    return [p for p in in_rooms(["xkernel"]) if p.stem in names]


def run(command: list, **more) -> subprocess.CompletedProcess:
    """Run a command that must succeed; its whole output is in the failure."""
    words = [str(c) for c in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
    return done


def compile_all(
    sources: list[Path], options: tuple[str, ...] = (), compiler: str = CC, folder: str = "objects"
) -> list[Edge]:
    """Objects, which all programs with these options share. Programs with other options share those
    of a source to which the switches among the options do not matter."""
    words = [compiler, *FLAGS, *SANITIZE]
    found = []
    for source in sources:
        own = (o for o in options if not SWITCH.match(o) or _matters(o, source))
        found += native.objects(OUT / folder, [source], [*words, *own, f"-I{FIRMWARE}"])
    return found


def _matters(option: str, source: Path) -> bool:
    return switch_deps.matters(option[2:], source, FIRMWARE, ())


def compile_machine(
    sources: list[Path], table: Path, options: tuple[str, ...] = (), compiler: str = CC
) -> list[Edge]:
    """The machine's objects."""
    main = compile_all([FIRMWARE / "main.c"], (*options, "-Dmain=kernel_main"), compiler)
    return [*compile_all([*sources, *INVARIANTS, table], options, compiler), *main]


def link(
    program: Path, objects: list[Edge], options: tuple[str, ...] = (), compiler: str = CC
) -> Path:
    """Make ``program``: what is out of date of it."""
    made = [edge.outputs[0] for edge in objects]
    edge = linked(program, made, [compiler, *SANITIZE], options)
    native.make(OUT, [*objects, edge], os.cpu_count() or 1)
    return program


def graph_table(folder: Path, *graphs: Path) -> Path:
    table = folder / "graph_table.c"
    protocol_graph.compose_files(list(graphs), table)
    return table


PATH = "path"  # among options: with the path's functions, as in PIN


def inlined_path(
    folder: Path,
    stack: str,
    role: str,
    sources: list[Path],
    options: tuple[str, ...],
    found: str = "",
) -> tuple[list[Edge], tuple[str, ...]]:
    """The path's object and the linker's options, for whoever links ``sources``. ``found``: a
    folder of paths, in the place of firmware/paths."""
    spec = path_inline.specification(stack, role, found)
    made = path_inline.unit(spec, sources, without=("lance",))
    write(folder / "path.c", made.text)
    flags = tuple(f"-Wl,{flag}" for flag in made.flags)
    return compile_all([folder / "path.c"], options), flags


@cache
def host_tests(options: tuple[str, ...] = ()) -> Path:
    """The program with all cases; ``options`` are switches of another build, and PATH: TCP's."""
    folder = OUT / ("cases" + "".join(options).replace("=", "_"))
    switches = tuple(o for o in options if o != PATH)
    table = graph_table(folder, HOST / "tcp.graph", HOST / "rpc.graph")
    sources = [*KERNEL, *CASE_SOURCES]
    path, flags = [], ()
    if PATH in options:
        path, flags = inlined_path(folder, "tcp", "client", sources, switches)
    return link(folder / "host_tests", [*compile_machine(sources, table, switches), *path], flags)


def host_tests_of(sources: list[Path], folder: Path) -> Path:
    """The program with all cases, of other sources than ``KERNEL``."""
    table = graph_table(folder, HOST / "tcp.graph", HOST / "rpc.graph")
    return link(folder / "host_tests", compile_machine([*sources, *CASE_SOURCES], table))


@cache
def machines(stack: str, options: tuple[str, ...] = ()) -> list[Path]:
    """The machine as a library, in two copies: two sets of globals in one process."""
    folder = OUT / (f"machine-{stack}" + "".join(options).replace("=", "_"))
    top = {"tcp": "tcptest", "rpc": "xrpctest"}[stack]
    sources = sorted((FIRMWARE / "apps" / top).glob("*.c"))
    table = graph_table(folder, FIRMWARE / "graphs" / f"{stack}.graph")
    if PATH not in options:
        return libraries(folder, sources, table, options)
    switches = tuple(o for o in options if o != PATH)
    objects = compile_machine([*KERNEL, *sources], table, switches)
    made = []
    for role in ("client", "server"):
        path, flags = inlined_path(folder / role, stack, role, [*KERNEL, *sources], switches)
        made.append(link(folder / role / "machine.so", [*objects, *path], (*LIBRARY, *flags)))
    return made


def libraries(
    folder: Path, above: list[Path], table: Path, options: tuple[str, ...] = ()
) -> list[Path]:
    """A machine with the protocols of ``above`` on top, in two copies."""
    objects = compile_machine([*KERNEL, *above], table, options)
    return [link(folder / f"machine{n}.so", objects, LIBRARY) for n in (0, 1)]


@cache
def services_machine() -> Path:
    """Machine that Linux and other hosts talk to: ARP, ICMP, UDP, TCP, and services above them."""
    folder = OUT / "services"
    table = graph_table(folder, FIRMWARE / "graphs" / "interop" / "tcp.graph")
    above = [p for t in ("services", "udpecho") for p in (FIRMWARE / "apps" / t).glob("*.c")]
    return libraries(folder, sorted(above), table)[0]


def kernel_sources() -> list[Path]:
    """The kernel with processes, without its start-up and driver."""
    found = in_rooms(["kernel", "kernel/flat", "kernel/user"])
    return [p for p in found if p.name not in ("main.c", "station.c")]


def kernel_tests(folder: Path, sources: list[Path]) -> Path:
    """Cases of firmware/test/kernel with these sources of the kernel."""
    left_out = structures.without("bsd")
    around = [p for p in KERNEL if p not in PROTOCOLS and p.name not in left_out]
    around = [p for p in around if p.name != "wire.c"]
    cases = [*sorted((TEST / "kernel").glob("*.c")), HOST / "host_tests.c"]
    objects = compile_all([*sources, *around, *cases])
    objects += compile_all([FIRMWARE / "kernel" / "main.c"], ("-Dmain=kernel_main",))
    return link(folder / "kernel_tests", objects, ("-ldl",))


@cache
def structure_machine(structure: str, program: Path = FIRMWARE / "apps" / "udprecv") -> Path:
    """The kernel with processes, one structure, and a program (udp-receive.md)."""
    sources = structure_sources(structure)
    return structure_of(structure, sources, program, OUT / f"structure-{structure}" / program.name)


def structure_sources(structure: str) -> list[Path]:
    """The kernel and the structure."""
    rooms = [r for r in structures.rooms(structure) if not r.endswith("lance")]
    return [p for p in in_rooms(rooms) if p != FIRMWARE / "kernel" / "main.c"]


def structure_of(
    structure: str,
    sources: list[Path],
    program: Path,
    folder: Path,
    options: tuple[str, ...] = (),
) -> Path:
    """The same with these sources of kernel and structure, and ``options``."""
    left_out = structures.without(structure)
    around = [p for p in KERNEL if p not in PROTOCOLS and p.name not in left_out]
    if structure == "xkernel":
        around.append(graph_table(folder, structures.GRAPH))
    all_of_it = [*sources, *sorted(program.glob("*.c")), *around, PROGRAMS / "structure_checks.c"]
    main = compile_all([FIRMWARE / "kernel" / "main.c"], ("-Dmain=kernel_main",))
    return link(folder / "machine.so", [*compile_all(all_of_it, options), *main], LIBRARY)


@cache
def program(name: str) -> Path:
    """``firmware/test/host/programs/<name>.c``, which loads machines."""
    objects = compile_all([PROGRAMS / f"{name}.c", HOST / "machine.c"])
    return link(OUT / "programs" / name, objects, ("-ldl",))


BSD = TEST / "bsd"
# Each mbuf is a block of the heap, which the sanitizers see and which can fail.
BSD_BLOCKS = ("-DBSD_MBUF_LISTS=0",)
BSD_ABSENT = BSD / "absent.c"
BSD_CASES = [BSD / "process_cases.c", *sorted((TEST / "protocols" / "tcp").glob("test_*.c"))]
# These say what the x-kernel's switches change.
BSD_CASES = [p for p in BSD_CASES if p.stem != "test_tcp_net2"]
BSD_CASES.append(TEST / "protocols" / "ip" / "test_ip.c")


def bsd_kernel() -> list[Path]:
    """Sources of a machine with the production stack, whose sockets look like the x-kernel's TCP
    to what stands above them."""
    around = [p for p in KERNEL if p not in PROTOCOLS and p.name not in sources_of.LEFT_OUT]
    own = [p for p in sorted(BSD.glob("*.c")) if p not in (*BSD_CASES, BSD_ABSENT)]
    return [*around, *sources_of.production(), *own, *INVARIANTS]


def _bsd_objects(kernel: list[Path], options: tuple[str, ...]) -> list[Edge]:
    main = compile_all([FIRMWARE / "main.c"], (*options, "-Dmain=kernel_main"))
    return [*compile_all(kernel, options), *main]


def bsd_tests_of(kernel: list[Path], folder: Path, options: tuple[str, ...] = BSD_BLOCKS) -> Path:
    """TCP's cases on the production stack, of these sources."""
    table = graph_table(folder, BSD / "tcp.graph")
    cases = [HOST / "host_tests.c", HOST / "peer.c", HOST / "user.c", *BSD_CASES, table]
    return link(folder / "host_tests", _bsd_objects([*kernel, *cases], options), ("-ldl",))


@cache
def bsd_tests(options: tuple[str, ...] = BSD_BLOCKS) -> Path:
    folder = OUT / ("bsd" + "".join(options).replace("=", "_"))
    return bsd_tests_of(bsd_kernel(), folder, options)


def bsd_objects(
    folder: Path, program: str = "", options: tuple[str, ...] = BSD_BLOCKS
) -> list[Edge]:
    """Objects of a machine with a program of ``firmware/apps`` above the sessions, or with its own
    ping-pong by sockets."""
    graph, top = folder / "tcp.graph", program or "bsdtest"
    below = "lance\nbsd lance\n" + ("tcp bsd\n" if program else "")
    write(graph, f"{below}{top} {'tcp' if program else 'bsd'}\n")
    above = sorted((FIRMWARE / "apps" / top).glob("*.c"))
    return _bsd_objects([*bsd_kernel(), *above, graph_table(folder, graph)], options)


@cache
def bsd_machines(program: str = "", options: tuple[str, ...] = BSD_BLOCKS) -> list[Path]:
    """The machine of ``bsd_objects`` as a library, in two copies."""
    folder = OUT / f"machine-bsd{program}"
    objects = bsd_objects(folder, program, options)
    return [link(folder / f"machine{n}.so", objects, LIBRARY) for n in (0, 1)]


CLANG = "clang-14"
FUZZ = TEST / "fuzz"


def _fuzz_table(folder: Path) -> Path:
    """With the numbers of its own users (fuzz/tcp.table)."""
    with protocol_graph.graphs_in(FUZZ):
        return graph_table(folder, FUZZ / "tcp.graph")


def _fast_table(folder: Path) -> Path:
    """Table of the same graph, but VNET stands on ETH alone: over ARP no connection is fast."""
    text = (FUZZ / "tcp.graph").read_text()
    assert text.count("vnet     eth arp") == 1
    write(folder / "tcp.graph", text.replace("vnet     eth arp", "vnet     eth"))
    write(folder / "tcp.table", (FUZZ / "tcp.table").read_text())
    with protocol_graph.graphs_in(folder):
        return graph_table(folder, folder / "tcp.graph")


def _fuzz_sources(main: str) -> list[Path]:
    """Without the protocols: the fuzzer's own, with one of its two main programs."""
    mains = {"drive", "libfuzzer"} - {main}
    own = [*sorted(FUZZ.glob("*.c")), *sorted((FUZZ / "steps").glob("*.c"))]
    return [*PEERS, *(p for p in own if p.stem not in mains)]


def fuzz_kernel() -> tuple[list[Path], list[Path]]:
    """Sources that coverage is taken of, and the others: idle time passes in the platform and in
    the event wheel, which is not worth a count in every block."""
    return PROTOCOLS, [*(p for p in KERNEL if p not in PROTOCOLS), *in_rooms(["apps/udpecho"])]


def _seed_table(text: str) -> str:
    """C's rows of seeds.txt, one program each."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    programs: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith(" "):
            programs[-1][1].append(f"{{ STEP_{line.strip()} }}")
        else:
            programs.append((line, []))
    rows = (f"{{ {name}, {len(s)}, {{ {', '.join(s)} }} }},\n" for name, s in programs)
    return "".join(rows)


def _write_seeds() -> Path:
    """The folder of the table of seeds."""
    write(OUT / "seeds" / "seed_table.h", _seed_table((FUZZ / "seeds.txt").read_text()))
    return OUT / "seeds"


def _fuzzer(main: str, compiler: str = CC, options: tuple[str, ...] = ()) -> list[Edge]:
    return compile_all(_fuzz_sources(main), (*options, f"-I{_write_seeds()}"), compiler)


COVERED = "objects-coverage"  # where gcov's counts appear


def _replay(folder: Path, traced: list[Edge], rest: list[Path], options: tuple = ()) -> Path:
    objects = [*compile_machine(rest, _fuzz_table(folder)), *_fuzzer("drive")]
    return link(folder / "fuzz", [*traced, *objects], options)


@cache
def fuzz_replay(coverage: bool = False) -> Path:
    """Replays inputs of the fuzzer; with ``coverage`` gcc counts lines for gcov."""
    traced, rest = fuzz_kernel()
    if not coverage:
        return fuzz_replay_of(traced, OUT / "fuzz")
    objects = compile_all(traced, ("--coverage", "-O0"), folder=COVERED)
    return _replay(OUT / "fuzz-coverage", objects, rest, ("--coverage",))


@cache
def fuzz_replay_fast() -> Path:
    """The same with the fast paths."""
    return fuzz_replay_of(fuzz_kernel()[0], OUT / "fuzz-fast", fast=True)


@cache
def fuzz_replay_net2() -> Path:
    """The same with fast recovery and header prediction."""
    protocols, rest = fuzz_kernel()
    folder = OUT / "fuzz-net2"
    objects = compile_machine([*protocols, *rest], _fuzz_table(folder), NET2)
    return link(folder / "fuzz", [*objects, *_fuzzer("drive", options=NET2)])


@cache
def fuzz_replay_bsd() -> Path:
    """The same on the production stack."""
    return fuzz_replay_bsd_of(bsd_kernel(), OUT / "fuzz-bsd")


def fuzz_replay_bsd_of(kernel: list[Path], folder: Path) -> Path:
    """The same of these sources of the production stack."""
    write(folder / "tcp.graph", (BSD / "tcp.graph").read_text() + "crowd     tcp\n")
    absent = {"caller", "layer_user", "rpc_peer", "rpc_steps", "udp_user"}
    folder_of_seeds = _write_seeds()
    steps = [p for p in _fuzz_sources("drive") if p.stem not in absent]
    objects = _bsd_objects([*kernel, graph_table(folder, folder / "tcp.graph")], BSD_BLOCKS)
    options = (*BSD_BLOCKS, f"-I{folder_of_seeds}")
    return link(folder / "fuzz", [*objects, *compile_all([*steps, BSD_ABSENT], options)])


def fuzz_replay_of(protocols: list[Path], folder: Path, fast: bool = False) -> Path:
    """The same of other sources than those of which coverage is taken."""
    _, rest = fuzz_kernel()
    if not fast:
        return _replay(folder, compile_all(protocols), rest)
    objects = compile_machine([*protocols, *rest], _fast_table(folder), FAST)
    return link(folder / "fuzz", [*objects, *_fuzzer("drive", options=FAST)])


@cache
def libfuzzer() -> Path:
    """libFuzzer and the machine, by clang."""
    folder = OUT / "libfuzzer"
    traced, rest = fuzz_kernel()
    objects = compile_machine(rest, _fuzz_table(folder), (), CLANG)
    objects += _fuzzer("libfuzzer", CLANG)
    objects += compile_all(traced, ("-fsanitize=fuzzer-no-link",), CLANG)
    return link(folder / "fuzz", objects, ("-fsanitize=fuzzer",), CLANG)


def case_names(folder: Path | None = None, files: list[Path] | None = None) -> list[str]:
    """Cases of ``CASES``, of a folder or of files, from the sources: collecting tests builds
    nothing."""
    files = files or (sorted(folder.glob("*.c")) if folder else CASES)
    texts = [p.read_text() for p in files]
    return [n for text in texts for n in re.findall(r"^CASE\w*\((\w+)", text, re.M)]


def same_cases(program: Path, names: list[str]) -> None:
    """The program has these cases and no others."""
    listed = run([program, "--list"]).stdout.split()
    assert sorted(listed) == sorted(names)
    print(f"{len(listed)} cases")


def run_case(program: Path, name: str, **environment: str) -> None:
    done = heard([program, name], env={**os.environ, **environment})
    setting = " ".join(f"{k}={v}" for k, v in environment.items())
    assert done.returncode == 0, (
        f"{done.stdout}{done.stderr}\nagain: {setting} {program.relative_to(ROOT)} {name}"
    )


def run_apart(program: Path, names: Iterable[str]) -> None:
    """Run the cases, each in a process that ``program`` forks: it starts once for all of them."""
    done = heard([program, "--apart", *names])
    failed = re.findall(r"^failed (\w+)(?:=(\d+))?$", done.stdout, re.M)
    again = [
        f"{f'FAIL_ALLOCATION={skip} ' * bool(skip)}{program.relative_to(ROOT)} {name}"
        for name, skip in failed
    ]
    assert done.returncode == 0, "\n".join([done.stderr[-5000:], "again:", *again])
