# SPDX-License-Identifier: BSD-2-Clause
"""The paper's figures: mbufs by overhead, in bins of ten ticks."""

from matplotlib.axes import Axes

from mcpi.base.drawing import Drawing
from mcpi.papers.tables import PAPERS, rows
from mcpi.studies.tr9304 import values
from mcpi.studies.tr9304.plan import LARGE, LARGE_QUEUE, LOADS, TITLES, TOUCH, Configuration
from mcpi.studykit.measured import Measured

WIDTH, HEIGHT, HEAD = 450, 150, 34  # pixels of a histogram
RED, BLUE = "#c0392b", "#2d6da3"
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


def drawn(study: Measured) -> dict[str, str]:
    """SVG by title; figures of which nothing was measured are not there."""
    found = {}
    for title, configurations in FIGURES.items():
        if there := [c for c in configurations if study.of("results", c.key)]:
            found[title] = _figure(study, title, there)
    return found


def _figure(study: Measured, title: str, configurations: list[Configuration]) -> str:
    lines = (len(configurations) + 1) // 2
    drawing = Drawing(2 * WIDTH, 24 + lines * HEIGHT)
    head = drawing.axes(0, 0, 2 * WIDTH, 24)
    head.set(xlim=(0, 1), ylim=(0, 1))
    head.text(0.01, 0.5, title, va="center", weight="bold", size=11)
    for n, c in enumerate(configurations):
        row, column = divmod(n, 2)
        place = (column * WIDTH + 46, 24 + row * HEIGHT + HEAD, WIDTH - 60, HEIGHT - HEAD - 30)
        _histogram(drawing.axes(*place), values.of(study, c.key), c.title, letters(title, c))
    return drawing.svg()


def _histogram(axes: Axes, overheads: list[int], title: str, peaks: list[tuple[int, str]]) -> None:
    bins = [0] * (values.LIMIT // values.BIN + 1)
    for n in overheads:
        bins[max(n, 0) // values.BIN] += 1
    shares = [100 * n / max(len(overheads), 1) for n in bins]
    top = max(*shares, 1) * 1.05
    axes.set_axis_on()
    axes.bar(
        range(0, len(bins) * values.BIN, values.BIN),
        shares,
        values.BIN,
        0,
        align="edge",
        color=BLUE,
    )
    axes.set(xlim=(-10, 1_600), ylim=(0, top), title=f"{title}: {len(overheads)} mbufs")
    axes.set_xlabel("overhead, ticks")
    axes.set_ylabel("% of mbufs")
    for at, name in MARKS:
        axes.axvline(at, color=RED, linewidth=0.6)
        axes.text(at + 6, top * 0.9, name, color=RED, size=7)
    for at, letter in peaks:
        axes.text(at, top * 0.72, letter, ha="center", weight="bold", size=8)
