# SPDX-License-Identifier: BSD-2-Clause
"""Each instruction of a span in the seven stages of the core (docs/explanation/core.md).

All waits are in D or before it, and each tick has one owner there. So the ticks in which an
instruction is in F2, D, E1, E2, E3 and W follow from the owners and the issues alone:

    owner     issue A   i_demand …   refill_restart …   load_use   issue B
    B is in   F2        F2 ………………………………………………………………… D          D        E1 E2 E3 W

What stands in the spare entry behind F2 is told as in F2.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mcpi.analysis.attribution import EXECUTED, FETCHED, ISSUE, OF_THE_ONE_BEFORE, Tick

STAGES = ("F1", "F2", "D", "E1", "E2", "E3", "W")
BEHIND_D = STAGES[3:]
MISS = "icache.misses"
#: Owners of ticks in which the instruction that comes next is still in F2.
IN_F2 = frozenset({"i_demand", "i_stream", "refill_restart"})


@dataclass
class Passage:
    """Passage of an instruction through the pipeline. ``enters``: by stage, the tick in which it
    comes there; it is in a stage until it is in the next, and in the last for one tick. ``frees``:
    the tick in which the one behind it is in F2. ``waits``: ticks by owner that belong to it
    (attribution.py), its issue left out; ``events``: of its fetch and its access."""

    number: int  # of the issues of the span, from 0
    pc: int
    enters: dict[str, int]
    frees: int
    waits: Counter = field(default_factory=Counter)
    events: Counter = field(default_factory=Counter)

    @property
    def issues(self) -> int:
        return self.enters["E1"] - 1

    @property
    def exit_tick(self) -> int:
        """The tick after its last."""
        return self.enters["W"] + 1

    def stage(self, tick: int) -> str:
        """Where it is in this tick, empty if nowhere."""
        there = "" if tick >= self.exit_tick else STAGES
        return next((s for s in reversed(there) if self.enters[s] <= tick), "")


@dataclass
class Pipeline:
    """``passages`` gives each instruction once its waits are complete, in order; then ``before``
    has the ticks of the span before its first issue, and ``owners`` those of them all."""

    rows: Iterable[Tick]
    before: Counter = field(default_factory=Counter)
    owners: Counter = field(default_factory=Counter)

    def passages(self) -> Iterator[Passage]:
        last: Passage | None = None
        waits, events = Counter(), Counter()  # of the instruction that has not issued
        fetch = decode = None  # the first ticks in which it was in F2, in D, as owners say
        turned = False  # fetching went elsewhere
        number = 0
        for row in self.rows:
            self.owners[row.owner] += row.count
            for event in row.events:
                if event in FETCHED:
                    events[event] += row.count
                elif event in EXECUTED and last:
                    last.events[event] += row.count
            if row.pc is None:
                if row.owner in OF_THE_ONE_BEFORE:
                    turned, fetch, decode = True, None, None
                    (last.waits if last else self.before)[row.owner] += row.count
                    continue
                waits[row.owner] += row.count
                if row.owner in IN_F2:
                    fetch = row.first if fetch is None else fetch
                    decode = None
                elif decode is None:
                    decode = row.first
                continue
            decode = row.first if decode is None else decode
            previous = last
            missed = fetch is not None or bool(events[MISS])
            second = _second(previous, turned, fetch, decode)
            enters = _enters(second, decode, row.first)
            last = Passage(number, row.pc, enters, _frees(previous, turned, missed, second, decode))
            last.waits, last.events = waits, events
            if previous:
                yield previous
            else:
                self.before.update(waits)
                last.waits = Counter()
            number += 1
            waits, events, fetch, decode, turned = Counter(), Counter(), None, None, False
        if last:
            last.waits.update(waits)
            yield last
        else:
            self.before.update(waits)

    def sum(self, passages: Iterable[Passage]) -> Counter:
        """Ticks by owner, of the instructions and of those before the first."""
        found = Counter(self.before)
        for one in passages:
            found.update(one.waits)
            found[ISSUE] += 1
        return found


def _second(before: Passage | None, turned: bool, fetch: int | None, decode: int) -> int:
    """When it comes to F2. ``fetch``: when it would have been in D, had its block been there."""
    if before is None or turned:
        return (decode if fetch is None else fetch) - 1
    return before.frees


def _frees(before: Passage | None, turned: bool, missed: bool, second: int, decode: int) -> int:
    """It leaves F2 for D, or for the spare entry if that is free: if the one before is in D."""
    if missed:
        return decode
    there = before.enters["D"] if before and not turned else second
    return max(second, there) + 1


def _enters(second: int, decode: int, issues: int) -> dict[str, int]:
    enters = {"F1": second - 1, "F2": second, "D": decode}
    return enters | {stage: issues + n for n, stage in enumerate(BEHIND_D, 1)}
