# SPDX-License-Identifier: BSD-2-Clause
"""Where each copy goes: the paper's layouts (SIGCOMM'96 3.2) as functions of order and sizes.

All take the copies in call order and an area, and set each copy's ``target``.
"""

import csv
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.firmware.clone.fixes import Copy

REACH = 4 << 20  # bytes, of a branch
POSITIONS = ".csv"  # the end of a file that says where each copy begins, for `micro`
# Data that a file of positions can move: these sections, and what follows them (boot/link.ld).
SECTIONS = (".data", ".got", ".sbss", ".noinit")
SECTION_GRAIN = 64  # bytes: what the sections' contents are aligned to
LINEAR, BIPARTITE, MICRO, PESSIMAL = LAYOUTS = ("linear", "bipartite", "micro", "pessimal")


@dataclass(frozen=True)
class Area:
    """Bytes; ``start`` is a multiple of ``icache``. Both caches are taken as direct-mapped,
    whatever ``icache.ways`` is. ``text``: the first byte of all other code."""

    start: int
    end: int
    icache: int
    block: int
    bcache: int
    text: int = 0


@dataclass(frozen=True)
class Plan:
    """In call order: what is copied, which of it is a library function, and for ``micro`` where in
    the I-cache it begins; ``data`` are blocks that the path uses, by address."""

    copies: list[Copy]
    library: set[str]
    positions: dict[str, int] = field(default_factory=dict)
    data: list[int] = field(default_factory=list)


def positions(path: Path) -> dict[str, int]:
    """A file of positions: by function, bytes from a multiple of the I-cache size. UserError for
    one that is none."""
    found = {name: at for name, at in _rows(path).items() if not name.startswith(".")}
    if wrong := [name for name, at in found.items() if at < 0 or at % 4]:
        raise UserError(f"{path}: {wrong[0]}: a position is a multiple of 4, in bytes.")
    return found


def sections(path: Path) -> dict[str, int]:
    """The same file's sections of data, if it has any: bytes from a multiple of the D-cache
    size."""
    found = {name: at for name, at in _rows(path).items() if name.startswith(".")}
    if wrong := set(found) - set(SECTIONS):
        raise UserError(f"{path}: no section {min(wrong)} can be moved; {', '.join(SECTIONS)} can.")
    if odd := [name for name, at in found.items() if at < 0 or at % SECTION_GRAIN]:
        raise UserError(
            f"{path}: {odd[0]}: a section's position is a multiple of {SECTION_GRAIN}, in bytes."
        )
    return found


def _rows(path: Path) -> dict[str, int]:
    try:
        with path.open(newline="") as stream:
            rows = list(csv.DictReader(stream))
        return {row["function"]: int(row["position"]) for row in rows}
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}; ./mcpi layout search leaves one.") from None
    except (KeyError, TypeError, ValueError):
        raise UserError(f"{path}: a table of function,position is wanted.") from None


def place(layout: str, plan: Plan, area: Area) -> None:
    """Give every copy its target; UserError if they don't fit."""
    names = dict(zip(LAYOUTS, (linear, bipartite, micro, pessimal), strict=True))
    if layout not in names:
        raise UserError(f"no layout '{layout}'. There are: {', '.join(LAYOUTS)}.")
    names[layout](plan, area)
    check(plan.copies, area)


def linear(plan: Plan, area: Area) -> None:
    """Place the copies one after the other in call order: best if everything fits into the
    I-cache."""
    _one_by_one(plan.copies, area.start)


def _one_by_one(copies: list[Copy], at: int) -> int:
    for c in copies:
        c.target = at
        at += 4 * c.words
    return at


