# SPDX-License-Identifier: BSD-2-Clause
"""PIN with its classifier: what it costs to ask of every frame whether it is the path's (3.3)."""

from mcpi.papers.sigcomm96 import STACKS
from mcpi.studies.sigcomm96.plan import INLINED
from mcpi.studies.sigcomm96.tables.common import filled, made
from mcpi.studies.sigcomm96.tables.placements import OWN, figures
from mcpi.studykit.cell import Row, Table
from mcpi.studykit.measured import Measured

KEYS = {"instructions": "instructions", "te_us": "mean_us", "tp_us": "time_us"}


def table(study: Measured) -> Table:
    rows = []
    for stack, title in STACKS.items():
        plain = figures(study, stack, INLINED, OWN)
        if plain:
            path = study.result(stack, INLINED)["steady"]["client"]
            plain["instructions"] = path["instructions"]
        one = study.of("guards", stack)
        asked = one and {k: one[name] for k, name in KEYS.items()}
        both = plain and asked and {k: asked[k] - plain[k] for k in asked}
        for name, found in (("off", plain), ("in software", asked), ("costs", both)):
            rows.append(Row((title, name), filled("guard", found, "not measured")))
    return made("guard", rows)
