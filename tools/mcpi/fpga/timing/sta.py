# SPDX-License-Identifier: BSD-2-Clause
"""Static timing of a routed board that knows that a tick of virtual time has two clocks.

nextpnr gives each path one clock; this takes the delays that nextpnr used (``sdf``), and with one
clock for each path it must give nextpnr's own MHz (``check``). No two beats (``quiet``) are in
adjacent clocks, so:

  - what may move in any clock has one clock to wherever it goes;
  - what moves only behind a beat is **held**. In a beat's own clock it has stood for two, so all
    its paths have two clocks;
  - in the quiet clock behind a beat, what it can still reach is what the circuit is when every beat
    is 0: arcs whose output is constant then, or does not follow that input, are gone, and pins
    behind an enable that is off do not matter. What remains has **one** clock, though it ends in
    a register that holds: the way from a register back into itself is such a path;
  - **early** data are as held ones: whatever takes them at a beat finds them two clocks old;
  - **static** registers begin no path.

timing.md says why each is sound. Rising edges of the clock with the most registers alone; hold
times, clock skew and the device's pins are not looked at.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.fpga.timing import netlist as netlist_values
from mcpi.fpga.timing import routed, sdf, stable_registers
from mcpi.fpga.timing.netlist import Netlist
from mcpi.fpga.timing.routed import RoutedCells
from mcpi.fpga.timing.sdf import Delays, Pin
from mcpi.fpga.timing.stable_registers import Moves, Port, Quiet

_CLOCKS = {"CLK", "CLKA", "CLKB", "WCK"}
_NEVER = float("-inf")
TOLERANCE = 0.02  # MHz between nextpnr's figure and ours


@dataclass(frozen=True)
class Longest:
    """A path in the source's names; ``levels``: cells between both registers."""

    start: str
    end: str
    clocks: int
    logic_ns: float
    wire_ns: float
    levels: int


@dataclass(frozen=True)
class Group:
    """Paths whose registers differ in their numbers alone; ``ns`` of the longest for each clock it
    has."""

    start: str
    end: str
    ends: int
    ns: float
    clocks: int
    levels: int


@dataclass(frozen=True)
class Timing:
    """MHz with each path in one clock, and with a tick's two; ``path`` limits the second.

    ``counts``: registers (ports of memories are some), those held, static, early; beats; cells that
    are not the netlist's. ``groups``: the slowest first.
    """

    one_clock_mhz: float
    paced_mhz: float
    path: Longest
    counts: dict[str, int]
    groups: tuple[Group, ...]


class Class(IntEnum):
    """What has begun an arrival, and through which circuit it has come."""

    ANY = 0  # may move in any clock
    HELD = 1
    QUIET = 2  # held, through what remains in a quiet clock
    ALL = 3  # everything, static as well


_BEGINS = {
    Moves.ANY: (Class.ANY,),
    Moves.HELD: (Class.HELD, Class.QUIET),
    Moves.EARLY: (Class.HELD, Class.QUIET),
    Moves.STATIC: (),
}


@dataclass(frozen=True)
class End:
    """The worst arrival at a register's pin, set-up within; ``clocks`` it has for ``ps``."""

    cell: str
    pin: Pin
    setup: float
    kind: Class
    ps: float
    clocks: int

    @property
    def each(self) -> float:
        return self.ps / self.clocks


