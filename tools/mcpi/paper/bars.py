# SPDX-License-Identifier: BSD-2-Clause
"""Stacked bars: the CPI of every version by owner, a round trip by part."""

from dataclasses import dataclass

from mcpi.paper.cell import Row, Table
from mcpi.paper.html import Element, e
from mcpi.report import OWNERS

# Colour classes of page.css, by what stands behind an owner.
PIPELINE = ("taken_bubble", "mispredict", "exception", "load_use", "shift", "compare", "agen")
PIPELINE += ("multiply",)
FETCH = ("i_demand", "i_stream", "refill_restart")
DATA = ("d_miss", "memory_port", "write_buffer_full")
GROUPS = {"issue": ("issue",), "pipeline": PIPELINE, "fetch": FETCH, "data": DATA}
GROUP_TITLES = {
    "issue": "an instruction issued",
    "pipeline": f"pipeline ({', '.join(PIPELINE)})",
    "fetch": f"waits for instructions ({', '.join(FETCH)})",
    "data": f"waits for data ({', '.join(DATA)})",
    "other": "barriers, devices and the rest",
}
SHADES = 3
LABELLED = 0.035  # of the chart's width: narrower parts have no room for their figure


@dataclass(frozen=True)
class Part:
    """``value`` in the bar's unit; ``group`` and ``shade`` choose its colour."""

    title: str
    value: float
    group: str
    shade: int = 0


def group_of(owner: str) -> tuple[str, int]:
    """Colour group of an owner, and its shade there."""
    for group, owners in GROUPS.items():
        if owner in owners:
            return group, owners.index(owner) % SHADES
    return "other", 0


def cpi(table: Table, marks: dict[tuple[str, ...], list[tuple[str, float]]]) -> Element:
    """Bars of the table of owners; ``marks``: the paper's values over a row's bar."""
    bars = {}
    for row in table.rows:
        found = []
        order = [o for group in GROUPS.values() for o in group]
        order += [o for o in OWNERS if o not in order]
        for owner in order:
            cell = row.cells.get(owner)
            if cell and cell.ours:
                group, shade = group_of(owner)
                found.append(Part(f"{owner}: {OWNERS.get(owner, '')}", cell.ours, group, shade))
        bars[row.labels] = found
    return _chart(table, bars, marks, "{:.2f}", GROUP_TITLES)


def round_trip(table: Table, marks: dict[tuple[str, ...], list[tuple[str, float]]]) -> Element:
    """Bars of the table of a round trip's parts."""
    bars = {}
    for row in table.rows:
        found = []
        for column in table.columns:
            cell = row.cells[column.key]
            if cell.ours is not None:
                name = column.title.removesuffix(", µs")
                group = name.split(",")[0]
                shade = 1 if name.endswith("up") else 0
                found.append(Part(name, cell.ours, group, shade))
        bars[row.labels] = found
    titles = {g: g for g in ("client", "controllers", "wire", "server")}
    return _chart(table, bars, marks, "{:.1f} µs", titles)


def _chart(
    table: Table,
    bars: dict[tuple[str, ...], list[Part]],
    marks: dict[tuple[str, ...], list[tuple[str, float]]],
    form: str,
    titles: dict[str, str],
) -> Element:
    """``form``: how a value is printed; ``titles``: the legend by colour group."""
    sums = [sum(part.value for part in parts) for parts in bars.values()]
    full = max([*sums, *(v for row in marks.values() for _, v in row)], default=0) * 1.02 or 1
    lines, before = [], None
    for row in table.rows:
        if row.labels[0] != before:
            lines.append(e("h4", row.labels[0]))
            before = row.labels[0]
        lines.append(_bar(row, bars[row.labels], marks.get(row.labels, []), full, form))
    used = {part.group for parts in bars.values() for part in parts}
    legend = [
        e("span", e("i", class_=f"{group} s0"), title, class_="key")
        for group, title in titles.items()
        if group in used
    ]
    if marks:
        names = " and ".join(dict.fromkeys(name for row in marks.values() for name, _ in row))
        legend.append(e("span", e("b", class_="tick"), f"the paper's {names}", class_="key"))
    return e("div", e("div", *legend, class_="legend"), *lines, class_="chart")


def _bar(
    row: Row, parts: list[Part], marks: list[tuple[str, float]], full: float, form: str
) -> Element:
    total = sum(part.value for part in parts)
    inside = []
    for part in parts:
        share = 100 * part.value / total
        said = f"{part.title}: {form.format(part.value)} ({share:.0f} %)"
        wide = f"width:{100 * part.value / full:.3f}%"
        label = form.format(part.value).split()[0] if part.value / full > LABELLED else ""
        shown = e("span", label, class_=f"{part.group} s{part.shade}", style=wide, title=said)
        inside.append(shown)
    for what, value in marks:
        place = f"left:{100 * value / full:.3f}%"
        inside.append(e("b", class_="tick", style=place, title=f"the paper's {what}: {value:g}"))
    if not parts:
        why = next((cell.why for cell in row.cells.values() if cell.why), "not measured")
        inside.append(e("em", why))
    shown = form.format(total) if parts else "–"
    name = e("span", row.labels[-1], class_="name")
    return e(
        "div", name, e("div", *inside, class_="bar"), e("span", shown, class_="sum"), class_="line"
    )
