# SPDX-License-Identifier: BSD-2-Clause
"""The paper's tables and the claims, beside ours; what they say stands in tables.toml."""

from dataclasses import replace

from mcpi.machine.profile import load
from mcpi.papers.tables import row
from mcpi.studies.tr9304 import details, figures, reasons, steps, values
from mcpi.studies.tr9304.cells import HERE, WORDS, cell
from mcpi.studies.tr9304.plan import (
    FLOORS,
    LARGE,
    MACHINE,
    RESULTS,
    TITLES,
    TOUCH,
    Configuration,
)
from mcpi.studykit import claims
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.samples import Samples

ORDER = ("mach", "bsd", "hpux", "xkernel")
GAPS = {"large": 20, "small": 0}
FORCED = {"no_cksum_large_gap": (20, False), "no_cksum_small_gap": (0, False)}
FORCED |= {"cksum_large_gap": (20, True), "cksum_small_gap": (0, True)}
BYTES = (23, 24, 25)  # a word: the report's loads


def of(study: Measured) -> list[Table]:
    made = (judged, table1, table2, table3, table4, steps.table)
    return [*(table(study) for table in made), *details.of(study)]


def judged(study: Measured) -> Table:
    over = {"boots": boots(study), "few": boots(study, least=True)}
    found = claims.table(WORDS, HERE / "claims.csv", study, figures.FIGURES, over)
    return replace(found, notes=(*found.notes, *reasons.notes(study, found.rows)))


def boots(study: Measured, least: bool = False) -> Samples:
    """A sample for each boot: every configuration as the boot of one seed has it. It has the
    overheads and the counters, not the causes of its probes. ``least``: of the boots that every
    configuration has."""
    counts = [len(one["runs"]) for one in (study.of(RESULTS) or {}).values()]
    count = (min if least else max)(counts, default=0)
    views = tuple(_of_boot(study, n) for n in range(count)) if count > 1 else ()
    about = (
        f"Boots: {count} seeds, each with another phase of the timer and other page places. "
        "--samples changes how many."
    )
    if least:
        about = f"What the report leaves open has {count} boots of each configuration."
    return Samples("boots", views, about)


def _of_boot(study: Measured, n: int) -> Measured:
    found = {}
    for key, one in study.record[RESULTS].items():
        if n < len(one["runs"]):
            run = one["runs"][n]
            found[key] = {"runs": [run], "overheads": one["overheads"][n : n + 1]}
            found[key] |= {name: run[name] for name in ("measured", "counters")}
    return Measured({**study.record, RESULTS: found})


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
        for system in ORDER
    )
    rows = []
    for name, get in values.ROWS.items():
        theirs = row("tr9304/table2_coarse_grained", observation=name)
        cells = {
            f"{gap}_gap_{system}": cell(
                lambda key=f"{system}-{ms}", get=get: get(values.of(study, key)),
                theirs.get(f"{gap}_gap_{system}"),
            )
            for gap, ms in GAPS.items()
            for system in ORDER
        }
        rows.append(Row((name,), cells))
    return WORDS.table("table2", rows, columns)


def table3(study: Measured) -> Table:
    rows = []
    for name, get in values.ROWS.items():
        theirs = row("tr9304/table3_mach_tlb_forced", observation=name)
        cells = {}
        for column, (gap, checksum) in FORCED.items():
            key = Configuration("mach", gap, forced=TOUCH, checksum=checksum).key
            measured = lambda key=key, get=get: get(values.of(study, key))  # noqa: E731
            cells[column] = cell(measured, theirs.get(column))
        rows.append(Row((name,), cells))
    columns = tuple(Column(key, key.replace("_", " "), 2) for key in FORCED)
    return WORDS.table("table3", rows, columns)


def table4(study: Measured) -> Table:
    """The report's largest load is the last without a drop; ours are as far below that."""
    rows, most = [], details.knee(study)
    keys = {
        n: Configuration("bsd", LARGE, load=details.nearest_load(most * n / BYTES[-1]))
        for n in BYTES
    }
    for name, get in values.ROWS.items():
        theirs = row("tr9304/table4_bsd_load", observation=name)
        cells = {
            str(n): cell(
                lambda key=c.key, get=get: get(values.of(study, key)),
                theirs.get(f"{n}_bytes_per_word"),
            )
            for n, c in keys.items()
        }
        rows.append(Row((name,), cells))
    columns = tuple(Column(str(n), f"{n}, ours {c.load}", 2) for n, c in keys.items())
    return WORDS.table("table4", rows, columns)
