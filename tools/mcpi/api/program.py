# SPDX-License-Identifier: BSD-2-Clause
"""A run of a program of one's own, from its spec to its folder and its ``Result``."""

import datetime
import time
from collections.abc import Callable
from pathlib import Path

from mcpi.analysis import fault
from mcpi.base import staging
from mcpi.base.errors import RunError
from mcpi.base.progress import Bar, Silent
from mcpi.base.repo import RESULTS
from mcpi.build import graph
from mcpi.engines import base as engines
from mcpi.engines import program
from mcpi.results import program_summary, record
from mcpi.results.types import Result
from mcpi.spec.numbers import CLIENT
from mcpi.spec.program_spec import ProgramSpec


class Failed(RunError):
    """The program's own fault. ``printed``: what it had said until then, its peer's behind it."""

    def __init__(self, what: str, printed: list[str]) -> None:
        super().__init__(what)
        self.printed = printed


def judged(spec: ProgramSpec) -> None:
    """Everything that can be wrong with a spec, before anything is built."""
    engines.of(spec.engine).check(spec, spec.check())
    graph.check_tools(spec.engine)


def perform(
    spec: ProgramSpec,
    out: Path | None = None,
    bar: Bar | None = None,
    look: Callable[[Path], object] = lambda _: None,
) -> tuple[Path, Result]:
    """As ``single_run.perform``. ``Failed`` says where the program went wrong."""
    judged(spec)
    machine = spec.check()
    place = out.resolve() if out else RESULTS / f"{spec.title}-{_stamp()}"
    with staging.staged(place) as stage, bar or Silent() as shown:
        built = program.prepare(spec, machine, stage, shown)
        with staging.emptied(stage):
            look(stage)
        began, clock = datetime.datetime.now(datetime.UTC), time.monotonic()
        try:
            speed = program.run(spec, machine, stage, built, shown)
        except RunError as error:
            raise _explained(stage, spec, error) from None
        times = {
            "started": began.isoformat(timespec="seconds"),
            "wall_seconds": round(time.monotonic() - clock, 3),
            "ticks_per_second": speed,
        }
        found = record.plain(program.result(spec, machine, stage, built))
        result = record.of(found | {"time": times})
        (stage / "result.json").write_text(record.text(result))
        (stage / "report.txt").write_text(program_summary.text(result))
    return place, result


def _explained(stage: Path, spec: ProgramSpec, error: RunError) -> RunError:
    """The program's fault, if the plain run failed by it."""
    found = fault.find(stage, error)
    if found is None:
        return error
    if found.node == CLIENT:
        return Failed(fault.text(found, stage / "image.elf"), [found.printed])
    printed = [(stage / "console.0.txt").read_text(errors="replace")]
    return Failed("the peer: " + fault.text(found, stage / "peer.elf"), printed)


def _stamp() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S-%f")[:-3]
