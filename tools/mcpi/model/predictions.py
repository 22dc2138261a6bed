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


def predict(wanted: dict[Path, Record], cores: int, bar: Bar) -> list[recording.Recording]:
    """``result.json`` of every record in its folder; returns the recordings, one for each code.

    ^C loses what is under way; predictions are quick, and recordings are kept.
    """
    codes: dict[Record, list[Path]] = {}
    for place, record in wanted.items():
        codes.setdefault(_hashable(recording.of(record)), []).append(place)
    first = {code: wanted[places[0]] for code, places in codes.items()}
    made = recording.make([recording.of(record) for record in first.values()], cores, bar)
    base = dict(zip(codes, made, strict=True))
    plain = [replace(record, settings={}) for record in wanted.values()]
    images = dict(zip(wanted, graph.images(plain, plain[0].check(), bar), strict=True))
    program = graph.model(bar)

    def one(place: Path) -> None:
        code = _hashable(recording.of(wanted[place]))
        result = engine.predict(wanted[place], base[code], images[place], program, place)
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
    return made


def _hashable(record: Record) -> str:
    return record.command()
