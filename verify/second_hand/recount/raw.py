# SPDX-License-Identifier: BSD-2-Clause
"""Readers of a run's files: events, stamps, counters, traces, ELF; and of the papers' tables."""

import csv
import json
import struct
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TOP = Path(__file__).parents[3]
PAPERS, MACHINES = TOP / "papers", TOP / "machines"
CLIENT, SERVER = 0, 1
Row = dict[str, float | None]
Tables = dict[str, dict[tuple[str, ...], Row]]


def lines(path: Path) -> list[dict[str, str]]:
    """Rows of a CSV file, each by the names of its first line."""
    head, *rest = path.read_text().splitlines()
    return list(csv.DictReader([head, *rest]))


@cache
def printed(table: str) -> list[dict[str, str]]:
    """A table of a paper, by its path below papers/."""
    return lines(PAPERS / f"{table}.csv")


def paper(table: str, column: str, **row: str) -> float | None:
    """A cell of a paper's table; None for an empty one, a row or a column that it has not."""
    for one in printed(table):
        if all(one[name] == value for name, value in row.items()):
            return float(text) if (text := one.get(column)) else None
    return None


@cache
def machine(name: str) -> dict:
    """A machine file with those below it, by section."""
    with (MACHINES / f"{name}.toml").open("rb") as stream:
        own = tomllib.load(stream)
    base = machine(own["extends"]) if "extends" in own else {}
    sections = {k: v for k, v in own.items() if isinstance(v, dict)}
    return base | {k: base.get(k, {}) | v for k, v in sections.items()}


def counts(folder: Path, bank: str = "path", node: int = CLIENT) -> dict[str, int]:
    """The counters of a bank of a node."""
    return _node(folder, node)[bank]


def _node(folder: Path, node: int) -> dict:
    return json.loads((folder / "counters.json").read_text())["nodes"][node]


def windows(folder: Path, *names: str) -> list[dict[str, int]]:
    """The client's counters of these windows; empty if it counted none."""
    found = _node(folder, CLIENT).get("windows", {})
    return [found[name] for name in names if found.get(name)]


@dataclass(frozen=True)
class Marks:
    """Ticks of a node's markers by what they mark."""

    began: list[int]
    ended: list[int]
    handed: list[int]
    interrupts: list[int]


# Numbers of markers in events.csv (docs/reference/simulator.md).
BEGIN, END, HAND_OVER, INTERRUPT, FIRST, LAST = range(1, 7)


def measured(folder: Path) -> tuple[int, int, dict[int, Marks]]:
    """First and last tick of the measurement, and both nodes' markers within."""
    rows = [
        [int(row[k]) for k in ("tick", "node", "event")] for row in lines(folder / "events.csv")
    ]
    [low] = [tick for tick, node, event in rows if (node, event) == (CLIENT, FIRST)]
    [high] = [tick for tick, node, event in rows if (node, event) == (CLIENT, LAST)]

    def ticks(node: int, event: int) -> list[int]:
        return [t for t, n, e in rows if (n, e) == (node, event) and low <= t <= high]

    kinds = (BEGIN, END, HAND_OVER, INTERRUPT)
    return low, high, {n: Marks(*(ticks(n, k) for k in kinds)) for n in (CLIENT, SERVER)}


def stamps(folder: Path) -> list[tuple[int, int, str]]:
    """Tick, node and name of each stamp."""
    return [(int(r["tick"]), int(r["node"]), r["stamp"]) for r in lines(folder / "stamps.csv")]


@dataclass(frozen=True)
class Symbol:
    name: str
    at: int  # physical
    size: int
    function: bool


PHYSICAL = 0x3_FFFF_FFFF
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMBOLS, _FUNCTION = 2, 2  # a section's type, a symbol's


@cache
def symbols(path: Path) -> list[Symbol]:
    """The symbols of an ELF file of 64 bits."""
    data = path.read_bytes()
    assert data[:5] == b"\x7fELF\2", path
    [first] = struct.unpack_from("<Q", data, 0x28)
    size, number = struct.unpack_from("<HH", data, 0x3A)
    sections = [_SECTION.unpack_from(data, first + size * n) for n in range(number)]
    found = []
    for _, kind, _, _, start, length, link, _, _, each in sections:
        if kind != _SYMBOLS:
            continue
        strings = sections[link][4]
        for at in range(start, start + length, each):
            name, info, _, _, value, extent = _SYMBOL.unpack_from(data, at)
            text = data[strings + name : data.index(0, strings + name)].decode()
            found.append(Symbol(text, value & PHYSICAL, extent, info & 15 == _FUNCTION))
    return found
