# SPDX-License-Identifier: BSD-2-Clause
"""A small study of SIGCOMM'96 by the exact engine alone, and its page that recomputes itself."""

from dataclasses import dataclass
from pathlib import Path

from mcpi.base.progress import Silent
from mcpi.batch import perform
from mcpi.batch.plan import Experiment, Extent, Wanted
from mcpi.studies.sigcomm96 import alive
from mcpi.studies.sigcomm96.study import STUDY
from mcpi.studykit import collect
from mcpi.studykit.cell import Table
from mcpi.studykit.measured import Measured

RTL = "0123456789abcdef"  # in the place of the Verilog's digest


@dataclass(frozen=True)
class Small:
    """A study that was measured. ``root``: the folder of its runs."""

    measured: Measured
    tables: list[Table]
    experiments: list[Experiment]
    root: Path

    def page(self) -> str:
        return alive.page(self.measured, self.tables, self.experiments, self.root)


def of(root: Path, samples: dict[str, int], round_trips: int, *variants: str) -> Small:
    """Measure versions of the stacks in ``samples``: so many samples of so many round trips."""
    extent = Extent(samples, round_trips, 0, switches=False, extras=False)
    wanted = Wanted(stacks=tuple(samples), variants=variants)
    experiments = STUDY.plan(wanted, extent)
    perform.perform(perform.build(experiments, root, Silent()), 2, Silent())
    found = collect.collect(STUDY, root, extent, experiments)
    found.record["provenance"] |= {
        "rtl_digest": RTL,
        "repeated": "0 runs",
        "reproduce": "./mcpi paper",
    }
    return Small(found, STUDY.tables(found), experiments, root)
