# SPDX-License-Identifier: BSD-2-Clause
"""Two runs, and both again under link orders, as a ``Comparison``."""

import dataclasses
import datetime
import tempfile
from collections.abc import Iterator
from pathlib import Path

from mcpi.analysis import cost_of_path
from mcpi.analysis.comparison import Comparison, Pair
from mcpi.analysis.cost_of_path import PathCost
from mcpi.analysis.profile import Profile
from mcpi.api.comparand import Comparand
from mcpi.api.single_run import perform
from mcpi.base.errors import UserError
from mcpi.base.progress import Bar, Silent
from mcpi.base.repo import BUILD, RESULTS
from mcpi.engines import base as engines
from mcpi.results.record import read
from mcpi.spec.run_spec import RunSpec

LAYOUTS = 5  # link orders, where both sides can be linked anew
LOG = "ticks.csv"


def check(a: Comparand, b: Comparand, layouts: int) -> None:
    """Everything that can be wrong with runs that are to come. UserError."""
    if a.spec and b.spec and a.spec == b.spec or a.folder and a.folder == b.folder:
        raise UserError(f"A and B are the same, {a.title}; name two things.")
    for comparand in (a, b):
        if comparand.spec:
            engines.judged(comparand.spec)
            if layouts:
                engines.judged(_shuffled(comparand.spec, 1))


def compare(
    a: Comparand,
    b: Comparand,
    side: str,
    layouts: int,
    out: Path | None = None,
    bar: Bar | None = None,
) -> Comparison:
    """``layouts``: so many link orders, of comparands that both have a spec. ``out``: where the
    runs go, as ``a`` and ``b``; else a new folder in results/."""
    check(a, b, layouts)
    progress = bar or Silent()
    place = out.resolve() if out else _new()
    first = [_cost(one, side, place / name, progress) for one, name in ((a, "a"), (b, "b"))]
    orders: list[Pair] = []
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="compare-") as rest, progress:
        with progress.task("link orders", layouts) as update:
            for number, pair in enumerate(_orders(a, b, side, layouts, Path(rest)), 1):
                orders.append(pair)
                update(number, layouts, f"shuffle-{number}")
    names = tuple(f"shuffle-{n}" for n in range(1, layouts + 1))
    return Comparison(*first, side, names, tuple(orders))


def _orders(a: Comparand, b: Comparand, side: str, layouts: int, rest: Path) -> Iterator[Pair]:
    for number in range(1, layouts + 1):
        shuffled = (dataclasses.replace(s, spec=_shuffled(s.spec, number)) for s in (a, b))
        one, other = (_cost(s, side, rest / name, Silent()) for s, name in zip(shuffled, "ab"))
        yield one, other


def _shuffled(spec: RunSpec, number: int) -> RunSpec:
    return dataclasses.replace(spec, layout=f"shuffle-{number}")


def _cost(comparand: Comparand, side: str, place: Path, bar: Bar) -> PathCost:
    """Cost of the path in the comparand's folder, or in a new run in ``place`` with a tick log."""
    if comparand.spec:
        folder, result = perform(dataclasses.replace(comparand.spec, tick_log=side), place, bar)
        return cost_of_path.of_run(comparand.title, result, side, Profile(folder, side))
    result = read(comparand.folder / "result.json")
    found = None
    if (comparand.folder / LOG).is_file() and f"--tick-log {side}" in result.provenance.command:
        found = Profile(comparand.folder, side)
    return cost_of_path.of_run(comparand.title, result, side, found)


def _new() -> Path:
    stamp = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S-%f")[:-3]
    return RESULTS / f"compare-{stamp}"
