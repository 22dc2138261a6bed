# SPDX-License-Identifier: BSD-2-Clause
"""Table of integrated layer processing: what a message costs by who sums it, and in which pass."""

from mcpi.studies.tr9304 import figures, values
from mcpi.studies.tr9304.cells import WORDS, cell
from mcpi.studies.tr9304.plan import IN_UDP, TITLES, Configuration, layers, passes
from mcpi.studykit.cell import Row, Table
from mcpi.studykit.measured import Measured

COUNTERS = {"misses": "dcache.misses", "dirty": "dcache.dirty_misses", "refills": "dtb.misses"}


def table(study: Measured) -> Table:
    return WORDS.table("layers", [_row(study, c, way) for c, ways in layers() for way in ways])


def _row(study: Measured, c: Configuration, way: str) -> Row:
    every = passes(c)
    key = every[way].key
    ratio = figures.FIGURES["work_ratio"]
    cells = {
        name: cell(lambda counter=counter: values.of_message(study, key, counter))
        for name, counter in COUNTERS.items()
    }
    cells["work"] = cell(lambda: values.work(study, key))
    cells["over"] = cell(lambda: ratio(study, "", every[IN_UDP].key, key))
    cells["received"] = cell(lambda: values.received(study, key))
    size = f", {c.pages} pages × {c.lines} lines" if c.pages else ""
    return Row((TITLES[c.structure] + size, "trains" if c.train else "gap 0", way), cells)
