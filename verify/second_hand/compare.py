# SPDX-License-Identifier: BSD-2-Clause
"""The tables of a study beside the second hand's, cell by cell:
``./mcpi python -m verify.second_hand.compare`` on the fixtures."""

import importlib
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from mcpi import studies
from mcpi.batch.plan import Experiment, Extent
from mcpi.studykit import collect
from mcpi.studykit.cell import Cell, Table
from mcpi.studykit.measured import Measured
from verify.second_hand import fixtures
from verify.second_hand.fixture_plan import FIXTURES
from verify.second_hand.recount.raw import Row, Tables

JUDGED = ("claims", "predictions")  # tables of which only the first label names a row
CLOSE = 5e-5  # the first hand rounds µs and CPI to six decimals
RELATIVE = 2e-6
KINDS = {"": "ours", " paper": "theirs", " sd": "sd", " paper_sd": "theirs_sd"}


@dataclass
class Compared:
    """``different``: table, row, column, the study's value, the second hand's."""

    equal: int = 0
    different: list[tuple[str, tuple[str, ...], str, object, object]] = field(default_factory=list)

    def __str__(self) -> str:
        said = [f"{self.equal} cells equal, {len(self.different)} not"]
        for table, row, column, first, second in self.different[:40]:
            said.append(f"  {table}: {' / '.join(row)}, {column}: {first}, second hand {second}")
        return "\n".join(said)


def plain(table: Table) -> dict[tuple[str, ...], Row]:
    """A study's table as ``recount`` has one: values, the paper's, deviations; no empty ones."""
    rows: dict[tuple[str, ...], Row] = {}
    for row in table.rows:
        own: Row = {}
        for column in table.columns:
            cell = row.cells.get(column.key, Cell(None))
            for suffix, kind in KINDS.items():
                if (value := getattr(cell, kind)) is not None:
                    own[column.key + suffix] = value
        labels = row.labels
        if table.key in JUDGED:
            labels = labels[:1]
            own |= _words(table.labels[1:], row.labels[1:])
        if own:
            rows[_labels(labels, rows)] = own
    return rows


def _words(titles: tuple[str, ...], words: tuple[str, ...]) -> Row:
    """Verdicts and rules as cells."""
    found = {title.lower(): word for title, word in zip(titles, words, strict=True)}
    return {k: w for k, w in found.items() if w and "not judged" not in w}


def _labels(labels: tuple[str, ...], rows: dict) -> tuple[str, ...]:
    """The labels, with a number if an earlier row has the same."""
    same = sum(other[: len(labels)] == labels for other in rows)
    return (*labels, str(same + 1)) if same else labels


def compare(first: Tables, second: Tables) -> Compared:
    found = Compared()
    for table in sorted(first.keys() | second.keys()):
        one, other = first.get(table, {}), second.get(table, {})
        for row in one.keys() | other.keys():
            a, b = (_there(rows.get(row, {})) for rows in (one, other))
            for column in sorted(a.keys() | b.keys()):
                if column in a and column in b and _close(a[column], b[column]):
                    found.equal += 1
                else:
                    values = a.get(column), b.get(column)
                    found.different.append((table, row, column, *values))
    return found


def _there(row: Row) -> Row:
    return {column: value for column, value in row.items() if value is not None}


def _close(a: float | str, b: float | str) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return a == b or abs(a - b) <= max(CLOSE, RELATIVE * abs(a))


def first_hand(name: str, root: Path, wanted: list[Experiment], extent: Extent) -> Tables:
    """The study's own tables of the runs below ``root``."""
    study = studies.find(name)
    measured = collect.collect(study, root, extent, wanted)
    found = {table.key: plain(table) for table in study.tables(measured)}
    return found | ({"time_line": time_lines(measured)} if name == "sigcomm96" else {})


def time_lines(measured: Measured) -> dict[tuple[str, ...], Row]:
    """The records of which README's figure is drawn, as a table."""
    rows: dict[tuple[str, ...], Row] = {}
    for stack, versions in measured.record["results"].items():
        for version, result in versions.items():
            line = result.get("time_line", {"legs": {}, "meanwhile": {}})
            rows |= {(stack, version, leg): owned for leg, owned in line["legs"].items()}
            for side, one in line["meanwhile"].items():
                rows[stack, version, f"meanwhile, {side}"] = one
    return rows


def second_hand(name: str, root: Path) -> Tables:
    return importlib.import_module(f"verify.second_hand.recount.{name}").tables(root)


def of_fixtures(name: str, root: Path) -> Compared:
    """Both hands on the fixtures of a study, unpacked below ``root``."""
    fixture = FIXTURES[name]
    wanted = fixture.planned(name)
    while more := fixture.more(name, root, wanted):
        wanted += more
    return compare(first_hand(name, root, wanted, fixture.extent), second_hand(name, root))


def main() -> int:
    """Print how many cells of each study's fixtures are equal; 1 if one is not."""
    bad = 0
    for name in FIXTURES:
        with tempfile.TemporaryDirectory() as folder:
            fixtures.unpack(name, Path(folder))
            found = of_fixtures(name, Path(folder))
        print(f"{name}: {found}")
        bad += bool(found.different)
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
