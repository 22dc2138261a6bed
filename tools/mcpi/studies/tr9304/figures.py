# SPDX-License-Identifier: BSD-2-Clause
"""The figures by which claims are judged. ``stack``: a structure, or a key of ``plan``."""

import math
from collections.abc import Callable

from mcpi.studies.tr9304 import values
from mcpi.studykit.claims import Figure, Missing
from mcpi.studykit.measured import Measured

Value = Callable[[list[int]], float]


def value(study: Measured, key: str, get: Value) -> float:
    return get(values.of(study, key))


def ratio(get: Value) -> Figure:
    """Ratio of the first key over the second."""

    def figure(study: Measured, _: str, over: str, under: str) -> float:
        return quotient(value(study, over, get), value(study, under, get))

    return figure


def quotient(one: float, other: float) -> float:
    """Ratio of two counts: of two zeros 1, for they are equal."""
    return one / other if other else math.inf if one else 1.0


def difference(get: Value) -> Figure:
    return lambda study, _, one, other: value(study, one, get) - value(study, other, get)


def more_percent(study: Measured, _: str, one: str, other: str) -> float:
    """0 if both are the same, whatever they are."""
    over, under = (value(study, key, values.cycles_a_word) for key in (one, other))
    return 0.0 if over == under else 100 * (ratio(values.cycles_a_word)(study, _, one, other) - 1)


def ideal_percent(study: Measured, _: str, one: str, ideal: str) -> float:
    """``more_percent`` over a TLB that must not have missed once."""
    if missed := values.of_message(study, ideal, "dtb.misses"):
        raise Missing(f"{ideal} misses {missed:.2f} times a message")
    return more_percent(study, _, one, ideal)


def refills(study: Measured, _: str, unforced: str, forced: str) -> float:
    """Refills an mbuf, as the paper's tables give them: by what forcing takes away."""
    words = difference(values.cycles_a_word)(study, _, unforced, forced)
    return words * values.WORDS / 170


def without_sums(study: Measured, _: str, mixed: str, plain: str) -> float:
    """Cycles a word of the messages without a sum, in traffic of which a share has one, over those
    of traffic without sums."""
    own = values.cycles_a_word(values.of_sums(study, mixed, summed=False))
    return quotient(own, value(study, plain, values.cycles_a_word))


def without_sums_wholly(study: Measured, _: str, mixed: str, plain: str) -> float:
    """Points of the mbufs that are wholly in the cache: of traffic without sums, less those of the
    messages without a sum in traffic of which a share has one."""
    own = values.wholly(values.of_sums(study, mixed, summed=False))
    return value(study, plain, values.wholly) - own


def without_sums_ratio(study: Measured, _: str, many: str, few: str) -> float:
    """Cycles a word of the messages without a sum, of the first traffic over the second."""
    return quotient(
        *(values.cycles_a_word(values.of_sums(study, key, summed=False)) for key in (many, few))
    )


def later_places(study: Measured, _: str, key: str) -> float:
    """Mean overhead of the last five mbufs of a message less that of the first five."""
    places = values.by_place(study, key)
    first, last = sum(places[:5], []), sum(places[5:], [])
    if not first or not last:
        raise Missing("nothing was received")
    return sum(last) / len(last) - sum(first) / len(first)


def far_places(study: Measured, _: str, key: str) -> float:
    """Per cent of pairs four or more apart that differ by Kolmogorov and Smirnov, p < 0.05."""
    places = values.by_place(study, key)
    if not all(places):
        raise Missing("nothing was received")
    pairs = [(a, b) for a in range(10) for b in range(a + 4, 10)]
    differ = sum(values.kolmogorov_smirnov(places[a], places[b]) < 0.05 for a, b in pairs)
    return 100 * differ / len(pairs)


def spread(get: Value) -> Figure:
    """Between the largest and the smallest of several."""

    def figure(study: Measured, _: str, *keys: str) -> float:
        found = [value(study, key, get) for key in keys]
        return max(found) - min(found)

    return figure


def message_ratio(counter: str) -> Figure:
    """Ratio of a message's additions to a counter, the first key over the second."""

    def figure(study: Measured, _: str, over: str, under: str) -> float:
        return quotient(*(values.of_message(study, key, counter) for key in (over, under)))

    return figure


def message_difference(counter: str) -> Figure:
    """Difference of a message's additions to a counter, the first key less the second."""
    value = values.of_message
    return lambda study, _, one, other: value(study, one, counter) - value(study, other, counter)


def work_ratio(study: Measured, _: str, over: str, under: str) -> float:
    """Ratio of the ticks of a message in which the receiver is not idle."""
    return values.work(study, over) / values.work(study, under)


FIGURES: dict[str, Figure] = {
    "cycles_ratio": ratio(values.cycles_a_word),
    "more_percent": more_percent,
    "ideal_percent": ideal_percent,
    "refills": refills,
    "below_clean": difference(values.below_clean),
    "above_dirty": difference(values.above_dirty),
    "without_sums": without_sums,
    "without_sums_wholly": without_sums_wholly,
    "without_sums_ratio": without_sums_ratio,
    "later_places": later_places,
    "far_places": far_places,
    "wholly": difference(values.wholly),
    "wholly_spread": spread(values.wholly),
    "cycles": difference(values.cycles_a_word),
    "switches": message_difference("context_switches"),
    "refill_ticks": message_difference("dtb.refill_ticks"),
    "lines_ratio": message_ratio("dcache.misses"),
    "work_ratio": work_ratio,
}
