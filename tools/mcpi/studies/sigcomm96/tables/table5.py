# SPDX-License-Identifier: BSD-2-Clause
"""Table 5: round trips without the controllers' time."""

from mcpi.studies.sigcomm96.tables.common import cell, made, slower, versions
from mcpi.studykit.cell import Cell, Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import Get

CONTROLLER_US = "105"  # in the paper, of any version


def _trip(name: str) -> Get:
    return lambda result: result["round_trip"][name]


def table(study: Measured) -> Table:
    def cells(stack: str, variant: str, theirs: dict[str, str]) -> dict[str, Cell]:
        of, te = (study, stack, variant), theirs["Te_us"]
        return {
            "te_us": cell(*of, _trip("adjusted_us"), te),
            "delta_pct": slower(*of, _trip("adjusted_us"), theirs["delta_pct"]),
            "controller_us": cell(*of, _trip("controller_us"), CONTROLLER_US),
            "te_less_210_us": cell(*of, _trip("adjusted_paper_us"), te),
        }

    return made("table5", versions("table5_sigcomm96_adjusted_latency", cells))
