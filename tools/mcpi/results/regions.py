# SPDX-License-Identifier: BSD-2-Clause
"""From the files of a program's run to the parts of its ``result.json``."""

from collections.abc import Mapping
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.firmware.regions import Region
from mcpi.machine.profile import Machine
from mcpi.results import measure, passages
from mcpi.results.passages import Passage

NOTHING = (
    "nothing was measured: no measured place was passed to its end. (A function that was "
    "compiled into its callers is never called, one that calls exit() never ends, and a "
    "block without an instruction has no ticks.)"
)


def steady(folder: Path, ideal: Path | None, node: int, machine: Machine) -> dict:
    """``Path`` of all regions together, from the counters; ``ideal`` as in ``parts``. RunError
    unless the passages of the window sum to them."""
    count = measure.counters(folder / "counters.json")[node]["path"]
    rows = passages.read(file(folder, node))
    passages.check(rows, count)
    twin = measure.counters(ideal / "counters.json")[node]["path"] if ideal else None
    return all_together(rows, count, machine, twin)


def all_together(
    rows: list[Passage], count: dict[str, int], machine: Machine, twin: dict[str, int] | None = None
) -> dict:
    """``Path`` of these passages, which ``count`` has counted; ``twin``: with ideal memory."""
    count = count | {"invocations": passages.total(rows)["invocations"]}
    return _path(count, twin, machine)


def parts(
    folder: Path, ideal: Path | None, node: int, regions: list[Region], machine: Machine
) -> dict[str, dict]:
    """``Region`` by name, of those that were passed. ``ideal``: the same run with ideal memory, if
    there was any."""
    rows = passages.by_region(passages.read(file(folder, node)), regions)
    twins = passages.by_region(passages.read(file(ideal, node)), regions) if ideal else {}
    found = {}
    for name, mine in rows.items():
        twin = passages.total(twins.get(name, []))
        one = _path(_full(passages.total(mine)), twin if twin["instructions"] else None, machine)
        found[name] = one | _range(mine)
    return found


def whole(folder: Path, node: int, machine: Machine) -> dict:
    """``Path`` of all passages of the window together; empty if there was no passage."""
    rows = passages.read(file(folder, node))
    return _path(_full(passages.total(rows)), None, machine) | _range(rows) if rows else {}


def cold(folder: Path, node: int, machine: Machine) -> dict:
    """``Path`` of the one passage that a cold run has counted."""
    count = measure.counters(folder / "counters.json")[node]["path"]
    return _path(count | {"invocations": 1}, None, machine)


def mean_ticks(folder: Path, node: int, regions: list[Region]) -> dict[str, float]:
    """Mean ticks of a passage, by region."""
    rows = passages.by_region(passages.read(file(folder, node)), regions)
    sums = {name: passages.total(mine) for name, mine in rows.items()}
    return {name: count["ticks"] / count["invocations"] for name, count in sums.items()}


def file(folder: Path, node: int) -> Path:
    return folder / f"passages.{node}.csv"


def _path(count: Mapping[str, int], ideal: Mapping[str, int] | None, machine: Machine) -> dict:
    if not count["invocations"] or not count["instructions"]:
        raise RunError(NOTHING)
    per_us, block = (machine.parameters[key] for key in ("clock.ticks_per_us", "cache.block"))
    found = measure.path(count, ideal, per_us, block)
    for name in ("itb", "dtb") if machine.translates else ():
        counters = ("misses", "refill_ticks")
        means = [count.get(f"{name}.{one}", 0) / count["invocations"] for one in counters]
        found[name] = dict(zip(counters, means, strict=True))
    # A short piece of code issues words of lines that were filled before it began.
    found.get("fetch", {}).pop("unused_per_fill_percent", None)
    return found


def _full(count: Mapping[str, int]) -> dict[str, int]:
    """With the counters that none of the passages moved."""
    return dict.fromkeys(passages.EVENTS, 0) | dict(count)


def _range(rows: list[Passage]) -> dict[str, int]:
    single = [row.ticks for row in rows if row.times == 1]
    return {
        "first_ticks": single[0] if single else 0,
        "least_ticks": min(single, default=0),
        "most_ticks": max(single, default=0),
    }
