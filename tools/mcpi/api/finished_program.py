# SPDX-License-Identifier: BSD-2-Clause
"""A run of a program of one's own or of a node that has ended, for people who ask it questions in
Python."""

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING

from mcpi.analysis import reports
from mcpi.analysis.profile import BY, FUNCTION, Profile
from mcpi.api import frames, places
from mcpi.api.finished_run import LOG, Make, Run, Side, logged, spec_in
from mcpi.base.errors import UserError
from mcpi.build import run_folder
from mcpi.engines import span
from mcpi.results import record, types

if TYPE_CHECKING:
    import pandas


@dataclasses.dataclass(frozen=True)
class ProgramRun:
    """``result`` is what ``result.json`` in ``folder`` holds. Means are of one passage of a place
    that is measured, or of all of them together."""

    folder: Path
    result: types.Result

    @property
    def client(self) -> Side:
        """All that is measured on the first machine."""
        return self._side("client", self.result.steady.client)

    @property
    def server(self) -> Side | None:
        """All that is measured on the peer; None if there is none, or nothing of it is measured."""
        path = self.result.steady.server
        return None if path is None else self._side("server", path)

    @property
    def regions(self) -> dict[str, Side]:
        """Each measured place of the first machine by its name; a node has none."""
        return self._regions(self.result.regions.client if self.result.regions else {})

    @property
    def server_regions(self) -> dict[str, Side]:
        """The same of the peer."""
        regions = self.result.regions
        return self._regions(regions.server or {} if regions else {})

    @property
    def console(self) -> str:
        """The text that the program has printed."""
        own, alone = (self.folder / f"console{name}.txt" for name in (".0", ""))
        return (own if own.is_file() else alone).read_text(errors="replace")

    def profile(
        self, by: str = FUNCTION, side: str = "client", owner: str = ""
    ) -> "pandas.DataFrame":
        """Ticks of one passage of all that is measured, as ``Run.profile``. A run without a tick
        log runs again with its own images. RunError if that is not the same run."""
        if by not in BY:
            raise UserError(f"by={by!r}: by is one of {', '.join(BY)}.")
        return self._made(side, "", False, lambda found: frames.profile(found, by, owner))

    def report(
        self, kind: str, by: str = "", side: str = "client", place: str = ""
    ) -> "pandas.DataFrame":
        """A report of one passage, as ``Run.report``; ``place``: only of this measured place."""
        make, recording = reports.maker(kind, by), kind in reports.OF_RECORDING
        return self._made(side, place, recording, lambda found: frames.report(found, make(found)))

    def evicts(self, function: str, side: str = "client", place: str = "") -> "pandas.DataFrame":
        """Blocks that ``function`` displaces, and who displaces its own, as ``Run.evicts``."""
        return self._made(
            side,
            place,
            True,
            lambda found: frames.report(found, reports.evictions(found, function)),
        )

    def _made(self, side: str, place: str, recording: bool, make: Make) -> "pandas.DataFrame":
        if self.result.regions is None:
            raise UserError(f"{self.folder}: a node's run has no path; trace a span of it.")
        there = [name for name in ("client", "server") if getattr(self, name)]
        if side not in there:
            raise UserError(f"side={side!r}: side is one of {there}.")
        opens = places.opens(self.folder, side, place) if place else frozenset()
        spec = span.recorded(self.folder)
        known = run_folder.read_spec(self.folder)
        if known.tick_log == side and (self.folder / LOG).is_file():
            if known.recording or not recording:
                return make(Profile(self.folder, side, opens=opens))
        why = "the same images have other ticks today; the simulator has changed. "
        why += f"Run it again with --tick-log {side}."
        again = dataclasses.replace(spec, tick_log=side, recording=recording)
        return logged(self, again, make, why, opens)

    def _regions(self, paths: dict[str, types.Region]) -> dict[str, Side]:
        return {name: self._side(name, path) for name, path in paths.items()}

    def _side(self, name: str, path: types.Path) -> Side:
        machine = json.loads((self.folder / "machine.json").read_text())
        return Side(name, path, machine["parameters"]["clock.ticks_per_us"])

    def __repr__(self) -> str:
        about = self.result.provenance
        changed = " ".join(f"{k}={v}" for k, v in (about.settings or {}).items())
        named = self.regions or {"a passage": self.client}
        places = ", ".join(f"{n} {one.ticks:,.0f} ticks" for n, one in named.items())
        return f"<{' '.join([f'{about.program} on {about.machine}', changed]).strip()}: {places}>"


def load(folder: Path | str) -> Run | ProgramRun:
    """An earlier run, of this schema or an earlier one, from its folder: a ``Run`` of a stack, a
    ``ProgramRun`` of ``./mcpi exec``."""
    place = Path(folder)
    if not (place / "result.json").is_file():
        raise UserError(f"{place}: no result.json in it; it is no finished run's folder.")
    result = record.read(place / "result.json")
    if result.provenance.program:
        return ProgramRun(place, result)
    return Run(place, result, spec_in(place), is_loaded=True)
