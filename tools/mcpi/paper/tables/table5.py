# SPDX-License-Identifier: BSD-2-Clause
"""Table 5: round trips without the controllers' time."""

from mcpi.paper.cell import Column, Row, Table
from mcpi.paper.published import PREFIX, STACKS, row
from mcpi.paper.study import Study
from mcpi.paper.tables.common import VERSIONS, cell, slower

NAME = "table5_sigcomm96_adjusted_latency"


def table(study: Study) -> Table:
    columns = []
    for stack, title in STACKS.items():
        columns += [
            Column(f"{stack}_te_us", f"{title} T_e, µs", 1),
            Column(f"{stack}_delta_pct", f"{title} Δ, %", 1, signed=True),
            Column(f"{stack}_controller_us", f"{title} controller, µs", 1),
            Column(f"{stack}_te_less_210_us", f"{title} T_e − 210, µs", 1),
        ]
    rows = []
    for variant in VERSIONS:
        theirs, cells = row(NAME, version=variant.upper()), {}
        for stack in STACKS:
            te, delta = (theirs[f"{PREFIX[stack]}_{c}"] for c in ("Te_us", "delta_pct"))
            cells[f"{stack}_te_us"] = cell(study, stack, variant, adjusted, te)
            cells[f"{stack}_delta_pct"] = slower(study, stack, variant, adjusted, delta)
            wait = cell(study, stack, variant, lambda r: r["round_trip"]["controller_us"], "105")
            cells[f"{stack}_controller_us"] = wait
            paper_way = cell(
                study, stack, variant, lambda r: r["round_trip"]["adjusted_paper_us"], te
            )
            cells[f"{stack}_te_less_210_us"] = paper_way
        rows.append(Row((variant.upper(),), cells))
    return Table(
        "table5",
        "Table 5: round-trip latency adjusted for the network controller",
        ("Version",),
        tuple(columns),
        tuple(rows),
        (
            "T_e minus both controllers' measured times: from the driver's hand-over to the first "
            "instruction of its transmit interrupt, client and server. The paper subtracts 210 µs.",
        ),
    )


def adjusted(result: dict) -> float:
    return result["round_trip"]["adjusted_us"]
