# SPDX-License-Identifier: BSD-2-Clause
"""Builds the parallel x-kernel for the host: threads are processors, under ThreadSanitizer."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from firmware_support.faults import Fault
from firmware_support.host_build import (
    CC,
    FIRMWARE,
    HOST,
    OUT,
    TEST,
    WARNINGS,
    graph_table,
    run,
    xkernel,
)

from mcpi.base.compiler import linked
from mcpi.build import native
from mcpi.firmware import commands, parallel, protocol_graph
from mcpi.firmware.recipes import recipe
from mcpi.firmware.sources import in_rooms

KERNEL = FIRMWARE / "xkernel"
ROOMS = ("lock", "atomic", "percpu")
OBJECTS = ("checksum", "console", "graph", "idle", "map", "msg", "msg_tree", "semaphore")
OBJECTS += ("thread", "upi")
GRAPHS = protocol_graph.GRAPHS / "parallel"
ROOM_SOURCES = [p for room in ROOMS for p in sorted((KERNEL / room).glob("*.c"))]
SOURCES = [
    *ROOM_SOURCES,
    *xkernel(*OBJECTS),
    *parallel.protocol_sources(),
    *in_rooms(["apps/mptest", "apps/mpstream"]),
    FIRMWARE / "platform" / "host" / "atomic.c",
    HOST / "host_tests.c",
]
CASES = [*sorted((TEST / "smp").glob("*.c")), TEST / "xkernel" / "test_checksum.c"]
FLAGS = ["-std=c11", "-g", "-fno-omit-frame-pointer", "-D_GNU_SOURCE", *WARNINGS]
THREADS = ("-O1", "-fsanitize=thread")  # else "-O2"
KINDS = ("TAS", "TTAS", "BACKOFF", "TICKET", "MCS", "CLH")


@cache
def smp_tests(options: tuple[str, ...] = (), how: tuple[str, ...] = THREADS) -> Path:
    """The program with all cases; ``options`` are switches (xkernel/lock/mp.h)."""
    folder = OUT / ("smp" + "".join((*options, *how)).replace("=", "_"))
    return _made([*_sources(options), *CASES], folder, folder, options, how)


def _sources(options: Iterable[str]) -> list[Path]:
    return parallel.chosen(SOURCES, [option.removeprefix("-D") for option in options])


def smp_tests_with(fault: Fault) -> Path:
    """The same with a mistake in one of the kernel's files."""
    define = [f"-D{fault.how['define']}"] if "define" in fault.how else []
    folder = OUT / "smp-mutants" / fault.folder
    sources = fault.among(_sources(define), folder)
    how = ("-DWAITING_LIMIT=3000", *define)
    return _made([*sources, *CASES], folder, OUT / "smp-mutants", how, THREADS)


def _made(
    sources: list[Path], folder: Path, shared: Path, options: tuple[str, ...], how: tuple[str, ...]
) -> Path:
    """``shared``: where the objects lie."""
    words = [CC, *FLAGS, *how, *parallel.DEFINES, "-DXK_CHECKS=1", *options, f"-I{FIRMWARE}"]
    with protocol_graph.graphs_in(GRAPHS):
        table = graph_table(folder, *sorted(GRAPHS.glob("*.graph")))
    objects = native.objects(shared / "objects", [*sources, table], words)
    made = [edge.outputs[0] for edge in objects]
    refused = [f"-Wl,--wrap={name}" for name in ("xk_allocate", "xk_allocate_zeroed")]
    edge = linked(folder / "smp_tests", made, [CC, *how], (*refused, "-lpthread"))
    native.make(shared, [*objects, edge], 2)
    return folder / "smp_tests"


def alpha(source: Path, folder: Path, options: tuple[str, ...] = ()) -> str:
    """The disassembly of a source as an image with ``XK_MP`` has it."""
    rules = recipe("std")["compile"]
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f"{source.stem}.o"
    flags = [*rules["common"], *rules["optimise"], *commands.WARNINGS, "-ffixed-8"]
    words = [*flags, *parallel.DEFINES, *options, f"-I{FIRMWARE}", "-c", source, "-o", made]
    run([f"{commands.PREFIX}gcc", *words])
    return run([f"{commands.PREFIX}objdump", "-d", "--no-show-raw-insn", made]).stdout
