# SPDX-License-Identifier: BSD-2-Clause
"""One file a table of the paper: a function of the study (docs/paper.md)."""

from mcpi.paper.cell import Table
from mcpi.paper.study import Study
from mcpi.paper.tables import (
    breakdown,
    claims,
    guard,
    icpi,
    model_error,
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

PAPERS = (table1, table2, table3, table4, table5, table6, table7, table8, table9)
OURS = (claims, noise, placements, guard, breakdown, owners, icpi, outside)
OURS += (recipes, three_ways, model_error)


def of(study: Study) -> list[Table]:
    """Tables 1 to 9, then what the paper has not."""
    return [module.table(study) for module in (*PAPERS, *OURS)]
