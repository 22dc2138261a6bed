# SPDX-License-Identifier: BSD-2-Clause
"""The model engine beside the RTL, on the recorded image and on every other link order."""

import statistics

from mcpi.paper.cell import Cell, Column, Row, Table
from mcpi.paper.modelled import error, rank
from mcpi.paper.plan import STUDIED
from mcpi.paper.published import STACKS
from mcpi.paper.study import Study

COLUMNS = (
    Column("te", "recorded image: T_e, % off", 3, signed=True),
    Column("tp", "T_p, % off", 3, signed=True),
    Column("published", "T_p, % off Table 7's", 2, signed=True),
    Column("orders", "link orders", 0),
    Column("order_te", "their T_e, % off, mean", 2),
    Column("order_tp", "their T_p, % off, mean", 2),
    Column("order_tp_most", "most", 2),
    Column("rank", "rank correlation", 2),
)


def table(study: Study) -> Table:
    rows = []
    for stack, title in STACKS.items():
        for variant in STUDIED[stack]:
            rows.append(Row((title, variant.upper()), _cells(study, stack, variant)))
    return Table(
        "model_error",
        "The model engine's error against the RTL",
        ("Stack", "Version"),
        COLUMNS,
        tuple(rows),
        (
            "One recording of eight round trips for each version; its own image, and link orders "
            "that the model has not seen run. Mean and most: without sign. Rank correlation: of "
            "T_p over the link orders, 1 if both engines put them into the same order. What the "
            "model leaves out: docs/model.md.",
        ),
    )


def _cells(study: Study, stack: str, variant: str) -> dict[str, Cell]:
    model = study.record.get("model", {}).get(stack, {}).get(variant)
    if not model or "rtl" not in model.get("own", {}):
        return {c.key: Cell(None, why="not predicted") for c in COLUMNS}
    own, truth = model["own"]["model"], model["own"]["rtl"]
    values: dict[str, float | None] = {
        "te": error(own["mean_us"], truth["mean_us"]),
        "tp": error(own["time_us"], truth["time_us"]),
    }
    if result := study.result(stack, variant):
        values["published"] = error(own["time_us"], result["steady"]["client"]["time_us"])
    measured = study.record.get("orders", {}).get(stack, {}).get(variant, {})
    pairs = [(model["others"][k], one) for k, one in measured.items() if k in model["others"]]
    if pairs:
        te = [abs(error(a["mean_us"], b["mean_us"])) for a, b in pairs]
        tp = [abs(error(a["time_us"], b["time_us"])) for a, b in pairs]
        values |= {"orders": len(pairs), "order_te": statistics.fmean(te)}
        values |= {"order_tp": statistics.fmean(tp), "order_tp_most": max(tp)}
        values["rank"] = rank([a["time_us"] for a, _ in pairs], [b["time_us"] for _, b in pairs])
    return {
        c.key: Cell(values.get(c.key), why="" if c.key in values else "not measured")
        for c in COLUMNS
    }
