# SPDX-License-Identifier: BSD-2-Clause
"""Reports of ``./mcpi profile`` as tables, records and files."""

import csv
import json as json_
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from mcpi.base.errors import UserError

if TYPE_CHECKING:
    from mcpi.analysis.profile import Profile
    from mcpi.analysis.reports import Report

ZST, CSV, PARQUET = ".csv.zst", ".csv", ".parquet"
STREAMS, LOGS = (CSV, PARQUET), (ZST, PARQUET)


def show(found: "Profile", report: "Report", top: int, json: bool) -> None:
    """Print ``report``: the first ``top`` rows, how many more there are, and the sums."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from mcpi.analysis import source_lines
    from mcpi.results import fitted

    if json:
        print(json_.dumps(_record(found, report), indent=1))
        return
    times = found.invocations
    console = Console(highlight=False)
    console.print(
        f"{found.whose}: {report.title}, of one invocation (mean of {times:,})", markup=False
    )
    table = Table(box=None, padding=(0, 0, 0, 1))
    for name in report.names:
        table.add_column(name, overflow="fold")
    for column in report.columns:
        table.add_column(column.head, justify="right", no_wrap=True)
    lines = source_lines.short([row["line"] for row in report.rows if "line" in row])
    left = len(report.rows) - top
    more = [{report.names[-1]: f"{left} more"}] if left > 0 else []
    for row in [*report.rows[:top], *more, *report.sums]:
        names = [escape(lines.get(n, n)) for n in (str(row.get(k, "")) for k in report.names)]
        cells = [_cell(row.get(c.key), c.digits, times if c.mean else 1) for c in report.columns]
        table.add_row(*names, *cells)
    fitted.show(table, console)


def _record(found: "Profile", report: "Report") -> dict:
    about = {"invocations": found.invocations, "report": report.title}
    return about | {"rows": report.rows, "sums": report.sums}


def _cell(value: float | None, digits: int, times: int) -> str:
    return "" if not value else f"{value / times:,.{digits}f}"


def check_name(option: str, file: Path | None, kinds: tuple[str, ...]) -> None:
    """UserError for the name of a file of another kind."""
    if file and not file.name.endswith(kinds):
        raise UserError(f"{option} {file}: a name that ends with {' or '.join(kinds)} is wanted.")


def write_stream(found: "Profile", file: Path) -> None:
    """Each miss; addresses are in hex in a CSV file."""
    from mcpi.analysis import reports
    from mcpi.api import frames

    report = reports.stream(found)
    if file.suffix == PARQUET:
        frames.report(found, report).to_parquet(file)
        return
    hexed = ("pc", "address", "evicted")
    with file.open("w", newline="") as stream:
        rows = csv.writer(stream, lineterminator="\n")
        rows.writerow(report.names)
        for row in report.rows:
            named = row | {key: "" if row[key] is None else f"{row[key]:x}" for key in hexed}
            rows.writerow(named[name] for name in report.names)


def write_ticks(folder: Path, file: Path) -> None:
    """The log of ticks, packed: ``ticks.csv`` as it is, or as columns."""
    from mcpi.api import frames

    log = folder / "ticks.csv"
    if file.suffix == PARQUET:
        frames.needed("pyarrow.parquet")  # pandas asks for it late
        frames.needed("pandas").read_csv(log, dtype={"pc": str, "events": str}).to_parquet(file)
        return
    pyarrow = frames.needed("pyarrow")
    with log.open("rb") as whole, pyarrow.CompressedOutputStream(str(file), "zstd") as packed:
        shutil.copyfileobj(whole, packed, 1 << 20)
