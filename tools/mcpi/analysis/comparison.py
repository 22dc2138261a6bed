# SPDX-License-Identifier: BSD-2-Clause
"""Differences between the paths of two runs, by owner and by function.

The differences of all owners sum to the difference of the ticks, and so do those of all functions.
An interval is the range of the same difference over link orders: both in the first order, both in
the second, and so on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mcpi.analysis.cost_of_path import FIGURES, Means, PathCost
from mcpi.base.errors import RunError
from mcpi.results import causes
from mcpi.results.summary import OWNERS

Pair = tuple[PathCost, PathCost]
NOTHING = Fraction(0)


@dataclass(frozen=True)
class Change:
    """Change of an owner, function or figure: its value in A and in B. ``orders``: the difference
    in each link order, empty if none was run; ``causes``: a function's difference by cause."""

    name: str
    a: Fraction | float
    b: Fraction | float
    orders: tuple[Fraction | float, ...] = ()
    causes: tuple[tuple[str, Fraction], ...] = ()

    @property
    def difference(self) -> Fraction | float:
        return self.b - self.a

    @property
    def low(self) -> Fraction | float | None:
        return min(self.orders, default=None)

    @property
    def high(self) -> Fraction | float | None:
        return max(self.orders, default=None)

    @property
    def is_clear(self) -> bool:
        """Return true if every link order has the difference on the same side of zero. Without link
        orders only the difference itself counts."""
        every = (self.difference, *self.orders)
        return all(d > 0 for d in every) or all(d < 0 for d in every)


@dataclass(frozen=True)
class Comparison:
    """Comparison of runs ``a`` and ``b``. ``orders``: both again under link orders, named in
    ``names``."""

    a: PathCost
    b: PathCost
    side: str
    names: tuple[str, ...] = ()
    orders: tuple[Pair, ...] = ()

    def __post_init__(self) -> None:
        self._check(self.owners())
        if self.functions():
            self._check(self.functions())

    @property
    def ticks(self) -> Change:
        """Change of the ticks of an invocation."""
        every = tuple(b.ticks - a.ticks for a, b in self.orders)
        return Change("ticks", self.a.ticks, self.b.ticks, every)

    def figures(self) -> list[Change]:
        """T_p, CPI, iCPI, mCPI and instructions, as far as both runs have them."""
        keys = [key for key in FIGURES if key in self.a.figures and key in self.b.figures]
        return [
            Change(
                key,
                self.a.figures[key],
                self.b.figures[key],
                tuple(b.figures[key] - a.figures[key] for a, b in self.orders),
            )
            for key in keys
        ]

    def owners(self) -> list[Change]:
        """All that own anything in either run, in the hardware's order."""
        changes = self._changes(lambda cost: cost.owners)
        order = list(OWNERS)
        place = {name: order.index(name) if name in order else len(order) for name in changes}
        return sorted(changes.values(), key=lambda c: (place[c.name], c.name))

    def causes(self) -> list[Change]:
        """Owners by what the processor waits for, the largest difference first."""
        return _largest(self._changes(lambda cost: _by_cause(cost.owners)).values())

    def functions(self) -> list[Change]:
        """The largest difference first; none unless both runs have their ticks by function."""
        if not self.a.functions or not self.b.functions:
            return []
        found = self._changes(lambda cost: cost.by_function, self._why)
        return _largest(found.values())

    def _why(self, name: str) -> tuple[tuple[str, Fraction], ...]:
        a, b = (_by_cause(cost.functions.get(name, {})) for cost in (self.a, self.b))
        changed = {cause: b.get(cause, NOTHING) - a.get(cause, NOTHING) for cause in {**a, **b}}
        return tuple(sorted(changed.items(), key=lambda row: -abs(row[1])))

    def _changes(
        self,
        of: Callable[[PathCost], Means],
        why: Callable[[str], tuple[tuple[str, Fraction], ...]] = lambda _: (),
    ) -> dict[str, Change]:
        """By name; a name that a run has not costs nothing there."""
        a, b = of(self.a), of(self.b)
        orders = [(of(one), of(other)) for one, other in self.orders]
        return {
            name: Change(
                name,
                a.get(name, NOTHING),
                b.get(name, NOTHING),
                tuple(y.get(name, NOTHING) - x.get(name, NOTHING) for x, y in orders),
                why(name),
            )
            for name in {**a, **b}
            if a.get(name) or b.get(name)
        }

    def _check(self, changes: Sequence[Change]) -> None:
        """RunError unless they sum to the totals, to the last tick."""
        for kind in ("a", "b"):
            found = sum((getattr(change, kind) for change in changes), NOTHING)
            cost: PathCost = getattr(self, kind)
            if found != cost.ticks:
                raise RunError(
                    f"{cost.title}: {float(cost.ticks):,.2f} ticks, but what they are made of "
                    f"sums to {float(found):,.2f}."
                )


def _by_cause(owners: Means) -> Means:
    found: Means = {}
    for owner, ticks in owners.items():
        title = causes.of(owner).title
        found[title] = found.get(title, NOTHING) + ticks
    return found


def _largest(changes) -> list[Change]:
    return sorted(changes, key=lambda change: (-abs(change.difference), change.name))
