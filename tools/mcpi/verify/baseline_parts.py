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

from mcpi import studies
from mcpi.api import program
from mcpi.base.process import Stop
from mcpi.base.progress import Bar
from mcpi.base.repo import ROOT
from mcpi.build import models
from mcpi.firmware import images, parallel
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RunSpec
from mcpi.studies.osdi94 import plan as osdi94
from mcpi.studies.osdi94 import run as cores
from mcpi.studies.tr9304 import measure as tr9304_measure
from mcpi.studies.tr9304 import plan as tr9304
from mcpi.studies.tr9304 import steps
from mcpi.studies.tr9304.bench import Bench
from mcpi.study import collect, perform
from mcpi.study.measured import Measured
from mcpi.study.plan import Wanted

SEED = 1
PARTS = ("results", "orders", "latency", "steps", "evidence")  # of a study's record
FIGURES, TABLES = "results.json", "tables"

SLIDES = ("alpha-300-tcp-std", "alpha-300-rpc-all", "alpha-300-16k-tcp-all")
SLIDES += ("alpha-300-tcp-std-shuffle-1", "tcp-std-core.translation-tlb", "100-ideal-tcp-std")

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
PACKETS = dataclasses.replace(osdi94.QUICK, round_trips=12, warmup=4)

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
    every = study.plan(Wanted(RunSpec(engine=EXACT)), study.quick)
    wanted = [e for e in every if e.name in SLIDES]
    perform.perform(perform.build(wanted, root, bar), jobs, bar)
    _figures("slides", collect.collect(study, root, study.quick, wanted).record, root)


def osdi94_(root: Path, jobs: int, bar: Bar) -> None:
    results: dict[str, dict] = {}
    engine, stop = models.build("mcpi-exact"), Stop()
    with bar.task("nodes of several cores", len(POINTS)) as update:
        for done, point in enumerate(POINTS, 1):
            machine, wanted = cores.of(point.curve, point.cores)
            image = images.build(parallel.plan(machine, wanted))
            how = image, engine, PACKETS.round_trips, PACKETS.warmup, SEED
            run = cores.Run(point, machine, *how)
            results[point.key] = {"runs": [run._measured(root / run.name, stop)]}
            update(done, len(POINTS), point.key)
    _figures("osdi94", {"results": results}, root)


def tr9304_(root: Path, jobs: int, bar: Bar) -> None:
    bench, results = Bench(MESSAGES, SEED, root, Stop()), {}
    with bar.task("nodes that receive", len(CONFIGURATIONS)) as update:
        for done, c in enumerate(CONFIGURATIONS, 1):
            [run] = bench.runs(c, 1, MESSAGES.round_trips)
            results[c.key] = tr9304_measure._sum([run.done(root, bench.stop)])
            update(done, len(CONFIGURATIONS), c.key)
    stepped = steps.measured(list(CONFIGURATIONS), bench, bar)
    _figures("tr9304", {"results": results, "steps": stepped}, root)


def exec_(root: Path, jobs: int, bar: Bar) -> None:
    for name, spec in PROGRAMS.items():
        program.perform(spec, root / name, bar)


EACH: dict[str, Callable[[Path, int, Bar], None]] = {
    "slides": slides,
    "osdi94": osdi94_,
    "tr9304": tr9304_,
    "exec": exec_,
}


def _figures(name: str, record: dict, root: Path) -> None:
    """``results.json`` and the tables of a study, of the parts of its record that count."""
    kept = {part: record[part] for part in PARTS if part in record}
    (root / FIGURES).write_text(json.dumps(kept) + "\n")
    (root / TABLES).mkdir(exist_ok=True)
    for table in studies.find(name).tables(Measured({"absent": {}, **record})):
        (root / TABLES / f"{table.key}.csv").write_text(table.csv())
