# SPDX-License-Identifier: BSD-2-Clause
"""Coverage of random programs: the bins of five crosses (docs/verification/random-tests.md).

``mcpi-core`` counts them (sim/bench/core/coverage.h). Here runs are summed, and bins that no run
has hit are named. ``never.toml`` lists those that none can hit, with the reason.
"""

import itertools
import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.machine import counters

NEVER = Path(__file__).with_name("never.toml")
OWNERS = " ".join(counters.owners())
_CROSSES = tomllib.loads(Path(__file__).with_name("crosses.toml").read_text())
AXES = {
    cross: tuple(OWNERS if axis == "OWNERS" else axis for axis in axes)
    for cross, axes in _CROSSES.items()
}


def bins() -> list[str]:
    """Every bin's name, in the order of the report: its cross, then a word of each axis."""
    return [
        " ".join((cross, *words))
        for cross, axes in AXES.items()
        for words in itertools.product(*(axis.split() for axis in axes))
    ]


def never(path: Path = NEVER) -> dict[str, str]:
    """The bins that cannot be hit, with the reason. UserError if the list names none, or one bin
    twice."""
    reasons: dict[str, str] = {}
    for row in tomllib.loads(path.read_text())["never"]:
        cross, *chosen = row["bins"].split()
        axes = AXES.get(cross, ())
        if len(chosen) != len(axes):
            raise UserError(f"{path.name}: '{row['bins']}' is no cross with a word of each axis")
        for word_list, axis in zip(chosen, axes, strict=True):
            if word_list != "*" and (odd := set(word_list.split("|")) - set(axis.split())):
                raise UserError(f"{path.name}: '{row['bins']}': there is no {', '.join(odd)}")
        picked = [
            axis.split() if words == "*" else words.split("|")
            for words, axis in zip(chosen, axes, strict=True)
        ]
        for words in itertools.product(*picked):
            name = " ".join((cross, *words))
            if name in reasons:
                raise UserError(f"{path.name}: '{name}' is listed twice")
            reasons[name] = row["reason"]
    return reasons


def merged(runs: Iterable[dict]) -> Counter[str]:
    """The sum over what ``mcpi-core`` said of each run."""
    total: Counter[str] = Counter()
    for run in runs:
        total.update(run["coverage"])
    if odd := set(total) - set(bins()):
        raise UserError(f"the bench counts bins that are not listed here: {', '.join(sorted(odd))}")
    return total


def holes(total: Counter[str]) -> list[str]:
    """Bins that could have been hit and were not."""
    unreachable = never()
    return [name for name in bins() if not total[name] and name not in unreachable]


def wrong(total: Counter[str]) -> list[str]:
    """Bins that were hit although the list says that they cannot be."""
    unreachable = never()
    return [name for name in bins() if total[name] and name in unreachable]


def report(total: Counter[str]) -> str:
    """A line for each cross, then the holes by name."""
    unreachable, lines = never(), []
    for cross in AXES:
        names = [name for name in bins() if name.split()[0] == cross and name not in unreachable]
        hit = sum(bool(total[name]) for name in names)
        lines.append(f"coverage: {cross:<12} {hit} of {len(names)} bins")
    lines += [f"coverage: never hit: {name}" for name in holes(total)]
    lines += [f"coverage: hit, and never.toml says it cannot be: {name}" for name in wrong(total)]
    return "\n".join(lines)
