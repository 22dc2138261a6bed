# SPDX-License-Identifier: BSD-2-Clause
"""``mcpi.whatif``: a causal profile, as exact numbers and as tables."""

import contextlib
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mcpi.analysis import causal
from mcpi.analysis.causal import Effect, Pair, WhatIf
from mcpi.analysis.places import Places
from mcpi.api import frames
from mcpi.api.spec_from_kwargs import spec_of
from mcpi.base.errors import RunError, UserError, nearest
from mcpi.base.progress import Bar, Silent
from mcpi.base.repo import BUILD
from mcpi.engines import cost, span, vanishing
from mcpi.layout import symbols
from mcpi.machine import counters
from mcpi.machine.profile import Machine
from mcpi.spec.numbers import SIDES
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RunSpec

if TYPE_CHECKING:
    import pandas

BOTH = "both"
ROUND_TRIPS = 20


@dataclass(frozen=True)
class Causes:
    """``found`` has whole numbers over all round trips; here are means of a round trip."""

    found: WhatIf

    @property
    def pairs(self) -> "pandas.DataFrame":
        """Each function and owner: ``ticks``, ``shorter``; the largest effect first."""
        return self._frame(self.found.pairs, ["function", "owner"])

    @property
    def functions(self) -> "pandas.DataFrame":
        """All owners of each function together, and what each does ``alone``."""
        return self._frame(self.found.functions, ["function"])

    @property
    def owners(self) -> "pandas.DataFrame":
        """All functions of each owner together, and what each does ``alone``."""
        return self._frame(self.found.owners, ["owner"])

    def _frame(self, effects: list[Effect], index: list[str]) -> "pandas.DataFrame":
        names = ["ticks", "shorter", *([] if len(index) > 1 else ["alone"])]
        rows = [
            {name: getattr(one, name) for name in index}
            | {
                name: None if (v := getattr(one, name)) is None else v / self.found.passages
                for name in names
            }
            for one in effects
        ]
        pandas = frames.needed("pandas")
        table = pandas.DataFrame(rows, columns=[*index, *names])
        return table.astype(dict.fromkeys(names, float)).set_index(index)


def whatif(
    machine: str = RunSpec.machine,
    stack: str = RunSpec.stack,
    variant: str = RunSpec.variant,
    *,
    side: str = BOTH,
    without: tuple[str, ...] = (),
    **settings: object,
) -> Causes:
    """Causal profile of a stack's path. ``settings``: as of ``mcpi.run``; ``without``: words of
    the option, one set together."""
    settings = {"round_trips": ROUND_TRIPS} | settings
    spec = spec_of(machine, stack=stack, variant=variant, engine=EXACT, **settings)
    return Causes(find(spec, side, [without] if without else [], Silent()))


def find(spec: RunSpec | ProgramSpec, side: str, wanted: list[tuple[str, ...]], bar: Bar) -> WhatIf:
    """The causal profile of ``side``, or of both machines together, in which a function is that of
    both. ``wanted``: sets of ``FUNCTION`` or ``FUNCTION:OWNER`` that vanish together."""
    with _started(spec, side, wanted, bar) as run:
        ideal, _ = vanishing.plain(run.prepared, run.machine.ideal, run.ranges, "ideal", bar)
        chosen = [_chosen(words, run.pairs) for words in wanted]
        experiments = causal.sets_of(run.pairs, chosen)
        outcomes = run.outcomes(experiments, bar)

    def outcome(n: int) -> tuple[int | None, Counter, str]:
        one, whole = outcomes[n], run.whole
        if one.failed:
            return None, Counter(), one.failed
        grown = {o: one.owners.get(o, 0) - whole.owners.get(o, 0) for o in counters.owners()}
        return whole.ticks - one.ticks, Counter({o: n for o, n in grown.items() if n}), ""

    grouped = causal.read(run.pairs, causal.effects(run.pairs, experiments, outcome), len(wanted))
    left = {o: n for o, n in run.whole.owners.items() if o not in causal.OF_MEMORY}
    counts = (run.whole.round_trips or 1, run.whole.ticks, sum(run.whole.owners.values()))
    is_program = isinstance(spec, ProgramSpec)
    return WhatIf(run.sides, is_program, *counts, *grouped, ideal.owners, left)


def ticks(spec: RunSpec | ProgramSpec, bar: Bar) -> dict[Pair, int]:
    """Ticks of both machines' paths that can vanish, by function and owner."""
    with _started(spec, BOTH, [], bar) as run:
        return run.pairs


