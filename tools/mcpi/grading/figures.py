# SPDX-License-Identifier: BSD-2-Clause
"""Figures of runs, and their bounds."""

from functools import lru_cache

from mcpi.base.errors import UserError, nearest
from mcpi.grading.lab import Part
from mcpi.grading.runs import Ended
from mcpi.machine import counters

OWNER, OWNERS = "owner.", "owners"


def bounded(part: Part, found: float | None) -> tuple[bool, str]:
    """True if a figure is in the bounds of its part, and words that say so."""
    what = " ".join(
        filter(None, (f"{part.place}:" if part.place else "", part.value, part.counter))
    )
    if found is None:
        return False, f"{part.place} was never passed, so it was not measured."
    said = f"{found:,.0f}" if found == int(found) else f"{found:,.2f}"
    bounds, good = [], True
    if part.at_most is not None:
        bounds.append(f"at most {part.at_most:,}")
        good = found <= part.at_most
    if part.at_least is not None:
        bounds.append(f"at least {part.at_least:,}")
        good = good and found >= part.at_least
    return good, f"{what} {said}; wanted: {' and '.join(bounds)}."


def value(part: Part, ended: Ended) -> float | None:
    """The figure that a part looks at; None if the place was not measured."""
    if part.counter:
        return _found(ended.counters, part.counter, part)
    at: object = ended.record
    if part.place:
        at = at["regions"]["client"].get(part.place)
        if at is None:
            return None
    *path, last = part.value.split(".")
    for key in path:
        at = _found(at, key, part)
    if path[-1:] == [OWNERS] and OWNER + last in {row.name for row in _counters()}:
        return at.get(last, 0)
    found = _found(at, last, part)
    if not isinstance(found, (int, float)):
        raise UserError(f"part {part.name}: {part.value} is no number; add .NAME of it.")
    return found


@lru_cache
def _counters() -> list:
    return counters.table()


def _found(there: object, key: str, part: Part) -> object:
    if not isinstance(there, dict) or key not in there:
        names = list(there) if isinstance(there, dict) else []
        raise UserError(
            f"part {part.name}: the run has no {key}.{nearest(key, names)} "
            f"There are: {', '.join(names)}."
        )
    return there[key]
