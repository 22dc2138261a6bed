# SPDX-License-Identifier: BSD-2-Clause
"""Table 7: processing time, length and CPI of the path."""

from mcpi.studies.sigcomm96.tables.common import cell, made, versions, with_spread
from mcpi.studykit.cell import Cell, Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import client, tp

VALUES = {"length": ("length", "instructions"), "mcpi": ("mCPI", "mcpi"), "icpi": ("iCPI", "icpi")}


def sd(result: dict) -> float | None:
    return result.get("path_time", {}).get("client", {}).get("sd_us")


def table(study: Measured) -> Table:
    def cells(stack: str, variant: str, theirs: dict[str, str]) -> dict[str, Cell]:
        of = study, stack, variant
        found = {"tp_us": with_spread(*of, tp, theirs["Tp_us"], sd, theirs["Tp_sd_us"])}
        for key, (column, name) in VALUES.items():
            found[key] = cell(*of, client(name), theirs[column])
        return found

    return made("table7", versions("table7_sigcomm96_processing_costs", cells))
