# SPDX-License-Identifier: BSD-2-Clause
"""Predictions for many configurations, side by side."""

from dataclasses import replace
from pathlib import Path

from mcpi.base.process import side_by_side
from mcpi.base.progress import Bar
from mcpi.build import graph
from mcpi.engines.model import engine, recording
from mcpi.results import record as result
from mcpi.spec.run_spec import RunSpec


def recordings(
    records: list[RunSpec], cores: int, bar: Bar, cold: bool = False
) -> dict[str, recording.Recording]:
    """One for each code of ``records``, by the code's name (``_code``); ``cold``: see ``make``."""
    first = {_code(record): recording.of(record) for record in records}
    made = recording.make(list(first.values()), cores, bar, cold) if first else []
    return dict(zip(first, made, strict=True))


def predict(wanted: dict[Path, RunSpec], cores: int, bar: Bar) -> list[recording.Recording]:
    """``result.json`` of every record in its folder; returns the recordings, one for each code.

    ^C loses what is under way; predictions are quick, and recordings are kept.
    """
    base = recordings(list(wanted.values()), cores, bar)
    plain = [replace(record, settings={}) for record in wanted.values()]
    images = dict(zip(wanted, graph.images(plain, plain[0].check(), bar), strict=True))
    program = graph.model(bar)

    def one(place: Path) -> None:
        words = (wanted[place], base[_code(wanted[place])], images[place], program, place)
        (place / "result.json").write_text(result.text(engine.predict(*words)))

    with bar.task("model", len(wanted)) as update:
        side_by_side(one, wanted, cores, ended=lambda done: update(done, len(wanted), ""))
    return list(base.values())


def _code(record: RunSpec) -> str:
    """Alike for all layouts and machines of the same objects."""
    return recording.of(record).command()
