# SPDX-License-Identifier: BSD-2-Clause
"""Cost of a round trip for the client outside the path, and the part of the path that nothing waits
for."""

from mcpi.studies.sigcomm96.tables.common import each, filled, made
from mcpi.studykit.cell import Table
from mcpi.studykit.measured import Measured


def values(study: Measured, stack: str, variant: str) -> dict[str, float] | None:
    found = study.of("evidence", stack, variant)
    result = study.result(stack, variant)
    if not found or not result or "behind_us" not in found:
        return None
    tp = result["steady"]["client"]["time_us"]
    return {"tp_us": tp, "behind_us": found["behind_us"], **found["outside"]}


def table(study: Measured) -> Table:
    rows = each(lambda stack, v: filled("outside", values(study, stack, v), "not measured"))
    return made("outside", rows)
