# SPDX-License-Identifier: BSD-2-Clause
"""Table 6: cache performance of one invocation from cold caches."""

from mcpi.paper.cell import Cell, Column, Row, Table
from mcpi.paper.published import STACKS, row
from mcpi.paper.study import Study
from mcpi.paper.tables.common import VERSIONS, cell

NAME = "table6_sigcomm96_cache_performance"
CACHES = {
    "icache": ("i-cache", "icache"),
    "dcache_write_buffer": ("d-cache/wb", "dcache_wb"),
    "bcache": ("b-cache", "bcache"),
}
KINDS = {
    "misses": ("Miss", "miss"),
    "accesses": ("Acc", "acc"),
    "replacement_misses": ("Repl", "repl"),
}


def table(study: Study) -> Table:
    columns = tuple(
        Column(f"{cache}_{short}", f"{title} {kind}", 0)
        for cache, (title, _) in CACHES.items()
        for kind, short in KINDS.values()
    )
    rows = []
    for stack, title in STACKS.items():
        for variant in VERSIONS:
            name = variant.upper()
            theirs = row(NAME, stack=title, version=name)
            rows.append(Row((title, name, "replay"), _cells(study, stack, variant, theirs)))
            if study.result(stack, variant):
                rows.append(Row((title, name, "in situ"), _cells(study, stack, variant, {})))
    return Table(
        "table6",
        "Table 6: cache performance, one client invocation from cold caches",
        ("Stack", "Version", "Ours from"),
        columns,
        tuple(rows),
        (
            "Replay: the trace of the invocation through the memory model from empty caches, as "
            "the paper's. In situ: the hardware's counters over the same invocation, where "
            "interrupt handler, DMA and other machine take part.",
            "Accesses of the d-cache/write buffer: loads and stores; misses: loads that missed and "
            "blocks the write buffer sent. Replacement misses are of loads.",
        ),
    )


def _cells(study: Study, stack: str, variant: str, theirs: dict) -> dict[str, Cell]:
    part = "replay" if theirs else "cold"
    return {
        f"{cache}_{short}": cell(
            study, stack, variant, count(cache, kind, part), theirs.get(f"{column}_{short}")
        )
        for cache, (_, column) in CACHES.items()
        for kind, (_, short) in KINDS.items()
    }


def count(cache: str, kind: str, part: str = "replay"):
    """A count of the client's cold invocation."""
    return lambda result: result[part]["client"][cache][kind]
