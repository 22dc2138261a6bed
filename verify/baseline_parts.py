# SPDX-License-Identifier: BSD-2-Clause
"""The stated parts of the other studies, and a program of one's own, that the baseline has: each
on engine ``exact``, in a folder of its own.

A study's folder also has ``results.json``, the figures that its tables are made of, and the
tables. The nodes of osdi94 have several cores; ``dec3000-mp`` is among its machines.
"""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

from mcpi import api, studies
from mcpi.base.progress import Bar
from mcpi.base.repo import ROOT
from mcpi.batch import perform
from mcpi.batch.plan import Experiment, Extent, Wanted
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RunSpec
from mcpi.studies.osdi94 import plan as osdi94
from mcpi.studies.tr9304 import plan as tr9304
from mcpi.studykit import collect

ASKED = Wanted(RunSpec(engine=EXACT))
PARTS = ("results", "orders", "latency", "steps", "evidence")  # of a study's record
FIGURES, TABLES = "results.json", "tables"

SLIDES = ("alpha-300-tcp-std", "alpha-300-rpc-all", "alpha-300-16k-tcp-all")
SLIDES += ("alpha-300-tcp-std-shuffle-1", "tcp-std-core.translation-tlb", "100-ideal-tcp-std")

EXTENSIONS = ("dec3000-600-tcp-8-shared-default", "dec3000-600-tcp-8-specialised-default")
EXTENSIONS += ("blocks-dec3000-600-tcp-tsp-default",)

CHALLENGE, ALPHA = osdi94.CHALLENGE, osdi94.ALPHA
POINTS = tuple(
    osdi94.Point(osdi94.Curve(*curve), count)
    for count, curve in (
        (1, (CHALLENGE, "tcp", "receive")),
        (4, (CHALLENGE, "tcp", "receive")),
        (2, (CHALLENGE, "tcp", "send", "six")),
        (4, (osdi94.POWER, "udp", "receive", "sync")),
        (4, (ALPHA, "udp", "send")),
        (2, (ALPHA, osdi94.LOCKS)),
    )
)
TIME = dataclasses.replace(osdi94.QUICK, round_trips=1, warmup=1)

CONFIGURATIONS = (
    *(tr9304.Configuration(system, tr9304.LARGE) for system in tr9304.SYSTEMS),
    tr9304.Configuration("mach", tr9304.SMALL, forced=tr9304.PREFILL, checksum=True),
    tr9304.Configuration("bsd", tr9304.LARGE, entries=16, page=tr9304.LARGE_PAGE),
)
MESSAGES = dataclasses.replace(tr9304.QUICK, samples={"udp": 1}, round_trips=2)

EXAMPLES = ROOT / "examples"
PROGRAMS = {
    "list-array": ProgramSpec(
        (str(EXAMPLES / "list-array.c"),), cold=True, repeat=2, tick_log="client"
    ),
    "checksum-tlb": ProgramSpec(
        (str(EXAMPLES / "checksum.c"),), settings={"core.translation": "tlb"}
    ),
    "copy-and-peer": ProgramSpec(
        (str(EXAMPLES / "copy.c"),), peer=(str(EXAMPLES / "checksum.c"),), machine="alpha-300"
    ),
}


def slides(root: Path, jobs: int, bar: Bar) -> None:
    study = studies.find("slides")
    wanted = [e for e in study.plan(ASKED, study.quick) if e.name in SLIDES]
    _study("slides", wanted, study.quick, root, jobs, bar)


def extensions(root: Path, jobs: int, bar: Bar) -> None:
    study = studies.find("extensions")
    wanted = [e for e in study.plan(ASKED, study.quick) if e.name in EXTENSIONS]
    _study("extensions", wanted, study.quick, root, jobs, bar)


def osdi94_(root: Path, jobs: int, bar: Bar) -> None:
    wanted = [osdi94.experiment(ASKED, TIME, point) for point in POINTS]
    _study("osdi94", wanted, TIME, root, jobs, bar)


def tr9304_(root: Path, jobs: int, bar: Bar) -> None:
    wanted = [e for c in CONFIGURATIONS for e in tr9304.boots(ASKED, MESSAGES, c)]
    wanted += [tr9304.followed(ASKED, MESSAGES, c) for c in tr9304.FOLLOWED]
    _study("tr9304", wanted, MESSAGES, root, jobs, bar)


def _study(
    name: str, wanted: list[Experiment], extent: Extent, root: Path, jobs: int, bar: Bar
) -> None:
    """Run the experiments that are not kept; their files, ``results.json`` and the tables."""
    study = studies.find(name)
    perform.perform(perform.build(wanted, root, bar), jobs, bar)
    found = collect.collect(study, root, extent, wanted)
    kept = {part: found.record[part] for part in PARTS if part in found.record}
    (root / FIGURES).write_text(json.dumps(kept) + "\n")
    (root / TABLES).mkdir(exist_ok=True)
    for table in study.tables(found):
        (root / TABLES / f"{table.key}.csv").write_text(table.csv())


def exec_(root: Path, jobs: int, bar: Bar) -> None:
    for name, spec in PROGRAMS.items():
        api.perform(spec, root / name, bar)


EACH: dict[str, Callable[[Path, int, Bar], None]] = {
    "slides": slides,
    "extensions": extensions,
    "osdi94": osdi94_,
    "tr9304": tr9304_,
    "exec": exec_,
}
