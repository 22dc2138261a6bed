# SPDX-License-Identifier: BSD-2-Clause
"""The last instructions of a run: before its fault, if it failed, else before its end."""

from collections.abc import Iterable

from mcpi.analysis import attribution, fault
from mcpi.analysis.attribution import Tick
from mcpi.base.errors import RunError
from mcpi.base.progress import Bar
from mcpi.build.run_folder import number
from mcpi.engines.span import Prepared, ticks
from mcpi.firmware.elf import PHYSICAL
from mcpi.spec.numbers import SIDES
from mcpi.tracing.span_selection import Span

LAST = 40  # instructions
BACK = 300_000  # ticks: PALcode and assert report what happened before a run ends
PAL_MODE = 1


def fault_text(prepared: Prepared, failed: RunError) -> str:
    """Why it failed, where, who called, the registers."""
    found = fault.find(prepared.place, failed)
    return fault.text(found, prepared.image(found.node)) if found else str(failed)


def found(
    prepared: Prepared, side: str, last: int, failed: RunError | None, bar: Bar
) -> tuple[str, Span]:
    """The span of the last instructions, and of which side: of the one that failed. The run is made
    again and leaves its last ticks."""
    wrong = fault.find(prepared.place, failed) if failed else None
    if wrong:
        side = next(name for name, node in SIDES.items() if node == wrong.node)
    length = ticks(prepared.place)
    prepared.log(max(length - BACK, 0), length, [], bar)
    rows = attribution.read(prepared.place / f"span.{number(prepared.place, side)}.csv")
    at, why = None, "the run's end"
    if wrong:
        why = wrong.what
        if wrong.machine and (calls := fault.frames(wrong.machine, prepared.image(wrong.node))):
            at, why = calls[0][0], f"{wrong.what}: {calls[0][1]}"
    return side, before(rows, last, why, at if wrong and wrong.issued else None)


def before(rows: Iterable[Tick], last: int, why: str, at: int | None) -> Span:
    """The last instructions up to the last passage of ``at`` (virtual), else up to the last that is
    not PALcode's, with the ticks until another one issues. RunError if nothing issues."""
    rows = list(rows)
    issues = [(row.first, row.pc) for row in rows if row.pc is not None]
    if not issues:
        raise RunError(f"in the last {BACK:,} ticks of the run no instruction issues.")
    own = [n for n, (_, pc) in enumerate(issues) if not pc & PAL_MODE]
    there = [n for n in own if at is not None and issues[n][1] == at & PHYSICAL]
    n = (there or own or [len(issues) - 1])[-1]
    first = max(n - last + 1, 0)
    start = issues[first - 1][0] + 1 if first else issues[first][0]
    end = issues[n + 1][0] if n + 1 < len(issues) else rows[-1].first + rows[-1].count
    several = f"{n + 1 - first} instructions" if n > first else "instruction"
    return Span(start, end, f"the last {several} before {why}", issues[n][0])
