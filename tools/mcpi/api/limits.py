# SPDX-License-Identifier: BSD-2-Clause
"""Limits of a program's ticks, for somebody's CI: a number for each place, or an earlier record."""

from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import UserError, nearest
from mcpi.engines import program
from mcpi.results import record
from mcpi.results.types import Region, Result
from mcpi.spec.program_spec import ProgramSpec

LEAST = 0.05  # ticks of an owner that are worth a word


@dataclass(frozen=True)
class Limits:
    """``above``: the most ticks of a mean passage, by place; ``baseline``: a record, ``name``."""

    above: dict[str, float]
    baseline: Result | None = None
    name: str = ""

    def check(self, spec: ProgramSpec, stage: Path) -> None:
        """UserError, before the program runs, for a place that it does not measure."""
        there = program.places(spec, stage)
        for name in self.above:
            if name not in there:
                hint = nearest(name, there)
                raise UserError(
                    f"--fail-above {name}: no place that is measured.{hint} "
                    f"There are: {', '.join(there)}."
                )

    def exceeded(self, result: Result) -> list[str]:
        """A line for each place that has more ticks than it may have."""
        found, places = [], result.regions.client
        for name, most in self.above.items():
            if name in places and places[name].ticks > most:
                found.append(f"{name}: {_ticks(places[name].ticks)}, more than {most:,g}")
        before = self.baseline.regions.client if self.baseline else {}
        for name, old in before.items():
            if name not in places:
                found.append(f"{name}: {self.name} has it, and it is not measured now")
            elif places[name].ticks > old.ticks:
                found.append(_grown(name, old, places[name], self.name))
        return found


def of(words: list[str], baseline: Path | None) -> Limits:
    """The limits of ``--fail-above`` and ``--baseline``. UserError for a slip."""
    above = {}
    for word in words:
        name, equals, value = word.rpartition("=")
        try:
            above[name] = float(value)
        except ValueError:
            equals = ""
        if not equals or not name:
            raise UserError(f"--fail-above {word}: PLACE=TICKS is wanted, as sum=13000.")
    if baseline is None:
        return Limits(above)
    file = baseline / "result.json" if baseline.is_dir() else baseline
    if not file.is_file():
        raise UserError(f"--baseline {baseline}: no record; ./mcpi exec … --json > FILE makes one.")
    found = record.read(file)
    if found.regions is None:
        raise UserError(f"--baseline {baseline}: the record of no program; exec makes one.")
    return Limits(above, found, str(baseline))


def _grown(name: str, old: Region, new: Region, where: str) -> str:
    owners = {
        owner: new.owners.get(owner, 0.0) - old.owners.get(owner, 0.0)
        for owner in {**old.owners, **new.owners}
    }
    grown = sorted((o for o in owners if owners[o] >= LEAST), key=lambda o: -owners[o])
    parts = ", ".join(f"{owner} +{owners[owner]:,.1f}" for owner in grown)
    more = new.ticks - old.ticks
    return f"{name}: {_ticks(new.ticks)}, {more:,.1f} more than in {where}: {parts}"


def _ticks(ticks: float) -> str:
    return f"{ticks:,.1f} ticks"
