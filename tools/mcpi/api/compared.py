# SPDX-License-Identifier: BSD-2-Clause
"""``mcpi.compare``: two runs, and what differs between them, as tables."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mcpi.analysis.comparison import Comparison
from mcpi.analysis.explanation import sentence
from mcpi.api import comparand, comparing, frames
from mcpi.api.comparand import Comparand
from mcpi.api.finished_program import ProgramRun
from mcpi.api.finished_run import Run
from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.spec.run_spec import EXACT, RunSpec

if TYPE_CHECKING:
    import pandas

ROUND_TRIPS = 10  # of runs that are named by a word


@dataclass(frozen=True)
class Compared:
    """``comparison`` has exact numbers; here they are tables, and one sentence."""

    comparison: Comparison

    @property
    def sentence(self) -> str:
        """Sentence that says what explains most of the difference."""
        return sentence(self.comparison)

    @property
    def figures(self) -> "pandas.DataFrame":
        """T_p, CPI, iCPI, mCPI, instructions and ticks."""
        rows = [*self.comparison.figures(), self.comparison.ticks]
        return frames.changes(rows, "figure")

    @property
    def owners(self) -> "pandas.DataFrame":
        """Ticks of one invocation by owner; the differences sum to that of the ticks."""
        return frames.changes(self.comparison.owners(), "owner")

    @property
    def functions(self) -> "pandas.DataFrame":
        """The same by function, the largest difference first; empty without tick logs."""
        return frames.changes(self.comparison.functions(), "function")

    def svg(self) -> str:
        """The drawing."""
        from mcpi.export import difference

        return difference.svg(self.comparison)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<{self.sentence}>"


def compare(
    a: Run | ProgramRun | Comparand | str | Path,
    b: Run | ProgramRun | Comparand | str | Path,
    *,
    side: str = "client",
    layouts: int | None = None,
    out: Path | None = None,
    bar: Bar | None = None,
) -> Compared:
    """Compare two runs: the differences are B minus A.

    ``a``, ``b``: runs; or, as on the command line, a result folder, variant or machine by its name.
    A run of this program runs again, with a tick log; one that was loaded is taken as it is.
    ``layouts``: so many link orders give the range; 5, or none where a run was loaded. ``out``:
    where new runs go, as ``a`` and ``b``; else a new folder in results/.
    """
    both = _comparands(a, b)
    if layouts is None:
        stacks = all(isinstance(one.spec, RunSpec) for one in both)
        layouts = comparing.LAYOUTS if stacks else 0
    return Compared(comparing.compare(*both, side, layouts, out, bar))


def _comparands(a: object, b: object) -> tuple[Comparand, Comparand]:
    runs = [one.spec for one in (a, b) if isinstance(one, Run)]
    return _comparand(a, runs), _comparand(b, runs)


def _comparand(one: object, runs: list[RunSpec | None]) -> Comparand:
    if isinstance(one, Comparand):
        return one
    if isinstance(one, ProgramRun):
        return Comparand(one.folder.name, comparand.FOLDER, folder=one.folder)
    if not isinstance(one, Run):
        return comparand.of(str(one), RunSpec(engine=EXACT, round_trips=ROUND_TRIPS))
    if one.is_loaded or one.spec is None:
        return Comparand(one.folder.name, comparand.FOLDER, folder=one.folder)
    if one.spec.image:
        raise UserError(f"{one}: its image is your own and has one link order; compare its folder.")
    return Comparand(_title(one.spec, runs), comparand.RUN, spec=one.spec)


def _title(spec: RunSpec, runs: list[RunSpec | None]) -> str:
    """Variant, and whatever else differs between the two runs."""
    words = [spec.variant]
    for field in dataclasses.fields(RunSpec):
        values = [getattr(one, field.name) for one in runs if one]
        if field.name in ("variant", "tick_log") or all(v == values[0] for v in values):
            continue
        own = getattr(spec, field.name)
        if field.name == "settings":
            words += [f"{key}={value}" for key, value in own.items()]
        elif own != getattr(RunSpec, field.name, None) or field.name in ("stack", "machine"):
            words.append(f"{own}" if isinstance(own, str) else f"{field.name}={own}")
    return ",".join(words)
