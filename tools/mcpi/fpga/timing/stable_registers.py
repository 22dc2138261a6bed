# SPDX-License-Identifier: BSD-2-Clause
"""Which registers of a netlist stand still in a quiet clock, one in which no beat is high.

A *beat* is a register that is high in a clock in which virtual-time registers may move; no two are
high in adjacent clocks (rtl/memory/PacedGovernor.scala). It is the ``io_is`` of an instance of
module ``Ready``. Wires of the Verilog may bear one of four attributes:

  mcpi_static             moves only between runs: no path begins there, whatever it is worth
  mcpi_quiet_0, _quiet_1  the same, and worth that in a run
  mcpi_early              moves between beats, but stands for two clocks before the beat that
                          takes it
"""

import re
from dataclasses import dataclass
from enum import Enum

from mcpi.base.errors import RunError
from mcpi.fpga.timing.netlist import Cell, Netlist, Values, Wire

_BEAT = re.compile(r"(\$paramod(\$\w+)?\\)?Ready(_\d+)?(\\.*)?")
STATIC, EARLY, QUIET = "mcpi_static", "mcpi_early", {"mcpi_quiet_0": "0", "mcpi_quiet_1": "1"}


class Moves(Enum):
    """When what a register shows may change."""

    ANY = "any clock"
    HELD = "behind a beat"
    EARLY = "two clocks before its beat"
    STATIC = "between runs"


@dataclass(frozen=True)
class Port:
    """A register, or one port of a memory.

    ``held``: it takes nothing in a quiet clock. ``idle``: its inputs that do not matter then,
    those behind an enable that is off.
    """

    moves: Moves
    held: bool
    idle: frozenset[str]


UNKNOWN = Port(Moves.ANY, False, frozenset())


def beats(netlist: Netlist) -> set[Wire]:
    """The wires of all beats; RunError if there are none."""
    found = {
        wire
        for _, kind, pins in netlist.modules
        if _BEAT.fullmatch(kind)
        for wire in pins.get("io_is", [])
    }
    if not found:
        raise RunError("The netlist has no beat: no instance of module Ready was kept.")
    return found


