# SPDX-License-Identifier: BSD-2-Clause
"""Three measurements of one image: hardware counters, retire trace, memory model. One set of
numbers."""

from mcpi.papers.sigcomm96 import STACKS
from mcpi.studies.sigcomm96.plan import STUDIED
from mcpi.studies.sigcomm96.tables.common import WORDS, made
from mcpi.studykit.cell import Cell, Row, Table
from mcpi.studykit.measured import Measured

WAYS = {"hardware": "counters", "recounted": "retire trace", "predicted": "cache model"}
PARTS = ("icache", "dcache", "write_buffer", "bcache")


def table(study: Measured) -> Table:
    counters = {c.key: _counter(c.key) for c in WORDS.columns("three_ways")}
    rows = []
    for stack, title in STACKS.items():
        for variant in STUDIED[stack]:
            found = study.of("evidence", stack, variant, "oracle")
            for way, name in WAYS.items():
                cells = {key: _cell(found, counter, way) for key, counter in counters.items()}
                rows.append(Row((title, variant.upper(), name), cells))
    return made("three_ways", rows)


def _counter(key: str) -> str:
    """The counter of a column: icache.misses of icache_misses."""
    part = next((p for p in PARTS if key.startswith(f"{p}_")), None)
    return key.replace(f"{part}_", f"{part}.") if part else key


def _cell(found: dict | None, counter: str, way: str) -> Cell:
    if not found:
        return Cell(None, why="not measured")
    value = found.get(counter, {}).get(way)
    return Cell(value, why="" if value is not None else "this way does not know it")
