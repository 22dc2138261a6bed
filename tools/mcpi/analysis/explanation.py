# SPDX-License-Identifier: BSD-2-Clause
"""A sentence that says what explains most of a difference, made from its figures."""

from collections.abc import Sequence
from fractions import Fraction

from mcpi.analysis.comparison import Change, Comparison

MOST = Fraction(1, 2)  # of the difference: what the named parts explain together at least
NAMED = 3  # parts at most; more of them explain nothing
AGAINST = Fraction(1, 5)  # of the difference: smaller parts that go the other way are not told


def sentence(found: Comparison) -> str:
    """For people who have not seen the table; never more than the figures say."""
    ticks, a, b = found.ticks, found.a.title, found.b.title
    if not ticks.difference:
        if any(change.difference for change in found.owners()):
            return f"{b} takes as many ticks as {a}; the owners of the ticks differ."
        return f"{b} takes as many ticks as {a}, and no owner differs."
    size = abs(ticks.difference)
    said = f"{b} takes {_ticks(size)} {_word(ticks)} ticks than {a} ({_percent(ticks)})"
    said += f": {_parts(found.causes(), ticks)}"
    if functions := _functions(found, ticks):
        said += f"; {functions}"
    if not ticks.is_clear:
        return f"{said}. Link orders alone can turn the difference round: {_range(ticks)} ticks."
    return said + (f"; {_range(ticks)} ticks over link orders." if ticks.orders else ".")


def explain(changes: Sequence[Change], whole: Change) -> list[Change]:
    """The fewest of ``changes`` that go the way of ``whole`` and are at least half of it; nothing
    if it takes more than ``NAMED``."""
    way = [c for c in changes if c.difference * whole.difference > 0]
    way.sort(key=lambda c: -abs(c.difference))
    for count in range(1, NAMED + 1):
        if sum(abs(c.difference) for c in way[:count]) >= MOST * abs(whole.difference):
            return way[:count]
    return []


def _parts(causes: Sequence[Change], ticks: Change) -> str:
    parts = explain(causes, ticks)
    if not parts:
        return f"no {NAMED} causes explain half of it"
    named = [f"{c.name} {_signed(c.difference)}" for c in parts]
    said = " and ".join([", ".join(named[:-1]), named[-1]] if named[1:] else named)
    against = [
        f"{c.name} {_signed(c.difference)}"
        for c in causes
        if c.difference * ticks.difference < 0
        and abs(c.difference) >= AGAINST * abs(ticks.difference)
    ]
    return said + (f", against {' and '.join(against)}" if against else "")


def _functions(found: Comparison, ticks: Change) -> str:
    """The function that both have and that differs most, unless few are in both."""
    gone = [c for c in found.functions() if not c.b]
    new = [c for c in found.functions() if not c.a]
    if sum(abs(c.difference) for c in (*gone, *new)) > abs(ticks.difference):
        a, b = (f"{len(some)} ({_signed(_sum(some))})" for some in (gone, new))
        return f"functions of {found.a.title} alone {a}, of {found.b.title} alone {b}"
    same = [c for c in found.functions() if c.difference * ticks.difference > 0]
    if not same:
        return ""
    return f"of the functions, {same[0].name} differs most ({_signed(same[0].difference)})"


def _sum(changes: Sequence[Change]) -> Fraction:
    return sum((c.difference for c in changes), Fraction(0))


def _word(ticks: Change) -> str:
    return "more" if ticks.difference > 0 else "fewer"


def _ticks(value: Fraction) -> str:
    return f"{float(value):,.0f}" if value >= 10 else f"{float(value):,.1f}"


def _signed(value: Fraction) -> str:
    return ("+" if value > 0 else "−" if value else "±") + _ticks(abs(value))


def _percent(ticks: Change) -> str:
    if not ticks.a:
        return "of none"
    share = 100 * float(ticks.difference / ticks.a)
    return f"{'+' if share > 0 else '−'}{abs(share):.1f} %"


def _range(ticks: Change) -> str:
    return f"{_signed(ticks.low)} to {_signed(ticks.high)}"
