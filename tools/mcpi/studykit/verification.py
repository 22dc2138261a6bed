# SPDX-License-Identifier: BSD-2-Clause
"""Compare the tables of a study, made anew, with those that its pages publish, cell by cell."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.base.repo import ROOT
from mcpi.studykit import markdown
from mcpi.studykit.cell import Table
from mcpi.studykit.definition import Study

NOTHING = "no cell"


@dataclass
class Verified:
    """The verdict on one table block of one page.

    ``equal`` counts cells. ``different`` holds row, column, published text and text made anew.
    ``missing`` holds cells that only the page or only the new table has, in the same form.
    """

    page: Path
    table: str
    equal: int = 0
    different: list[tuple[str, str, str, str]] = field(default_factory=list)
    missing: list[tuple[str, str, str, str]] = field(default_factory=list)

    @property
    def where(self) -> str:
        """The page's path in the checkout and the block's name."""
        page = self.page.relative_to(ROOT) if self.page.is_relative_to(ROOT) else self.page
        return f"{page} {self.table}"

    @property
    def is_equal(self) -> bool:
        return not self.different and not self.missing


def verify(study: Study, tables: list[Table]) -> list[Verified]:
    """Return a verdict for every table block of the study's pages."""
    made = {table.key: markdown.made(table) for table in tables}
    return [
        _verified(page, name, cells, made.get(name, {}))
        for page in study.pages
        for name, cells in markdown.published(page).items()
    ]


def total(found: list[Verified]) -> str:
    """The last line of the command: the number of cells by verdict."""
    equal, different, missing = (
        sum(one.equal for one in found),
        sum(len(one.different) for one in found),
        sum(len(one.missing) for one in found),
    )
    count = equal + different + missing
    return f"{count} cells published: {equal} equal, {different} differ, {missing} missing"


def lines(found: list[Verified]) -> Iterator[str]:
    """A line for each cell that is not equal."""
    for one in found:
        for row, column, published, anew in (*one.different, *one.missing):
            yield f"{one.where}: {row}, {column}: published {published}, now {anew}"


def _verified(page: Path, name: str, published: dict, made: dict) -> Verified:
    found = Verified(page, name)
    for key in published | made:
        labels, column = key
        row = " / ".join(labels)
        before, now = published.get(key, NOTHING), made.get(key, NOTHING)
        if before == now:
            found.equal += 1
        elif NOTHING in (before, now):
            found.missing.append((row, column, before, now))
        else:
            found.different.append((row, column, before, now))
    return found
