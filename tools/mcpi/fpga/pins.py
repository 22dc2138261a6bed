# SPDX-License-Identifier: BSD-2-Clause
"""A board's pin file against its top's ports: they agree bit by bit, or nothing is built.

nextpnr places a port that the file forgets wherever it likes, and drives that pin.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.base.errors import UserError

_LINES = (
    ("site", re.compile(r'LOCATE COMP "([^"]+)" SITE "([A-Z]+[0-9]+)";')),
    ("iobuf", re.compile(r'IOBUF PORT "([^"]+)"((?: [A-Z_]+=[A-Z0-9_]+)+);')),
    ("mhz", re.compile(r'FREQUENCY PORT "([^"]+)" ([0-9.]+) MHZ;')),
)
_PORT = re.compile(r"^\s*(input|output|inout)\s+wire\s*(?:\[(\d+):0\])?\s*(\w+),?\s*$", re.M)


@dataclass(frozen=True)
class Pins:
    """By port bit (``clk``, ``data[3]``): site, attributes; by port: MHz."""

    site: dict[str, str] = field(default_factory=dict)
    iobuf: dict[str, str] = field(default_factory=dict)
    mhz: dict[str, float] = field(default_factory=dict)


def read(path: Path) -> Pins:
    """The pin file; UserError for a line that is none of ours, or says a thing twice."""
    pins = Pins()
    sites: dict[str, str] = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path}:{number}"
        if not (text := line.split("#")[0].strip()):
            continue
        matches = ((kind, pattern.fullmatch(text)) for kind, pattern in _LINES)
        kind, match = next(((k, m) for k, m in matches if m), ("", None))
        if match is None:
            raise UserError(f"{where}: neither LOCATE nor IOBUF nor FREQUENCY: {text}")
        port, value = match.groups()
        table = getattr(pins, kind)
        if port in table:
            raise UserError(f'{where}: "{port}" has its {kind} a second time.')
        table[port] = value if kind != "mhz" else float(value)
        if kind == "site":
            if value in sites:
                raise UserError(f'{where}: pin {value} is "{sites[value]}" and "{port}".')
            sites[value] = port
    return pins


def ports(verilog: str, top: str) -> dict[str, str]:
    """Each bit of each port of module ``top`` with its direction."""
    match = re.search(rf"^module {top} \((.*?)^\);", verilog, re.M | re.S)
    if not match:
        raise UserError(f"there is no module {top} in the Verilog.")
    found = {}
    for direction, high, name in _PORT.findall(match[1]):
        bits = [name] if high == "" else [f"{name}[{n}]" for n in range(int(high) + 1)]
        found |= dict.fromkeys(bits, direction)
    lines = [line for line in match[1].splitlines() if line.strip()]
    if len(_PORT.findall(match[1])) != len(lines):
        raise UserError(f"a port of {top} is not understood.")
    return found


def clocks(verilog: str, top: str) -> set[str]:
    """Inputs of ``top`` that are clocks by their names."""
    return {p for p, d in ports(verilog, top).items() if d == "input" and is_clock(p)}


def is_clock(port: str) -> bool:
    return bool(re.fullmatch(r"clk\d+|phy\d?_rxc", port))


def check(path: Path, verilog: str, top: str) -> Pins:
    """UserError, with all that is wrong, unless the file says exactly what there is."""
    pins, there, wrong = read(path), ports(verilog, top), []
    for table, what in ((pins.site, "LOCATE"), (pins.iobuf, "IOBUF")):
        wrong += [f'"{port}" of {top} has no {what}' for port in sorted(set(there) - set(table))]
        more = sorted(set(table) - set(there))
        wrong += [f'{what} of "{port}", but {top} has no such port' for port in more]
    wanted = clocks(verilog, top)
    for port in sorted(wanted ^ set(pins.mhz)):
        word = "needs a FREQUENCY" if port in wanted else "has a FREQUENCY and is no clock"
        wrong.append(f'"{port}" {word}')
    if wrong:
        raise UserError(f"{path}: " + ";\n  ".join(wrong) + ".")
    return pins
