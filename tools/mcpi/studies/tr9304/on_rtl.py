# SPDX-License-Identifier: BSD-2-Clause
"""A part of the study once more on the RTL, in lock-step with the instruction-set model: every
file must be the exact engine's."""

import json
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.base.process import side_by_side
from mcpi.base.progress import Bar, counted
from mcpi.build import graph
from mcpi.machine.profile import load
from mcpi.results import folders
from mcpi.spec.run_spec import RTL, RunSpec
from mcpi.studies.tr9304.bench import Bench
from mcpi.studies.tr9304.plan import LARGE_QUEUE, MACHINE, SMALL, SYSTEMS, TOUCH, Configuration
from mcpi.studies.tr9304.run import Run

MESSAGES = 1  # after the warm-up
SHOWN = 5  # files that differ

EACH = [Configuration(system, SMALL) for system in SYSTEMS]
FIGURES = [  # 4 to 8; EACH is 2 and 3
    Configuration("mach", SMALL, forced=TOUCH),
    Configuration("mach", SMALL, forced=TOUCH, checksum=True),
    Configuration("hpux", SMALL, checksum=True),
    Configuration("bsd", SMALL, queue=LARGE_QUEUE),
    Configuration("bsd", SMALL, load=100),
]


def repeated(bench: Bench, cores: int, bar: Bar) -> dict[str, str]:
    """How much, in words, and the RTL's digest, for the provenance. RunError if a file differs."""
    part = [*EACH, *FIGURES] if bench.extent.beside else EACH
    program, node_json = graph.simulator(RunSpec(machine=MACHINE, engine=RTL), load(MACHINE), bar)
    pairs = [pair(bench, c, program, node_json) for c in part]
    with bar.task("on the RTL", 2 * len(part)) as update:
        every = [(where, run) for both in pairs for where, run in both.items()]
        side_by_side(
            lambda item: item[1].done(bench.out / item[0], bench.stop),
            every,
            cores,
            bench.stop,
            lambda n: update(n, len(every), f"{counted(len(every) - n, 'run')} left"),
        )
    found: dict[str, list[str]] = {}
    for both in pairs:
        ours, rtl = (bench.out / where / run.name for where, run in both.items())
        for path, said in folders.differences(ours, rtl, below=False).items():
            found[str((rtl / path).relative_to(bench.out))] = said
    said = f"{len(part)} runs on {MACHINE} repeated on the RTL, {len(found)} differences"
    if found:
        lines = [f"{path}: {'; '.join(how)}" for path, how in list(found.items())[:SHOWN]]
        raise RunError("\n  ".join([f"{said}; the exact engine first, then the RTL:", *lines]))
    digest = json.loads(node_json.read_text())["rtl_digest"]
    return {"repeated": said, "rtl_digest": digest}


def pair(bench: Bench, c: Configuration, program: Path, node_json: Path) -> dict[str, Run]:
    """By folder: of the exact engine, of the RTL."""
    machine = load(MACHINE, c.settings)
    images = bench.images(c, machine)
    how = c, machine, images
    rest = MESSAGES, bench.seed
    return {
        "exact": Run(*how, bench.engine, *rest, evictions=False),
        "rtl": Run(*how, program, *rest, node_json, evictions=False),
    }
