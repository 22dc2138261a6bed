# SPDX-License-Identifier: BSD-2-Clause
"""The same copies in other places: bipartite beside linear and micro-positioned (3.2)."""

from mcpi.papers.sigcomm96 import STACKS
from mcpi.studies.sigcomm96.plan import CLONED, LAYOUTS
from mcpi.studies.sigcomm96.tables.common import filled, made
from mcpi.studykit.cell import Row, Table
from mcpi.studykit.measured import Measured

OWN = "bipartite"


def figures(study: Measured, stack: str, variant: str, layout: str) -> dict | None:
    """Figures of the first sample with this layout; None if it was not measured."""
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
    one = study.of("layouts", stack, variant, layout)
    if one is None:
        return None
    return {
        "te_us": one["mean_us"],
        "tp_us": one["time_us"],
        "mcpi": one["cpi"] - path["icpi"],
        "i_misses": one["i_misses"],
        "b_misses": one["b_misses"],
    }


def table(study: Measured) -> Table:
    rows = []
    for stack, title in STACKS.items():
        for variant in CLONED:
            for layout in (OWN, *LAYOUTS):
                found = figures(study, stack, variant, layout)
                cells = filled("placements", found, f"{variant.upper()} {layout}: not measured")
                rows.append(Row((title, variant.upper(), layout), cells))
    return made("placements", rows)
