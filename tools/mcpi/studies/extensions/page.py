# SPDX-License-Identifier: BSD-2-Clause
"""The study's page: claims, predictions, then all figures."""

import itertools

from mcpi.base.progress import counted
from mcpi.studies.extensions import blocks
from mcpi.studies.extensions import tables as made
from mcpi.studies.extensions.plan import CONNECTIONS, MACHINES, OLD, STACKS, at
from mcpi.studykit import page as common
from mcpi.studykit.cell import Table
from mcpi.studykit.measured import Measured

TITLE = "Extensions"
PARTS = [
    ("", ("claims", "predictions")),
    ("Clones of a connection's own", ("orders", "copies")),
    ("Outlining by profiles", ("blocks",)),
    ("Layouts", ("places",)),
    ("The classifier", ("classifier",)),
]


def page(study: Measured, tables: list[Table]) -> str:
    there = {table.key: drawn for table in tables if (drawn := table.drawn()).rows}
    return common.page(
        TITLE,
        study,
        [(heading, [there[k] for k in keys if k in there]) for heading, keys in PARTS],
        answers=answers(study),
        lead=_lead(study),
    )


def answers(study: Measured) -> list[str]:
    """For each machine and stack, what own code does to T_p by the number of connections; what
    profiles do to OUT's, by the stack."""
    said = []
    for machine, stack in itertools.product(MACHINES, STACKS):
        found = {n: made.median(study, "tp_ratio", at(machine, stack, n)).ours for n in CONNECTIONS}
        parts = [f"{ratio:.2f} with {n}" for n, ratio in found.items() if ratio is not None]
        if parts:
            of = f"{stack.upper()}, {machine}"
            said.append(f"T_p of own code over shared code, {of}: {', '.join(parts)}.")
    for stack in blocks.STACKS:
        found = {
            v: made.median(study, "time", f"{OLD} {stack}", v, blocks.HAND).ours
            for v in blocks.VERSIONS[2:]
        }
        parts = [f"{v.upper()} {ratio:.2f}" for v, ratio in found.items() if ratio is not None]
        if parts:
            said.append(f"T_p over OUT's, {stack.upper()}: {', '.join(parts)}.")
    return said


def _lead(study: Measured) -> str:
    extent = study.record["extent"]
    return (
        "SIGCOMM '96 names a moment for cloning that it did not try: when a connection opens, "
        "most of its state is constant. The fast path of TCP and of RPC is copied for each "
        "connection or channel, with its constants in it; "
        f"{counted(extent['round_trips'], 'round trip')} in each run, by "
        f"{', '.join(map(str, CONNECTIONS))} connections in turn. It also asks for better tools: a "
        "profile outlines and orders blocks, and a search places the copies."
    )
