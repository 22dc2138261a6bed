# SPDX-License-Identifier: BSD-2-Clause
"""Table 2: the stack before and after Section 2's changes, TCP/IP."""

from mcpi.papers.tables import row
from mcpi.studies.sigcomm96.tables.common import cell, made
from mcpi.studykit.cell import Row, Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import client, te

METRICS = {
    "Roundtrip latency": ("µs", 1, te),
    "Instructions executed": ("", 0, client("instructions")),
    "Processing time": ("ticks", 0, client("ticks")),
    "CPI": ("", 2, client("cpi")),
}


def table(study: Measured) -> Table:
    rows = []
    for metric, (unit, digits, get) in METRICS.items():
        theirs = row("table2_sigcomm96_original_vs_improved", metric=metric)
        cells = {
            column: cell(study, "tcp", variant, get, theirs[column])
            for column, variant in (("original", "original"), ("improved", "std"))
        }
        rows.append(Row((metric, unit), cells, digits))
    return made("table2", rows)
