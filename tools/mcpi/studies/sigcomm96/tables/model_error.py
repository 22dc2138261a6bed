# SPDX-License-Identifier: BSD-2-Clause
"""The model engine beside the RTL, on the recorded image and on every other link order."""

import statistics

from mcpi.studies.sigcomm96.tables.common import each, filled, made
from mcpi.study.cell import Cell, Table
from mcpi.study.measured import Measured
from mcpi.study.model_check import error, rank


def table(study: Measured) -> Table:
    return made("model_error", each(lambda stack, v: _cells(study, stack, v)))


def _cells(study: Measured, stack: str, variant: str) -> dict[str, Cell]:
    model = study.of("model", stack, variant)
    if not model or "rtl" not in model.get("own", {}):
        return filled("model_error", None, "not predicted")
    own, truth = model["own"]["model"], model["own"]["rtl"]
    values: dict[str, float | None] = {
        "te": error(own["mean_us"], truth["mean_us"]),
        "tp": error(own["time_us"], truth["time_us"]),
    }
    if result := study.result(stack, variant):
        values["published"] = error(own["time_us"], result["steady"]["client"]["time_us"])
    measured = study.of("orders", stack, variant) or {}
    pairs = [(model["others"][k], one) for k, one in measured.items() if k in model["others"]]
    if pairs:
        te = [abs(error(a["mean_us"], b["mean_us"])) for a, b in pairs]
        tp = [abs(error(a["time_us"], b["time_us"])) for a, b in pairs]
        values |= {"orders": len(pairs), "order_te": statistics.fmean(te)}
        values |= {"order_tp": statistics.fmean(tp), "order_tp_most": max(tp)}
        values["rank"] = rank([a["time_us"] for a, _ in pairs], [b["time_us"] for _, b in pairs])
    return filled("model_error", values, "not measured")
