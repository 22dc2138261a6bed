# SPDX-License-Identifier: BSD-2-Clause
"""Figures 2 to 18, and whose a packet's ticks are, as SVG."""

from dataclasses import dataclass
from statistics import mean, stdev

from matplotlib.axes import Axes

from mcpi.base.drawing import Drawing
from mcpi.results.causes import CAUSES
from mcpi.studies.osdi94.figures import rates
from mcpi.studies.osdi94.plan import CHALLENGE, COUNTS, FASTER, POWER, SIDES, STACKS, Curve
from mcpi.studies.osdi94.reasons import per_packet
from mcpi.studykit import charts
from mcpi.studykit.measured import Measured

BUS = "#101418"
COLOURS = [cause.colour for cause in CAUSES]
ACROSS, WIDTH, HEIGHT, LEFT, TOP = 3, 300, 220, 44, 34  # panels in a row; pixels


@dataclass(frozen=True)
class Panel:
    """``curves``: by what they are called; ``scaled``: the speed-up, else Mb/s."""

    title: str
    curves: dict[str, Curve]
    scaled: bool = False


def _of(stack: str, side: str, **ways: str) -> dict[str, Curve]:
    return {
        name.replace("_", " "): Curve(CHALLENGE, stack, side, way) for name, way in ways.items()
    }


def _pair(number: int, stack: str, side: str) -> list[Panel]:
    """Throughput and speed-up by size and checksum."""
    curves = _of(
        stack,
        side,
        **{"4 KB": "", "4 KB, no sum": "nosum", "1 KB": "1k", "1 KB, no sum": "1k-nosum"},
    )
    about = f"{stack.upper()} {side}"
    return [
        Panel(f"Figure {number}: {about}, Mb/s", curves),
        Panel(f"Figure {number + 1}: {about}, speed-up", curves, scaled=True),
    ]


def _sides(stack: str, **ways: str) -> dict[str, Curve]:
    found = {}
    for side in SIDES:
        for name, way in ways.items():
            found[f"{side}, {name.replace('_', ' ')}"] = Curve(CHALLENGE, stack, side, way)
    return found


def panels() -> list[Panel]:
    machines = {
        "100 MHz": Curve(CHALLENGE, "tcp", "receive"),
        "150 MHz": Curve(FASTER, "tcp", "receive"),
        "33 MHz": Curve(POWER, "tcp", "receive", "sync"),
    }
    locks = {"one": "mcs", "two": "two", "six": "six"}
    return [
        *_pair(2, "udp", "send"),
        *_pair(4, "udp", "receive"),
        *_pair(6, "tcp", "send"),
        *_pair(8, "tcp", "receive"),
        Panel("Figure 10: order", _of("tcp", "receive", assumed="assumed", MCS="mcs", mutex="")),
        Panel("Figure 11: tickets", _of("tcp", "receive", without="mcs", ordered="tickets-mcs")),
        Panel("Figure 12: a connection each", _sides("tcp", sum="each", no_sum="each-nosum")),
        Panel("Figure 13: locks, send", _of("tcp", "send", **locks)),
        Panel("Figure 14: locks, receive", _of("tcp", "receive", **locks)),
        Panel("Figure 15: counts", _sides("tcp", atomic="", locked="locked")),
        Panel("Figure 16: message caches", _sides("tcp", cached="", without="uncached")),
        Panel("Figure 17: machines, Mb/s", machines),
        Panel("Figure 18: machines, speed-up", machines, scaled=True),
    ]


def curves(study: Measured) -> str:
    """Mean over seeds; the bars are a standard deviation."""
    every = panels()
    rows = -(-len(every) // ACROSS)
    drawing = Drawing(ACROSS * WIDTH, rows * HEIGHT)
    for number, panel in enumerate(every):
        row, column = divmod(number, ACROSS)
        place = column * WIDTH + LEFT, row * HEIGHT + TOP, WIDTH - LEFT - 14, HEIGHT - TOP - 30
        axes = drawing.axes(*place)
        axes.set_axis_on()
        _panel(axes, panel, study)
    return drawing.svg()


def _panel(axes: Axes, panel: Panel, study: Measured) -> None:
    for (name, curve), colour in zip(panel.curves.items(), COLOURS):
        there = [n for n in COUNTS if study.of("results", f"{curve.key}-{n}")]
        if not there or there[0] != 1:
            continue
        one = mean(rates(study, curve.key, 1)) if panel.scaled else 1
        means = [mean(rates(study, curve.key, n)) / one for n in there]
        spread = [_spread(rates(study, curve.key, n)) / one for n in there]
        axes.plot(there, means, color=colour, label=name, linewidth=1.3, clip_on=False)
        low, high = ([m + sign * s for m, s in zip(means, spread)] for sign in (-1, 1))
        if low != high:
            axes.vlines(there, low, high, color=colour, linewidth=3, alpha=0.5, clip_on=False)
    axes.set_title(panel.title, loc="left", size=9)
    axes.set_xticks(COUNTS)
    axes.set_xlim(0.7, 8.3)
    axes.set_ylim(0, 1.25 * axes.get_ylim()[1])  # room for the legend
    axes.tick_params(length=0)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=6.5, frameon=False, loc="upper left")
    for edge in ("top", "right"):
        axes.spines[edge].set_visible(False)
    axes.grid(axis="y", color="#d5d9df", linewidth=0.6)


def _spread(all_: list[float]) -> float:
    return stdev(all_) if len(all_) > 1 else 0


def _bar(study: Measured, curve: Curve, cores: int) -> charts.Bar:
    ticks = per_packet(study, (curve.key, cores))
    bus = charts.Part("snooping bus", ticks.pop("bus_wait"), BUS)
    return charts.Bar(str(cores), [*charts.by_cause(ticks), bus])


def stacks(study: Measured) -> str:
    """The baseline's ticks of all processors for a packet, by owner, a bar for each number."""
    found: dict[str, list[charts.Bar]] = {}
    for stack in STACKS:
        for side in SIDES:
            curve = Curve(CHALLENGE, stack, side)
            there = [n for n in COUNTS if study.of("results", f"{curve.key}-{n}")]
            if bars := [_bar(study, curve, n) for n in there]:
                found[f"{stack.upper()} {side}"] = bars
    title = "ticks of all processors for a packet of 4 KB, by processors, challenge-100"
    return charts.Chart(title, "{:,.0f}", columns=2).draw(found)
