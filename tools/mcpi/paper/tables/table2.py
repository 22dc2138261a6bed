# SPDX-License-Identifier: BSD-2-Clause
"""Table 2: the stack before and after Section 2's changes, TCP/IP."""

from mcpi.paper.cell import Column, Row, Table
from mcpi.paper.published import row
from mcpi.paper.study import Study
from mcpi.paper.tables.common import cell

NAME = "table2_sigcomm96_original_vs_improved"
COLUMNS = (Column("original", "Original", 1), Column("improved", "Improved (STD)", 1))
METRICS = {
    "Roundtrip latency": ("µs", 1, lambda r: r["round_trip"]["mean_us"]),
    "Instructions executed": ("", 0, lambda r: r["steady"]["client"]["instructions"]),
    "Processing time": ("ticks", 0, lambda r: r["steady"]["client"]["ticks"]),
    "CPI": ("", 2, lambda r: r["steady"]["client"]["cpi"]),
}


def table(study: Study) -> Table:
    rows = []
    for metric, (unit, digits, get) in METRICS.items():
        theirs = row(NAME, metric=metric)
        cells = {
            "original": cell(study, "tcp", "original", get, theirs["original"]),
            "improved": cell(study, "tcp", "std", get, theirs["improved"]),
        }
        rows.append(Row((metric, unit), cells, digits))
    title = "Table 2: original and improved x-kernel TCP/IP stack"
    return Table("table2", title, ("Metric", "Unit"), COLUMNS, tuple(rows))
