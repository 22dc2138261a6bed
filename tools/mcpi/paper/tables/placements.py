# SPDX-License-Identifier: BSD-2-Clause
"""The same copies in other places: bipartite beside linear and micro-positioned (3.2)."""

from mcpi.paper.cell import Cell, Column, Row, Table
from mcpi.paper.plan import CLONED, LAYOUTS
from mcpi.paper.published import STACKS
from mcpi.paper.study import Study

OWN = "bipartite"
COLUMNS = (
    Column("te_us", "T_e, µs", 1),
    Column("tp_us", "T_p, µs", 2),
    Column("mcpi", "mCPI", 3),
    Column("i_misses", "i-cache misses", 1),
    Column("b_misses", "b-cache misses", 1),
    Column("model_tp_us", "T_p by the model, µs", 2),
)


def figures(study: Study, stack: str, variant: str, layout: str) -> dict | None:
    """Of one sample, the first, whatever the layout; None if it was not measured."""
    result = study.result(stack, variant)
    if result is None or "mean_us" not in result["round_trip"]:
        return None  # boards have no times of events
    path = result["steady"]["client"]
    if layout == OWN:
        means = result["round_trip"].get("sample_means_us") or [result["round_trip"]["mean_us"]]
        return {
            "te_us": means[0],
            "tp_us": path["time_us"],
            "mcpi": path["mcpi"],
            "i_misses": path["icache"]["misses"],
            "b_misses": path.get("bcache", {}).get("misses", 0.0),
        }
    one = study.record.get("layouts", {}).get(stack, {}).get(variant, {}).get(layout)
    if one is None:
        return None
    return {
        "te_us": one["mean_us"],
        "tp_us": one["time_us"],
        "mcpi": one["cpi"] - path["icpi"],
        "i_misses": one["i_misses"],
        "b_misses": one["b_misses"],
    }


def _predicted(study: Study, stack: str, variant: str, layout: str) -> float | None:
    model = study.record.get("model", {}).get(stack, {}).get(variant)
    if not model:
        return None
    one = model.get("own", {}).get("model") if layout == OWN else model["others"].get(layout)
    return one["time_us"] if one else None


def table(study: Study) -> Table:
    rows = []
    for stack, title in STACKS.items():
        for variant in CLONED:
            for layout in (OWN, *LAYOUTS):
                found = figures(study, stack, variant, layout)
                why = "" if found else f"{variant.upper()} {layout}: not measured"
                cells = {c.key: Cell((found or {}).get(c.key), why=why) for c in COLUMNS}
                predicted = _predicted(study, stack, variant, layout)
                cells["model_tp_us"] = Cell(predicted, why="" if predicted else "not predicted")
                rows.append(Row((title, variant.upper(), layout), cells))
    return Table(
        "placements",
        "Where the copies lie: bipartite, linear, micro-positioned",
        ("Stack", "Version", "Layout"),
        COLUMNS,
        tuple(rows),
        (
            "The first sample of each; the same code in all rows of a version, so mCPI is with the "
            "iCPI of the bipartite one. Micro-positioning: from a trace, ./mcpi layout micro.",
        ),
    )
