# SPDX-License-Identifier: BSD-2-Clause
"""Figures of a histogram of overheads: what the paper's tables say of one."""

import math
import re
from bisect import bisect_right

from mcpi.studies.tr9304 import frames
from mcpi.studies.tr9304.probes import PROBES, WARMUP
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured

WORDS, LINES = 365, 46  # of a large mbuf
CLEAN, DIRTY = 18 * LINES, 23 * LINES  # ticks, if all of it misses
BIN, LIMIT = 10, 2_000  # ticks; above are interrupts and switches inside the timing


def _measured(study: Measured, key: str, number: str = "") -> dict:
    """The runs of a configuration, if there are any; ``number``: a figure that is not 0 then."""
    found = study.of("results", key)
    if not found or (number and not found[number]):
        raise Missing(f"{key}: not measured")
    return found


def runs(study: Measured, key: str) -> list[list[int]]:
    """Overheads up to LIMIT, of each run."""
    return [[n for n in one if n <= LIMIT] for one in _measured(study, key)["overheads"]]


def of(study: Measured, key: str) -> list[int]:
    """Overheads up to LIMIT, of all runs."""
    return [n for one in runs(study, key) for n in one]


def beyond(study: Measured, key: str) -> int:
    """How many are above LIMIT, and left out."""
    every = [n for one in study.record["results"][key]["overheads"] for n in one]
    return sum(n > LIMIT for n in every)


def share(overheads: list[int], low: float, high: float = math.inf) -> float:
    """Per cent of them from ``low`` to below ``high``."""
    if not overheads:
        raise Missing("nothing was received")
    return 100 * sum(low <= n < high for n in overheads) / len(overheads)


def wholly(overheads: list[int]) -> float:
    """Per cent that miss nothing: the first bin."""
    return share(overheads, -math.inf, BIN)


def below_clean(overheads: list[int]) -> float:
    return share(overheads, -math.inf, CLEAN)


def below_dirty(overheads: list[int]) -> float:
    return share(overheads, -math.inf, DIRTY)


def above_dirty(overheads: list[int]) -> float:
    return share(overheads, DIRTY + 1)


def cycles_a_word(overheads: list[int]) -> float:
    if not overheads:
        raise Missing("nothing was received")
    return sum(overheads) / len(overheads) / WORDS


ROWS = {
    "% mbufs totally within cache": wholly,
    "% mbufs less than 100% clean miss": below_clean,
    "% mbufs less than 100% dirty miss": below_dirty,
    "% mbufs greater than 100% dirty miss": above_dirty,
    "average overhead cycles per word access": cycles_a_word,
}


def by_place(study: Measured, key: str) -> list[list[int]]:
    """Overheads by the mbuf's place in its message."""
    places: list[list[int]] = [[] for _ in range(10)]
    for one in _measured(study, key)["overheads"]:
        for n, overhead in enumerate(one):
            if overhead <= LIMIT:
                places[n % 10].append(overhead)
    return places


def of_sums(study: Measured, key: str, summed: bool) -> list[int]:
    """Overheads up to LIMIT of the messages with a sum, or without one, of traffic in which a share
    of the messages, which the key has, has one."""
    if lost(study, key):
        raise Missing(f"{key}: messages were lost, so nobody knows which had a sum")
    share = int(re.search(r"-mixed(\d+)", key)[1])
    every = [n for one in _measured(study, key)["overheads"] for n in enumerate(one)]
    of_kind = [n for at, n in every if frames.has_sum(WARMUP + at // PROBES, share) == summed]
    return [n for n in of_kind if n <= LIMIT]


def causes(study: Measured, key: str) -> dict[str, float]:
    """Mean causes of a probe: lines, refills, ticks (``probes.Probe``)."""
    found = _measured(study, key, "probes")
    return {name: n / found["probes"] for name, n in found["causes"].items()}


def refills(study: Measured, key: str) -> float:
    """Mean refills of a probe."""
    return causes(study, key).get("refills", 0.0)


def of_message(study: Measured, key: str, counter: str) -> float:
    """Mean addition of a message to a counter of the receiver, after the warm-up."""
    found = _measured(study, key, "measured")
    return found["counters"].get(counter, 0) / found["measured"]


def work(study: Measured, key: str) -> float:
    """Ticks of a message in which the receiver was not idle."""
    return of_message(study, key, "ticks") - of_message(study, key, "owner.idle")


def lost(study: Measured, key: str) -> int:
    """Messages that were offered and not received."""
    return sum(run["offered"] - run["received"] for run in _measured(study, key)["runs"])


def received(study: Measured, key: str) -> float:
    """Per cent of the offered messages that were received."""
    offered = sum(run["offered"] for run in _measured(study, key)["runs"])
    return 100 * (1 - lost(study, key) / offered)


def boots(study: Measured, key: str) -> list[float]:
    """Cycles a word of each boot that received anything."""
    overheads = _measured(study, key)["overheads"]
    each = [[n for n in one if n <= LIMIT] for one in overheads]
    return [cycles_a_word(one) for one in each if one]


def kolmogorov_smirnov(a: list[int], b: list[int]) -> float:
    """p of two samples that come from one distribution, by the asymptotic formula."""
    a, b = sorted(a), sorted(b)
    gap = max(abs(bisect_right(a, x) / len(a) - bisect_right(b, x) / len(b)) for x in {*a, *b})
    size = math.sqrt(len(a) * len(b) / (len(a) + len(b)))
    x = (size + 0.12 + 0.11 / size) * gap
    if x < 0.2:
        return 1.0
    terms = (2 * (-1) ** (k - 1) * math.exp(-2 * k * k * x * x) for k in range(1, 101))
    return min(1.0, max(0.0, sum(terms)))
