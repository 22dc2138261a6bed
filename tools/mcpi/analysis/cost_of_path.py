# SPDX-License-Identifier: BSD-2-Clause
"""Cost of an invocation of a path in a run, as exact means: whole by owner, and by function."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from mcpi.analysis.profile import Profile
from mcpi.base.errors import RunError
from mcpi.results.types import Path, Result
from mcpi.spec.numbers import CLIENT, SIDES

Means = dict[str, Fraction]
#: What is compared of a path besides ticks: a name for people, and decimals.
FIGURES = {"time_us": ("T_p, µs", 2), "cpi": ("CPI", 2), "icpi": ("iCPI", 2), "mcpi": ("mCPI", 2)}
FIGURES |= {"instructions": ("instructions", 1)}


@dataclass(frozen=True)
class PathCost:
    """Means of one invocation, in ticks. ``figures``: those of ``FIGURES`` that were measured;
    ``functions``: by function and owner, empty for a run without a tick log."""

    title: str
    invocations: int
    figures: dict[str, float]
    owners: Means
    functions: dict[str, Means]

    @property
    def ticks(self) -> Fraction:
        return sum(self.owners.values(), Fraction(0))

    @property
    def by_function(self) -> Means:
        return {name: sum(owners.values()) for name, owners in self.functions.items()}


def of_run(title: str, result: Result, side: str, profile: Profile | None = None) -> PathCost:
    """``profile``: of the same run and side. RunError if its functions have not the run's ticks."""
    path: Path = result.steady.client if SIDES[side] == CLIENT else result.steady.server
    times = path.invocations
    functions: dict[str, Counter] = {}
    for row in profile.rows() if profile else ():
        functions.setdefault(row.name, Counter()).update(row.cost.ticks)
    sums = sum(functions.values(), Counter())
    if profile and {o: n for o, n in path.totals.owners.items() if n} != dict(+sums):
        raise RunError(f"{title}: the functions of {side}'s path have not the ticks of its record.")
    return PathCost(
        title,
        times,
        {key: value for key in FIGURES if (value := getattr(path, key)) is not None},
        {owner: Fraction(n, times) for owner, n in path.totals.owners.items()},
        {
            name: {owner: Fraction(n, times) for owner, n in ticks.items()}
            for name, ticks in functions.items()
        },
    )
