# SPDX-License-Identifier: BSD-2-Clause
"""Where each copy goes: the paper's layouts (SIGCOMM'96 3.2) as functions of order and sizes.

All take the copies in call order and an area, and set each copy's ``target``.
"""

from collections import Counter
from dataclasses import dataclass, field

from mcpi.clone.fixes import Copy
from mcpi.errors import UserError

LINEAR, BIPARTITE, MICRO, PESSIMAL = LAYOUTS = ("linear", "bipartite", "micro", "pessimal")


@dataclass(frozen=True)
class Area:
    """Bytes; ``start`` is a multiple of ``icache``. Both caches are direct-mapped."""

    start: int
    end: int
    icache: int
    block: int
    bcache: int


@dataclass(frozen=True)
class Plan:
    """In call order: what is copied, which of it is a library function, and for ``micro`` where in
    the I-cache it begins; ``data`` are blocks that the path uses, by address."""

    copies: list[Copy]
    library: set[str]
    positions: dict[str, int] = field(default_factory=dict)
    data: list[int] = field(default_factory=list)


def place(layout: str, plan: Plan, area: Area) -> None:
    """Give every copy its target; UserError if they don't fit."""
    names = dict(zip(LAYOUTS, (linear, bipartite, micro, pessimal), strict=True))
    if layout not in names:
        raise UserError(f"no layout '{layout}'. There are: {', '.join(LAYOUTS)}.")
    names[layout](plan, area)
    check(plan.copies, area)


def linear(plan: Plan, area: Area) -> None:
    """One behind the other in call order: best if everything fits into the I-cache."""
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
        left = area.icache - at % area.icache
        if 4 * c.words > left:
            at += left + reserved
        c.target = at
        at += 4 * c.words


def micro(plan: Plan, area: Area) -> None:
    """Every function where a table says, in the first I-cache size that is free there."""
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
    """All functions begin in the same I-cache set, each where it meets in the b-cache as many of
    the data blocks that the path uses as it can."""
    pages = (area.end - area.start) // area.icache
    hot = Counter()
    for address in {a // area.block for a in plan.data}:
        offset = (address * area.block - area.start) % area.bcache if area.bcache else area.end
        if offset < area.end - area.start:
            hot[offset // area.icache, offset % area.icache // area.block] += 1
    longest = sorted(plan.copies, key=lambda c: -c.words)
    sets = area.icache // area.block
    blocks = {c.function.name: -(-4 * c.words // area.block) for c in longest}
    best: tuple[int, int, dict[str, int]] = (-1, 0, {})
    for index in range(sets - max(blocks.values(), default=0)):
        free, total, chosen = set(range(pages)), 0, {}
        for c in longest:
            span = range(index, index + blocks[c.function.name])
            meets = {p: sum(hot[p, i] for i in span) for p in {k[0] for k in hot} & free}
            page = max(sorted(meets), key=meets.get, default=None)
            if page is None or not meets[page]:
                page = max(free, default=None)
            if page is None:
                raise UserError(f"pessimal: {len(longest)} functions, and {pages} I-cache sizes.")
            free.remove(page)
            total += meets.get(page, 0)
            chosen[c.function.name] = page
        if total > best[0]:
            best = total, index, chosen
    for c in plan.copies:
        c.target = area.start + best[2][c.function.name] * area.icache + best[1] * area.block


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
