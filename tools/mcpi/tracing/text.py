# SPDX-License-Identifier: BSD-2-Clause
"""The pipeline for a terminal: a line for each instruction, a letter for each of its ticks."""

from collections.abc import Iterable, Iterator

from mcpi.results.summary import OWNERS
from mcpi.tracing.disassembly import Disassembly
from mcpi.tracing.pipeline import STAGES, Passage

LETTERS = dict(zip(STAGES, "12DEabW", strict=True))
WAITS = {"F2": "~", "D": "."}  # the ticks of a stage that goes on
LEFT, WIDTH = 61, 38  # columns before the chart, ticks in it
MISSES = {"icache.misses": "I-miss", "dcache.misses": "D-miss"}


def legend() -> str:
    stages = " ".join(f"{LETTERS[stage]} {stage}" for stage in STAGES)
    return f"{stages}; ~ F2 waits, . D waits"


def lines(passages: Iterable[Passage], code: Disassembly, marked: int | None) -> Iterator[str]:
    """The chart begins anew where an instruction does not fit next to those before. Below an
    instruction is what it waited for."""
    base = None
    for one in passages:
        if base is None or one.exit_tick - base > WIDTH or one.enters["F1"] < base:
            base = one.enters["F1"]
            yield f"{'':{LEFT}} ┌ tick {base:,}"
        sign = "►" if one.issues == marked else " "
        line = f"{sign}{one.issues:>10,} {code.name(one.pc):.24}"
        line = f"{line:37}{code.text(one.pc):.23}"
        yield f"{line:{LEFT}} {_chart(one, base)}"
        if why := _why(one):
            yield f"{'':12}  {why}"


def _chart(one: Passage, base: int) -> str:
    start = one.enters["F1"]
    marks, before = [], ""
    for tick in range(start, min(one.exit_tick, base + WIDTH)):
        stage = one.stage(tick)
        again = stage == before
        marks.append(WAITS.get(stage, LETTERS[stage]) if again else LETTERS[stage])
        before = stage
    if one.exit_tick > base + WIDTH:
        marks[-1] = "…"
    return " " * (start - base) + "".join(marks)


def _why(one: Passage) -> str:
    waits = [f"{OWNERS.get(owner, owner)} {n}" for owner, n in one.waits.most_common()]
    misses = [word for event, word in MISSES.items() if one.events[event]]
    return ", ".join([*misses, *waits])


def owners(counted: Iterable[tuple[str, int]]) -> Iterator[str]:
    """Ticks by owner, with their sum."""
    rows = list(counted)
    for owner, ticks in rows:
        yield f"{owner:18} {ticks:>9,}  {OWNERS.get(owner, owner)}"
    yield f"{'sum of owners':18} {sum(n for _, n in rows):>9,}"
