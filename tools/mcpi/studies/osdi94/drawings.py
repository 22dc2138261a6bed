# SPDX-License-Identifier: BSD-2-Clause
"""Figures 2 to 18, Table 1, and whose a packet's ticks are."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import mean

from matplotlib.axes import Axes

from mcpi.base.drawing import Drawing
from mcpi.papers.tables import row
from mcpi.studies.osdi94.figures import PAPER_DISORDER, disorders, rates
from mcpi.studies.osdi94.plan import CHALLENGE, COUNTS, FASTER, POWER, SIDES, STACKS, Curve
from mcpi.studies.osdi94.reasons import per_packet
from mcpi.studykit import charts
from mcpi.studykit.measured import Measured
from mcpi.studykit.panels import COLUMN, CURVES, GRID, Panel, grid

BUS = "#101418"
ACROSS = 3  # panels in a row
FIRST = ("Figure 8: TCP receive", "Figure 2: UDP send")  # in the page: one lock, and none
TITLE = "Figures 2 to 18 and Table 1: throughput, speed-up and disorder by processors"
TICKS = "Ticks of all processors for a packet of 4 KB, by processors, challenge-100"
PLATEAUS = {"tcp send": "f6", "tcp receive": "f8"}  # numbers in the paper's text, of Figures 6, 8
MEGABITS, SPEED_UP, DISORDER = "Mb/s", "times one processor's", "% out of order"


@dataclass(frozen=True)
class Lines:
    """``curves``: by what they are called; ``up``: what is drawn of them; ``paper``: the paper's
    value, or its values by processors of a curve."""

    title: str
    curves: dict[str, Curve]
    up: str = MEGABITS
    paper: float | None = None
    papers: dict[str, dict[int, float]] = field(default_factory=dict)


def _of(stack: str, side: str, **ways: str) -> dict[str, Curve]:
    return {
        name.replace("_", " "): Curve(CHALLENGE, stack, side, way) for name, way in ways.items()
    }


def _pair(number: int, stack: str, side: str) -> list[Lines]:
    """Throughput and speed-up by size and checksum."""
    curves = _of(
        stack,
        side,
        **{"4 KB": "", "4 KB, no sum": "nosum", "1 KB": "1k", "1 KB, no sum": "1k-nosum"},
    )
    about, paper = f"{stack.upper()} {side}", None
    if found := PLATEAUS.get(f"{stack} {side}"):
        printed = row("osdi94/text_numbers", id=found)["value"]
        paper = float(re.search(r"\d+", printed)[0])  # "above 350"
    return [
        Lines(f"Figure {number}: {about}", curves, paper=paper),
        Lines(f"Figure {number + 1}: {about}, speed-up", curves, SPEED_UP),
    ]


def _sides(stack: str, **ways: str) -> dict[str, Curve]:
    found = {}
    for side in SIDES:
        for name, way in ways.items():
            found[f"{side}, {name.replace('_', ' ')}"] = Curve(CHALLENGE, stack, side, way)
    return found


def lines() -> list[Lines]:
    machines = {
        "100 MHz": Curve(CHALLENGE, "tcp", "receive"),
        "150 MHz": Curve(FASTER, "tcp", "receive"),
        "33 MHz": Curve(POWER, "tcp", "receive", "sync"),
    }
    locks = {"one": "mcs", "two": "two", "six": "six"}
    disordered = _of("tcp", "receive", mutex="", MCS="mcs")
    return [
        *_pair(2, "udp", "send"),
        *_pair(4, "udp", "receive"),
        *_pair(6, "tcp", "send"),
        *_pair(8, "tcp", "receive"),
        Lines("Figure 10: order", _of("tcp", "receive", assumed="assumed", MCS="mcs", mutex="")),
        Lines("Figure 11: tickets", _of("tcp", "receive", without="mcs", ordered="tickets-mcs")),
        Lines("Figure 12: a connection each", _sides("tcp", sum="each", no_sum="each-nosum")),
        Lines("Figure 13: locks, send", _of("tcp", "send", **locks)),
        Lines("Figure 14: locks, receive", _of("tcp", "receive", **locks)),
        Lines("Figure 15: counts", _sides("tcp", atomic="", locked="locked")),
        Lines("Figure 16: message caches", _sides("tcp", cached="", without="uncached")),
        Lines("Figure 17: machines", machines),
        Lines("Figure 18: machines, speed-up", machines, SPEED_UP),
        Lines(
            "Table 1: disorder",
            disordered,
            DISORDER,
            papers={name: PAPER_DISORDER[curve.key] for name, curve in disordered.items()},
        ),
    ]


def panels(study: Measured) -> list[Panel]:
    """A panel for each figure."""
    return [_panel(study, of) for of in lines()]


def curves(study: Measured) -> str:
    """All panels as one SVG."""
    about = "Means over orders of functions by number of processors; whiskers: lowest to highest."
    return grid(panels(study), ACROSS, TITLE, about).svg()


def _points(study: Measured, curve: Curve, up: str) -> dict[int, list[float]]:
    """Values of all runs by processors; none without those of one processor."""
    get: Callable = disorders if up == DISORDER else rates
    found = {n: get(study, curve.key, n) for n in COUNTS if study.of("results", f"{curve.key}-{n}")}
    if 1 not in found:
        return {}
    one = mean(found[1]) if up == SPEED_UP else 1
    return {n: [value / one for value in values] for n, values in found.items()}


def _panel(study: Measured, of: Lines) -> Panel:
    points = {name: _points(study, curve, of.up) for name, curve in of.curves.items()}
    n = _n(study, of.curves.values())
    said = [
        f"{name}: " + ", ".join(f"{mean(values):.3g} with {p}" for p, values in own.items())
        for name, own in points.items()
        if own
    ]
    paper = [] if of.paper is None else [f"the paper: {of.paper:g}"]
    paper += [f"the paper's {name}: {list(own.values())}" for name, own in of.papers.items()]
    return Panel(
        of.title,
        "processors",
        of.up,
        f"mean of n = {n} orders; whiskers: lowest to highest",
        f"{of.up} by processors. {'; '.join([*said, *paper])}.",
        lambda axes: _draw(axes, of, points),
    )


def _draw(axes: Axes, of: Lines, points: dict[str, dict[int, list[float]]]) -> None:
    axes.set_axisbelow(True)
    for (name, own), colour in zip(points.items(), CURVES):
        if own:
            means, low, high = ([get(all_) for all_ in own.values()] for get in (mean, min, max))
            axes.plot(list(own), means, color=colour, label=name, linewidth=1.3, clip_on=False)
            axes.vlines(list(own), low, high, color=colour, linewidth=3, alpha=0.5, clip_on=False)
        if theirs := of.papers.get(name):
            said = {"color": colour, "label": f"{name}, the paper", "linewidth": 1.3}
            axes.plot(list(theirs), list(theirs.values()), ":", **said)
    if of.paper is not None:
        axes.axhline(of.paper, color=CURVES[0], linewidth=0.8, linestyle=(0, (4, 3)))
        axes.annotate(
            f"the paper: {of.paper:g}", (8.3, of.paper), ha="right", va="bottom", size=6.5
        )
    axes.set_xticks(COUNTS)
    axes.set_xlim(0.7, 8.3)
    if entries := axes.get_legend_handles_labels()[0]:
        axes.set_ylim(0, (1.05 + 0.12 * len(entries)) * axes.get_ylim()[1])  # room for them
        axes.legend(fontsize=6.5, frameon=False, loc="upper left")
    axes.grid(axis="y", color=GRID, linewidth=0.6)


def _bar(study: Measured, curve: Curve, cores: int) -> charts.Bar:
    ticks = per_packet(study, (curve.key, cores))
    bus = charts.Part("snooping bus", ticks.pop("bus_wait"), BUS)
    return charts.Bar(str(cores), [*charts.by_cause(ticks), bus])


def _stacks(study: Measured) -> dict[str, list[charts.Bar]]:
    """The baseline's ticks of all processors for a packet, by owner, a bar for each number."""
    found = {}
    for stack in STACKS:
        for side in SIDES:
            curve = Curve(CHALLENGE, stack, side)
            there = [n for n in COUNTS if study.of("results", f"{curve.key}-{n}")]
            if bars := [_bar(study, curve, n) for n in there]:
                found[f"{stack.upper()} {side}"] = bars
    return found


