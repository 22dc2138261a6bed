# SPDX-License-Identifier: BSD-2-Clause
"""The study's tables; what they say stands in tables.toml."""

from collections.abc import Callable, Iterator
from pathlib import Path

from mcpi.machine.profile import load
from mcpi.papers.tables import number, row
from mcpi.results.summary import OWNERS
from mcpi.studies.tr9304 import figures, values
from mcpi.studies.tr9304.plan import FLOORS, MACHINE, TITLES, Configuration, configurations
from mcpi.study import claims
from mcpi.study.cell import Cell, Column, Row, Table
from mcpi.study.claims import Missing
from mcpi.study.measured import Measured
from mcpi.study.words import Words

HERE = Path(__file__).parent
WORDS = Words(HERE / "tables.toml", {})
SYSTEMS = ("mach", "bsd", "hpux", "xkernel")
GAPS = {"large": 20, "small": 0}
FORCED = {"no_cksum_large_gap": (20, False), "no_cksum_small_gap": (0, False)}
FORCED |= {"cksum_large_gap": (20, True), "cksum_small_gap": (0, True)}


def of(study: Measured) -> list[Table]:
    made = (judged, table1, table2, table3, others, causes, places)
    return [table(study) for table in made]


def _cell(get: Callable[[], float], theirs: str | None = None) -> Cell:
    try:
        return Cell(get(), number(theirs))
    except Missing as missing:
        return Cell(None, number(theirs), str(missing))


def judged(study: Measured) -> Table:
    return WORDS.table("claims", claims.rows(HERE / "claims.csv", study, figures.FIGURES))


def table1(study: Measured) -> Table:
    p = load(MACHINE).parameters
    read = p["memory.read_ticks"]
    rows = {"line, clean victim": (read, 18)}
    rows |= {"line, dirty victim": (read + p["dcache.dirty_ticks"], 23)}
    papers = {"mach": 170, "bsd": 91, "hpux": 88}
    rows |= {f"TLB entry, {TITLES[s]}": (FLOORS[s], ticks) for s, ticks in papers.items()}
    found = [Row((name,), {"ticks": Cell(ours, theirs)}) for name, (ours, theirs) in rows.items()]
    return WORDS.table("table1", found)


def table2(study: Measured) -> Table:
    columns = tuple(
        Column(f"{gap}_gap_{system}", f"{TITLES[system]}, {gap}", 2)
        for gap in GAPS
        for system in SYSTEMS
    )
    rows = []
    for name, get in values.ROWS.items():
        theirs = row("table2_tr9304_coarse_grained", observation=name)
        cells = {
            f"{gap}_gap_{system}": _cell(
                lambda key=f"{system}-{ms}", get=get: get(values.of(study, key)),
                theirs.get(f"{gap}_gap_{system}"),
            )
            for gap, ms in GAPS.items()
            for system in SYSTEMS
        }
        rows.append(Row((name,), cells))
    return WORDS.table("table2", rows, columns)


def table3(study: Measured) -> Table:
    rows = []
    for name, get in values.ROWS.items():
        theirs = row("table3_tr9304_mach_tlb_forced", observation=name)
        cells = {}
        for column, (gap, checksum) in FORCED.items():
            key = Configuration("mach", gap, forced=True, checksum=checksum).key
            measured = lambda key=key, get=get: get(values.of(study, key))  # noqa: E731
            cells[column] = _cell(measured, theirs.get(column))
        rows.append(Row((name,), cells))
    columns = tuple(Column(key, key.replace("_", " "), 2) for key in FORCED)
    return WORDS.table("table3", rows, columns)


def _there(study: Measured) -> Iterator[Configuration]:
    yield from (c for c in configurations() if study.of("results", c.key))


def others(study: Measured) -> Table:
    rows = []
    for c in _there(study):
        found, one = values.of(study, c.key), study.record["results"][c.key]
        gets = {"wholly": values.wholly, "clean": values.below_clean}
        gets |= {"dirty": values.below_dirty, "cycles": values.cycles_a_word}
        cells = {key: _cell(lambda get=get, found=found: get(found)) for key, get in gets.items()}
        cells |= {"mbufs": Cell(len(found)), "left_out": Cell(values.beyond(study, c.key))}
        for key in ("offered", "received"):
            cells[key] = Cell(sum(run[key] for run in one["runs"]))
        rows.append(Row((c.title,), cells))
    return WORDS.table("others", rows)


def causes(study: Measured) -> Table:
    rows = []
    for c in _there(study):
        one = study.record["results"][c.key]
        mean = {k: Cell(n / one["probes"]) for k, n in one["owners"].items() if one["probes"]}
        rows.append(Row((c.title,), mean))
    seen = {owner for r in rows for owner, cell in r.cells.items() if cell.ours}
    columns = tuple(Column(o, o, 1) for o in OWNERS if o in seen)
    return WORDS.table("causes", rows, columns)


def places(study: Measured) -> Table:
    columns = tuple(Column(f"place{n}", str(n + 1), 0) for n in range(10))
    rows = []
    for c in _there(study):
        found = values.by_place(study, c.key)
        cells = {f"place{n}": Cell(sum(p) / len(p)) for n, p in enumerate(found) if p}
        rows.append(Row((c.title,), cells))
    return WORDS.table("places", rows, columns)
