# SPDX-License-Identifier: BSD-2-Clause
"""Where a board's registers hear another clock, or a pin, and whether a synchroniser stands there.

The top is read by yosys as far as registers, gates and memories (``proc``, flat, nothing mapped).
Each register bit has a domain: its clock's wire and edge. A bit that hears another domain must be
the first of a **synchroniser**: its data come from one register of the other domain, or a pin,
without a gate; and all that hears it is one register of its own domain, without a gate. An
asynchronous reset from another domain must be that of a chain of two registers whose data are
constant. All else is a crossing that somebody has to answer for: it is reported.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mcpi.base import yosys

_SCRIPT = (
    "read_verilog {verilog}; hierarchy -top {top}; proc; setattr -mod -unset keep_hierarchy; "
    "flatten; opt_clean; memory_collect; write_json {out}"
)
_REGISTERS = ("$dff", "$adff")
_ORDER = re.compile(r"\[\d+\]$")


@dataclass(frozen=True, order=True)
class Crossing:
    """Bits of register or memory ``to`` hear ``source`` of another domain. ``how``:
    ``synchroniser``, ``reset``, ``memory`` (what it holds was written there) or ``bare``."""

    source: str
    to: str
    how: str


def read(verilog: Path, top: str, folder: Path) -> dict:
    """The module ``top`` as yosys's JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    script = _SCRIPT.format(verilog=verilog.resolve(), top=top, out="crossings.json")
    yosys.run(yosys.YOSYS, ["-q", "-p", script], folder, "crossings.log")
    return json.loads((folder / "crossings.json").read_text())["modules"][top]


class _Design:
    """Who drives each bit, who hears it, and the domain of what begins at registers and pins."""

    def __init__(self, module: dict) -> None:
        self.names: dict[int, str] = {}
        named = sorted(module["netnames"].items(), key=lambda item: _worth(*item))
        for name, net in named:
            for bit in net["bits"]:
                self.names.setdefault(bit, name)
        self.cells = module["cells"]
        self.heard: dict[int, list[tuple[str, str, int]]] = defaultdict(list)  # cell, pin, position
        self.driver: dict[int, tuple[str, str]] = {}
        for name, cell in self.cells.items():
            for pin, bits in cell["connections"].items():
                out = cell["port_directions"][pin] != "input"
                for position, bit in enumerate(bits):
                    if isinstance(bit, str):
                        continue
                    if out:
                        self.driver[bit] = name, pin
                    else:
                        self.heard[bit].append((name, pin, position))
        self.out_pins = {
            bit for p in module["ports"].values() if p["direction"] != "input" for bit in p["bits"]
        }
        self.domain: dict[int, object] = {}  # of register bits and pins
        for name, port in module["ports"].items():
            if port["direction"] != "output":
                self.domain |= dict.fromkeys(port["bits"], f"pin {name}")
        for cell in self.cells.values():
            if cell["type"] in _REGISTERS:
                self.domain |= {bit: clock(cell) for bit in cell["connections"]["Q"]}
        self.writers = {
            name: [
                (clock, pol)
                for clock, pol in zip(
                    cell["connections"]["WR_CLK"], reversed(cell["parameters"]["WR_CLK_POLARITY"])
                )
            ]
            for name, cell in self.cells.items()
            if cell["type"] == "$mem_v2"
        }
        self.reached = self._reach()

    def _reach(self) -> dict[int, frozenset]:
        """The domains that each bit hears through gates; a memory's data hear who writes it."""
        found: dict[int, frozenset] = defaultdict(frozenset)
        todo = []
        for bit, domain in self.domain.items():
            found[bit] = frozenset([domain])
            todo.append(bit)
        for name, writers in self.writers.items():
            for bit in self.cells[name]["connections"]["RD_DATA"]:
                found[bit] = frozenset(writers)
                todo.append(bit)
        while todo:
            bit = todo.pop()
            for name, pin, position in self.heard[bit]:
                for out in self._through(name, pin, position):
                    if not found[bit] <= found[out] and out not in self.domain:
                        found[out] |= found[bit]
                        todo.append(out)
        return found

    def _through(self, name: str, pin: str, position: int) -> Iterator[int]:
        """Bits that a gate makes of its input bit."""
        cell = self.cells[name]
        kind, wires = cell["type"], cell["connections"]
        if kind in _REGISTERS or not kind.startswith("$"):
            return  # a register ends a path; a cell of the device makes clocks and resets
        if kind == "$mem_v2":
            if pin == "RD_ADDR":
                yield from (bit for bit in wires["RD_DATA"] if not isinstance(bit, str))
        elif kind in ("$mux", "$and", "$or", "$xor", "$not") and pin != "S":
            if position < len(wires["Y"]) and not isinstance(wires["Y"][position], str):
                yield wires["Y"][position]
        else:
            yield from (bit for pin in ("Y",) for bit in wires[pin] if not isinstance(bit, str))

    def origins(self, bit: int, own: object) -> set[str]:
        """Names of registers, pins and memories of other domains that ``bit`` hears."""
        found, seen, todo = set(), {bit}, [bit]
        while todo:
            at = todo.pop()
            if at in self.domain:
                if self.domain[at] != own:
                    found.add(self.name(at))
                continue
            name, _ = self.driver.get(at, ("", ""))
            if not name:
                continue
            cell = self.cells[name]
            if cell["type"] == "$mem_v2" and set(self.writers[name]) - {own}:
                found.add(f"memory {_memory(name, cell)}")
            ins = {"RD_ADDR"} if cell["type"] == "$mem_v2" else set(cell["connections"])
            for pin in ins:
                if cell["port_directions"][pin] == "input":
                    more = {b for b in cell["connections"][pin] if not isinstance(b, str)} - seen
                    todo += [b for b in more if self.reached[b] - {own}]
                    seen |= more
        return found

    def name(self, bit: int) -> str:
        return _ORDER.sub("", self.names.get(bit, f"bit {bit}"))


