# SPDX-License-Identifier: BSD-2-Clause
"""Claims of a paper, each as one figure: the paper's, ours, its distribution, and the verdict.

A study's ``claims.csv`` lists them. ``key`` names a claim for ``judged_by`` of
``papers/*/text_numbers.csv``. ``figure`` names a function of the study, which gets the ``stack`` as
the file has it, and the ``versions``. ``above`` and ``below`` are the bounds, which the paper's own
figure is within. ``over`` names the samples that the claim is judged on, or says ``one: WHY``
(``mcpi.studykit.verdicts``).
"""

import csv
import dataclasses
from collections.abc import Callable, Iterable
from pathlib import Path

from mcpi.papers.tables import number
from mcpi.studykit import verdicts
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.samples import ONE, Samples
from mcpi.studykit.verdicts import Distribution, Verdict, judge
from mcpi.studykit.words import Words

Figure = Callable[..., float]  # of the study, the stacks in one string, versions
KEY = "claims"  # of the table
USUAL = "one: not varied here"
COLUMNS = (
    Column("figure", "Figure", 2),
    Column("median", "Median", 2),
    Column("low", "Lowest", 2),
    Column("high", "Highest", 2),
    Column("n", "n", 0),
    Column("turned", "Turns, %", 0),
)
NOTES = (
    "Figure: of the usual order and seed. Median, lowest and highest: of n samples. Undecided: a "
    "bound lies between lowest and highest. Turns: samples on another side of a bound than the "
    "median.",
)


class Missing(Exception):
    """A version that was not measured; the text says which."""


class Unjudged(Missing):
    """Raised for a claim that this study cannot judge at all; the text says why."""


def listed(path: Path) -> list[dict[str, str]]:
    """The claims of a file."""
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def table(
    words: Words,
    path: Path,
    study: Measured,
    figures: dict[str, Figure],
    over: dict[str, Samples],
    notes: tuple[str, ...] = (),
) -> Table:
    """The table of a study's claims, of the file ``path``. ``words``: with its title and notes."""
    about = tuple(samples.about for samples in over.values() if samples.views)
    found = rows(path, study, figures, over)
    return words.table(KEY, found, COLUMNS, (*NOTES, *about, *notes))


def line(tables: Iterable[Table]) -> list[str]:
    """How many claims have each verdict, a line; none if no table has the claims."""
    words = [row.labels[1] for table in tables if table.key == KEY for row in table.rows]
    return [verdicts.line(words)] if words else []


def grouped(titles: list[str], rows: list[list[str]]) -> list[str]:
    """Lines of Markdown: the claims that do not hold, then the undecided ones, each with its
    figure, median and range; last, how many hold. ``rows``: texts by ``titles``."""
    found = []
    for word in (verdicts.FAILS, verdicts.UNDECIDED):
        if own := [dict(zip(titles, row)) for row in rows if row[1] == word]:
            found += ["", f"| {len(own)} {'claim' if len(own) == 1 else 'claims'}: {word} |"]
            found[-1] += " Ours (the paper's) | Median, lowest to highest, n |"
            found += ["|---|--:|--:|", *map(_line, own)]
    held = sum(row[1] == verdicts.HOLDS for row in rows)
    return [*found, "", f"{held} of {len(rows)} hold."]


def _line(row: dict[str, str]) -> str:
    """A row of ``grouped``: no range where one sample was judged."""
    over = ""
    if int(row.get("n") or 0) > 1:
        over = f"{row['Median']}, {row['Lowest']} to {row['Highest']}, {row['n']}"
    return f"| {next(iter(row.values()))} | {row['Figure']} | {over} |"


def by_verdict(table: Table) -> dict[str, Table]:
    """The claims that do not hold first, then the undecided ones, those that hold, the others; each
    under how many there are."""
    order = (verdicts.FAILS, verdicts.UNDECIDED, verdicts.HOLDS)
    words = dict.fromkeys((*order, *(row.labels[1] for row in table.rows)))
    found = {}
    for word in words:
        if own := tuple(row for row in table.rows if row.labels[1] == word):
            found[f"{word or 'not measured'}: {len(own)}"] = dataclasses.replace(table, rows=own)
    return found


def rows(
    path: Path, study: Measured, figures: dict[str, Figure], over: dict[str, Samples]
) -> list[Row]:
    """A row for each claim of the file: claim and verdict, then the cells. ``over``: the study's
    samples by name."""
    return [_row(study, claim, figures[claim["figure"]], over) for claim in listed(path)]


def _row(study: Measured, claim: dict[str, str], figure: Figure, over: dict[str, Samples]) -> Row:
    theirs, above, below = (number(claim[key]) for key in ("paper", "above", "below"))
    words = claim["stack"], *claim["versions"].split()
    try:
        ours = figure(study, *words)
        of = _distribution(ours, claim["over"], figure, words, over)
    except Missing as missing:
        said = f"not judged: {missing}" if isinstance(missing, Unjudged) else ""
        return Row((claim["claim"], said, ""), {"figure": Cell(None, theirs, str(missing))})
    verdict = judge(of, above, below)
    cells = {"figure": Cell(ours, theirs), **spread(verdict)}
    return Row((claim["claim"], verdict.word, *of.sources), cells)


def _distribution(
    ours: float,
    name: str,
    figure: Figure,
    words: tuple[str, ...],
    over: dict[str, Samples],
) -> Distribution:
    """The figure of each sample. Unjudged if some samples lack what it needs: those that are left
    would be a choice."""
    if name.startswith(ONE):
        return Distribution((ours,), (name,))
    samples = over[name]
    if not samples.views:
        return Distribution((ours,), (USUAL,))
    values, missing = [], []
    for view in samples.views:
        try:
            values.append(figure(view, *words))
        except Missing as why:
            missing.append(str(why))
    if missing:
        raise Unjudged(f"{len(missing)} of {len(samples.views)} {samples.title} lack {missing[0]}")
    return Distribution(tuple(values), (samples.title,))


def spread(verdict: Verdict) -> dict[str, Cell]:
    """The cells of a verdict's distribution."""
    of = verdict.distribution
    low, high = of.range
    found = {"median": of.median, "low": low, "high": high, "n": of.n}
    found["turned"] = 100 * verdict.turned
    return {key: Cell(value) for key, value in found.items()}
