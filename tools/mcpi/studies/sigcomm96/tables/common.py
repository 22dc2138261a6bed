# SPDX-License-Identifier: BSD-2-Clause
"""Parts that several tables share: a value out of a result, with the paper's value next to it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from mcpi.papers.sigcomm96 import PREFIX, STACKS
from mcpi.papers.tables import number, row
from mcpi.studies.sigcomm96.plan import STUDIED
from mcpi.studykit.cell import Cell, Row
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import Get
from mcpi.studykit.words import Words

VERSIONS = ("bad", "std", "out", "clo", "pin", "all")  # the rows of Tables 4 to 7
WORDS = Words(Path(__file__).parents[1] / "tables.toml", STACKS)
made = WORDS.table


def each(cells: Callable[[str, str], dict[str, Cell]]) -> tuple[Row, ...]:
    """A row for each version of each stack; ``cells`` of both their names."""
    return tuple(
        Row((title, variant.upper()), cells(stack, variant))
        for stack, title in STACKS.items()
        for variant in STUDIED[stack]
    )


def versions(printed: str, cells: Callable[[str, str, dict], dict[str, Cell]]) -> list[Row]:
    """A row for each version as the paper's tables have them; ``cells`` of stack, version and what
    is ``printed`` of them, by column without the stack's prefix."""
    rows = []
    for variant in VERSIONS:
        theirs, found = row(printed, version=variant.upper()), {}
        for stack, prefix in PREFIX.items():
            own = {
                k.removeprefix(f"{prefix}_"): v for k, v in theirs.items() if k.startswith(prefix)
            }
            found |= {f"{stack}_{k}": one for k, one in cells(stack, variant, own).items()}
        rows.append(Row((variant.upper(),), found))
    return rows


def filled(table: str, values: dict | None, why: str) -> dict[str, Cell]:
    """A cell for each column of a table; ``why`` there is none where ``values`` has none."""
    values = values or {}
    return {
        c.key: Cell(values.get(c.key), why="" if c.key in values else why)
        for c in WORDS.columns(table)
    }


def unused(result: dict) -> float:
    """Per cent of the fetched slots that the cold invocation never executed."""
    return result["replay"]["client"]["fetch"]["unused_percent"]


def size(result: dict) -> float:
    return result["static"]["critical_path_instructions"]


def cell(study: Measured, stack: str, variant: str, get: Get, theirs: str | None = None) -> Cell:
    """``get`` of a configuration's result.json beside the paper's text."""
    return with_published(study, stack, variant, get, number(theirs))


def with_published(
    study: Measured, stack: str, variant: str, get: Get, theirs: float | None
) -> Cell:
    value, why = look(study, stack, variant, get)
    return Cell(value, theirs, why)


def with_spread(
    study: Measured, stack: str, variant: str, get: Get, theirs: str, sd: Get, theirs_sd: str
) -> Cell:
    """The same with both standard deviations."""
    own, _ = look(study, stack, variant, sd)
    found = cell(study, stack, variant, get, theirs)
    return replace(found, sd=own, theirs_sd=number(theirs_sd))


def look(study: Measured, stack: str, variant: str, get: Get) -> tuple[float | None, str]:
    """A value and, if there is none, the reason."""
    result = study.result(stack, variant)
    if result is None:
        return None, f"{variant.upper()}: {study.why(variant)}"
    try:
        value = get(result)
    except KeyError as missing:
        return None, f"{variant.upper()}: the run has no {missing.args[0]}"
    return value, "" if value is not None else "not measured"


def difference(study: Measured, stack: str, pair: tuple[str, str], get: Get) -> Cell:
    """First minus second; reasons of both."""
    (a, why_a), (b, why_b) = (look(study, stack, variant, get) for variant in pair)
    if a is None or b is None:
        return Cell(None, why="; ".join(filter(None, (why_a, why_b))))
    return Cell(a - b)


def slower(study: Measured, stack: str, variant: str, get: Get, theirs: str | None) -> Cell:
    """Per cent above ALL."""
    (value, why), (best, why_best) = (look(study, stack, v, get) for v in (variant, "all"))
    if value is None or best is None:
        return Cell(None, number(theirs), "; ".join(dict.fromkeys(filter(None, (why, why_best)))))
    return Cell(100 * (value / best - 1), number(theirs))
