# SPDX-License-Identifier: BSD-2-Clause
"""Table 4: end-to-end round trips."""

from mcpi.studies.sigcomm96.tables.common import made, slower, versions, with_spread
from mcpi.studykit.cell import Cell, Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import te


def sd(result: dict) -> float | None:
    """Over samples, that is phases."""
    trip = result["round_trip"]
    return trip.get("sd_us") if trip["sd_over"] == "samples" else None


def table(study: Measured) -> Table:
    def cells(stack: str, variant: str, theirs: dict[str, str]) -> dict[str, Cell]:
        spread = theirs["Te_sd_us"]
        return {
            "te_us": with_spread(study, stack, variant, te, theirs["Te_us"], sd, spread),
            "delta_pct": slower(study, stack, variant, te, theirs["delta_pct"]),
        }

    return made("table4", versions("table4_sigcomm96_roundtrip_latency", cells))
