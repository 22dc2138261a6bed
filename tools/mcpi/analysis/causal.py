# SPDX-License-Identifier: BSD-2-Clause
"""A path's causal profile: by how much a round trip or a program gets shorter if ticks of it take
no time (docs/how-to/whatif.md)."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from mcpi.machine import counters

#: Owners whose ticks wait for a device or an interrupt: for the world, which stands still.
OF_WORLD = frozenset({"io", "idle"})
#: Owners that a machine with ideal memory does not have.
OF_MEMORY = frozenset(
    {
        "i_demand",
        "i_stream",
        "refill_restart",
        "d_miss",
        "memory_port",
        "write_buffer_full",
        "barrier",
    }
)
ALL = ""  # of functions, or of owners
Pair = tuple[str, str]  # function, owner


@dataclass(frozen=True)
class Effect:
    """``ticks`` of a function and an owner (``ALL``: of every one), and how many ticks ``shorter``
    the whole is if they vanish; None if the experiment did not end, for the reason ``failed``.
    ``grows``: by how much other owners' ticks of the path grow then. ``alone``: the sum of what
    each pair of it does alone; None if it is a pair itself."""

    function: str
    owner: str
    ticks: int
    shorter: int | None
    grows: Counter = field(default_factory=Counter)
    alone: int | None = None
    failed: str = ""

    @property
    def interaction(self) -> int | None:
        """Ticks saved by the pairs together beyond what each saves alone."""
        return None if None in (self.shorter, self.alone) else self.shorter - self.alone


@dataclass(frozen=True)
class WhatIf:
    """``whole``: ticks of all round trips, or of the program; ``path``: those of the path among
    them, of all ``sides``; ``passages``: round trips, or 1. ``sets``: the effect of pairs that the
    user has named, together. ``ideal``: path ticks by owner of the same run with ideal memory,
    ``left``: those of this run without owners of memory."""

    sides: tuple[str, ...]
    is_program: bool
    passages: int
    whole: int
    path: int
    pairs: list[Effect]
    functions: list[Effect]
    owners: list[Effect]
    every: Effect
    memory: Effect
    sets: list[Effect]
    ideal: dict[str, int]
    left: dict[str, int]

    @property
    def covered(self) -> dict[str, int]:
        """Ticks that only ideal memory has, by owner: memory's waits cover them in this run."""
        names = [name for name in counters.owners() if name in {**self.ideal, **self.left}]
        found = {name: self.ideal.get(name, 0) - self.left.get(name, 0) for name in names}
        return {name: ticks for name, ticks in found.items() if ticks}


def sets_of(pairs: dict[Pair, int], wanted: list[set[Pair]]) -> list[list[Pair]]:
    """The experiments of a causal profile, in the order that ``read`` expects: each pair alone, all
    of a function, all of an owner, all, all owners of memory, and those of ``wanted``."""
    known = list(pairs)
    functions = dict.fromkeys(function for function, _ in known)
    owners = dict.fromkeys(owner for _, owner in known)
    found = [[pair] for pair in known]
    found += [[pair for pair in known if pair[0] == function] for function in functions]
    found += [[pair for pair in known if pair[1] == owner] for owner in owners]
    found += [known, [pair for pair in known if pair[1] in OF_MEMORY]]
    return found + [[pair for pair in known if pair in one] for one in wanted]


def vanishing(ticks: dict[Pair, int]) -> dict[Pair, int]:
    """Pairs that can vanish, those with the most ticks first."""
    found = {pair: n for pair, n in ticks.items() if pair[1] not in OF_WORLD}
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def effects(
    pairs: dict[Pair, int],
    experiments: list[list[Pair]],
    outcome: Callable[[int], tuple[int | None, Counter, str]],
) -> list[Effect]:
    """Effect of each experiment; ``outcome(n)`` says how much shorter the whole is in it, what has
    grown, and why it failed."""
    found: list[Effect] = []
    alone: dict[Pair, int | None] = {}
    for n, which in enumerate(experiments):
        shorter, grows, failed = outcome(n)
        ticks = sum(pairs[pair] for pair in which)
        functions, owners = ({pair[i] for pair in which} for i in (0, 1))
        function = functions.pop() if len(functions) == 1 else ALL
        owner = owners.pop() if len(owners) == 1 else ALL
        if n < len(pairs):
            alone[which[0]] = shorter
            found.append(Effect(function, owner, ticks, shorter, grows, None, failed))
            continue
        each = [alone[pair] for pair in which]
        together = None if None in each else sum(each)
        found.append(Effect(function, owner, ticks, shorter, grows, together, failed))
    return found


def read(
    pairs: dict[Pair, int], found: list[Effect], wanted: int
) -> tuple[list[Effect], list[Effect], list[Effect], Effect, Effect, list[Effect]]:
    """Pairs, functions, owners, all, memory, and the user's own sets, each sorted by effect."""
    functions = len(dict.fromkeys(function for function, _ in pairs))
    owners = len(dict.fromkeys(owner for _, owner in pairs))
    ends = [len(pairs), len(pairs) + functions, len(pairs) + functions + owners]
    groups = [found[: ends[0]], found[ends[0] : ends[1]], found[ends[1] : ends[2]]]
    ordered = [sorted(group, key=_order) for group in groups]
    every, memory = found[ends[2] : ends[2] + 2]
    assert len(found) == ends[2] + 2 + wanted
    return *ordered, every, memory, found[ends[2] + 2 :]


def _order(effect: Effect) -> tuple:
    shorter = effect.shorter if effect.shorter is not None else -1
    return (-shorter, -effect.ticks, effect.function, effect.owner)
