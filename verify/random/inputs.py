# SPDX-License-Identifier: BSD-2-Clause
"""Free inputs of random generators, each with named bins: what is drawn stands in a table, and the
table's bins count what was drawn. A bin that stays empty is a hole in the generator.

An input of up to eight values has a bin for each. A longer range has four, from its lowest quarter
to its highest.
"""

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_SINGLE = 8  # values of a range with a bin each
_PARTS = 4


@dataclass(frozen=True)
class Choice:
    """A draw from ``values``; a value that stands there twice is drawn twice as often."""

    values: tuple[str | int, ...]

    def draw(self, rng: random.Random) -> str:
        return str(rng.choice(self.values))

    def bins(self) -> list[str]:
        return list(dict.fromkeys(str(value) for value in self.values))

    def bin(self, value: str) -> str:
        return value


@dataclass(frozen=True)
class Span:
    """A whole number from ``first`` on, below ``end``."""

    first: int
    end: int

    def draw(self, rng: random.Random) -> str:
        return str(rng.randrange(self.first, self.end))

    def bins(self) -> list[str]:
        if self.end - self.first <= _SINGLE:
            return [str(n) for n in range(self.first, self.end)]
        return [self._part(n) for n in range(_PARTS)]

    def bin(self, value: str) -> str:
        if self.end - self.first <= _SINGLE:
            return value
        return self._part((int(value) - self.first) * _PARTS // (self.end - self.first))

    def _part(self, number: int) -> str:
        size = self.end - self.first
        low, high = (self.first + -(-size * n // _PARTS) for n in (number, number + 1))
        return f"{low}..{high - 1}"


@dataclass(frozen=True)
class Mixed:
    """A draw from ``values`` or, as often as one of them, any number of a range, which has one
    bin."""

    values: tuple[int, ...]
    first: int
    end: int

    def draw(self, rng: random.Random) -> str:
        other = rng.randrange(self.first, self.end)
        return str(rng.choice([*self.values, other]))

    def bins(self) -> list[str]:
        return [*dict.fromkeys(str(value) for value in self.values), "other"]

    def bin(self, value: str) -> str:
        return value if int(value) in self.values else "other"


Table = Mapping[str, Choice | Span | Mixed]


def drawn(table: Table, rng: random.Random) -> dict[str, str]:
    """A value of each input, drawn in the table's order."""
    return {key: one.draw(rng) for key, one in table.items()}


def stratified(table: Table, seed: str, number: int) -> dict[str, str]:
    """Draw number ``number`` of a series: each input meets all its bins, in a random order, before
    it meets a bin again."""
    values = {}
    for key, one in table.items():
        names = one.bins()
        cycle, place = divmod(number, len(names))
        random.Random(f"{seed} {key} {cycle}").shuffle(names)
        rng = random.Random(f"{seed} {key} number {number}")
        values[key] = one.draw(rng)
        while one.bin(values[key]) != names[place]:
            values[key] = one.draw(rng)
    return values


def bins(*tables: Table) -> list[str]:
    """The names of all bins: the input, then its value or its part of the range."""
    return [
        f"{key}={name}" for table in tables for key, one in table.items() for name in one.bins()
    ]


def met(values: Mapping[str, str], *tables: Table) -> Counter[str]:
    """The bins that ``values`` fall into; what no table names counts nowhere."""
    return Counter(
        f"{key}={table[key].bin(str(value))}"
        for table in tables
        for key, value in values.items()
        if key in table
    )


def report(names: Iterable[str], total: Mapping[str, int]) -> str:
    """A line for each bin, with its hits."""
    return "\n".join(f"{total.get(name, 0):7}  {name}" for name in names)


def holes(names: Iterable[str], total: Mapping[str, int]) -> list[str]:
    """The bins that nothing has hit, and after them what was hit and is no bin."""
    listed = list(names)
    empty = [name for name in listed if not total.get(name)]
    return empty + [f"no bin: {name}" for name in total if name not in set(listed)]
