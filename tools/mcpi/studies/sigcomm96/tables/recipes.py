# SPDX-License-Identifier: BSD-2-Clause
"""Results of every recipe, a line for each: variants.md, cloning.md."""

from mcpi.papers.sigcomm96 import path, round_trip
from mcpi.studies.sigcomm96.tables.common import beside, each, made, unused
from mcpi.studykit.cell import Cell, Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import client, te, tp

# How our figure is got; which of the paper's stands beside it.
FIGURES = {
    "instructions": (client("instructions"), "instructions"),
    "taken": (client("taken_branches"), ""),
    "unused_pct": (unused, "fetch.unused_percent"),
    "icpi": (client("icpi"), "icpi"),
    "mcpi": (client("mcpi"), "mcpi"),
    "i_misses": (client("icache", "misses"), ""),
    "b_misses": (client("bcache", "misses"), ""),
    "tp_us": (tp, "time_us"),
    "te_us": (te, "mean_us"),
}


def table(study: Measured) -> Table:
    def cells(stack: str, variant: str) -> dict[str, Cell]:
        theirs = path(stack, variant) | round_trip(stack, variant)
        return {
            key: beside(study, stack, variant, get, theirs.get(name))
            for key, (get, name) in FIGURES.items()
        }

    return made("recipes", each(cells))
