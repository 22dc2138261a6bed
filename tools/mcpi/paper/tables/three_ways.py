# SPDX-License-Identifier: BSD-2-Clause
"""One image three ways: hardware counters, retire trace, memory model. One set of numbers."""

from mcpi.paper.cell import Cell, Column, Row, Table
from mcpi.paper.plan import STUDIED
from mcpi.paper.published import STACKS
from mcpi.paper.study import Study

WAYS = {
    "hardware": "counters",
    "recounted": "retire trace",
    "predicted": "cache model",
}
COUNTERS = {
    "ticks": "ticks",
    "instructions": "instructions",
    "taken_branches": "taken",
    "icache.misses": "i miss",
    "icache.replacement_misses": "i repl",
    "dcache.accesses": "d acc",
    "dcache.misses": "d miss",
    "write_buffer.accesses": "wb acc",
    "write_buffer.writes": "wb sent",
    "bcache.accesses": "b acc",
    "bcache.misses": "b miss",
}


def table(study: Study) -> Table:
    columns = tuple(Column(k.replace(".", "_"), title, 0) for k, title in COUNTERS.items())
    rows = []
    for stack, title in STACKS.items():
        for variant in STUDIED[stack]:
            found = study.record.get("evidence", {}).get(stack, {}).get(variant, {}).get("oracle")
            for way, name in WAYS.items():
                cells = {k.replace(".", "_"): _cell(found, k, way) for k in COUNTERS}
                rows.append(Row((title, variant.upper(), name), cells))
    return Table(
        "three_ways",
        "The same image by counters, by its retire trace and by the cache model",
        ("Stack", "Version", "By"),
        columns,
        tuple(rows),
        (
            "Totals of the client's path over the first sample. A cell is empty where a way does "
            "not know a counter: the trace no b-cache, the cache model no time. Every run compares "
            "these and all other counters, on both machines, and fails if one differs.",
        ),
    )


def _cell(found: dict | None, counter: str, way: str) -> Cell:
    if not found:
        return Cell(None, why="not measured")
    value = found.get(counter, {}).get(way)
    return Cell(value, why="" if value is not None else "this way does not know it")
