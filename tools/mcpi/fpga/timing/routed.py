# SPDX-License-Identifier: BSD-2-Clause
"""Which arc of a routed cell is which part of the netlist, and whether it passes anything in a
quiet clock.

nextpnr keeps the names of LUTs and flip-flops. A PFUMX goes into the cell of the LUT on its BLUT
(pins M = C0, F1 = ALUT), an L6MUX21 into another LUT of its four (M = SD, FXA and FXB; which is D0
their drivers say); both come out at OFX. A distributed RAM is four ``$DPRAM_COMB`` and a
``$RAMW_SLICE``. What is found so is held to the wires of the netlist pin by pin; a LUT with a wire
that should be elsewhere, or of no such name, is **unmapped**: everything passes it.
"""

import re

from mcpi.fpga.timing.netlist import Cell, Wire
from mcpi.fpga.timing.sdf import Delays, Pin
from mcpi.fpga.timing.stable_registers import UNKNOWN, Port, Quiet

_RAM = re.compile(r"(.*)\$(?:DPRAM_COMB\d|RAMW_SLICE|RAMW_BLOCK\d)")
_CARRY = re.compile(r".*\$CCU2_COMB\d")
# nextpnr's own: constants, and the inverters of output enables.
_OWN = re.compile(r"\$PACKER_(GND|VCC)|.*\$invert_T")


class RoutedCells:
    """``unmapped``: routed LUTs and registers that are not the netlist's."""

    def __init__(self, delays: Delays, quiet: Quiet):
        self._delays, self._quiet, self._cells = delays, quiet, quiet.netlist.cells
        self._ports: dict[Pin, Port] = {}
        self.unmapped: set[str] = set()
        self._wires: dict[Pin, Wire] = {}
        self._muxes: dict[str, tuple[Cell, str]] = {}  # by host: the multiplexer, its A input
        self._outputs()
        self._pfumxes()
        self._l6muxes()
        self._luts()

    def port(self, cell: str, clock: str) -> Port:
        """What moves with this clock pin."""
        key = cell, clock
        if key not in self._ports:
            ram = _RAM.fullmatch(cell)
            found = self._quiet.port(ram[1] if ram else cell, clock)
            if found is UNKNOWN and cell not in self._cells:
                self.unmapped.add(cell)
            self._ports[key] = found
        return self._ports[key]

    def passes(self, name: str, source: str, output: str) -> bool:
        """Whether in a quiet clock something of pin ``source`` comes out at ``output``."""
        cell = self._cells.get(name)
        sees = self._quiet.values.sees
        if cell is None or cell.kind != "LUT4" or name in self.unmapped:
            return True
        if output == "F":
            return source not in "ABCD" or source not in cell.pins or sees(cell, source)
        if output != "OFX" or name not in self._muxes:
            return True
        mux, first = self._muxes[name]
        if mux.kind == "PFUMX":
            if source in ("M", "F1"):
                return sees(mux, {"M": "C0", "F1": "ALUT"}[source])
            return sees(mux, "BLUT") and (source not in cell.pins or sees(cell, source))
        second = {"D0": "D1", "D1": "D0"}[first]
        pin = {"M": "SD", "FXA": first, "FXB": second}.get(source)
        # nextpnr gives the host's own inputs a way to OFX, that is none.
        return sees(mux, pin) if pin else not self._quiet.values.constant(mux.pins["Z"])

    def _outputs(self) -> None:
        """What wire each output is that has the netlist's name."""
        plain = {"LUT4": {"Z": "F"}, "TRELLIS_FF": {"Q": "Q"}, "DCCA": {"CLKO": "CLKO"}}
        for name, cell in self._cells.items():
            if cell.kind in plain:
                for pin, port in plain[cell.kind].items():
                    if pin in cell.pins:
                        self._wires[name, port] = cell.pins[pin]
            elif cell.kind == "TRELLIS_DPR16X4":
                for i in range(4):
                    if f"DO{i}" in cell.pins:
                        self._wires[f"{name}$DPRAM_COMB{i}", "F"] = cell.pins[f"DO{i}"]
            elif cell.kind == "CCU2C":
                for i in range(2):
                    if f"S{i}" in cell.pins:
                        self._wires[f"{name}$CCU2_COMB{i}", "F"] = cell.pins[f"S{i}"]
            elif cell.kind in ("DP16KD", "MULT18X18D"):
                outputs = (pin for pin in cell.pins if re.fullmatch(r"(DO[AB]|P)\d+", pin))
                self._wires.update({(name, pin): cell.pins[pin] for pin in outputs})

    def _wire(self, name: str, pin: str) -> Wire | None:
        """The netlist's wire at a routed cell's input, if it comes from a cell of the netlist.
        What nextpnr put on a clock buffer is the wire before it."""
        source, _ = self._delays.wires.get((name, pin), (("", ""), 0))
        if source not in self._wires and source[1] == "CLKO":
            source, _ = self._delays.wires.get((source[0], "CLKI"), (source, 0))
        return self._wires.get(source)

    def _pfumxes(self) -> None:
        drivers = self._quiet.netlist.drivers
        for mux in self._cells.values():
            if mux.kind != "PFUMX":
                continue
            host, _ = drivers.get(mux.pins["BLUT"], ("", ""))
            if self._wire(host, "F1") == mux.pins["ALUT"] and self._selected(host, mux, "C0"):
                self._muxes[host] = mux, ""
                self._wires[host, "OFX"] = mux.pins["Z"]

    def _l6muxes(self) -> None:
        """From the inside outwards, as one of them may be the input of another."""
        hosts = {
            name
            for name, arcs in self._delays.arcs.items()
            if any(source == "FXA" for source, _, _ in arcs)
        }
        by_inputs = {
            frozenset((mux.pins["D0"], mux.pins["D1"])): mux
            for mux in self._cells.values()
            if mux.kind == "L6MUX21"
        }
        found = True
        while found:
            found = False
            for host in sorted(hosts):
                first, second = self._wire(host, "FXA"), self._wire(host, "FXB")
                mux = by_inputs.get(frozenset((first, second)))
                if mux and self._selected(host, mux, "SD"):
                    self._muxes[host] = mux, "D0" if first == mux.pins["D0"] else "D1"
                    self._wires[host, "OFX"] = mux.pins["Z"]
                    hosts.discard(host)
                    found = True

    def _selected(self, host: str, mux: Cell, pin: str) -> bool:
        return mux.pins[pin] in ("0", "1") or self._wire(host, "M") in (None, mux.pins[pin])

    def _luts(self) -> None:
        for name, kind in self._delays.kinds.items():
            if kind != "TRELLIS_COMB":
                continue
            cell = self._cells.get(name)
            arcs = self._delays.arcs.get(name, [])
            if cell is None or cell.kind != "LUT4":
                if not (_RAM.fullmatch(name) or _CARRY.fullmatch(name) or _OWN.fullmatch(name)):
                    self.unmapped.add(name)
                continue
            wrong = any(self._wire(name, pin) not in (None, cell.pins.get(pin)) for pin in "ABCD")
            lost = name not in self._muxes and any(output == "OFX" for _, output, _ in arcs)
            if wrong or lost:
                self.unmapped.add(name)
