# SPDX-License-Identifier: BSD-2-Clause
"""Where a board's registers hear another clock, or a pin, and whether a synchroniser stands there.

The top is read by yosys as far as registers, gates and memories (``proc``, flat, nothing mapped).
Each register bit has a domain: its clock's wire and edge. A bit that hears another domain must be
the first of a **synchroniser**: its data come from one register of the other domain, or a pin,
without a gate; and all that hears it is one register of its own domain, without a gate. (A reset
of its own domain is no gate.) An asynchronous reset from another domain must be that of a chain of
two registers whose data are constant. For all else, and for several bits that cross together,
``REASONS`` says why it is right.
"""

import itertools
import json
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mcpi.base import yosys
from mcpi.base.errors import RunError

_SCRIPT = (
    "read_verilog -lib +/ecp5/cells_bb.v; read_verilog crossings.v; hierarchy -top {top}; proc; "
    "setattr -mod -unset keep_hierarchy *; setattr -unset keep_hierarchy c:*; flatten; opt_clean; "
    "memory_collect; write_json crossings.json"
)
SYNCHRONISER, RESET, MEMORY, BARE = "synchroniser", "reset", "memory", "bare"
# By how they cross and what they match in "source -> register": crossings that are right for
# another reason.
REASONS = {
    (MEMORY, r"gateway\.\w+\.bytes ->"): "a frame's bytes stand before its length (phy.md)",
    (MEMORY, r"gateway\.\w+\.frames\.ram ->"): "a word stands before its pointer moves",
    (
        SYNCHRONISER,
        r"frames\.(pushToPop|popToPush)Gray ->",
    ): "one bit of a Gray code moves at a time",
    (SYNCHRONISER, r"adapter_link_speed -> "): "link state stands still for milliseconds",
    (BARE, r"^phy_(rx_ctl|rxd) -> .*adapter_receive"): "the PHY's data come with RXC (phy.md)",
    (BARE, r"^button_n -> bufferCC"): "with the PLLs' locks: a glitch begins the reset again",
    (BARE, r"^sdram_dq -> "): "the chip's data stand at the node's edge (boards.md)",
}
_REGISTERS = ("$dff", "$adff")
_ORDER = re.compile(r"\[\d+\]$")


@dataclass(frozen=True, order=True)
class Crossing:
    """Register or memory ``to`` hears so many bits of ``source`` of another domain. ``how``: one of
    ``SYNCHRONISER``, ``RESET``, ``MEMORY`` (what it holds was written there), ``BARE``."""

    source: str
    to: str
    how: str
    bits: int = 1

    @property
    def reason(self) -> str | None:
        """Why it is right; None if nobody has said so."""
        if self.how == RESET or (self.how == SYNCHRONISER and self.bits == 1):
            return self.how
        words = f"{self.source} -> {self.to}"
        found = (
            why
            for (how, what), why in REASONS.items()
            if how == self.how and re.search(what, words)
        )
        return next(found, None)


def read(verilog: Path, top: str, folder: Path) -> dict:
    """The module ``top`` as yosys's JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(verilog, folder / "crossings.v")  # yosys sees no other folder
    script = _SCRIPT.format(top=top)
    yosys.run(yosys.YOSYS, ["-q", "-p", script], folder, "crossings.log")
    return json.loads((folder / "crossings.json").read_text())["modules"][top]


class _Design:
    """Drivers and readers of each bit, and the domain of signals that begin at registers and
    pins."""

    def __init__(self, module: dict) -> None:
        self.names: dict[int, str] = {}
        named = sorted(module["netnames"].items(), key=lambda item: _worth(*item))
        for name, net in named:
            for bit in net["bits"]:
                self.names.setdefault(bit, name)
        cells = module["cells"].items()
        self.cells = {name: cell for name, cell in cells if "port_directions" in cell}
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
        self.memories = {_memory(name, self.cells[name]) for name in self.writers}
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
        if kind == "DCCA":  # a reset on a clock's wires
            yield from wires["CLKO"]
            return
        if kind in _REGISTERS or not kind.startswith("$"):
            return  # a register ends a path; a PLL makes clocks
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
                found.add(_memory(name, cell))
            ins = {"RD_ADDR"} if cell["type"] == "$mem_v2" else set(cell["connections"])
            for pin in ins:
                if cell["port_directions"][pin] == "input":
                    more = {b for b in cell["connections"][pin] if not isinstance(b, str)} - seen
                    todo += [b for b in more if self.reached[b] - {own}]
                    seen |= more
        return found

    def foreign(self, bit: int | str, own: object) -> bool:
        """Return true if the bit depends on another domain."""
        return not isinstance(bit, str) and bool(self.reached[bit] - {own})

    def undone(self, bit: int, own: object) -> int:
        """The bit that ``bit`` equals while no reset of its own domain, a choice of a constant,
        acts."""
        while cell := self.cells.get(self.driver.get(bit, ("", ""))[0]):
            wires = cell["connections"]
            if cell["type"] != "$mux" or self.foreign(wires["S"][0], own):
                break
            at = wires["Y"].index(bit)
            left = [side[at] for side in (wires["A"], wires["B"]) if not isinstance(side[at], str)]
            if len(left) != 1:
                break
            bit = left[0]
        return bit

    def name(self, bit: int) -> str:
        return _ORDER.sub("", self.names.get(bit, f"bit {bit}"))


def clock(cell: dict) -> tuple:
    """The domain of a register: its clock's wire and edge."""
    return cell["connections"]["CLK"][0], cell["parameters"]["CLK_POLARITY"][-1]