def _n(study: Measured, curves: Iterable[Curve]) -> str:
    """How many runs the points of curves have, in words."""
    points = (study.of("results", f"{curve.key}-{n}") for curve in curves for n in COUNTS)
    return " or ".join(map(str, sorted({len(point["runs"]) for point in points if point}))) or "0"


def _chart(study: Measured, title: str, **more) -> charts.Chart:
    n = _n(study, [Curve(CHALLENGE, stack, side) for stack in STACKS for side in SIDES])
    title, about = f"{title}, n = {n} orders", "A bar for each number of processors, 1 to 8."
    return charts.Chart(title, "{:,.0f}", scale=charts.Scale("ticks"), about=about, **more)


def stacks(study: Measured) -> str:
    """All stacks and sides as one SVG."""
    return _chart(study, TICKS, columns=2).drawing(_stacks(study)).svg()


def figures(study: Measured) -> dict[str, list[Drawing]]:
    """The page's drawings by heading, each a column wide."""
    ticks = [
        _chart(study, f"{TICKS}, {name}", width=COLUMN, name=18).drawing({name: bars})
        for name, bars in _stacks(study).items()
    ]
    every = panels(study)
    every.sort(key=lambda panel: FIRST.index(panel.title) if panel.title in FIRST else len(FIRST))
    return {TITLE: [one.drawing() for one in every], "Whose a packet's ticks are": ticks}
