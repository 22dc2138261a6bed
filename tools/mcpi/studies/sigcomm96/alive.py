# SPDX-License-Identifier: BSD-2-Clause
"""The paper that recomputes itself: Tables 4 to 9 as a page that runs both machines.

``html/version.js`` makes figures of the files of runs, ``formulas.js`` says which figures a cell
has, ``alive.js`` runs and compares.
"""

import json
from pathlib import Path

from mcpi.base import template
from mcpi.batch.perform import Task
from mcpi.batch.plan import Experiment
from mcpi.browser import carried
from mcpi.browser.carried import Carried
from mcpi.engines import simulate
from mcpi.papers.sigcomm96 import STACKS
from mcpi.spec import run_jobs
from mcpi.studies.sigcomm96.page import TITLE
from mcpi.studies.sigcomm96.tables.common import VERSIONS
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.measured import Measured

HERE = Path(__file__).parent / "html"
PROGRAM = Path("mcpi-exact")  # the first word of a run's command line
SCRIPTS = ("version.js", "formulas.js", "alive.js")
TABLES = tuple(f"table{n}" for n in range(4, 10))
# Files of a run that the page reads.
WANTED = {
    run_jobs.REAL: ("counters.json", "events.csv"),
    run_jobs.IDEAL: ("counters.json",),
    run_jobs.COLD: ("counters.json", "replay.json", "cold_trace.csv"),
}


def page(study: Measured, tables: list[Table], experiments: list[Experiment], root: Path) -> str:
    """The whole page. ``root``: the folder of all runs."""
    runs = Carried()
    versions = _versions(runs, experiments, root)
    about = study.record["provenance"]
    rtl = about["rtl_digest"]
    shown = [_table(t.drawn(), rtl) for t in tables if t.key in TABLES]
    shown = [table for table in shown if table["rows"]]
    cells = [cell for t in shown for row in t["rows"] for cell in row["cells"]]
    own = carried.scripts() + "".join((HERE / name).read_text() for name in SCRIPTS)
    return template.render(
        "studies/sigcomm96/html/alive.html",
        title=f"{TITLE}: a page that recomputes itself",
        lead=_lead(study),
        count=sum("data" in cell for cell in cells),
        tables=shown,
        about={
            "commit": about["commit"],
            "machine": f"{about['machine']}, digest {about['machine_digest']}",
            "RTL digest": rtl,
            "repeated on the RTL": about["repeated"],
            "made by": about["reproduce"],
        },
        script={
            "carried": template.embedded({"files": runs.files, "versions": versions}),
            "engine": template.embedded(carried.engine()),
            "own": own,
        },
    )


def _lead(study: Measured) -> str:
    extent, there = study.record["extent"], study.record["results"]
    samples = " and ".join(
        f"{n} of {STACKS[stack]}" for stack, n in extent["samples"].items() if stack in there
    )
    return (
        f"T_e and T_p are means over samples, {samples}: runs of {extent['round_trips']} round "
        "trips that differ in initial phases alone. iCPI wants one more run, with ideal memory; "
        "Tables 6 and 9 want one whose last invocation begins with empty caches. "
        "In brackets: the paper's figures."
    )


def _versions(
    runs: Carried, experiments: list[Experiment], root: Path
) -> dict[str, dict[str, dict]]:
    """By stack and version: its machine, the client's image, requests by kind of run."""
    found: dict[str, dict[str, dict]] = {}
    for e in experiments:
        if not e.whole or e.spec.variant not in VERSIONS:
            continue
        place, jobs = root / e.name, {}
        for job in e.jobs:
            words = simulate.command(*Task(e, job, PROGRAM, place).how())[1:]
            wanted = [str(Path(job.folder, name)) for name in WANTED[job.memory]]
            jobs.setdefault(job.memory, []).append(runs.run(place, words, wanted))
        found.setdefault(e.spec.stack, {})[e.spec.variant] = {
            "machine": runs.file(place / "machine.json"),
            "image": runs.file(place / "image.elf"),
            "jobs": jobs,
        }
    return found


def _table(table: Table, rtl: str) -> dict:
    rows = [
        {"labels": row.labels, "cells": [_cell(table, row, one, rtl) for one in table.columns]}
        for row in table.rows
    ]
    titles = [column.title for column in table.columns]
    shown = {"labels": table.labels, "columns": titles, "rows": rows, "notes": table.notes}
    return {"key": table.key, "title": table.title} | shown


def _cell(table: Table, row: Row, column: Column, rtl: str) -> dict:
    """Texts of a cell; ``data``: of its button, if we have a figure."""
    cell = row.cells.get(column.key, Cell(None))
    theirs = column.text(cell.theirs, row.digits)
    if cell.ours is None:
        return {"why": cell.why, "theirs": theirs}
    digits = column.digits if row.digits is None else row.digits
    data = {"table": table.key, "labels": json.dumps(row.labels, ensure_ascii=False)}
    data |= {"column": column.key, "value": repr(float(cell.ours)), "digits": digits, "rtl": rtl}
    data |= {"sd": repr(cell.sd)} if cell.sd is not None else {}
    data |= {"sign": "+"} if column.signed else {}
    sd = "" if cell.sd is None else f"{cell.sd:.2f}"
    return {"text": column.text(cell.ours, row.digits), "sd": sd, "data": data, "theirs": theirs}
