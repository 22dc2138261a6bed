# SPDX-License-Identifier: BSD-2-Clause
"""PIN with its classifier: what it costs to ask of every frame whether it is the path's (3.3)."""

from mcpi.paper.cell import Cell, Column, Row, Table
from mcpi.paper.plan import INLINED
from mcpi.paper.published import STACKS
from mcpi.paper.study import Study
from mcpi.paper.tables.placements import OWN, figures

COLUMNS = (
    Column("instructions", "Length", 1),
    Column("te_us", "T_e, µs", 1),
    Column("tp_us", "T_p, µs", 2),
)


def table(study: Study) -> Table:
    rows = []
    for stack, title in STACKS.items():
        plain = figures(study, stack, INLINED, OWN)
        if plain:
            path = study.result(stack, INLINED)["steady"]["client"]
            plain["instructions"] = path["instructions"]
        one = study.record.get("guards", {}).get(stack)
        asked = one and {
            "instructions": one["instructions"],
            "te_us": one["mean_us"],
            "tp_us": one["time_us"],
        }
        both = plain and asked and {k: asked[k] - plain[k] for k in asked}
        for name, found in (("off", plain), ("in software", asked), ("costs", both)):
            why = "" if found else "not measured"
            cells = {c.key: Cell((found or {}).get(c.key), why=why) for c in COLUMNS}
            rows.append(Row((title, name), cells))
    return Table(
        "guard",
        "PIN's packet classifier: off, as the paper assumes, and in software",
        ("Stack", "Classifier"),
        COLUMNS,
        tuple(rows),
        (
            "First sample; of TCP/IP both ends classify, of RPC the client. The paper takes 1 to 4 "
            "µs for a classifier from other work and leaves it out (3.3).",
        ),
    )
