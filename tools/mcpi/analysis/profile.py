# SPDX-License-Identifier: BSD-2-Clause
"""Ticks of one machine's path by function, source line, instruction or I-cache set.

Made from the files of a run with ``tick_log``. The sums are the counters of the run, owner by
owner; a run in which they are not is refused.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mcpi.analysis import attribution, places
from mcpi.analysis.attribution import NOBODY, Cost, Tick
from mcpi.analysis.places import Place
from mcpi.base.errors import RunError, UserError
from mcpi.build import run_folder
from mcpi.firmware import elf, regions
from mcpi.results import measure, passages
from mcpi.spec.numbers import CLIENT

FUNCTION, LINE, INSTRUCTION, SET = BY = ("function", "line", "instruction", "set")
NOTHING = "nothing issued"


@dataclass(frozen=True)
class Row:
    """A function, line, instruction or set by its name, and its cost over all invocations."""

    name: str
    cost: Cost


class Profile:
    """Profile of ``side``'s path in the run in ``folder``, over the measured invocations. ``job``:
    the folder in it of the run with ideal memory. ``opens``: of a program, the physical addresses
    at which the only place begins whose ticks are wanted."""

    def __init__(
        self, folder: Path, side: str, job: str = "", opens: frozenset[int] = frozenset()
    ) -> None:
        number = run_folder.number(folder, side)
        self.folder, self.side, self.opens = folder, side, opens
        if not (folder / "machine.json").is_file():
            raise UserError(f"{folder}: is no run's folder; ./mcpi run --tick-log {side} makes one")
        files = folder / job
        parameters = json.loads((files / "machine.json").read_text())["parameters"]
        #: For people: the side, or a core where there are several.
        self.whose = f"core {number}" if "bcache.private" in parameters else side
        self.block: int = parameters["cache.block"]
        self.sizes = {name: parameters[f"{name}cache.size"] for name in "idb"}
        self.ways = {name: parameters.get(f"{name}cache.ways", 1) for name in "idb"}
        self._way: int = self.sizes["i"] // self.ways["i"]
        self.ticks_per_us: int = parameters["clock.ticks_per_us"]
        self.places = places.of_side(folder, side)
        self.counted = measure.counters(files / "counters.json")[number]["path"]
        passed = files / f"passages.{number}.csv"
        rows = passages.read(passed) if passed.is_file() else []  # of a program: what it marks
        if rows:
            own = [row for row in rows if not opens or row.open & elf.PHYSICAL in opens]
            all_ = passages.total(own)
            self.counted = all_ if opens else self.counted | {"invocations": all_["invocations"]}
        self.invocations: int = self.counted["invocations"]
        if _is_node(folder):
            raise UserError(f"{folder}: no path was measured: a node has none. Trace a span of it.")
        if opens:
            begins = {row.open & elf.PHYSICAL for row in rows}
            logged = _of_places(attribution.segments(attribution.read(files / "ticks.csv")), begins)
            self.segments = [segment for begin, segment in logged if begin in opens]
        else:
            path = None if passed.is_file() else _opens(self.places.elf)
            self.segments = _measured(files, self.counted["ticks"], path)
        self.costs = attribution.attribute(self.segments)
        self.sum = attribution.total(self.costs.values())
        _check(files, self.sum, self.counted)

    def rows(self, by: str = FUNCTION, owner: str = "") -> list[Row]:
        """The most expensive first; with ``owner``, by its ticks alone."""
        sums: dict[str, Cost] = {}
        for pc, cost in self.costs.items():
            sums.setdefault(NOTHING if pc == NOBODY else self.name(pc, by), Cost()).add(cost)
        rows = [Row(name, cost) for name, cost in sums.items()]
        if owner:
            if owner not in self.sum.ticks:
                there = ", ".join(name for name, _ in self.sum.ticks.most_common())
                raise UserError(f"owner {owner}: no tick of this path is its. There are: {there}.")
            rows = [row for row in rows if row.cost.ticks[owner]]
            return sorted(rows, key=lambda row: (-row.cost.ticks[owner], row.name))
        return sorted(rows, key=lambda row: (-row.cost.total, row.name))

    def name(self, pc: int, by: str) -> str:
        """The row that ``pc`` is in."""
        return self._namers[by](pc)

    def word(self, pc: int) -> int | None:
        """The instruction there; None where none is."""
        return None if pc == NOBODY else self.places.word(self.place(pc))

    def place(self, pc: int) -> Place:
        """Where ``pc`` is."""
        if pc not in self._places:
            self._places[pc] = self.places.at(pc)
        return self._places[pc]

    @cached_property
    def _places(self) -> dict[int, Place]:
        return {}

    @property
    def _namers(self) -> dict[str, Callable[[int], str]]:
        return {
            FUNCTION: self.places.name,
            LINE: lambda pc: self.place(pc).source or self.place(pc).function,
            INSTRUCTION: lambda pc: f"{pc & ~3:08x} {self.place(pc).function}",
            SET: lambda pc: f"set {(pc & ~3) % self._way // self.block}",
        }


def _opens(image: Path) -> set[int]:
    """Physical addresses at which the path begins."""
    markers = regions.Image(image).markers
    opens = (regions.OPEN, elf.PATH)
    return {m.address & elf.PHYSICAL for m in markers if (m.action, m.window) == opens}


def _of_places(
    logged: Iterable[list[Tick]], begins: set[int]
) -> Iterator[tuple[int | None, list[Tick]]]:
    """The segments of a program's log, parted where a measured place begins, each with the address
    at which its place began. What follows a pause belongs to the place before it."""
    place = None
    for segment in logged:
        part: list[Tick] = []
        for tick in segment:
            if tick.pc in begins:
                if part:
                    yield place, part
                place, part = tick.pc, []
            part.append(tick)
        yield place, part


def _is_node(folder: Path) -> bool:
    """Return true for the run of a ``NodeSpec``: its program's result has no regions."""
    place = folder / "result.json"
    result = json.loads(place.read_text()) if place.is_file() else {"provenance": {}}
    return bool(result["provenance"].get("program")) and result.get("regions") is None


