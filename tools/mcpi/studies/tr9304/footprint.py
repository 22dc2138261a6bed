# SPDX-License-Identifier: BSD-2-Clause
"""Table and curve of a larger server: figures by pages and lines that are read at each scheduling
point."""

from dataclasses import replace

from mcpi.base.drawing import Drawing
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

BSD = Configuration("bsd", LARGE).key
NONE = (0, 0)
GETS = {"wholly": values.wholly, "clean": values.below_clean, "cycles": values.cycles_a_word}
ROWS = {
    "wholly": "% mbufs totally within cache",
    "clean": "% mbufs less than 100% clean miss",
    "cycles": "average overhead cycles per word access",
}
REFILLS = 0.77  # a probe: the report's Mach, gap 20 ms
WIDTH, HEIGHT, LEFT, TOP = 460, 250, 46, 34  # pixels
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


def curve(study: Measured, lines: int) -> list[tuple[int, float]]:
    """Pages of Mach's footprint, of ``lines`` each, and cycles a word, of those measured."""
    found = []
    for size in sorted({NONE, *FOOTPRINTS, FOOTPRINT}):
        if size == NONE or size[1] == lines:
            try:
                key = sized(Configuration("mach", LARGE), size).key
                found.append((size[0], values.cycles_a_word(values.of(study, key))))
            except Missing:
                continue
    return found


def drawn(study: Measured) -> str:
    """Cycles a word by pages, at FOOTPRINT's lines, and the report's Mach."""
    lines = FOOTPRINT[1]
    drawing = Drawing(WIDTH, HEIGHT)
    axes = drawing.axes(LEFT, TOP, WIDTH - LEFT - 16, HEIGHT - TOP - 42)
    axes.set_axis_on()
    if points := curve(study, lines):
        axes.plot(*zip(*points), color=OURS, marker="o", markersize=4, clip_on=False)
    theirs = float(
        row("tr9304/table2_coarse_grained", observation=ROWS["cycles"])["large_gap_mach"]
    )
    axes.axhline(theirs, color=REPORT, linewidth=1, linestyle=(0, (4, 3)))
    axes.annotate("the report's Mach", (1, theirs), va="bottom", size=8)
    axes.set_xlim(0, max(size[0] for size in FOOTPRINTS))
    axes.set_ylim(bottom=0)
    axes.set_xlabel(f"pages of which the server reads {lines} lines at each frame")
    axes.set_title("Mach, 20 ms between messages: overhead, ticks a word", loc="left", size=9)
    for edge in ("top", "right"):
        axes.spines[edge].set_visible(False)
    about = "Ticks a word by pages: " + ", ".join(f"{n}: {v:.2f}" for n, v in curve(study, lines))
    return drawing.svg("Overhead of a word by the footprint of Mach's server", f"{about}.")
