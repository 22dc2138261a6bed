# SPDX-License-Identifier: BSD-2-Clause
"""Earlier runs, from their folders."""

from pathlib import Path

from mcpi.api.finished_program import ProgramRun
from mcpi.api.finished_run import Run, spec_in
from mcpi.base.errors import UserError
from mcpi.results.record import read


def load(folder: Path | str) -> Run | ProgramRun:
    """An earlier run, of this schema or an earlier one, from its folder: a ``Run`` of a stack, a
    ``ProgramRun`` of ``./mcpi exec``."""
    place = Path(folder)
    if not (place / "result.json").is_file():
        raise UserError(f"{place}: no result.json in it; it is no finished run's folder.")
    result = read(place / "result.json")
    if result.provenance.program:
        return ProgramRun(place, result)
    return Run(place, result, spec_in(place), is_loaded=True)
