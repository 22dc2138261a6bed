# SPDX-License-Identifier: BSD-2-Clause
"""Table 7: processing time, length and CPI of the path."""

import dataclasses

from mcpi.paper.cell import Cell, Column, Row, Table
from mcpi.paper.published import PREFIX, STACKS, row
from mcpi.paper.study import Study
from mcpi.paper.tables.common import VERSIONS, cell, number

NAME = "table7_sigcomm96_processing_costs"


def tp(result: dict) -> float:
    """µs: the mean over samples, or of the one there is."""
    steady = result["steady"]["client"]["time_us"]
    return result["path_time"]["client"]["mean_us"] if "path_time" in result else steady


def _of_path(name: str):
    return lambda result: result["steady"]["client"][name]


VALUES = {
    "tp_us": ("T_p, µs", "Tp_us", 1, tp),
    "length": ("Length", "length", 0, _of_path("instructions")),
    "mcpi": ("mCPI", "mCPI", 2, _of_path("mcpi")),
    "icpi": ("iCPI", "iCPI", 2, _of_path("icpi")),
}


def table(study: Study) -> Table:
    columns = [
        Column(f"{stack}_{key}", f"{title} {name}", digits)
        for stack, title in STACKS.items()
        for key, (name, _, digits, _) in VALUES.items()
    ]
    rows = tuple(Row((v.upper(),), _cells(study, v)) for v in VERSIONS)
    return Table(
        "table7",
        "Table 7: protocol processing costs, client",
        ("Version",),
        tuple(columns),
        rows,
        (
            "Steady: mean over all measured invocations with everything that runs between them. "
            "iCPI: the same image under ideal memory; mCPI = CPI − iCPI, both of the first sample. "
            "± of ours is the phase spread.",
        ),
    )


def _cells(study: Study, variant: str) -> dict[str, Cell]:
    theirs, cells = row(NAME, version=variant.upper()), {}
    for stack in STACKS:
        p = PREFIX[stack]
        for key, (_, column, _, get) in VALUES.items():
            cells[f"{stack}_{key}"] = cell(study, stack, variant, get, theirs[f"{p}_{column}"])
        sd = ((study.result(stack, variant) or {}).get("path_time") or {}).get("client", {})
        cells[f"{stack}_tp_us"] = dataclasses.replace(
            cells[f"{stack}_tp_us"], sd=sd.get("sd_us"), theirs_sd=number(theirs[f"{p}_Tp_sd_us"])
        )
    return cells
