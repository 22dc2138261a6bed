# SPDX-License-Identifier: BSD-2-Clause
"""Cost and speed of the core on an ECP5, change by change: ``boards/history.csv``.

A line is what ``./mcpi board report`` measured of one commit on one device.
"""

import csv
import statistics
import subprocess
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.fpga.report import Part

FILE = ROOT / "boards" / "history.csv"
FIELDS = ("commit", "block", "change", "device", "comb", "ff", "ebr", "mhz")  # mhz: a figure a seed


def commit(file: Path = FILE) -> str:
    """Commit of the checkout. UserError if files other than pages and ``file``, the record, have
    uncommitted changes."""
    measured = (".", ":!docs", ":!*.md", f":!{file.relative_to(ROOT)}")
    if changed := _git("status", "--porcelain", "--", *measured):
        raise UserError(f"A record names a commit; not committed are:\n{changed}\nCommit first.")
    return _git("rev-parse", "--short=7", "HEAD")


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.rstrip()


def record(of: str, block: str, change: str, found: dict[str, Part], file: Path = FILE) -> None:
    """Adds a line for each device on which the block's last part was placed."""
    part = list(found.values())[-1]
    with file.open("a", newline="") as stream:
        out = csv.writer(stream, lineterminator="\n")
        for device in dict.fromkeys(run.device for run in part.runs):
            first = next(run for run in part.runs if run.device == device)
            mhz = " ".join(f"{each:.1f}" for each in part.mhz(device))
            out.writerow((of, block, change, device, first.comb, first.ff, first.ebr, mhz))


def rows(block: str, file: Path = FILE) -> list[dict[str, str]]:
    """Lines of one block, oldest first."""
    with file.open(newline="") as stream:
        return [row for row in csv.DictReader(stream) if row["block"] == block]


def show(block: str) -> None:
    """The lines of one block as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for head in ("commit", "change", "device"):
        table.add_column(head, overflow="fold")
    for head in ("COMB", "FF", "EBR", "MHz"):
        table.add_column(head, justify="right")
    table.add_column("seeds")
    for row in rows(block):
        mhz = [float(word) for word in row["mhz"].split()]
        lowest, highest = min(mhz), max(mhz)
        span = f"{len(mhz)}: {lowest:.1f}–{highest:.1f}" if len(mhz) > 1 else "1"
        cells = [f"{int(row[key]):,}" for key in ("comb", "ff", "ebr")]
        median = f"{statistics.median(mhz):.1f}"
        table.add_row(row["commit"], row["change"], row["device"], *cells, median, span)
    Console(highlight=False).print(table)
