# SPDX-License-Identifier: BSD-2-Clause
"""Tables of the paper, each in a file: a function of the study (docs/how-to/paper.md)."""

from mcpi.studies.sigcomm96 import claims
from mcpi.studies.sigcomm96.tables import (
    breakdown,
    guard,
    icpi,
    noise,
    outside,
    owners,
    placements,
    recipes,
    table1,
    table2,
    table3,
    table4,
    table5,
    table6,
    table7,
    table8,
    table9,
    three_ways,
)
from mcpi.studykit.cell import Table
from mcpi.studykit.measured import Measured

PAPERS = (table1, table2, table3, table4, table5, table6, table7, table8, table9)
OURS = (claims, noise, placements, guard, breakdown, owners, icpi, outside)
OURS += (recipes, three_ways)


def of(study: Measured) -> list[Table]:
    """Tables 1 to 9, then what the paper has not."""
    return [module.table(study) for module in (*PAPERS, *OURS)]
