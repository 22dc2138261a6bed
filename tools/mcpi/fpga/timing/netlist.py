# SPDX-License-Identifier: BSD-2-Clause
"""A board's netlist (yosys's JSON) as functions: what its wires are worth when some are known.

A wire is a number of that JSON, or "path.number" in a module that synthesis kept; "0", "1" and "x"
are constants. Flip-flops, memories, carries and multipliers are where a function ends.

Two wires may be worth the same; that they are is **never** what makes a third one constant: an
exclusive or of two ways to one register is zero only when both have arrived.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

Wire = int | str
_BOXES = {"blackbox", "whitebox", "lib_whitebox"}
# Select, the input it takes when 1, the one when 0.
MULTIPLEXERS = {"PFUMX": ("C0", "ALUT", "BLUT"), "L6MUX21": ("SD", "D1", "D0")}
_BUFFERS = {"DCCA": ("CLKI", "CLKO")}


@dataclass(frozen=True)
class Cell:
    """``pins``: what each is connected to, "DI3" for bit 3 of a pin of several."""

    kind: str
    pins: Mapping[str, Wire]
    settings: Mapping[str, str]

    def setting(self, name: str, default: str = "") -> str:
        return self.settings.get(name, default).strip()

    def number(self, name: str, default: int) -> int:
        """A setting that yosys writes as 32 bits, or as it was given."""
        text = self.setting(name)
        if not text:
            return default
        return int(text, 2) if len(text) == 32 else int(text)


class Netlist:
    """Cells by their names in the routed design, flattened as nextpnr does.

    ``pins_on``: so many pins of cells and of the top are on a wire. ``drivers``: the cell and pin
    a wire comes from, of kinds with one output. ``modules``: (name, kind, its ports' wires) of each
    instance of a module that was kept.
    """

    def __init__(self, netlist: Mapping, top: str):
        self.cells: dict[str, Cell] = {}
        self.modules: list[tuple[str, str, dict[str, list[Wire]]]] = []
        self._marked: dict[str, set[Wire]] = {}
        self._take(netlist["modules"], top, "", {})
        self.pins_on = Counter(wire for cell in self.cells.values() for wire in cell.pins.values())
        self.pins_on.update(
            bit
            for port in netlist["modules"][top].get("ports", {}).values()
            for bit in port["bits"]
        )
        self.drivers: dict[Wire, tuple[str, str]] = {}
        for name, cell in self.cells.items():
            outputs = {"LUT4": "Z", "PFUMX": "Z", "L6MUX21": "Z", "TRELLIS_FF": "Q", "DCCA": "CLKO"}
            if (pin := outputs.get(cell.kind)) in cell.pins:
                self.drivers[cell.pins[pin]] = name, pin

    def _take(self, modules: Mapping, name: str, path: str, outside: Mapping[Wire, Wire]) -> None:
        def wire(bit: Wire) -> Wire:
            if bit in outside:
                return outside[bit]
            return bit if isinstance(bit, str) or not path else f"{path}{bit}"

        for net in modules[name].get("netnames", {}).values():
            for attribute, value in net.get("attributes", {}).items():
                if set(str(value)) != {"0"}:
                    self._marked.setdefault(attribute, set()).update(wire(b) for b in net["bits"])
        for label, cell in modules[name]["cells"].items():
            kind = cell["type"]
            inner = modules.get(kind)
            pins = {pin: [wire(b) for b in bits] for pin, bits in cell["connections"].items()}
            if inner and not _BOXES & set(inner.get("attributes", {})):
                self.modules.append((path + label, kind, pins))
                ports = {
                    bit: joined
                    for port, its in inner["ports"].items()
                    for bit, joined in zip(its["bits"], pins.get(port, []))
                }
                self._take(modules, kind, f"{path}{label}.", ports)
            elif not kind.startswith("$"):
                flat = {
                    pin if len(bits) == 1 else f"{pin}{i}": bit
                    for pin, bits in pins.items()
                    for i, bit in enumerate(bits)
                }
                self.cells[path + label] = Cell(kind, flat, cell.get("parameters", {}))

    def marked(self, attribute: str) -> set[Wire]:
        """The wires whose declaration has this attribute, and not as zero."""
        return self._marked.get(attribute, set()) - {"0", "1", "x", "z"}


def _function_pins(cell: Cell) -> tuple[str, ...]:
    return ("A", "B", "C", "D") if cell.kind == "LUT4" else MULTIPLEXERS[cell.kind]


def _output(cell: Cell, bits: Mapping[str, int]) -> int:
    """What comes of these inputs; a LUT's that are not connected are 0."""
    if cell.kind == "LUT4":
        row = sum(bits.get(pin, 0) << i for i, pin in enumerate("ABCD"))
        return int(cell.settings["INIT"], 2) >> row & 1
    select, one, none = MULTIPLEXERS[cell.kind]
    return bits[one] if bits[select] else bits[none]


def _same(values: Iterable[str]) -> str:
    """What all are, or ""."""
    found = set(values)
    return found.pop() if len(found) == 1 else ""


class Values:
    """What wires are worth under one assumption; another assumption is another object."""

    def __init__(self, netlist: Netlist, known: Mapping[Wire, str]):
        self._netlist = netlist
        self._known: dict[Wire, Wire] = dict(known)
        self._seen: dict[int, list[str]] = {}  # by cell, which lives as long as the netlist

    def value(self, wire: Wire) -> Wire:
        """A constant, or the wire it equals (itself, if nothing simpler is known)."""
        stack, begun = [wire], set()
        while stack:
            top = stack[-1]
            if top not in self._known:
                cell = self._function(top)
                missing = [w for w in self._inputs(cell) if w not in self._known and w not in begun]
                if missing and top not in begun:
                    begun.add(top)
                    stack.extend(missing)
                    continue
                self._known[top] = self._evaluate(top, cell) if cell else top
            stack.pop()
        return self._known[wire]

    def constant(self, wire: Wire) -> str:
        """ "0", "1", or "" for a wire that may move."""
        value = self.value(wire)
        return value if value in ("0", "1") else ""

    def constant_if(self, wire: Wire, known: Mapping[Wire, str], depth: int = 8) -> str:
        """As ``constant``, with more known; looks through ``depth`` cells at most."""
        value = self.value(wire)
        if value in ("0", "1") or value in known:
            return known.get(value, value)
        cell = self._function(value)
        if not cell or not depth:
            return ""
        pins = {
            pin: self.constant_if(w, known, depth - 1) for pin, w in cell.pins.items() if pin != "Z"
        }
        if cell.kind in MULTIPLEXERS:
            select, one, none = MULTIPLEXERS[cell.kind]
            arms = [pins[one], pins[none]]
            return pins[one if pins[select] == "1" else none] if pins[select] else _same(arms)
        table = int(cell.settings["INIT"], 2)
        fixed = [pins.get(pin, "") for pin in "ABCD"]
        return _same(
            str(table >> index & 1)
            for index in range(16)
            if all(not v or index >> i & 1 == int(v) for i, v in enumerate(fixed))
        )

    def sees(self, cell: Cell, pin: str) -> bool:
        """Whether the output of a LUT or multiplexer waits for this input.

        Some inputs are enough: once they have come, with their constants and with what is the same
        on two of them, no other input can change the output. Those are looked for one by one, so
        that nothing is left out for the sake of something else that is.
        """
        found = self._seen.get(id(cell))
        if found is None:
            pins = [p for p in _function_pins(cell) if p in cell.pins]
            moves = not self.constant(cell.pins["Z"])
            found = [p for p in pins if moves and not self.constant(cell.pins[p])]
            for each in list(found):
                fewer = [p for p in found if p != each]
                if self._enough(cell, pins, fewer):
                    found = fewer
            self._seen[id(cell)] = found
        return pin in found

    def _enough(self, cell: Cell, pins: list[str], some: list[str]) -> bool:
        """Whether the output follows from constants and ``some`` inputs."""
        outs: dict[tuple[int, ...], int] = {}
        worth = {p: self.value(cell.pins[p]) for p in pins}
        fixed = {p: int(worth[p]) for p in pins if worth[p] in ("0", "1")}
        for case in range(1 << len(pins)):
            bits = {p: case >> i & 1 for i, p in enumerate(pins)}
            same = {(worth[p], bits[p]) for p in some}
            if any(bits[p] != v for p, v in fixed.items()) or len(same) > len(dict(same)):
                continue
            key = tuple(bits[p] for p in some)
            out = _output(cell, bits)
            if outs.setdefault(key, out) != out:
                return False
        return True

    def _function(self, wire: Wire) -> Cell | None:
        name, _ = self._netlist.drivers.get(wire, ("", ""))
        cell = self._netlist.cells.get(name)
        return cell if cell and cell.kind != "TRELLIS_FF" else None

    @staticmethod
    def _inputs(cell: Cell | None) -> Iterator[Wire]:
        if cell:
            outputs = ("Z", "CLKO")
            yield from (wire for pin, wire in cell.pins.items() if pin not in outputs)

    def _evaluate(self, wire: Wire, cell: Cell) -> Wire:
        # A wire of a loop that is not known yet is worth itself.
        pins = {pin: self._known.get(w, w) for pin, w in cell.pins.items()}
        if cell.kind in _BUFFERS:
            return pins[_BUFFERS[cell.kind][0]]
        if cell.kind == "LUT4":
            return self._lut(cell, pins, wire)
        select, one, none = MULTIPLEXERS[cell.kind]
        if pins[select] in ("0", "1"):
            return pins[one if pins[select] == "1" else none]
        return pins[one] if pins[one] == pins[none] else wire

    def _cases(self, cell: Cell) -> Iterator[tuple[int, int]]:
        """The rows of a LUT's table that its constant inputs leave: (number, output)."""
        table = int(cell.settings["INIT"], 2)
        fixed = [self._known.get(cell.pins.get(pin, "x"), "x") for pin in "ABCD"]
        for index in range(16):
            if all(v not in ("0", "1") or index >> i & 1 == int(v) for i, v in enumerate(fixed)):
                yield index, table >> index & 1

    def _lut(self, cell: Cell, pins: Mapping[str, Wire], itself: Wire) -> Wire:
        rows = list(self._cases(cell))
        if len({out for _, out in rows}) == 1:
            return str(rows[0][1])
        inputs = [pins.get(pin, "x") for pin in "ABCD"]
        for wire in dict.fromkeys(inputs):
            if wire in ("0", "1", "x", "z"):
                continue
            mask = sum(1 << i for i, w in enumerate(inputs) if w == wire)
            # Pins with the same wire are the same; all others are free.
            same = [(index & mask, out) for index, out in rows if index & mask in (0, mask)]
            if all(out == (part == mask) for part, out in same):
                return wire
        return itself
