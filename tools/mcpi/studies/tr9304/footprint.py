# SPDX-License-Identifier: BSD-2-Clause
"""Table and curve of a larger server: figures by pages and lines that are read at each scheduling
point."""

from dataclasses import replace

from matplotlib.axes import Axes

from mcpi.papers.tables import row
from mcpi.studies.tr9304 import figures, values
from mcpi.studies.tr9304.cells import WORDS, cell
from mcpi.studies.tr9304.plan import (
    FOOTPRINT,
    FOOTPRINTS,
    LARGE,
    TITLES,
    TOUCH,
    Configuration,
    sized,
)
from mcpi.studykit.cell import Cell, Row, Table
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured
from mcpi.studykit.panels import Panel

BSD = Configuration("bsd", LARGE).key
NONE = (0, 0)
GETS = {"wholly": values.wholly, "clean": values.below_clean, "cycles": values.cycles_a_word}
ROWS = {
    "wholly": "% mbufs totally within cache",
    "clean": "% mbufs less than 100% clean miss",
    "cycles": "average overhead cycles per word access",
}
REFILLS = 0.77  # a probe: the report's Mach, gap 20 ms
OURS, REPORT = "#0b5fa5", "#000000"


def table(study: Measured) -> Table:
    return WORDS.table("footprint", [_row(study, *one) for one in rows()])


def rows() -> list[tuple[str, tuple[int, int]]]:
    """System and footprint of each row: Mach's by pages and lines, then others with one of them."""
    mach = sorted({NONE, *FOOTPRINTS, FOOTPRINT}, key=lambda size: (size[1], size[0]))
    return [("mach", size) for size in mach] + [(s, FOOTPRINT) for s in ("bsd", "hpux")]


def _row(study: Measured, system: str, size: tuple[int, int]) -> Row:
    plain = sized(Configuration(system, LARGE), size)
    forced = replace(plain, forced=TOUCH)
    said = {}
    if system == "mach":  # the report's
        for name, observation in ROWS.items():
            coarse = row("tr9304/table2_coarse_grained", observation=observation)
            own = row("tr9304/table3_mach_tlb_forced", observation=observation)
            said[name] = coarse["large_gap_mach"]
            said[f"{name}_forced"] = own["no_cksum_large_gap"]
    cells: dict[str, Cell] = {}
    for name, get in GETS.items():
        for key, c in ((name, plain), (f"{name}_forced", forced)):
            cells[key] = cell(lambda get=get, c=c: get(values.of(study, c.key)), said.get(key))
    refills = str(REFILLS) if system == "mach" else None
    cells["refills"] = cell(lambda: values.causes(study, plain.key)["refills"], refills)
    cells["misses"] = cell(lambda: values.of_message(study, plain.key, "dtb.misses"))
    over = figures.FIGURES["cycles_ratio"]
    cells["over"] = cell(lambda: over(study, "", plain.key, BSD), "7.4" if said else None)
    return Row((TITLES[system], str(size[0]), str(size[1])), cells)


def _key(pages: int, lines: int) -> str:
    """Mach with a footprint, which has no lines without pages."""
    return sized(Configuration("mach", LARGE), (pages, lines) if pages else NONE).key


def curve(study: Measured, lines: int) -> list[tuple[int, float]]:
    """Pages of Mach's footprint, of ``lines`` each, and cycles a word, of those measured."""
    found = []
    for size in sorted({NONE, *FOOTPRINTS, FOOTPRINT}):
        if size == NONE or size[1] == lines:
            try:
                key = _key(*size)
                found.append((size[0], values.cycles_a_word(values.of(study, key))))
            except Missing:
                continue
    return found


def spread(study: Measured, key: str) -> list[float]:
    """Cycles a word of each run."""
    runs = values.runs(study, key)
    return [values.cycles_a_word(one) for one in runs if one]


def panel(study: Measured) -> Panel:
    """Cycles a word by pages, at FOOTPRINT's lines, and the report's Mach."""
    lines = FOOTPRINT[1]
    points = curve(study, lines)
    every = [spread(study, _key(pages, lines)) for pages, _ in points]
    n = " or ".join(map(str, sorted({len(one) for one in every}))) or "0"
    theirs = float(
        row("tr9304/table2_coarse_grained", observation=ROWS["cycles"])["large_gap_mach"]
    )
    said = [
        f"{pages} pages: {value:.2f} ({min(one):.2f} to {max(one):.2f})"
        for (pages, value), one in zip(points, every)
    ]
    return Panel(
        "Mach's server, 20 ms between messages",
        f"pages, {lines} lines of each read for each frame",
        "overhead, ticks a word",
        f"n = {n} boots; whiskers: lowest to highest",
        f"Overhead of a word in ticks by pages. {', '.join(said)}. The report's Mach: {theirs}.",
        lambda axes: _draw(axes, points, every, theirs),
    )


def drawn(study: Measured) -> str:
    """The panel as SVG."""
    return panel(study).drawing().svg()


def _draw(
    axes: Axes, points: list[tuple[int, float]], every: list[list[float]], theirs: float
) -> None:
    if points:
        axes.plot(*zip(*points), color=OURS, marker="o", markersize=4, clip_on=False)
        low, high = ([get(one) for one in every] for get in (min, max))
        pages = [size for size, _ in points]
        axes.vlines(pages, low, high, color=OURS, linewidth=3, alpha=0.5, clip_on=False)
    axes.axhline(theirs, color=REPORT, linewidth=1, linestyle=(0, (4, 3)))
    axes.annotate(f"the report's Mach: {theirs:g}", (1, theirs), va="bottom", size=7)
    axes.set_xlim(0, max(size[0] for size in FOOTPRINTS))
    axes.set_ylim(0, 1.12 * max(axes.get_ylim()[1], theirs))
