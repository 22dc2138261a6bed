# SPDX-License-Identifier: BSD-2-Clause
"""A run that has ended, for people who ask it questions in Python."""

import dataclasses
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from mcpi.analysis import reports
from mcpi.analysis.profile import BY, FUNCTION, Profile
from mcpi.api import frames
from mcpi.api.single_run import perform
from mcpi.base.errors import RunError, UserError
from mcpi.base.repo import BUILD
from mcpi.build import run_folder
from mcpi.results import types
from mcpi.spec.numbers import SIDES
from mcpi.spec.run_spec import RunSpec
from mcpi.spec.spec import Spec

if TYPE_CHECKING:
    import pandas

    from mcpi.api.finished_program import ProgramRun

LOG = "ticks.csv"
Make = Callable[[Profile], "pandas.DataFrame"]


@dataclasses.dataclass(frozen=True)
class Side:
    """Path of one machine: means of an invocation. ``path`` has everything that was measured."""

    name: str
    path: types.Path
    ticks_per_us: int

    @property
    def t_p_us(self) -> float:
        """T_p, µs."""
        return self.path.ticks / self.ticks_per_us

    @property
    def ticks(self) -> float:
        return self.path.ticks

    @property
    def instructions(self) -> float:
        return self.path.instructions

    @property
    def cpi(self) -> float:
        return self.path.cpi

    @property
    def icpi(self) -> float | None:
        """CPI under ideal memory."""
        return self.path.icpi

    @property
    def mcpi(self) -> float | None:
        """CPI − iCPI."""
        return self.path.mcpi

    @property
    def owners(self) -> "pandas.Series":
        """Ticks by owner, those that own any; their sum is ``ticks``."""
        return frames.owners(self.path)

    def __repr__(self) -> str:
        return f"{self.name}: T_p {self.t_p_us:.2f} µs, CPI {self.cpi:.2f}"


@dataclasses.dataclass(frozen=True)
class Run:
    """``result`` is what ``result.json`` in ``folder`` holds. ``spec``: what was run; None for a
    folder that does not say it as this release does. ``is_loaded``: it was run earlier."""

    folder: Path
    result: types.Result
    spec: RunSpec | None
    is_loaded: bool = False

    @property
    def client(self) -> Side:
        return Side("client", self.result.steady.client, self.result.round_trip.ticks_per_us)

    @property
    def server(self) -> Side:
        return Side("server", self.result.steady.server, self.result.round_trip.ticks_per_us)

    @property
    def t_e_us(self) -> float | None:
        """Mean round trip, µs; None on boards with a live cable."""
        return self.result.round_trip.mean_us

    def profile(
        self, by: str = FUNCTION, side: str = "client", owner: str = ""
    ) -> "pandas.DataFrame":
        """Ticks of one invocation by function, line, instruction or I-cache set: a column for each
        owner and each event, whose sums are the counters. ``owner``: only rows with its ticks.

        A run without a tick log runs again, with one. RunError if it is not the same run, because
        sources have changed since."""
        if by not in BY:
            raise UserError(f"by={by!r}: by is one of {', '.join(BY)}.")
        return self._made(side, False, lambda found: frames.profile(found, by, owner))

    def report(self, kind: str, by: str = "", side: str = "client") -> "pandas.DataFrame":
        """A report of one invocation: ``cpi``, ``misses`` or ``mix`` (profile.md); ``stream``:
        each miss. The run runs again as for a profile, with a recording if the report wants
        one."""
        make, recording = reports.maker(kind, by), kind in reports.OF_RECORDING
        return self._made(side, recording, lambda found: frames.report(found, make(found)))

    def evicts(self, function: str, side: str = "client") -> "pandas.DataFrame":
        """Blocks that ``function`` displaces, and blocks of it that others displace."""
        return self._made(
            side, True, lambda found: frames.report(found, reports.evictions(found, function))
        )

    def _made(self, side: str, recording: bool, make: Make) -> "pandas.DataFrame":
        if side not in SIDES:
            raise UserError(f"side={side!r}: side is one of {[*SIDES]}.")
        if (self.folder / LOG).is_file() and self.spec and self.spec.tick_log == side:
            if self.spec.recording or not recording:
                return make(Profile(self.folder, side))
        if self.spec is None:
            raise UserError(f"{self.folder}: has no tick log, and does not say how to run it again")
        logs = {"tick_log": side, "recording": recording, "trace": ""}
        spec = dataclasses.replace(self.spec, samples=1, cold=False, **logs)
        why = "the same spec has other ticks today; sources have changed. "
        return logged(self, spec, make, f"{why}Run it again with tick_log={side!r}.")

    def __repr__(self) -> str:
        about = self.result.provenance
        said = f"{about.stack} {about.variant} on {about.machine}"
        changed = " ".join(f"{k}={v}" for k, v in (about.settings or {}).items())
        trip = f", T_e {self.t_e_us:.1f} µs" if self.t_e_us is not None else ""
        return f"<{' '.join([said, changed]).strip()}: T_p {self.client.t_p_us:.2f} µs{trip}>"


def logged(
    of: "Run | ProgramRun", spec: Spec, make: Make, why: str, opens: frozenset[int] = frozenset()
) -> "pandas.DataFrame":
    """Run ``spec`` with its tick log and return what ``make`` makes of it. RunError, which says
    ``why``, if its ticks are not those of the run ``of``."""
    side = spec.tick_log
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="profile-") as place:
        folder, result = perform(spec, Path(place, "run"))
        both = (getattr(one.steady, side).totals for one in (result, of.result))
        if len({json.dumps([t.ticks, t.owners], sort_keys=True) for t in both}) > 1:
            raise RunError(f"{of.folder}: {why}")
        return make(Profile(folder, side, opens=opens))


def spec_in(folder: Path) -> RunSpec | None:
    """The spec of the run in ``folder``, if that says it as this release does."""
    try:
        spec = run_folder.read_spec(folder)
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return spec if isinstance(spec, RunSpec) else None
