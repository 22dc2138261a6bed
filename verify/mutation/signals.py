# SPDX-License-Identifier: BSD-2-Clause
"""Cells of yosys's netlist (RTLIL): which signals of the Verilog one decides, and which bit is at
its port."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

_MODULE = re.compile(r"^module \\(\S+)\n(.*?)^end$", re.M | re.S)
_CELL = re.compile(r"^  cell (\S+) (\S+)\n(.*?)^  end$", re.M | re.S)
_CONNECT = re.compile(r"^ +connect \\(\S+) (.*)$", re.M)
_ALIAS = re.compile(r"^  connect (\S+|\{.*?\})(?: \[[\d:]+\])? (\S.*)$", re.M)
_MEMORY = re.compile(r'parameter \\MEMID "\\(\\\S+)"')
_WIRE = re.compile(r"[\\$]\S+")
_WIDTH = re.compile(r"^  wire (?:.*?\bwidth (\d+) )?.*?([\\$]\S+)$", re.M)
_PARTS = re.compile(r"(\d+)'([01xz-]+)|([\\$]\S+)(?: \[(\d+)(?::(\d+))?\])?")
_OUTPUTS = {"Y", "Q", "DATA"}  # DATA: of a memory's port that reads


class Module:
    """The cells of one module, and who reads what they make."""

    def __init__(self, text: str) -> None:
        self.widths = {name: int(width or 1) for width, name in _WIDTH.findall(text)}
        self.plain = True  # it has no memory, and no other module
        self.ports: dict[str, dict[str, str]] = {}  # by cell
        self.made: dict[str, list[str]] = {}  # by cell
        self.readers: dict[str, list[list[str]]] = defaultdict(list)  # what comes of a wire
        for kind, cell, body in _CELL.findall(text):
            self.plain &= kind.startswith("$") and not kind.startswith("$mem")
            self.ports[cell] = dict(_CONNECT.findall(body))
            ports = {name: _WIRE.findall(value) for name, value in self.ports[cell].items()}
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

    def bit(self, cell: str, port: str, number: int) -> str:
        """Signal at a bit of a port: 0, 1, x if nothing reads it, or a bit of a wire."""
        ports = self.ports.get(cell) or self.ports[f"\\{cell}"]  # the latter is a module
        return list(self._bits(ports[port]))[number]

    def _bits(self, value: str) -> Iterator[str]:
        """Bits of a port's value, the last first."""
        for width, digits, name, high, low in reversed(_PARTS.findall(value)):
            if width:
                first = digits[0] if digits[0] in "xz" else "0"
                yield from reversed(digits.rjust(int(width), first))
            elif high:
                yield from (f"{name}[{n}]" for n in range(int(low or high), int(high) + 1))
            else:
                yield from (f"{name}[{n}]" for n in range(self.widths[name]))


def _name(wire: str) -> str:
    """The Verilog's: ``\\\\a``, or ``$3\\\\a[7:0]``, which is a on its way."""
    if match := re.fullmatch(r"(?:\$\d+)?\\(.*?)(?:\[\d+:\d+\])?", wire):
        return match[1]
    return ""


def modules(rtlil: str, names: Iterable[str]) -> dict[str, Module]:
    """Modules of ``names``."""
    wanted = set(names)
    return {name: Module(text) for name, text in _MODULE.findall(rtlil) if name in wanted}
