# SPDX-License-Identifier: BSD-2-Clause
"""Perform a scenario, from its spec to its folder of plain files and its record."""

import datetime
import json
from pathlib import Path

from mcpi.analysis import fault
from mcpi.api.single_run import Failed
from mcpi.base import staging
from mcpi.base.errors import RunError
from mcpi.base.progress import Bar, Silent
from mcpi.base.repo import RESULTS
from mcpi.engines import scenario
from mcpi.spec.scenario_spec import ScenarioSpec

RECORD = "scenario.json"


def perform(
    spec: ScenarioSpec, out: Path | None = None, bar: Bar | None = None
) -> tuple[Path, dict]:
    """Check, build what changed, run, measure; the folder, new below results/ unless it is ``out``,
    and what ``scenario.json`` in it holds. UserError before anything starts, RunError if the run
    fails, ``Failed`` if a program did by its own fault."""
    machines = spec.check()
    stamp = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S-%f")[:-3]
    place = out.resolve() if out else RESULTS / f"{spec.title}-{stamp}"
    with staging.staged(place, mark=scenario.PLAN) as stage, bar or Silent() as progress:
        with staging.emptied(stage):
            simulator, measured = scenario.prepare(spec, machines, stage, progress)
        try:
            scenario.run(spec, stage, simulator, progress)
        except RunError as error:
            raise _explained(spec, stage, error) from None
        found = scenario.record(spec, machines, measured, stage)
        (stage / RECORD).write_text(json.dumps(found, indent=1) + "\n")
    return place, found


def _explained(spec: ScenarioSpec, stage: Path, error: RunError) -> RunError:
    """``Failed``, which says which node went wrong, where and how, if a program did."""
    again = f"\n  again: {spec.command()}"
    if not (stage / "run.json").exists():
        return RunError(f"{error}{again}")
    said = str(error).splitlines()[-1].strip().partition(": ")[2].rstrip(".")
    printed = [
        (stage / f"console.{n}.txt").read_text(errors="replace") for n in range(len(spec.nodes))
    ]
    for n, node in enumerate(spec.nodes):
        if node.is_program and said.startswith((f"node {n} ", f"node {n}:", f"{node.name} ended")):
            if found := fault.read(stage, n, said):
                printed[n] = found.printed
                words = fault.text(found, stage / f"image.{n}.elf")
                return Failed(f"{node.name}: {words}{again}", printed)
    return Failed(f"{said}.{again}", printed)
