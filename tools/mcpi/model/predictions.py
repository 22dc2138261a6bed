# SPDX-License-Identifier: BSD-2-Clause
"""Predictions for many configurations, side by side."""

import concurrent.futures
import json
from dataclasses import replace
from pathlib import Path

from mcpi import graph
from mcpi.model import engine, recording
from mcpi.progress import Bar
from mcpi.record import Record


def recordings(
    records: list[Record], cores: int, bar: Bar, cold: bool = False
) -> dict[str, recording.Recording]:
    """One for each code of ``records``, by the code's name (``_code``); ``cold``: see ``make``."""
    first = {_code(record): recording.of(record) for record in records}
    made = recording.make(list(first.values()), cores, bar, cold) if first else []
    return dict(zip(first, made, strict=True))


def predict(wanted: dict[Path, Record], cores: int, bar: Bar) -> list[recording.Recording]:
    """``result.json`` of every record in its folder; returns the recordings, one for each code.

    ^C loses what is under way; predictions are quick, and recordings are kept.
    """
    base = recordings(list(wanted.values()), cores, bar)
    plain = [replace(record, settings={}) for record in wanted.values()]
    images = dict(zip(wanted, graph.images(plain, plain[0].check(), bar), strict=True))
    program = graph.model(bar)

    def one(place: Path) -> None:
        result = engine.predict(
            wanted[place], base[_code(wanted[place])], images[place], program, place
        )
        (place / "result.json").write_text(json.dumps(result, indent=1) + "\n")

    with bar.task("model", len(wanted)) as update:
        with concurrent.futures.ThreadPoolExecutor(cores) as pool:
            waiting = [pool.submit(one, place) for place in wanted]
            try:
                for done, future in enumerate(concurrent.futures.as_completed(waiting), 1):
                    future.result()
                    update(done, len(wanted), "")
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return list(base.values())


def _code(record: Record) -> str:
    """Alike for all layouts and machines of the same objects."""
    return recording.of(record).command()