class Quiet:
    """The ports of a netlist in a quiet clock; ``values``: what its wires are worth then."""

    def __init__(self, netlist: Netlist):
        self.netlist = netlist
        self.beats = beats(netlist)
        known = dict.fromkeys(self.beats, "0")
        self._static = set(netlist.marked(STATIC))
        for attribute, value in QUIET.items():
            wires = netlist.marked(attribute)
            if wrong := [w for w in wires if known.get(w, value) != value]:
                raise RunError(f"The netlist says that wire {wrong[0]} is 0 and 1 at once.")
            known |= dict.fromkeys(wires, value)
            self._static |= wires
        self._early = netlist.marked(EARLY)
        self.values = Values(netlist, known)

    def port(self, name: str, clock: str) -> Port:
        """Of cell ``name``, what moves with its pin ``clock``. A cell that is not in the netlist,
        or of a kind that is not known, moves at any clock."""
        cell = self.netlist.cells.get(name)
        if cell is None:
            return UNKNOWN
        if cell.kind == "TRELLIS_FF":
            return self._flip_flop(cell)
        if cell.kind == "DP16KD":
            return self._block_ram(cell, clock[-1])
        if cell.kind == "TRELLIS_DPR16X4" and clock == "WCK":
            return self._distributed_ram(cell)
        return UNKNOWN

    def _is(self, cell: Cell, pin: str, on: bool, invert: str) -> bool:
        """Whether a pin is always on, or always off. One that is not connected is off."""
        value = self.values.constant(cell.pins.get(pin, "0"))
        return value == ("1" if on != (cell.setting(invert) == "INV") else "0")

    def _flip_flop(self, cell: Cell) -> Port:
        output = cell.pins["Q"]
        enabled = cell.setting("CEMUX", "CE")
        off = enabled != "1" and self._is(cell, "CE", False, "CEMUX")
        held = self._is(cell, "LSR", False, "LSRMUX") and off or self._stays(cell)
        held = (held or self._copies(cell)) and output not in self.beats
        return Port(self._moves(output, held), held, frozenset(("DI", "M") if off else ()))

    def _stays(self, cell: Cell) -> bool:
        """Whether what it takes is what it has, be it 0 or 1: synthesis says so with the enable,
        the reset or the data, or with all of them."""
        if cell.setting("SRMODE") == "ASYNC" and not self._is(cell, "LSR", False, "LSRMUX"):
            return False
        has = self.values.constant(cell.pins["Q"])
        return all(self._next(cell, value) == value for value in has or "01")

    def _copies(self, cell: Cell) -> bool:
        """Whether it takes in each clock what a register with an enable takes: synthesis gives
        memories such copies of the registers their addresses come from."""
        table, inputs = self._lut(_data(cell))
        if not table or cell.setting("CEMUX", "CE") != "1":
            return False
        if not self._is(cell, "LSR", False, "LSRMUX"):
            return False
        for wire in inputs:
            first = self.netlist.drivers.get(wire, ("", ""))[0]
            other = self.netlist.cells.get(first)
            if other is None or other.kind != "TRELLIS_FF" or other.setting("CEMUX") != "CE":
                continue
            pins = [other.pins.get("CE"), _data(other), wire]
            if not self._is(other, "LSR", False, "LSRMUX") or not set(pins) <= {*inputs, "0", "1"}:
                continue
            if all(
                out == (data if enable else old)
                for row, out in enumerate(table)
                for enable, data, old in [[_pin(inputs, row, w) for w in pins]]
            ):
                return self._flip_flop(other).held
        return False

    def _lut(self, wire: Wire) -> tuple[list[int], list[Wire]]:
        """The table of the LUT a wire comes from, and what its inputs are on."""
        cell = self.netlist.cells.get(self.netlist.drivers.get(wire, ("", ""))[0])
        if cell is None or cell.kind != "LUT4":
            return [], []
        table = int(cell.settings["INIT"], 2)
        inputs = [cell.pins.get(pin, "x") for pin in "ABCD"]
        fixed = [i for i, w in enumerate(inputs) if w in ("0", "1")]
        rows = [
            table
            >> sum((row >> i & 1 if i not in fixed else int(inputs[i])) << i for i in range(4))
            & 1
            for row in range(16)
        ]
        return rows, inputs

    def _next(self, cell: Cell, has: str) -> str:
        """What it takes if it has that; "" for either."""
        wire = self.values.value(cell.pins["Q"])
        known = {} if wire == has else {wire: has}

        def pin(name: str, invert: str) -> str:
            value = self.values.constant_if(cell.pins.get(name, "0"), known)
            return value if not value or cell.setting(invert) != "INV" else str(1 - int(value))

        enable = "1" if cell.setting("CEMUX", "CE") == "1" else pin("CE", "CEMUX")
        data = self.values.constant_if(_data(cell), known)
        taken = {"1": data, "0": has}.get(enable, data if data == has else "")
        reset = "1" if cell.setting("REGSET") == "SET" else "0"
        said = pin("LSR", "LSRMUX")
        return {"1": reset, "0": taken}.get(said, taken if taken == reset else "")

    def _moves(self, output: Wire, held: bool) -> Moves:
        if output in self._static:
            return Moves.STATIC
        if held:
            return Moves.HELD
        return Moves.EARLY if output in self._early else Moves.ANY

    def _block_ram(self, cell: Cell, side: str) -> Port:
        """One side. Its output register moves a clock later than what it reads; what a side that
        is off has read stays. A side that is on may still not write, and nobody look at it."""
        unreset = self._is(cell, f"RST{side}", False, f"RST{side}MUX")
        off = self._is(cell, f"CE{side}", False, f"CE{side}MUX")
        enables = _byte_enables(cell, side)
        deaf = self._is(cell, f"WE{side}", False, f"WE{side}MUX") or (
            bool(enables)
            and all(self.values.constant(cell.pins.get(p, "0")) == "0" for p in enables)
        )
        reads = self._reads(cell, side)
        idle: frozenset[str] = frozenset()
        if off:
            idle = _inputs(side) | {f"WE{side}"} | {f"CS{side}{i}" for i in range(3)}
        elif deaf and not reads:
            idle = _inputs(side) - enables
        direct = "OUTREG" not in (cell.setting("REGMODE_A"), cell.setting("REGMODE_B"))
        held = off and unreset
        moves = Moves.HELD if held and direct else Moves.ANY
        return Port(moves, held or bool(idle and unreset), idle)

    def _reads(self, cell: Cell, side: str) -> bool:
        """Whether somebody looks at what this side reads. Of two sides of 36 bits A writes and B
        reads, with the data pins of both."""
        widths = [cell.number(f"DATA_WIDTH_{s}", 18) for s in "AB"]
        if widths == [36, 36]:
            return side == "B"
        outputs = [f"DO{side}"] if 36 not in widths else ["DOA", "DOB"]
        return any(
            pin[:3] in outputs and self.netlist.pins_on[wire] > 1 for pin, wire in cell.pins.items()
        )

    def _distributed_ram(self, cell: Cell) -> Port:
        """Its writing; that what is written is seen at once is no path of nextpnr's."""
        off = self._is(cell, "WRE", False, "WREMUX")
        pins = {f"WAD{i}" for i in range(4)} | {f"WD{i}" for i in range(4)} | {"WD"}
        return Port(Moves.HELD if off else Moves.ANY, off, frozenset(pins if off else ()))


def _pin(inputs: list[Wire], row: int, wire: Wire) -> int:
    """What a wire is worth in a row of the table of a LUT with these inputs."""
    return int(wire) if wire in ("0", "1") else row >> inputs.index(wire) & 1


def _data(cell: Cell) -> Wire:
    return cell.pins["DI"] if "DI" in cell.pins else cell.pins.get("M", "x")


def _inputs(side: str) -> frozenset[str]:
    """Address and data. A memory of 36 bits has data of both sides; they go with the clock."""
    data = {f"DI{s}{i}" for s in "AB" for i in range(18)}
    return frozenset(data | {f"AD{side}{i}" for i in range(14)})


def _byte_enables(cell: Cell, side: str) -> frozenset[str]:
    """The addresses that a wide memory has no use for say which bytes are written."""
    count = {18: 2, 36: 4}.get(cell.number(f"DATA_WIDTH_{side}", 18), 0)
    return frozenset(f"AD{side}{i}" for i in range(count))
