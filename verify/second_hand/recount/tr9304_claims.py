# SPDX-License-Identifier: BSD-2-Clause
"""Figures of TR 93-04's claims, by their names in claims.csv; versions are configurations."""

import math
from collections.abc import Callable

from verify.second_hand.recount.claims import Figures, Missing

WORDS, MACHS_REFILL = 365, 170


def of(study, dirty: int, clean: int, probability: Callable) -> Figures:
    """``study`` and the others: of ``recount.tr9304``."""

    def one(key: str):
        found = study.get(key)
        if not found:
            raise Missing
        return found

    def there(value: float | None) -> float:
        if value is None:
            raise Missing
        return value

    def less(get: Callable) -> Callable:
        return lambda _, a, b: there(get(one(a))) - there(get(one(b)))

    def over(get: Callable) -> Callable:
        def ratio(_: str, a: str, b: str) -> float:
            return quotient(there(get(one(a))), there(get(one(b))))

        return ratio

    def quotient(above: float, below: float) -> float:
        """Return 1 for two zeros: they are equal."""
        if below:
            return above / below
        return math.inf if above else 1.0

    def bare(key: str) -> list[int]:
        """Overheads of the messages without a sum."""
        own = one(key)
        if own.received < own.offered or not own.of_sums(False):
            raise Missing
        return own.of_sums(False)

    def bare_cycles(key: str) -> float:
        return sum(bare(key)) / (WORDS * len(bare(key)))

    def without_sums(_: str, mixed: str, plain: str) -> float:
        return quotient(bare_cycles(mixed), there(one(plain).cycles))

    def flushed(_: str, mixed: str, plain: str) -> float:
        inside = [n for n in bare(mixed) if n < 10]
        return there(one(plain).wholly) - 100 * len(inside) / len(bare(mixed))

    def more_sums(_: str, many: str, few: str) -> float:
        return quotient(bare_cycles(many), bare_cycles(few))

    def cycles(c) -> float | None:
        return c.cycles

    def more_percent(_: str, a: str, b: str) -> float:
        if there(one(a).cycles) == there(one(b).cycles):
            return 0.0
        return 100 * over(cycles)(_, a, b) - 100

    def ideal_percent(_: str, a: str, ideal: str) -> float:
        if there(one(ideal).message("dtb.misses")):
            raise Missing
        return more_percent(_, a, ideal)

    def later(_: str, key: str) -> float:
        places = one(key).places
        halves = [sum(half, []) for half in (places[:5], places[5:])]
        if not all(halves):
            raise Missing
        first, last = (sum(half) / len(half) for half in halves)
        return last - first

    def far(_: str, key: str) -> float:
        places = one(key).places
        if not all(places):
            raise Missing
        pairs = [(a, b) for n, a in enumerate(places) for b in places[n + 4 :]]
        return 100 * sum(probability(a, b) < 0.05 for a, b in pairs) / len(pairs)

    def spread(_: str, *keys: str) -> float:
        values = sorted(there(one(key).wholly) for key in keys)
        return values[-1] - values[0]

    def work(c) -> float:
        return there(c.message("ticks")) - there(c.message("owner.idle"))

    return {
        "cycles_ratio": over(cycles),
        "more_percent": more_percent,
        "ideal_percent": ideal_percent,
        "refills": lambda *words: less(cycles)(*words) * WORDS / MACHS_REFILL,
        "below_clean": less(lambda c: c.share(-1e9, clean)),
        "above_dirty": less(lambda c: c.share(dirty + 1, 1e9)),
        "without_sums": without_sums,
        "without_sums_wholly": flushed,
        "without_sums_ratio": more_sums,
        "later_places": later,
        "far_places": far,
        "wholly": less(lambda c: c.wholly),
        "wholly_spread": spread,
        "cycles": less(cycles),
        "switches": less(lambda c: c.message("context_switches")),
        "refill_ticks": less(lambda c: c.message("dtb.refill_ticks")),
        "lines_ratio": over(lambda c: c.message("dcache.misses")),
        "work_ratio": over(work),
    }
