# SPDX-License-Identifier: BSD-2-Clause
"""Perform a run of any kind of spec, from the spec to its folder of plain files and its
``Result``."""

import datetime
import time
from collections.abc import Callable
from pathlib import Path

from mcpi.analysis import fault
from mcpi.base import staging
from mcpi.base.errors import RunError
from mcpi.base.progress import Bar, Silent
from mcpi.base.repo import RESULTS
from mcpi.engines import base as engines
from mcpi.engines import cost
from mcpi.results import record, report
from mcpi.results.types import Result
from mcpi.spec.numbers import CLIENT, SERVER
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec
from mcpi.spec.spec import Spec
from mcpi.tuning import ordering


class Failed(RunError):
    """The program's own fault. ``printed``: what it had said until then, its peer's behind it."""

    def __init__(self, what: str, printed: list[str]) -> None:
        super().__init__(what)
        self.printed = printed


def perform(
    spec: Spec,
    out: Path | None = None,
    bar: Bar | None = None,
    look: Callable[[Path], object] = lambda _: None,
) -> tuple[Path, Result]:
    """Check, build what changed, run, measure; the folder, new below results/ unless it is
    ``out``, and what ``result.json`` in it holds. UserError before anything starts, RunError if
    the run fails, ``Failed`` if a program did by its own fault; then what was in ``out`` stays.
    ``look`` is called with the folder before anything runs; a UserError of it leaves no folder."""
    machine = engines.judged(spec)
    engine = engines.of(spec.engine)
    large = cost.check(spec)
    place, least = _place(spec, out), max(staging.LEAST, cost.of(spec).files)
    with staging.staged(place, least=least) as stage, bar or Silent() as progress:
        if large:
            progress.say(large)
        if isinstance(spec, RunSpec):
            with staging.emptied(stage):
                ordering.of_own_graph(spec, progress)
        built = engine.prepare(spec, machine, stage, progress)
        with staging.emptied(stage):
            look(stage)
        is_program = isinstance(spec, ProgramSpec)
        began, clock = datetime.datetime.now(datetime.UTC), time.monotonic()
        try:
            speed = engine.run(spec, machine, stage, built, progress)
        except RunError as error:
            raise (_explained(spec, stage, error) if is_program else error) from None
        times = {
            "started": began.isoformat(timespec="seconds"),
            "wall_seconds": round(time.monotonic() - clock, 3),
        } | ({"ticks_per_second": speed} if speed else {})
        result = record.of(record.plain(engine.result(spec, machine, stage)) | {"time": times})
        (stage / "result.json").write_text(record.text(result))
        (stage / "report.txt").write_text(report.text(result))
    return place, result


def printed(place: Path) -> list[str]:
    """The output of each machine, of the run in ``place``."""
    alone = place / fault.CORES
    files = [alone] if alone.exists() else [place / f"console.{n}.txt" for n in (CLIENT, SERVER)]
    return [file.read_text(errors="replace") for file in files]


def _place(spec: Spec, out: Path | None) -> Path:
    if out is None:
        stamp = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S-%f")[:-3]
        return RESULTS / f"{spec.title}-{stamp}"
    return out.resolve()


def _explained(spec: ProgramSpec, stage: Path, error: RunError) -> RunError:
    """``Failed``, which says where the program went wrong, if the plain run failed by it."""
    found = fault.find(stage, error)
    if found is None and spec.alone and (where := fault.cores_at(error, stage / "image.elf")):
        return Failed(where, printed(stage))
    if found is None:
        return error
    said = printed(stage)
    said[found.node] = found.printed
    if found.node == CLIENT:
        return Failed(fault.text(found, stage / "image.elf"), said)
    return Failed("the peer: " + fault.text(found, stage / "peer.elf"), said)