def shorter(spec: RunSpec | ProgramSpec, words: tuple[str, ...], bar: Bar) -> tuple[int, int]:
    """Ticks of the whole, and by how many it gets shorter on both machines without ``words``."""
    with _started(spec, BOTH, [words], bar) as run:
        chosen = sorted(_chosen(words, run.pairs)) if words else []
        (one,) = run.outcomes([chosen], bar)
    if one.failed:
        raise RunError(one.failed)
    return run.whole.ticks, run.whole.ticks - one.ticks


@dataclass(frozen=True)
class _Run:
    """The run in which every tick takes time; ``names``: functions by number; ``pairs``: ticks of
    the path that can vanish."""

    sides: tuple[str, ...]
    prepared: span.Prepared
    machine: Machine
    names: list[str]
    ranges: list[vanishing.Ranges]
    whole: vanishing.Outcome
    pairs: dict[Pair, int]

    def outcomes(self, experiments: list[list[Pair]], bar: Bar) -> list[vanishing.Outcome]:
        numbers = {name: n for n, name in enumerate(self.names)}
        plan = [[(numbers[function], owner) for function, owner in one] for one in experiments]
        return vanishing.outcomes(self.prepared, self.machine, self.ranges, plan, bar)


@contextlib.contextmanager
def _started(
    spec: RunSpec | ProgramSpec, side: str, wanted: list[tuple[str, ...]], bar: Bar
) -> Iterator[_Run]:
    machine = check(spec, side, wanted)
    sides = tuple(s for s in SIDES if SIDES[s] in spec.nodes) if side == BOTH else (side,)
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="whatif-") as folder, bar:
        prepared = span.prepare(spec, machine, Path(folder), bar)
        names, ranges = _functions(prepared, sides)
        for word in (word for words in wanted for word in words):
            _known(word, names)
        whole, ticks = vanishing.plain(prepared, machine, ranges, "plain", bar)
        pairs = causal.vanishing({(names[f], owner): n for (f, owner), n in ticks.items()})
        if not pairs:
            of = " and ".join(sides)
            raise RunError(f"{spec.title}: nothing was measured on the path of {of}.")
        yield _Run(sides, prepared, machine, names, ranges, whole, pairs)


def check(spec: RunSpec | ProgramSpec, side: str, wanted: list[tuple[str, ...]]) -> Machine:
    """Everything that can be wrong before anything is built. UserError."""
    machine = vanishing.judged(spec)
    if side not in (*SIDES, BOTH):
        raise UserError(f"--side {side}: {', '.join(SIDES)} or {BOTH} is wanted.")
    if side != BOTH and SIDES[side] not in spec.nodes:
        raise UserError(f"--side {side}: the program runs on one machine; the client is there.")
    for word in (word for words in wanted for word in words):
        _, colon, owner = word.partition(":")
        if colon and owner in causal.OF_WORLD:
            raise UserError(
                f"--without {word}: ticks of {owner} wait for the world, which stands still when "
                "they vanish. Name another owner."
            )
        if colon and owner not in counters.owners():
            there = ", ".join(counters.owners())
            raise UserError(
                f"--without {word}: {there} are known.{nearest(owner, counters.owners())}"
            )
    if isinstance(spec, RunSpec):
        cost.check(spec)
    return machine


def _functions(
    prepared: span.Prepared, sides: tuple[str, ...]
) -> tuple[list[str], list[vanishing.Ranges]]:
    """Names of functions by number, and where they are on each node."""
    names, ranges = [symbols.ELSEWHERE], []
    numbers = {symbols.ELSEWHERE: 0}
    for side, node in SIDES.items():
        ranges.append([])
        if side not in sides:
            continue
        for start, end, name in Places(prepared.image(node), prepared.place / "pal.elf").ranges():
            if name not in numbers:
                numbers[name] = len(names)
                names.append(name)
            ranges[-1].append((start, end, numbers[name]))
    return names, ranges


def _known(word: str, names: list[str]) -> None:
    function = word.partition(":")[0]
    if function and function not in names:
        raise UserError(
            f"--without {word}: there is no function {function}.{nearest(function, names)}"
        )


def _chosen(words: tuple[str, ...], pairs: dict[Pair, int]) -> set[Pair]:
    found: set[Pair] = set()
    for word in words:
        function, _, owner = word.partition(":")
        some = {p for p in pairs if function in ("", p[0]) and owner in ("", p[1])}
        if not some:
            raise UserError(f"--without {word}: it has no ticks on the path that could vanish.")
        found |= some
    return found
