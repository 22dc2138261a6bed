# SPDX-License-Identifier: BSD-2-Clause
"""The study's page: the claims, then throughput, speed-up, and whose the ticks were."""

from mcpi.base.progress import counted
from mcpi.studies.osdi94 import drawings
from mcpi.studykit import page as common
from mcpi.studykit.cell import Table
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
        answers=[],
        drawings={
            "Figures 2 to 18: throughput and speed-up by processors": drawings.curves(study),
            "Whose a packet's ticks are": drawings.stacks(study),
        },
        lead=(
            "OSDI'94 runs the x-kernel on up to eight processors, each of which takes any packet. "
            "These are UDP's and TCP's figures on machines of coherent cores: "
            f"{counted(extent['samples']['udp'], 'run')} of {extent['round_trips']} ms each, after "
            f"{extent['warmup']} ms."
        ),
    )
