# SPDX-License-Identifier: BSD-2-Clause
"""Layout noise: every version under shuffled link orders, beside the single figure."""

from mcpi.paper.cell import Cell, Column, Row, Table
from mcpi.paper.plan import STUDIED
from mcpi.paper.published import STACKS
from mcpi.paper.study import Study
from mcpi.paper.tables.common import cell
from mcpi.paper.tables.table4 import te
from mcpi.paper.tables.table7 import tp

FIGURES = {
    "te_us": ("T_e, µs", 1, "mean_us", te),
    "tp_us": ("T_p, µs", 1, "time_us", tp),
    "mcpi": ("mCPI", 2, "mcpi", lambda r: r["steady"]["client"]["mcpi"]),
}
NONE = "No link orders were measured here; ./mcpi paper --shuffles 30 goes on from what is there."
SPREAD = {"median": "median", "min": "lowest", "max": "highest"}


def table(study: Study) -> Table:
    columns = []
    for key, (title, digits, _, _) in FIGURES.items():
        columns.append(Column(key, title, digits))
        columns += [Column(f"{key}_{k}", f"{title} {word}", digits) for k, word in SPREAD.items()]
    rows = [
        Row((title, variant.upper()), _cells(study, stack, variant))
        for stack, title in STACKS.items()
        for variant in STUDIED[stack]
    ]
    layouts = study.record["extent"]["shuffles"]
    return Table(
        "layout_noise",
        f"Layout noise: the same code in {layouts} shuffled link orders",
        ("Stack", "Version"),
        tuple(columns),
        tuple(rows),
        (
            *(() if layouts else (NONE,)),
            "One sample for each link order, seeds 1 and up; the single figure is the "
            "version's own order. mCPI uses the iCPI of the image in its own order. "
            "--shuffles changes how many.",
        ),
    )


def _cells(study: Study, stack: str, variant: str) -> dict[str, Cell]:
    cells = {}
    for key, (_, _, name, get) in FIGURES.items():
        cells[key] = cell(study, stack, variant, get)
        for kind in SPREAD:
            cells[f"{key}_{kind}"] = cell(study, stack, variant, _spread(name, kind))
    return cells


def _spread(name: str, kind: str):
    return lambda result: result.get("layout_noise", {}).get(name, {}).get(kind)