class Arrivals:
    """The latest arrival of each class at each output of the routed design, ps."""

    def __init__(self, delays: Delays, cells: RoutedCells, clock: Pin):
        self._delays, self._cells, self._clock = delays, cells, clock
        self.inputs: dict[Pin, list[tuple[Pin, float, float, str]]] = {}
        self._starts: dict[Pin, list[tuple[str, float]]] = {}
        for cell, arcs in delays.arcs.items():
            for port, output, ps in arcs:
                if port in _CLOCKS:
                    self._starts.setdefault((cell, output), []).append((port, ps))
                elif joined := delays.wires.get((cell, port)):
                    source, wire = joined
                    into = self.inputs.setdefault((cell, output), [])
                    into.append((source, wire, ps, port))
        self._at: dict[Pin, list[float]] = {}
        self._before: dict[Pin, list[tuple[Pin, float, float] | None]] = {}

    def at(self, wanted: Pin) -> list[float]:
        """By class. A loop of logic is cut where it is met a second time."""
        stack, begun = [wanted], set()
        while stack:
            pin = stack[-1]
            if pin not in self._at:
                missing = [s for s, *_ in self.inputs.get(pin, ()) if s not in self._at]
                missing = [s for s in missing if s not in begun]
                if missing and pin not in begun:
                    begun.add(pin)
                    stack.extend(missing)
                    continue
                self._arrive(pin)
            stack.pop()
        return self._at[wanted]

    def _arrive(self, pin: Pin) -> None:
        cell, output = pin
        latest = [_NEVER] * len(Class)
        before: list[tuple[Pin, float, float] | None] = [None] * len(Class)
        for port, ps in self._starts.get(pin, ()):
            if self._delays.wires.get((cell, port), (None,))[0] == self._clock:
                for kind in (*_BEGINS[self._cells.port(cell, port).moves], Class.ALL):
                    latest[kind] = max(latest[kind], ps)
        for source, wire, logic, port in self.inputs.get(pin, ()):
            arrivals = self._at.get(source)
            if arrivals is None:
                continue
            for kind, arrival in enumerate(arrivals):
                when = arrival + wire + logic
                if when > latest[kind] and (
                    kind != Class.QUIET or self._cells.passes(cell, port, output)
                ):
                    latest[kind], before[kind] = when, (source, wire, logic)
        self._at[pin], self._before[pin] = latest, before

    def back(self, pin: Pin, kind: Class) -> tuple[str, int, float]:
        """Where the latest arrival begins: cell, levels up to ``pin``, ns of wire in it."""
        levels, wires = 0, 0.0
        while step := self._before[pin][kind]:
            pin, wire, _ = step
            levels, wires = levels + 1, wires + wire
        return pin[0], levels, wires / 1000


def rules() -> str:
    """A digest of these rules: another one, and what was kept of an analysis is worth nothing."""
    digest = hashlib.sha256()
    for file in (__file__, netlist_values.__file__, stable_registers.__file__, routed.__file__):
        digest.update(Path(file).read_bytes())
    digest.update(Path(sdf.__file__).read_bytes())
    return digest.hexdigest()[:16]


def analyse(path: Path, netlist: Path, top: str, above_ns: float | None = None) -> Timing:
    """Of an SDF of nextpnr (packed by gzip or not) and the netlist it was made of.

    ``above_ns``: groups of paths that take more than this for each clock they have; without it,
    those that take more than four fifths of the longest. RunError if there is no beat, or no clock.
    """
    standing = Quiet(Netlist(json.loads(netlist.read_text()), top))
    return analysed(sdf.read(path), standing, above_ns)


def analysed(delays: Delays, standing: Quiet, above_ns: float | None = None) -> Timing:
    """The same of what has been read."""
    cells = RoutedCells(delays, standing)
    clock, ports = _clock(delays)
    arrivals = Arrivals(delays, cells, clock)
    flat, ends = 0.0, []
    for end in _ends(delays, cells, arrivals, clock):
        if end.kind is Class.ALL:
            flat = max(flat, end.ps)
        else:
            ends.append(end)
    if not ends:
        raise RunError(f"No path begins and ends at registers of {clock[0]}.")
    ends.sort(key=lambda end: (-end.each, end.cell, end.pin))
    worst = ends[0]
    start, levels, wire = _back(delays, arrivals, worst)
    limit = worst.each * 0.8 if above_ns is None else above_ns * 1000
    return Timing(
        one_clock_mhz=1e6 / flat,
        paced_mhz=1e6 / worst.each,
        path=Longest(
            register(start),
            register(worst.cell),
            worst.clocks,
            round(worst.ps / 1000 - wire, 3),
            round(wire, 3),
            levels,
        ),
        counts=_counts(cells, ports, standing),
        groups=_groups(delays, arrivals, [end for end in ends if end.each > limit]),
    )


