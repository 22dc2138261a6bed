# SPDX-License-Identifier: BSD-2-Clause
"""Figure 1: a message's way up in each structure, and where another process may run meanwhile."""

from matplotlib.axes import Axes

from mcpi.base.drawing import Drawing
from mcpi.studies.tr9304.plan import TITLES

TITLE = "Figure 1: the ways of a message, and where another process may run"
WIDTH, STEP, HEAD = 225, 44, 50  # pixels of a structure, of a step
BLUE, RED, GREY = "#2d6da3", "#c0392b", "#888888"
SCHEDULED, DOMAIN = "●", "─"  # a step that begins after a scheduling point; after a domain's edge
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


def drawn() -> str:
    """SVG."""
    steps = max(map(len, WAYS.values()))
    drawing = Drawing(WIDTH * len(WAYS), HEAD + STEP * steps)
    head = drawing.axes(0, 0, WIDTH * len(WAYS), HEAD)
    head.set(xlim=(0, 1), ylim=(0, 1))
    head.text(0.01, 0.7, TITLE, va="center", weight="bold", size=11)
    said = f"{SCHEDULED}: another process may run before; a line: into another domain"
    head.text(0.01, 0.2, said, va="center", size=8)
    for column, (structure, way) in enumerate(WAYS.items()):
        axes = drawing.axes(column * WIDTH, HEAD, WIDTH, STEP * steps)
        axes.set(xlim=(0, 1), ylim=(0, steps))
        _way(axes, TITLES[structure], way)
    return drawing.svg()


def _way(axes: Axes, title: str, way: tuple[str, ...]) -> None:
    for n, step in enumerate(way):
        marks, text = step[: len(step) - len(step.lstrip("●─ "))], step.lstrip("●─ ")
        if n:
            axes.annotate(
                "", (0.5, n + 0.2), (0.5, n - 0.2), arrowprops={"arrowstyle": "->", "color": GREY}
            )
        if DOMAIN in marks:
            axes.plot((0.04, 0.96), (n, n), color=RED, linewidth=1)
        if SCHEDULED in marks:
            axes.plot((0.56,), (n,), "o", color=RED, markersize=5)
        box = {"boxstyle": "round", "facecolor": "white", "edgecolor": BLUE}
        axes.text(0.5, n + 0.5, text, ha="center", va="center", size=8, bbox=box)
    axes.text(0.5, len(way) + 0.05, title, ha="center", va="bottom", weight="bold", size=9)
