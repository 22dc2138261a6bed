# SPDX-License-Identifier: BSD-2-Clause
"""Layout noise: every version under shuffled link orders, beside the single figure."""

from mcpi.studies.sigcomm96.tables.common import cell, each, made
from mcpi.studykit.cell import Cell, Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import Get, client, te, tp

FIGURES = {"te_us": ("mean_us", te), "tp_us": ("time_us", tp), "mcpi": ("mcpi", client("mcpi"))}
NONE = "No link orders were measured here; ./mcpi paper --shuffles 30 goes on from what is there."


def table(study: Measured) -> Table:
    def cells(stack: str, variant: str) -> dict[str, Cell]:
        found = {}
        for key, (name, get) in FIGURES.items():
            found[key] = cell(study, stack, variant, get)
            for kind in ("median", "min", "max"):
                found[f"{key}_{kind}"] = cell(study, stack, variant, _spread(name, kind))
        return found

    layouts = study.record["extent"]["shuffles"]
    notes = () if layouts else (NONE,)
    return made("layout_noise", each(cells), notes=notes, layouts=layouts)


def _spread(name: str, kind: str) -> Get:
    return lambda result: result.get("layout_noise", {}).get(name, {}).get(kind)
