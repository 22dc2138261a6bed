# SPDX-License-Identifier: BSD-2-Clause
"""Table 4: end-to-end round trips."""

import dataclasses

from mcpi.paper.cell import Cell, Column, Row, Table
from mcpi.paper.published import PREFIX, STACKS, row
from mcpi.paper.study import Study
from mcpi.paper.tables.common import VERSIONS, cell, number, slower

NAME = "table4_sigcomm96_roundtrip_latency"


def te(result: dict) -> float:
    return result["round_trip"]["mean_us"]


def table(study: Study) -> Table:
    columns = []
    for stack, title in STACKS.items():
        columns += [
            Column(f"{stack}_te_us", f"{title} T_e, µs", 1),
            Column(f"{stack}_delta_pct", f"{title} Δ, %", 1, signed=True),
        ]
    rows = tuple(Row((v.upper(),), _cells(study, v)) for v in VERSIONS)
    return Table(
        "table4",
        "Table 4: end-to-end round-trip latency",
        ("Version",),
        tuple(columns),
        rows,
        (
            "± of ours is the phase spread: standard deviation over samples that differ in initial "
            "phases only. The machine is deterministic; the paper's ± is measurement noise.",
            "Δ: slower than ALL.",
        ),
    )


def _cells(study: Study, variant: str) -> dict[str, Cell]:
    theirs, cells = row(NAME, version=variant.upper()), {}
    for stack in STACKS:
        p = PREFIX[stack]
        mean = cell(study, stack, variant, te, theirs[f"{p}_Te_us"])
        sd = None
        if mean.ours is not None:
            trip = study.result(stack, variant)["round_trip"]
            sd = trip.get("sd_us") if trip["sd_over"] == "samples" else None
        cells[f"{stack}_te_us"] = dataclasses.replace(
            mean, sd=sd, theirs_sd=number(theirs[f"{p}_Te_sd_us"])
        )
        delta = theirs[f"{p}_delta_pct"]
        cells[f"{stack}_delta_pct"] = slower(study, stack, variant, te, delta)
    return cells