def _clock(delays: Delays) -> tuple[Pin, set[Pin]]:
    """The clock of the most registers, and their clock pins."""
    joined: dict[Pin, set[Pin]] = {}
    for (cell, port), (source, _) in delays.wires.items():
        if port in _CLOCKS:
            joined.setdefault(source, set()).add((cell, port))
    if not joined:
        raise RunError("No register of the routed design has a clock.")
    clock = max(joined, key=lambda source: (len(joined[source]), source))
    return clock, joined[clock]


def _ends(delays: Delays, cells: RoutedCells, arrivals: Arrivals, clock: Pin) -> Iterator[End]:
    """For each pin with a set-up time: the worst of the paced paths, and of all in one clock."""
    for cell, checks in delays.checks.items():
        for check in checks:
            pin = cell, check.port
            joined = delays.wires.get((cell, check.clock), (None,))[0]
            if check.edge != "posedge" or joined != clock or pin not in delays.wires:
                continue
            source, wire = delays.wires[pin]
            late = [arrival + wire + check.setup for arrival in arrivals.at(source)]
            if late[Class.ALL] == _NEVER:
                continue
            yield End(cell, pin, check.setup, Class.ALL, late[Class.ALL], 1)
            rows = [
                End(cell, pin, check.setup, kind, late[kind], clocks)
                for kind, clocks in _allowed(cells.port(cell, check.clock), check.port).items()
                if late[kind] != _NEVER
            ]
            if rows:
                yield max(rows, key=lambda end: (end.each, -end.clocks))


def _allowed(port: Port, pin: str) -> dict[Class, int]:
    """The clocks that an arrival of each class has at this pin."""
    clocks = {Class.ANY: 1, Class.HELD: 2}
    if pin not in port.idle:
        clocks[Class.QUIET] = 1
    return clocks


def _back(delays: Delays, arrivals: Arrivals, end: End) -> tuple[str, int, float]:
    source, wire = delays.wires[end.pin]
    start, levels, wires = arrivals.back(source, end.kind)
    return start, levels, wires + wire / 1000


def _counts(cells: RoutedCells, ports: set[Pin], standing: Quiet) -> dict[str, int]:
    """Of what has the clock; distributed RAM counts four times, as it is four cells."""
    found = [cells.port(cell, clock) for cell, clock in sorted(ports)]
    moves = Counter(port.moves for port in found)
    return {
        "registers": len(found),
        "held": sum(port.held for port in found),
        "static": moves[Moves.STATIC],
        "early": moves[Moves.EARLY],
        "beats": len(standing.beats),
        "unmapped": len(cells.unmapped),
    }


def _groups(delays: Delays, arrivals: Arrivals, ends: list[End]) -> tuple[Group, ...]:
    """``ends``: the worst first."""
    worst: dict[tuple[str, str, int], tuple[End, int]] = {}
    members: dict[tuple[str, str, int], set[str]] = {}
    for end in ends:
        start, levels, _ = _back(delays, arrivals, end)
        key = _alike(start), _alike(end.cell), end.clocks
        worst.setdefault(key, (end, levels))
        members.setdefault(key, set()).add(end.cell)
    return tuple(
        Group(start, to, len(members[start, to, clocks]), round(end.each / 1000, 3), clocks, levels)
        for (start, to, clocks), (end, levels) in worst.items()
    )


def register(cell: str) -> str:
    """A routed cell as the source names the register."""
    name = re.sub(r"_(TRELLIS_FF|DP16KD|TRELLIS_DPR16X4|MULT18X18D)_.*", "", cell)
    name = re.sub(r"_(LUT4|CCU2C|PFUMX|L6MUX21)_.*", " …", name)
    return re.sub(r"^(area_)?inner\.", "", re.sub(r"\$(DPRAM|RAMW)_.*", "", name))


def _alike(cell: str) -> str:
    return re.sub(r"\d+", "#", register(cell))


def check(timing: Timing, nextpnr_mhz: float) -> None:
    """RunError if each path in one clock is not what nextpnr says, MHz."""
    if abs(timing.one_clock_mhz - nextpnr_mhz) > TOLERANCE:
        raise RunError(
            f"The timing with two clocks a tick is not to be trusted: with one clock for each path "
            f"it is {timing.one_clock_mhz:.2f} MHz, and nextpnr says {nextpnr_mhz:.2f}."
        )