def crossings(module: dict) -> list[Crossing]:
    """Every place where a register or a memory hears another domain."""
    design = _Design(module)
    found: Counter[tuple[str, str, str]] = Counter()
    for name, cell in design.cells.items():
        wires = cell["connections"]
        if cell["type"] in _REGISTERS:
            own = clock(cell)
            for bit, out in zip(wires["D"], wires["Q"], strict=True):
                if design.foreign(bit, own):
                    found.update(_of_data(design, bit, out, own))
            if cell["type"] == "$adff" and design.foreign(wires["ARST"][0], own):
                found.update(_of_reset(design, cell, own))
        elif cell["type"] == "$mem_v2":
            to = _memory(name, cell)
            for own in set(design.writers[name]):
                for bit in itertools.chain(
                    *(wires[pin] for pin in ("WR_ADDR", "WR_DATA", "WR_EN"))
                ):
                    if design.foreign(bit, own):
                        found.update((o, to, BARE) for o in design.origins(bit, own))
    return sorted(Crossing(*what, bits) for what, bits in found.items())


def check(verilog: Path, top: str, folder: Path) -> None:
    """RunError for a crossing that is neither synchronised nor has a reason."""
    wrong = [c for c in crossings(read(verilog, top, folder)) if c.reason is None]
    if wrong:
        lines = [f"{c.source} -> {c.to} ({c.how}, {c.bits} bits)" for c in wrong]
        raise RunError(
            "\n  ".join([f"{top}: registers hear another clock without a synchroniser:", *lines])
            + "\nPut a BufferCC between them, or say in REASONS of tools/mcpi/fpga/crossings.py "
            "why it is right."
        )


def _of_data(design: _Design, bit: int, out: int, own: object) -> set[tuple[str, str, str]]:
    origins, to = design.origins(bit, own), design.name(out)
    if all(origin in design.memories for origin in origins):
        return {(origin, to, MEMORY) for origin in origins}
    direct = design.undone(bit, own) in design.domain
    how = SYNCHRONISER if direct and _passes_on(design, out, own) else BARE
    return {(origin, to, how) for origin in origins}


def _passes_on(design: _Design, out: int, own: object) -> bool:
    """All that hears ``out`` is the data of one register of its own domain."""
    heard = design.heard[out]
    if out in design.out_pins or len(heard) != 1:
        return False
    name, pin, position = heard[0]
    cell = design.cells[name]
    if cell["type"] == "$mux":  # a reset?
        made = cell["connections"]["Y"][position]
        return design.undone(made, own) == out and _passes_on(design, made, own)
    return cell["type"] in _REGISTERS and pin == "D" and clock(cell) == own


def _of_reset(design: _Design, cell: dict, own: object) -> set[tuple[str, str, str]]:
    """A chain takes a reset over whose data are constant, through the first into the second."""
    reset, data, out = (cell["connections"][pin][0] for pin in ("ARST", "D", "Q"))
    first = isinstance(data, str) and _passes_on(design, out, own)
    before = design.cells.get(design.driver.get(data, ("", ""))[0])
    second = (
        before is not None
        and before["type"] == "$adff"
        and isinstance(before["connections"]["D"][0], str)
        and before["connections"]["ARST"][0] == reset
    )
    how = RESET if first or second else BARE
    return {(origin, design.name(out), how) for origin in design.origins(reset, own)}


def _memory(name: str, cell: dict) -> str:
    said = cell["parameters"].get("MEMID", name)
    return str(said).replace("\\", "")


def _worth(name: str, net: dict) -> tuple:
    """Names of the source before those that yosys makes, short before long."""
    return net.get("hide_name", 0), "_zz_" in name, name.count("."), len(name), name