def clock(cell: dict) -> tuple:
    """The domain of a register: its clock's wire and edge."""
    return cell["connections"]["CLK"][0], cell["parameters"]["CLK_POLARITY"][-1]


def crossings(module: dict) -> set[Crossing]:
    """Every place where a register or a memory hears another domain."""
    design, found = _Design(module), set()
    for name, cell in design.cells.items():
        wires = cell["connections"]
        if cell["type"] in _REGISTERS:
            own = clock(cell)
            for position, bit in enumerate(wires["D"]):
                if not isinstance(bit, str) and design.reached[bit] - {own}:
                    out = wires["Q"][position]
                    found |= _of_data(design, bit, out, own)
            if cell["type"] == "$adff":
                found |= _of_reset(design, cell, own)
        elif cell["type"] == "$mem_v2":
            for own in set(design.writers[name]):
                for pin in ("WR_ADDR", "WR_DATA", "WR_EN"):
                    for bit in wires[pin]:
                        if not isinstance(bit, str) and design.reached[bit] - {own}:
                            to = f"memory {_memory(name, cell)}"
                            found |= {Crossing(o, to, "bare") for o in design.origins(bit, own)}
    return found


def _of_data(design: _Design, bit: int, out: int, own: object) -> set[Crossing]:
    origins, to = design.origins(bit, own), design.name(out)
    if all(origin.startswith("memory ") for origin in origins):
        return {Crossing(origin, to, "memory") for origin in origins}
    direct = bit in design.domain
    how = "synchroniser" if direct and _passes_on(design, out, own) else "bare"
    return {Crossing(origin, to, how) for origin in origins}


def _passes_on(design: _Design, out: int, own: object) -> bool:
    """All that hears ``out`` is the data of one register of its own domain."""
    if out in design.out_pins or len(design.heard[out]) != 1:
        return False
    name, pin, _ = design.heard[out][0]
    cell = design.cells[name]
    return cell["type"] in _REGISTERS and pin == "D" and clock(cell) == own


def _of_reset(design: _Design, cell: dict, own: object) -> set[Crossing]:
    reset = cell["connections"]["ARST"][0]
    if isinstance(reset, str) or not design.reached[reset] - {own}:
        return set()
    data, out = cell["connections"]["D"][0], cell["connections"]["Q"][0]
    first = isinstance(data, str) and _passes_on(design, out, own)
    before = design.driver.get(data)
    second = before is not None and _is_first(design, design.cells[before[0]], reset)
    how = "reset" if first or second else "bare"
    return {Crossing(o, design.name(out), how) for o in design.origins(reset, own)}


def _is_first(design: _Design, cell: dict, reset: int) -> bool:
    """Of a chain that takes a reset over: constant data, the same reset."""
    return (
        cell["type"] == "$adff"
        and isinstance(cell["connections"]["D"][0], str)
        and cell["connections"]["ARST"][0] == reset
    )


def _memory(name: str, cell: dict) -> str:
    said = cell["parameters"].get("MEMID", name)
    return str(said).replace("\\", "")


def _worth(name: str, net: dict) -> tuple:
    """Names of the source before those that yosys makes, short before long."""
    return net.get("hide_name", 0), name.count("."), len(name), name
