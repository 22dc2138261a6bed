# SPDX-License-Identifier: BSD-2-Clause
"""Micro-positioning (SIGCOMM'96 3.2): from a trace, the I-cache set in which each function begins.

Simple heuristics, as the paper's: functions are placed in call order, each at the position where
it costs least. Sharing a set with a function costs as often as execution changes between the two;
a gap before it costs a block that may be fetched for nothing.
"""

from collections import Counter

from mcpi.layout.symbols import Traced

GAP_COST = 0.5  # of a miss, per gap: half of the block at its edge is not wanted


def changes(traced: Traced) -> Counter:
    """How often, within one invocation, a function is entered again after another had run."""
    count: Counter = Counter()
    since: dict[str, set[str]] = {}
    last = None
    for step in traced.invocations[-1]:
        name = traced.name(step.pc)
        if name == last:
            continue
        for other in since.get(name, ()):
            count[frozenset((name, other))] += 1
        since[name] = set()
        for seen, others in since.items():
            if seen != name:
                others.add(name)
        last = name
    return count


def positions(traced: Traced, sizes: dict[str, int], icache: int, block: int) -> dict[str, int]:
    """``sizes`` in bytes by function, in call order; positions in bytes, below ``icache``."""
    weight = changes(traced)
    sets = icache // block
    users: list[set[str]] = [set() for _ in range(sets)]
    found: dict[str, int] = {}
    end = 0
    for name, size in sizes.items():
        best = (float("inf"), 0, 0)
        for skipped in range(sets):
            start = end if not skipped else (-(-end // block) + skipped - 1) * block
            inside = _sets(start, size, block, sets)
            cost = sum(weight[frozenset((name, u))] for s in inside for u in users[s])
            best = min(best, (cost + GAP_COST * bool(skipped), skipped, start))
            if not cost and skipped:
                break
        start = best[2]
        for s in _sets(start, size, block, sets):
            users[s].add(name)
        found[name] = start % icache
        end = (start + size) % icache
    return found


def _sets(start: int, size: int, block: int, sets: int) -> list[int]:
    first, last = start // block, (start + size - 1) // block
    return [s % sets for s in range(first, min(last, first + sets - 1) + 1)]
