# SPDX-License-Identifier: BSD-2-Clause
"""The study's page: the claims, then throughput, speed-up, and whose the ticks were."""

from mcpi.base.progress import counted
from mcpi.studies.osdi94 import drawings
from mcpi.studies.osdi94.figures import measured, peak
from mcpi.studies.osdi94.plan import CHALLENGE, Curve
from mcpi.studykit import page as common
from mcpi.studykit.cell import Table
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured

TITLE = "The parallel x-kernel"
PARTS = [
    ("", ("claims",)),
    ("Throughput", ("throughput", "speedup")),
    ("Order and locks", ("disorder", "locks", "anatomy", "histograms", "kinds")),
    ("Beyond the paper", ("dip", "riddle", "connections", "sweeps")),
    ("Where the ticks go", ("owners", "causes")),
]


def page(study: Measured, tables: list[Table]) -> str:
    there = {table.key: drawn for table in tables if (drawn := table.drawn()).rows}
    extent = study.record["extent"]
    return common.page(
        TITLE,
        study,
        [(heading, [there[k] for k in keys if k in there]) for heading, keys in PARTS],
        answers=answers(study),
        drawings=drawings.figures(study),
        lead=(
            "OSDI'94 runs the x-kernel on up to eight processors, each of which takes any packet. "
            "These are UDP's and TCP's figures on machines of coherent cores: "
            f"{counted(extent['samples']['udp'], 'run')} of {extent['round_trips']} ms each, after "
            f"{extent['warmup']} ms."
        ),
    )


def answers(study: Measured) -> list[str]:
    """For TCP and UDP, both ways, where throughput is highest and what it is there."""
    said = []
    for stack, side in (("tcp", "receive"), ("tcp", "send"), ("udp", "send")):
        try:
            curve = Curve(CHALLENGE, stack, side).key
            of, most = measured(study, curve), int(peak(study, "", curve))
            over = of[most] / of[1]
        except (Missing, KeyError):
            continue
        said.append(
            f"{stack.upper()} {side}, 4 KB: most with {counted(most, 'processor')}, {of[most]:.0f} "
            f"Mb/s, {over:.1f} times one processor's; {of[max(of)]:.0f} Mb/s with {max(of)}."
        )
    return said