def bipartite(plan: Plan, area: Area) -> None:
    """Library functions have the first sets of the I-cache to themselves; path functions follow
    each other through the rest of it, again and again."""
    library = [c for c in plan.copies if c.function.name in plan.library]
    path = [c for c in plan.copies if c.function.name not in plan.library]
    at = _one_by_one(library, area.start)
    reserved = -(-(at - area.start) // area.block) * area.block
    if 2 * reserved > area.icache:
        raise UserError(
            f"bipartite: library functions take {reserved} bytes, more than half of an I-cache of "
            f"{area.icache}; use the layout linear, or call fewer functions library."
        )
    at = area.start + reserved
    for c in path:
        left = -at % area.icache  # none, if the last one ended with the cache
        if 4 * c.words > left:
            at += left + reserved
        c.target = at
        at += 4 * c.words


def micro(plan: Plan, area: Area) -> None:
    """Every function where a table says, in the first I-cache size that is free there."""
    if others := set(plan.positions) - {c.function.name for c in plan.copies}:
        raise UserError(
            f"micro: a position for {min(others)}, which this image does not copy: the positions "
            "are another image's."
        )
    taken: list[range] = []
    for c in plan.copies:
        if c.function.name not in plan.positions:
            raise UserError(
                f"micro: no position for {c.function.name}; ./mcpi layout micro makes the table."
            )
        at = area.start + plan.positions[c.function.name]
        while any(at < r.stop and r.start < at + 4 * c.words for r in taken):
            at += area.icache
        c.target = at
        taken.append(range(at, at + 4 * c.words))


def pessimal(plan: Plan, area: Area) -> None:
    """All functions begin in the same I-cache set. Of those that follow each other two and two lie
    a b-cache size apart, so that they drive each other out of that too; and each pair where it
    meets there as many of the data blocks that the path uses as it can."""
    sizes = (area.end - area.start) // area.icache
    plane = area.bcache // area.icache
    # Pages that have a second one a b-cache size behind them, within a branch's reach of all code.
    twice = min(sizes, (area.text + REACH - area.start) // area.icache) - plane if plane else 0
    together = 2 if twice >= len(plan.copies) else 1
    pairs = [plan.copies[n : n + together] for n in range(0, len(plan.copies), together)]
    pages = twice if together == 2 else sizes
    if len(pairs) > pages:
        raise UserError(
            f"layout pessimal: {len(pairs)} places an I-cache size apart are needed; the clone "
            f"area has {pages}."
        )
    hot = Counter()
    for address in {a // area.block for a in plan.data}:
        offset = (address * area.block - area.start) % area.bcache if area.bcache else area.end
        if offset < pages * area.icache:
            hot[offset // area.icache, offset % area.icache // area.block] += 1
    index, chosen = _meeting(pairs, hot, pages, area)
    for n, pair in enumerate(pairs):
        for second, c in enumerate(pair):
            at = (chosen[n] + second * plane) * area.icache
            c.target = area.start + at + index * area.block


def _meeting(
    pairs: list[list[Copy]], hot: Counter, pages: int, area: Area
) -> tuple[int, dict[int, int]]:
    """The set in which all begin, and each pair's page: greedy, the longest pair first, for every
    set; the one that meets most of the blocks in ``hot`` (page, set)."""
    blocks = [max(-(-4 * c.words // area.block) for c in pair) for pair in pairs]
    longest = sorted(range(len(pairs)), key=lambda n: -blocks[n])
    best: tuple[int, int, dict[int, int]] = (-1, 0, {})
    for index in range(area.icache // area.block - max(blocks, default=0)):
        free, total, chosen = set(range(pages)), 0, {}
        for n in longest:
            span = range(index, index + blocks[n])
            meets = {p: sum(hot[p, i] for i in span) for p in {k[0] for k in hot} & free}
            page = max(sorted(meets), key=meets.get, default=None)
            if page is None or not meets[page]:
                page = max(free)
            free.remove(page)
            total += meets.get(page, 0)
            chosen[n] = page
        if total > best[0]:
            best = total, index, chosen
    return best[1], best[2]


def check(copies: list[Copy], area: Area) -> None:
    """Inside the area, and none over another."""
    ordered = sorted(copies, key=lambda c: c.target)
    for c in ordered:
        if c.target < area.start or c.target + 4 * c.words > area.end:
            raise UserError(
                f"{c.function.name}: its copy would lie at {c.target:#x}, outside the clone area "
                f"{area.start:#x} to {area.end:#x}; raise [clone] area."
            )
    for one, two in zip(ordered, ordered[1:], strict=False):
        if one.target + 4 * one.words > two.target:
            raise UserError(
                f"the copies of {one.function.name} and {two.function.name} overlap at "
                f"{two.target:#x}."
            )