def _measured(folder: Path, ticks: int, opens: set[int] | None) -> list[list[Tick]]:
    """The segments that the counters have counted: from the first after 'measurement starts' until
    their ticks are all there. The first begins with an instruction of ``opens``: a path that was
    under way then does not count. Of a program (None) that is the whole log."""
    file = folder / "ticks.csv"
    starts = [
        event.tick
        for event in measure.events(folder / "events.csv")
        if (event.node, event.number) == (CLIENT, measure.MEASURE_START)
    ]
    starts = [-1] if opens is None else starts
    found, left = [], ticks
    for segment in attribution.segments(attribution.read(file, starts[0])) if starts else ():
        if left <= 0:
            break
        began = next((tick.pc for tick in segment if tick.pc is not None), None)
        if opens is not None and not found and began not in opens:
            continue
        found.append(segment)
        left -= sum(tick.count for tick in segment)
    if left:
        raise RunError(f"{file}: {ticks} ticks were counted, and they are not there.")
    return found


def _check(folder: Path, found: Cost, counted: dict[str, int]) -> None:
    """The sums over all instructions are the counters."""
    wanted = {k.removeprefix("owner."): v for k, v in counted.items() if k.startswith("owner.")}
    ours = {owner: found.ticks[owner] for owner in wanted}
    ours |= {name: found.events[name] for name in attribution.EVENTS} | {"ticks": found.total}
    wanted |= {name: counted[name] for name in (*attribution.EVENTS, "ticks")}
    for name, value in wanted.items():
        if ours[name] != value:
            raise RunError(f"{folder}: {name} is {value}, but its instructions have {ours[name]}.")
