# SPDX-License-Identifier: BSD-2-Clause
"""Figure 1: a message's way up in each structure, and where another process may run meanwhile."""

from matplotlib.axes import Axes

from mcpi.base.drawing import Drawing
from mcpi.studies.tr9304.plan import TITLES
from mcpi.studykit.panels import COLUMN, MARK

TITLE = "Figure 1: the ways of a message, and where another process may run"
STEP, HEAD = 40, 46  # pixels of a step, of the words above
BLUE, GREY = "#2d6da3", "#70757d"
SCHEDULED, DOMAIN = "●", "─"  # a step that begins after a scheduling point; after a domain's edge
LEGEND = f"{SCHEDULED} another process may run before; a line: into another domain"
# From the controller upwards.
WAYS = {
    "bsd": ("driver: into mbufs", "● ip_input", "● fragments wait", "udp_input", "socket queue")
    + ("● soreceive: probe, copy", "─ reader"),
    "hpux": ("controller: into clusters", "● ip_input", "● fragments wait", "udp_input")
    + ("socket queue", "● soreceive: probe, copy", "─ reader"),
    "mach": ("kernel: packet filter, port", "●─ NetworkInput: into mbufs", "ip_input")
    + ("● fragments wait", "udp_input", "● worker: probe, copy", "●─ emulator: copy", "reader"),
    "xkernel": (
        "driver: a message",
        "● shepherd: ETH, VNET, IP",
        "● fragments wait",
        "UDP",
        "queue",
    )
    + ("● recvfrom: probe, copy", "─ reader"),
}


def drawings() -> list[Drawing]:
    """A drawing for each structure."""
    return [_structure(TITLES[structure], way) for structure, way in WAYS.items()]


def _structure(title: str, way: tuple[str, ...]) -> Drawing:
    about = f"From the controller upwards: {'; '.join(way)}. {LEGEND}."
    drawing = Drawing(COLUMN, HEAD + STEP * len(way), f"Figure 1: {title}", about)
    axes = drawing.axes(0, 0, COLUMN, HEAD + STEP * len(way))
    axes.set(xlim=(0, 1), ylim=(0, len(way) + HEAD / STEP))
    _way(axes, title, way)
    for line, words in enumerate(LEGEND.split("; ")):
        axes.text(0.03, len(way) + (HEAD - 24 - 11 * line) / STEP, words, va="center", size=7)
    return drawing


def _way(axes: Axes, title: str, way: tuple[str, ...]) -> None:
    for n, step in enumerate(way):
        marks, text = step[: len(step) - len(step.lstrip("●─ "))], step.lstrip("●─ ")
        if n:
            axes.annotate(
                "", (0.5, n + 0.2), (0.5, n - 0.2), arrowprops={"arrowstyle": "->", "color": GREY}
            )
        if DOMAIN in marks:
            axes.plot((0.04, 0.96), (n, n), color=MARK, linewidth=1)
        if SCHEDULED in marks:
            axes.plot((0.56,), (n,), "o", color=MARK, markersize=5)
        box = {"boxstyle": "round", "facecolor": "white", "edgecolor": BLUE}
        axes.text(0.5, n + 0.5, text, ha="center", va="center", size=8, bbox=box)
    at = len(way) + (HEAD - 10) / STEP
    axes.text(0.03, at, title, va="center", weight="bold", size=9)
