# SPDX-License-Identifier: BSD-2-Clause
"""Which signals of the Verilog a cell of yosys's netlist decides (RTLIL)."""

import re
from collections import defaultdict
from collections.abc import Iterable

_MODULE = re.compile(r"^module \\(\S+)\n(.*?)^end$", re.M | re.S)
_CELL = re.compile(r"^  cell (\S+) (\S+)\n(.*?)^  end$", re.M | re.S)
_CONNECT = re.compile(r"^ +connect \\(\S+) (.*)$", re.M)
_ALIAS = re.compile(r"^  connect (\S+|\{.*?\})(?: \[[\d:]+\])? (\S.*)$", re.M)
_MEMORY = re.compile(r'parameter \\MEMID "\\(\\\S+)"')
_WIRE = re.compile(r"[\\$]\S+")
_OUTPUTS = {"Y", "Q", "DATA"}  # DATA: of a memory's port that reads


class Module:
    """The cells of one module, and who reads what they make."""

    def __init__(self, text: str) -> None:
        self.made: dict[str, list[str]] = {}  # by cell
        self.readers: dict[str, list[list[str]]] = defaultdict(list)  # what comes of a wire
        for kind, cell, body in _CELL.findall(text):
            ports = {name: _WIRE.findall(value) for name, value in _CONNECT.findall(body)}
            made = () if kind.startswith("$memwr") else _OUTPUTS
            out = [wire for name in sorted(made) for wire in ports.get(name, [])]
            if memory := _MEMORY.search(body):  # a write port: it makes the memory
                out = out or [memory[1]]
            self.made[cell] = out
            for name, wires in ports.items():
                if name not in made:
                    for wire in wires:
                        self.readers[wire].append(out)
        for left, right in _ALIAS.findall(_CELL.sub("", text)):
            for wire in _WIRE.findall(right):
                self.readers[wire].append(_WIRE.findall(left))

    def decides(self, cell: str) -> tuple[str, ...]:
        """The first signals with a name of the Verilog's on the ways from the cell."""
        found, seen, left = set(), set(), list(self.made.get(cell, []))
        while left:
            wire = left.pop()
            if wire in seen:
                continue
            seen.add(wire)
            if name := _name(wire):
                found.add(name)
            else:
                left += [next_ for out in self.readers[wire] for next_ in out]
        return tuple(sorted(found))


def _name(wire: str) -> str:
    """The Verilog's: ``\\\\a``, or ``$3\\\\a[7:0]``, which is a on its way."""
    if match := re.fullmatch(r"(?:\$\d+)?\\(.*?)(?:\[\d+:\d+\])?", wire):
        return match[1]
    return ""


def modules(rtlil: str, names: Iterable[str]) -> dict[str, Module]:
    """Those of ``names``."""
    wanted = set(names)
    return {name: Module(text) for name, text in _MODULE.findall(rtlil) if name in wanted}
