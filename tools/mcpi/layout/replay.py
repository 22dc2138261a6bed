# SPDX-License-Identifier: BSD-2-Clause
"""The path's trace through the caches: who drives out whom.

The path alone, over and over: interrupts and other threads, which run between two invocations on
the machine, are not in the trace, so counts are below those of the hardware.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache

from mcpi.layout.symbols import DATA, Traced


@dataclass
class Replay:
    """Means for an invocation, from the second replay on."""

    misses: float = 0.0
    by_set: Counter = field(default_factory=Counter)
    pairs: Counter = field(default_factory=Counter)  # (driven out, by whom)


class Cache:
    """Blocks by set, the one used longest ago first, and who drove out the others."""

    def __init__(self, bytes_: int, block: int, ways: int = 1) -> None:
        self.block, self.ways, self.sets = block, ways, bytes_ // block // ways
        self.holds: defaultdict[int, list[int]] = defaultdict(list)
        self.out: dict[int, str] = {}

    def touch(self, address: int, name: str) -> tuple[bool, str | None]:
        """Access a block. Return true if it missed, and the name that had driven the block out."""
        number = address // self.block
        there = self.holds[number % self.sets]
        misses = number not in there
        if misses and len(there) == self.ways:
            self.out[there.pop(0)] = name
        elif not misses:
            there.remove(number)
        there.append(number)
        return misses, self.out.get(number) if misses else None


def replay(
    traced: Traced, icache: int, bcache: int, block: int, ways: int = 1
) -> tuple[Replay, Replay]:
    """I-cache, which has the ``ways``, and b-cache. Of data only what comes from RAM counts, and no
    write buffer or D-cache stands before the b-cache: every access of data is one of its block."""
    caches = Cache(icache, block, ways), Cache(bcache or 1 << 40, block)
    results = Replay(), Replay()
    warm, name_of = False, cache(traced.name)
    for steps in [*traced.invocations, *traced.invocations]:
        for step in steps:
            name = name_of(step.pc)
            missed, by = caches[0].touch(step.pc, name)
            if missed:
                _count(results[0], caches[0], step.pc, name, by, warm)
                missed, by = caches[1].touch(step.pc, name)
                if missed:
                    _count(results[1], caches[1], step.pc, name, by, warm)
            if step.address is not None and ram(step.address):
                missed, by = caches[1].touch(step.address, DATA)
                if missed:
                    _count(results[1], caches[1], step.address, DATA, by, warm)
        warm = True
    times = 2 * len(traced.invocations) - 1
    for result in results:
        result.misses /= times
        result.by_set = Counter({k: v / times for k, v in result.by_set.items()})
        result.pairs = Counter({k: v / times for k, v in result.pairs.items()})
    return results


def ram(address: int) -> bool:
    """Cached memory, not I/O (docs/reference/memory-map.md)."""
    return not address >> 32 & 3


def _count(
    result: Replay, cache: Cache, address: int, name: str, by: str | None, warm: bool
) -> None:
    if not warm:
        return
    result.misses += 1
    result.by_set[address // cache.block % cache.sets] += 1
    if by:
        result.pairs[name, by] += 1
