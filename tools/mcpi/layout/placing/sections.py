# SPDX-License-Identifier: BSD-2-Clause
"""Sections of data as a problem of placement: a record's loads through the D-cache.

The D-cache is written through, and a store allocates nothing: only loads change what it holds.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path

from mcpi.firmware.clone.layout import SECTION_GRAIN, SECTIONS
from mcpi.firmware.clone.program import Program
from mcpi.firmware.elf import PHYSICAL
from mcpi.layout.placing.problem import Piece, Problem, runs
from mcpi.layout.replay import ram


def problem(
    image: Path,
    parameters: Mapping,
    loads: Iterable[tuple[int, int]],
    counted: list[tuple[int, int]],
) -> Problem:
    """``parameters``: the machine's. ``loads``: tick and virtual address of each, in order.
    ``counted``: intervals of ticks that are on the path."""
    cache, miss = parameters["dcache.size"], parameters["bcache.read_ticks"]
    found = pieces(image)
    cached = ((tick, address) for tick, address in loads if ram(address))
    start = found[0].start // cache * cache
    pages = sum(piece.size for piece in found) // cache + 2 * len(found)
    return Problem(
        cache=cache,
        block=parameters["cache.block"],
        start=start,
        pages=pages,
        prefetch=False,
        demand=miss,
        stream=miss,
        pieces=found,
        runs=runs(cached, found, counted),
        grain=SECTION_GRAIN,
    )


def pieces(image: Path) -> tuple[Piece, ...]:
    """The sections that can begin elsewhere, each with those that follow it; the heap without the
    boot stack, which stays (firmware/boot/link.ld)."""
    program = Program(image)
    starts = [program.sections[name][0] for name in SECTIONS]
    ends = [*(second for _, second in pairwise(starts))]
    ends[SECTIONS.index(".sbss")] = program.symbols["bss_end"]
    ends.append(program.symbols["stack_top"] - program.symbols["BOOT_STACK"])
    return tuple(
        Piece(name, start & PHYSICAL, end - start)
        for name, start, end in zip(SECTIONS, starts, ends, strict=True)
    )
