# SPDX-License-Identifier: BSD-2-Clause
"""The study's tables; what they say stands in tables.toml."""

from dataclasses import replace
from statistics import stdev

from mcpi.batch.plan import RESULTS
from mcpi.studies.osdi94 import figures
from mcpi.studies.osdi94.anatomy import anatomy, dearer, histograms, kinds
from mcpi.studies.osdi94.beyond import connections, dip, extra, mcpi_share, riddle, sweeps
from mcpi.studies.osdi94.figures import rates, runs
from mcpi.studies.osdi94.plan import CHALLENGE, CLAIMS, COUNTS, LOCKS, curves
from mcpi.studies.osdi94.reasons import per_packet, reason
from mcpi.studies.osdi94.words import WORDS, labels
from mcpi.studykit import claims
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured
from mcpi.studykit.samples import Samples

FIGURES = figures.FIGURES | {"dearer": dearer, "extra": extra, "mcpi_share": mcpi_share}
LOCKED = ("", "mcs", "assumed", "two", "six", "each")  # ways whose locks are looked into


def of(study: Measured) -> list[Table]:
    made = (judged, throughput, speedup, disorder, locks, anatomy, histograms, kinds)
    return [table(study) for table in (*made, dip, riddle, connections, sweeps, owners, causes)]


def judged(study: Measured) -> Table:
    """The claims, with their reasons; a figure is that of the sources' own order."""
    usual, orders = in_orders(study)
    found = claims.table(WORDS, CLAIMS, usual, FIGURES, {"orders": orders})
    why = [reason(study, one["figure"], one["versions"]) for one in claims.listed(CLAIMS)]
    pairs = zip(found.rows, why, strict=True)
    rows = tuple(replace(row, labels=(*row.labels, said)) for row, said in pairs)
    return replace(found, rows=rows)


def in_orders(study: Measured) -> tuple[Measured, Samples]:
    """The study with the runs of the sources' order of functions alone, and with those of each
    order."""
    runs = [run for point in (study.of(RESULTS) or {}).values() for run in point["runs"]]
    orders = sorted({run["order"] for run in runs})
    views = tuple(_in_order(study, order) for order in orders)
    about = (
        f"Orders of functions: {len(orders)} of one seed, that of the sources and random ones. "
        "--shuffles changes how many."
    )
    usual = views[0] if views else study
    return usual, Samples("orders of functions", views if len(views) > 1 else (), about)


def _in_order(study: Measured, order: int) -> Measured:
    found = {}
    for key, point in study.record[RESULTS].items():
        if own := [run for run in point["runs"] if run["order"] == order]:
            found[key] = {**point, "runs": own}
    return Measured({**study.record, RESULTS: found})


def _columns(digits: int) -> tuple[Column, ...]:
    return tuple(Column(f"p{n}", str(n), digits) for n in COUNTS)


def _rows(study: Measured, scaled: bool) -> list[Row]:
    found = []
    for curve in curves():
        if curve.stack == LOCKS:
            continue
        cells = {}
        for n in COUNTS:
            try:
                all_, one = (rates(study, curve.key, k) for k in (n, 1))
            except Missing as missing:
                cells[f"p{n}"] = Cell(None, why=str(missing))
                continue
            per = sum(one) / len(one) if scaled else 1
            spread = stdev(all_) / per if len(all_) > 1 else None
            cells[f"p{n}"] = Cell(sum(all_) / len(all_) / per, sd=spread)
        found.append(Row(labels(curve), cells))
    return found


def throughput(study: Measured) -> Table:
    return WORDS.table("throughput", _rows(study, scaled=False), _columns(0))


def speedup(study: Measured) -> Table:
    return WORDS.table("speedup", _rows(study, scaled=True), _columns(2))


def disorder(study: Measured) -> Table:
    """Table 1."""
    rows = []
    for key, paper in figures.PAPER_DISORDER.items():
        cells = {}
        for n in COUNTS:
            try:
                cells[f"p{n}"] = Cell(figures.disorder(study, "", key, str(n)), paper[n])
            except Missing as missing:
                cells[f"p{n}"] = Cell(None, paper[n], str(missing))
        kind = {"mcs": "MCS", "backoff": "back-off"}.get(key.rpartition("-")[2], "mutex")
        rows.append(Row((kind,), cells))
    return WORDS.table("disorder", rows, _columns(0))


def locks(study: Measured) -> Table:
    """Waiting for TCP's state, and holding it."""
    rows = []
    for curve in curves():
        if curve.stack != "tcp" or curve.machine != CHALLENGE or curve.way not in LOCKED:
            continue
        for n in COUNTS:
            if not study.of("results", f"{curve.key}-{n}"):
                continue
            all_ = runs(study, curve.key, n)
            packets = sum(sum(run["packets"]) for run in all_)
            hold = sum(run["windows"]["hold"]["ticks"] for run in all_)
            cells = {
                "waits": Cell(figures.waiting(study, "ticks", curve.key, str(n))),
                "instructions": Cell(figures.waiting(study, "instructions", curve.key, str(n))),
                "held": Cell(figures.held(study, curve.key, n)),
                "hold": Cell(hold / packets),
            }
            rows.append(
                Row((labels(curve)[1], WORDS.about["ways"][curve.way or "base"], str(n)), cells)
            )
    return WORDS.table("locks", rows)


def _per_packet(study: Measured, part: str) -> Table:
    """Ticks of all processors for a packet, by the names in ``part`` of the records."""
    rows = []
    for curve in curves():
        for n in COUNTS if curve.stack != LOCKS else ():
            if study.of("results", f"{curve.key}-{n}"):
                found = per_packet(study, (curve.key, n), part)
                cells = {name: Cell(ticks) for name, ticks in found.items()}
                rows.append(Row((*labels(curve), str(n)), cells))
    seen = {k: None for row in rows for k, cell in row.cells.items() if cell.ours}
    return WORDS.table(part, rows, tuple(Column(k, k, 0) for k in seen))


def owners(study: Measured) -> Table:
    return _per_packet(study, "owners")


def causes(study: Measured) -> Table:
    """Table of the causes of ticks that caches and the bus own."""
    return _per_packet(study, "causes")
