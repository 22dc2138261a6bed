# SPDX-License-Identifier: BSD-2-Clause
"""Tables, each a function of the study (docs/how-to/paper.md): the paper's, and ours."""

from mcpi.studies.sigcomm96 import claims
from mcpi.studies.sigcomm96.tables import causes, layouts, paper, production, reasons
from mcpi.studykit.cell import Table
from mcpi.studykit.measured import Measured

PAPERS = [getattr(paper, f"table{n}") for n in range(1, 10)]


def of(study: Measured) -> list[Table]:
    """Tables 1 to 9, then what the paper has not."""
    ours = [claims.table, layouts.noise, layouts.placements, layouts.guard]
    ours += [causes.breakdown, causes.owners, causes.icpi, causes.charged, causes.outside]
    ours += [reasons.kept, reasons.lines, reasons.streams]
    ours += [causes.recipes, causes.three_ways]
    ours += [production.costs, production.owners, production.predictions]
    return [table(study) for table in PAPERS + ours]
