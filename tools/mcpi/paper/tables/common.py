# SPDX-License-Identifier: BSD-2-Clause
"""What several tables need: a value out of a result, the paper's beside it."""

from collections.abc import Callable

from mcpi.paper.cell import Cell
from mcpi.paper.study import Study

VERSIONS = ("bad", "std", "out", "clo", "pin", "all")  # the rows of Tables 4 to 7
Get = Callable[[dict], float | None]


def number(text: str | None) -> float | None:
    """A cell of papers/*.csv."""
    return float(text) if text else None


def cell(study: Study, stack: str, variant: str, get: Get, theirs: str | None = None) -> Cell:
    """``get`` of a configuration's result.json beside the paper's text."""
    value, why = look(study, stack, variant, get)
    return Cell(value, number(theirs), why)


def look(study: Study, stack: str, variant: str, get: Get) -> tuple[float | None, str]:
    """A value and, if there is none, the reason."""
    result = study.result(stack, variant)
    if result is None:
        return None, f"{variant.upper()}: {study.why(variant)}"
    try:
        value = get(result)
    except KeyError as missing:
        return None, f"{variant.upper()}: the run has no {missing.args[0]}"
    return value, "" if value is not None else "not measured"


def difference(study: Study, stack: str, pair: tuple[str, str], get: Get) -> Cell:
    """First minus second; reasons of both."""
    (a, why_a), (b, why_b) = (look(study, stack, variant, get) for variant in pair)
    if a is None or b is None:
        return Cell(None, why="; ".join(filter(None, (why_a, why_b))))
    return Cell(a - b)


def slower(study: Study, stack: str, variant: str, get: Get, theirs: str | None) -> Cell:
    """Per cent above ALL."""
    (value, why), (best, why_best) = (look(study, stack, v, get) for v in (variant, "all"))
    if value is None or best is None:
        return Cell(None, number(theirs), "; ".join(dict.fromkeys(filter(None, (why, why_best)))))
    return Cell(100 * (value / best - 1), number(theirs))
