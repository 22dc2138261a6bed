# SPDX-License-Identifier: BSD-2-Clause
"""The paper's figures: mbufs by overhead, in bins of ten ticks."""

from matplotlib.axes import Axes

from mcpi.papers.tables import PAPERS, rows
from mcpi.studies.tr9304 import values
from mcpi.studies.tr9304.plan import LARGE, LARGE_QUEUE, LOADS, TITLES, TOUCH, Configuration
from mcpi.studykit.measured import Measured
from mcpi.studykit.panels import MARK, Panel

BLUE = "#2d6da3"
_SYSTEMS = ("mach", "bsd", "hpux", "xkernel")


def _all(gap: int) -> list[Configuration]:
    return [Configuration(s, gap) for s in _SYSTEMS]


def _both(structure: str, **more) -> list[Configuration]:
    return [Configuration(structure, gap, **more) for gap in (20, 0)]


FIGURES = {
    "Figure 2: large gap": _all(20),
    "Figure 3: gap 0": _all(0),
    "Figure 4: Mach, TLB forced": _both("mach", forced=TOUCH),
    "Figure 5: Mach, TLB forced, checksum": _both("mach", forced=TOUCH, checksum=True),
    "Figure 6: HPUX, checksum": _both("hpux", checksum=True),
    "Figure 7: BSD, a queue of 246,467 bytes": _both("bsd", queue=LARGE_QUEUE),
    "Figure 8: BSD under load": [Configuration("bsd", LARGE, load=n) for n in LOADS],
}
MARKS = ((values.CLEAN, "clean"), (values.DIRTY, "dirty"))
YES = {"yes": True, "no": False}


def letters(figure: str, c: Configuration) -> list[tuple[int, str]]:
    """The paper's peaks of a histogram: ticks, and its letter; a peak without a place is left
    out."""
    if c.load:  # the paper's loads are of its own machine
        return []
    name = figure.partition(":")[0].replace(" ", "").lower()
    [path] = (PAPERS / "tr9304").glob(f"{name}_*.csv")
    return [
        (int(line["overhead_low_cycles"]), line["label"])
        for line in rows(f"tr9304/{path.stem}")
        if line["item"] == "peak"
        and line["overhead_low_cycles"]
        and line["os"] == TITLES[c.structure]
        and line["gap_ms"] == str(c.gap)
        and YES.get(line["tlb_forced"], False) == bool(c.forced)
        and YES.get(line["checksum"], False) == c.checksum
    ]


def panels(study: Measured) -> dict[str, list[Panel]]:
    """By title; figures of which nothing was measured are not there."""
    found = {}
    for title, configurations in FIGURES.items():
        if there := [c for c in configurations if study.of("results", c.key)]:
            found[title] = [_panel(study, title, c) for c in there]
    return found


def _panel(study: Measured, title: str, c: Configuration) -> Panel:
    overheads, peaks = values.of(study, c.key), letters(title, c)
    runs = len(study.record["results"][c.key]["overheads"])
    bins = [0] * (values.LIMIT // values.BIN + 1)
    for n in overheads:
        bins[max(n, 0) // values.BIN] += 1
    shares = [100 * n / max(len(overheads), 1) for n in bins]
    said = [f"{letter} at {at}" for at, letter in peaks]
    about = f"Per cent of mbufs by overhead in ticks, {title.partition(':')[0]}: the highest bin is"
    about += f" {shares.index(max(shares)) * values.BIN} ticks, {max(shares):.0f} %."
    about += f" Letters, the paper's peaks: {', '.join(said)}." if said else ""
    return Panel(
        f"{title.partition(':')[0]}: {c.title}",
        "overhead, ticks",
        "% of mbufs",
        f"n = {len(overheads):,} mbufs of {runs} boots"
        + "; letters: the paper's peaks" * bool(peaks),
        about,
        lambda axes: _draw(axes, shares, peaks),
        height=160,
    )


def _draw(axes: Axes, shares: list[float], peaks: list[tuple[int, str]]) -> None:
    top = max(*shares, 1) * 1.05
    edges = range(0, (len(shares) + 1) * values.BIN, values.BIN)
    axes.stairs(shares, edges, fill=True, color=BLUE)
    axes.set(xlim=(-10, 1_600), ylim=(0, top))
    for at, name in MARKS:
        axes.axvline(at, color=MARK, linewidth=0.6)
        axes.text(at + 6, top * 0.9, name, color=MARK, size=7)
    for at, letter in peaks:
        axes.text(at, top * 0.72, letter, ha="center", weight="bold", size=8)
