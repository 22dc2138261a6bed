# SPDX-License-Identifier: BSD-2-Clause
"""Verdict on a claim, from the distribution of its figure over what the paper could not control.

A sample is the figure under one link order, phase, seed or page place. A claim holds if all samples
are inside the bounds, does not hold if all are outside on the same side, and is undecided if the
range of the samples straddles a bound.
"""

import statistics
from collections.abc import Iterable
from dataclasses import dataclass

HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "undecided"
WORDS = (HOLDS, FAILS, UNDECIDED)


@dataclass(frozen=True)
class Distribution:
    """``values``: the figure of each sample, at least one. ``sources``: words for what differs
    between the samples, as ``30 link orders``."""

    values: tuple[float, ...]
    sources: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError("a distribution has at least one value")

    @property
    def n(self) -> int:
        """The number of samples."""
        return len(self.values)

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        return min(self.values), max(self.values)


@dataclass(frozen=True)
class Verdict:
    """``word``: one of ``WORDS``. ``turned``: the share of samples, 0 to 1, that are on another
    side of a bound than the median."""

    word: str
    distribution: Distribution
    turned: float


def side(value: float, low: float | None, high: float | None) -> int:
    """Return 0 for a value above ``low`` and below ``high``, -1 for one at or below ``low``, 1 for
    one at or above ``high``. None: no bound there."""
    if low is not None and value <= low:
        return -1
    return int(high is not None and value >= high)


def judge(distribution: Distribution, low: float | None, high: float | None) -> Verdict:
    """Return the verdict on a claim that its figure lies above ``low`` and below ``high``."""
    sides = [side(value, low, high) for value in distribution.values]
    word = UNDECIDED if len(set(sides)) > 1 else FAILS if sides[0] else HOLDS
    usual = side(distribution.median, low, high)
    return Verdict(word, distribution, sum(one != usual for one in sides) / len(sides))


def line(words: Iterable[str]) -> str:
    """Return how many claims have each verdict: the claims' line of a study. ``words``: those of
    the claims; a claim that was not judged has none of ``WORDS``."""
    words = list(words)
    held, failed, undecided = (words.count(word) for word in WORDS)
    more = len(words) - held - failed - undecided
    said = f"Claims: {held} hold, {failed} do not hold, {undecided} undecided"
    return f"{said}, {more} not judged." if more else f"{said}."
