# SPDX-License-Identifier: BSD-2-Clause
"""``report.txt``: the table of a run of any kind."""

import io

from rich.console import Console

from mcpi.results import program_summary, record, summary
from mcpi.results.types import Result

WIDTH = 100


def text(result: Result) -> str:
    """Return the page of a stack's round trips, of a program's places, or of a node."""
    page = io.StringIO()
    console = Console(file=page, width=WIDTH, highlight=False, force_jupyter=False)
    show(record.plain(result), console)
    return page.getvalue()


def show(result: dict, console: Console) -> None:
    """Print it."""
    if "program" not in result["provenance"]:
        summary.show(result, console)
    elif "regions" in result:
        program_summary.show(result, console)
    else:
        program_summary.show_node(result, console)
