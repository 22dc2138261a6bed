# SPDX-License-Identifier: BSD-2-Clause
"""A small design as yosys and nextpnr would write it, with delays of our own, and what it does in
time: a model that shares nothing with the analysis.

Wires have names; a LUT's and a register's output bears the cell's. Delays are in ps, by pin.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

TOP, CLOCK = "Top", "clock"


@dataclass(frozen=True)
class Lut:
    inputs: tuple[str, ...]
    table: int
    ps: tuple[int, ...]


@dataclass(frozen=True)
class Mux:
    """A PFUMX of two LUTs that nothing else looks at."""

    select: str
    one: str
    none: str
    ps: tuple[int, int]  # from select and from ALUT


@dataclass(frozen=True)
class Register:
    data: str
    enable: str
    reset: str
    settings: Mapping[str, str]
    beat: bool
    ps: tuple[int, int, int]  # wires to data, enable, reset


@dataclass
class Design:
    """``renamed``: what routed cells are called; ``marks``: attributes of wires; ``raw``: cells
    as (kind, settings, pins, arcs, checks), pin names alike on both sides."""

    luts: dict[str, Lut] = field(default_factory=dict)
    muxes: dict[str, Mux] = field(default_factory=dict)
    registers: dict[str, Register] = field(default_factory=dict)
    raw: dict[str, tuple] = field(default_factory=dict)
    marks: dict[str, dict[str, str]] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    swapped: set[str] = field(default_factory=set)

    def lut(self, name: str, function: Callable, *inputs: str, ps=1000) -> str:
        """``function`` of its inputs as 0 and 1; ``ps``: one for all pins or one of each."""
        each = (ps,) * len(inputs) if isinstance(ps, int) else tuple(ps)
        rows = [[index >> i & 1 for i in range(len(inputs))] for index in range(16)]
        table = sum(int(bool(function(*row))) << index for index, row in enumerate(rows))
        self.luts[name] = Lut(inputs, table, each)
        return name

    def mux(self, name: str, select: str, one: str, none: str, ps=(1000, 1000)) -> str:
        self.muxes[name] = Mux(select, one, none, ps)
        return name

    def register(
        self, name: str, data: str, enable="1", reset="0", beat=False, ps=(0, 0, 0), **settings
    ) -> str:
        usual = {"CEMUX": "1 " if enable == "1" else "CE", "LSRMUX": "LSR"}
        self.registers[name] = Register(data, enable, reset, usual | settings, beat, ps)
        return name

    def beat(self, name: str = "beat", data: str = "") -> str:
        if not data:
            data = self.lut(f"{name}_next", lambda b: not b, name)
        return self.register(name, data, beat=True)

    # As files.

    def write(self, folder: Path) -> tuple[Path, Path]:
        """SDF and netlist."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "netlist.json").write_text(json.dumps(self._netlist()))
        (folder / "a.sdf").write_text(self._sdf())
        return folder / "a.sdf", folder / "netlist.json"

    def _netlist(self) -> dict:
        numbers: dict[str, int] = {}

        def bit(wire: str) -> int | str:
            return wire if wire in "01" else numbers.setdefault(wire, len(numbers) + 2)

        def cell(kind: str, pins: Mapping[str, str], **settings: str) -> dict:
            joined = {pin: [bit(wire)] for pin, wire in pins.items()}
            return {"type": kind, "parameters": settings, "connections": joined}

        cells = {}
        for name, lut in self.luts.items():
            pins = dict(zip("ABCD", (*lut.inputs, "0", "0", "0", "0")))
            cells[name] = cell("LUT4", pins | {"Z": name}, INIT=f"{lut.table:016b}")
        for name, mux in self.muxes.items():
            pins = {"C0": mux.select, "ALUT": mux.one, "BLUT": mux.none, "Z": name}
            cells[f"{name}_PFUMX"] = cell("PFUMX", pins)
        modules = {"LUT4": {"attributes": {"whitebox": "1"}, "cells": {}}}
        for name, register in self.registers.items():
            if register.beat:
                pins = {"io_next": register.data, "io_is": name, "clk": CLOCK}
                cells[name] = cell("Ready", pins)
                continue
            pins = {"DI": register.data, "CE": register.enable, "LSR": register.reset}
            pins |= {"Q": name, "CLK": CLOCK}
            cells[name] = cell("TRELLIS_FF", pins, **register.settings)
        inside = {"DI": [2], "Q": [3], "CLK": [4]}
        flip_flop = {"type": "TRELLIS_FF", "parameters": {"CEMUX": "1 "}, "connections": inside}
        modules["Ready"] = {
            "attributes": {"keep_hierarchy": "TRUE"},
            "ports": {p: {"bits": [i]} for p, i in (("io_next", 2), ("io_is", 3), ("clk", 4))},
            "cells": {"it": flip_flop},
            "netnames": {},
        }
        for name, (kind, settings, pins, _, _) in self.raw.items():
            cells[name] = cell(kind, pins, **settings)
        names = {
            wire: {"bits": [bit(wire)], "attributes": self.marks.get(wire, {})}
            for wire in list(numbers)
        }
        modules[TOP] = {"attributes": {}, "cells": cells, "netnames": names, "ports": {}}
        return {"modules": modules}

    def _source(self, wire: str) -> str | None:
        """The routed pin that drives a wire."""
        inside = {mux.none: name for name, mux in self.muxes.items()}
        if wire in self.luts:
            return f"{self._routed(wire)}/F"
        if wire in self.muxes:
            return f"{self._routed({v: k for k, v in inside.items()}[wire])}/OFX"
        if wire in self.registers:
            return f"{self._routed(wire)}/Q"
        for name, (_, _, pins, arcs, _) in self.raw.items():
            for _, output, _ in arcs:
                if pins.get(output) == wire:
                    return f"{self._routed(name)}/{output}"
        return None

    def _routed(self, name: str) -> str:
        beat = name in self.registers and self.registers[name].beat
        return _escaped(self.renamed.get(name, f"{name}.it" if beat else name))

    def _sdf(self) -> str:
        wires, cells = [], []

        def join(wire: str, cell: str, pin: str, ps: int = 0) -> bool:
            source = f"pll/{CLOCK}" if wire == CLOCK else self._source(wire)
            if source:
                wires.append(f"(INTERCONNECT {source} {cell}/{pin} {_triple(ps)} {_triple(ps)})")
            return bool(source)

        def add(kind: str, cell: str, arcs: list, checks: list) -> None:
            paths = [f"(IOPATH {a} {b} {_triple(ps)} {_triple(ps)})" for a, b, ps in arcs]
            held = [
                f"(SETUPHOLD ({edge} {pin}) (posedge {clock}) {_triple(ps)} (0:0:0))"
                for pin, clock, ps in checks
                for edge in ("posedge", "negedge")
            ]
            inner = "\n".join(["(DELAY (ABSOLUTE", *paths, "))", "(TIMINGCHECK", *held, ")"])
            cells.append(f'(CELL\n(CELLTYPE "{kind}")\n(INSTANCE {cell})\n{inner}\n)')

        hosts = {mux.none: (name, mux) for name, mux in self.muxes.items()}
        for name, lut in self.luts.items():
            cell, arcs = self._routed(name), []
            order = "BACD" if name in self.swapped else "ABCD"
            for pin, wire, ps in zip(order, lut.inputs, lut.ps):
                if join(wire, cell, pin):
                    arcs.append((pin, "F", ps))
                    arcs += [(pin, "OFX", ps)] if name in hosts else []
            if name in hosts:
                _, mux = hosts[name]
                join(mux.select, cell, "M")
                join(mux.one, cell, "F1")
                arcs += [("M", "OFX", mux.ps[0]), ("F1", "OFX", mux.ps[1])]
            add("TRELLIS_COMB", cell, arcs, [])
        for name, register in self.registers.items():
            cell = self._routed(name)
            join(CLOCK, cell, "CLK")
            pins = zip(("DI", "CE", "LSR"), (register.data, register.enable, register.reset))
            joined = [p for (p, w), ps in zip(pins, register.ps) if join(w, cell, p, ps)]
            add("TRELLIS_FF", cell, [("CLK", "Q", 0)], [(pin, "CLK", 0) for pin in joined])
        for name, (kind, _, pins, arcs, checks) in self.raw.items():
            cell = self._routed(name)
            for pin, wire in pins.items():
                if pin not in {output for _, output, _ in arcs}:
                    join(wire, cell, pin)
            add(kind, cell, arcs, checks)
        whole = '(CELL\n(CELLTYPE "top")\n(INSTANCE )\n(DELAY\n(ABSOLUTE\n' + "\n".join(wires)
        return "\n".join(["(DELAYFILE", whole + "\n)))", *cells, ")"])

    # In time.

    def run(self, period: float | None, first: Mapping[str, int], clocks: int) -> list[dict]:
        """The registers' values in so many clocks of ``period`` ps; None: one in which all has
        arrived. A wire follows each input after that pin's delay, whatever comes in between."""
        states = [dict(first)]
        for k in range(1, clocks):
            memo: dict[tuple[str, float], int] = {}

            def at(wire: str, when: float, memo=memo) -> int:
                if wire in "01":
                    return int(wire)
                if (wire, when) not in memo:
                    memo[wire, when] = value(wire, when)
                return memo[wire, when]

            def value(wire: str, when: float) -> int:
                def before(source: str, ps: float) -> int:
                    return at(source, when if period is None else when - ps)

                if wire in self.registers:
                    clock = len(states) - 1 if period is None else int(when // period)
                    return states[max(0, min(clock, len(states) - 1))][wire]
                if wire in self.muxes:
                    mux = self.muxes[wire]
                    if before(mux.select, mux.ps[0]):
                        return before(mux.one, mux.ps[1])
                    return before(mux.none, 0)
                lut = self.luts[wire]
                index = sum(before(w, ps) << i for i, (w, ps) in enumerate(zip(lut.inputs, lut.ps)))
                return lut.table >> index & 1

            new = {}
            for name, register in self.registers.items():
                edge = 0 if period is None else k * period - 1e-3
                late = (0, 0, 0) if period is None else register.ps
                data = at(register.data, edge - late[0])
                enable = at(register.enable, edge - late[1])
                reset = at(register.reset, edge - late[2])
                new[name] = 0 if reset else data if enable else states[-1][name]
            states.append(new)
        return states


def _triple(ps: float) -> str:
    return f"({ps / 2:g}:{ps * 3 / 4:g}:{ps:g})"


def _escaped(name: str) -> str:
    return "".join(c if c.isalnum() or c in "._" else f"\\{c}" for c in name)
