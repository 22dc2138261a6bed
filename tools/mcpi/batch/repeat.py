# SPDX-License-Identifier: BSD-2-Clause
"""A part of a study by engine ``exact``, once more on the RTL: every file must be the same.

The part is the first sample of every version, if the study wants that, and runs that are drawn
from all others by the study's seed. What only the RTL has, its oracles, comes from these runs.
"""

import json
import random
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.batch.plan import Experiment, Extent
from mcpi.results import folders
from mcpi.spec.node_spec import NodeSpec
from mcpi.spec.run_spec import RTL

ORACLE = "oracle.json"
RUNS, FIRST = "runs", "exact"  # folders of the study's runs; of short ones that both engines make
SHOWN = 5  # files that differ


@dataclass(frozen=True)
class Repeated:
    """How much of the study ran twice, and where it differed: by folder and file, what is said.
    ``rtl_digest``: the Verilog's."""

    runs: int
    of: int
    rtl_digest: str
    differences: dict[str, list[str]]

    def __str__(self) -> str:
        found = len(self.differences)
        of = f"{self.runs} of {self.of} runs" if self.runs < self.of else f"{self.runs} runs"
        return f"{of} repeated on the RTL, {found} differences"


def chosen(experiments: list[Experiment], extent: Extent, seed: int) -> list[Experiment]:
    """The part, of the study's own engine."""
    first = [(e, e.jobs[0]) for e in experiments if e.whole and extent.each_on_rtl]
    drawn = [e for e in experiments if e.on_rtl]
    rest = [(e, job) for e in drawn for job in e.jobs if (e, job) not in first]
    picked = random.Random(f"repeat {seed}").sample(rest, min(extent.repeats, len(rest)))
    return [
        replace(e, jobs=tuple(job for other, job in (*first, *picked) if other is e))
        for e in experiments
        if any(other is e for other, _ in (*first, *picked))
    ]


def on_rtl(e: Experiment) -> Experiment:
    """The same runs by engine ``rtl``, which has no log of evictions or locks."""
    without = {"evictions": False, "locks": False} if isinstance(e.spec, NodeSpec) else {}
    return replace(e, spec=replace(e.spec, engine=RTL, **without))


def compared(
    part: list[Experiment], all_: list[Experiment], out: Path, first: str = RUNS
) -> Repeated:
    """Both runs of each, file by file, the first in the folder ``first``; the oracles' numbers are
    put next to what they judged. RunError if a file differs."""
    found: dict[str, list[str]] = {}
    for e in part:
        for job in e.jobs:
            ours, rtl = (out / root / e.name / job.folder for root in (first, RTL))
            names = folders.PAIR if len(e.spec.nodes) > 1 else folders.ALONE
            for path, said in folders.differences(ours, rtl, below=False, names=names).items():
                if path.name != "result.json":  # of the whole experiment
                    found[str((ours / path).relative_to(out))] = said
            if (rtl / ORACLE).is_file():
                shutil.copyfile(rtl / ORACLE, ours / ORACLE)
    runs = (sum(len(e.jobs) for e in experiments) for experiments in (part, all_))
    nodes = {(out / RTL / e.name / "Node.json").read_text() for e in part}
    digests = sorted({json.loads(text)["rtl_digest"] for text in nodes})
    repeated = Repeated(*runs, " ".join(digests), found)
    if found:
        lines = [f"{path}: {'; '.join(said)}" for path, said in list(found.items())[:SHOWN]]
        raise RunError("\n  ".join([f"{repeated}; the exact engine first, then the RTL:", *lines]))
    return repeated
