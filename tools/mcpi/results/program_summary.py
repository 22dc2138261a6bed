# SPDX-License-Identifier: BSD-2-Clause
"""The tables of a program's run, drawn from its ``result.json`` alone."""

from collections import Counter

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mcpi.machine import counters
from mcpi.results import fitted
from mcpi.results.summary import OWNERS, owners

#: So many regions have a column each; more have a row each, and owners in groups.
MOST_COLUMNS = 4
MOST_WITH_WORDS = 2
#: Columns in order; owners in one column, together.
COLUMNS = ("issue", "fetch", "branch", "load", "store", "operand", "device", "idle")
GROUPS = {name: counters.owners_by("column")[name] for name in COLUMNS}
SIDES = ("client", "server")
#: Misses of the TLBs, of a program whose pages are mapped.
TLBS = ("ITB", "DTB")
#: What a private b-cache does while a core waits (multiprocessor-counters.md).
CAUSED = {
    "what the b-cache did meanwhile": "causes",
    "the same in the measured places": "path_causes",
}
CAUSES = ("bcache", "memory", "remote", "upgrade", "none", "open")


def show(result: dict, console: Console) -> None:
    """Print what was measured, machine by machine."""
    _show_head(result, console)
    for side in SIDES:
        whose = f", {side}" if "server" in result["regions"] else ""
        show_regions(result["regions"].get(side), whose, console)
    if cores := result.get("cores"):
        show_cores(cores["client"], console)
    _say_repeats(_displayed(result["regions"]["client"]), console)


def show_regions(regions: dict[str, dict] | None, whose: str, console: Console) -> None:
    """Print what was measured on one machine."""
    if not (measured := _displayed(regions)):
        return
    fitted.show(_passages(measured, whose), console)
    if any(one["invocations"] > 1 or "cold" in one for one in measured.values()):
        fitted.show(_ticks(measured), console)
    columns = _columns(measured)
    if len(columns) <= MOST_COLUMNS:
        fitted.show(_owners(columns), console)
    else:
        _show_groups(columns, console)


def show_cores(cores: list[dict], console: Console) -> None:
    """Print who owns all ticks of the run, core by core, and what the ticks that wait for memory
    wait for."""
    wholes = [core["whole"] for core in cores]
    named = dict.fromkeys([*OWNERS, *(owner for whole in wholes for owner in whole["owners"])])
    rows = [(owner, [whole["owners"].get(owner, 0) for whole in wholes]) for owner in named]
    rows = [row for row in rows if any(row[1])] + [("= ticks", [one["ticks"] for one in wholes])]
    console.print(_by_core("who owns the ticks of the run", rows), soft_wrap=True)
    for title, key in CAUSED.items():
        sums = [sum(map(Counter, core.get(key, {}).values()), Counter()) for core in cores]
        rows = [(cause, [one[cause] for one in sums]) for cause in CAUSES]
        rows = [row for row in rows if any(row[1])]
        console.print(_by_core(title, rows), soft_wrap=True)
    owners_ = "+".join(owner for owner in named if any(owner in core["causes"] for core in cores))
    console.print(f"in ticks of {owners_}", style="dim", soft_wrap=True)


def _by_core(title: str, rows: list[tuple[str, list[int]]]) -> Table:
    table = _table(title)
    for n in range(len(rows[0][1]) if rows else 0):
        table.add_column(f"core {n}", justify="right", no_wrap=True)
    for name, values in rows:
        table.add_row(name, *(f"{value:,}" if value else "" for value in values))
    return table


def show_node(result: dict, console: Console) -> None:
    """Print what a node did in one passage of its window, or in all the measured time, all its
    cores together."""
    _show_head(result, console)
    path = result["steady"]["client"]
    times = path["invocations"]
    table = _table(f"mean of {times:,} passages" if times > 1 else "all that was measured")
    console.print(owners(table, {"the node": path}, _number))


def _show_head(result: dict, console: Console) -> None:
    about = result["provenance"]
    settings = [f"{key}={value}" for key, value in about.get("settings", {}).items()]
    settings += about.get("defines", [])
    head = f"[bold]{escape(about['program'])}[/] on {about['machine']} {escape(' '.join(settings))}"
    console.print(head.rstrip())


def _displayed(regions: dict[str, dict] | None) -> dict[str, dict]:
    """Names as rich prints them: brackets are a program's own."""
    return {escape(name): one for name, one in (regions or {}).items()}


def _passages(regions: dict[str, dict], whose: str) -> Table:
    """Table of the mean cost of a passage of each region."""
    table = _table(f"mean of a passage{whose}")
    heads = ("times", "instr.", "ticks", "CPI", "iCPI", "mCPI")
    heads += ("I-miss", "D-miss", "sent", "b-miss")
    heads += TLBS if (mapped := any("dtb" in one for one in regions.values())) else ()
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for name, one in regions.items():
        cells = [f"{one['invocations']:,}", _number(one["instructions"]), _number(one["ticks"])]
        cells += [f"{one[key]:.2f}" if key in one else "" for key in ("cpi", "icpi", "mcpi")]
        cells += [*_misses(one), _number(one["bcache"]["misses"])]
        cells += [_number(one[key]["misses"]) for key in ("itb", "dtb") if mapped]
        table.add_row(name, *cells)
    return table


def _misses(one: dict) -> list[str]:
    """I-cache misses, loads that missed, entries that the write buffer sent."""
    both, sent = one["dcache_write_buffer"]["misses"], one["write_buffer"]["writes"]
    return [_number(n) for n in (one["icache"]["misses"], round(both - sent, 6), sent)]


def _ticks(regions: dict[str, dict]) -> Table:
    """Warm and cold."""
    table = _table("ticks of a passage")
    cold = any("cold" in region for region in regions.values())
    heads = ["first", "least", "mean", "most"]
    heads += ["cold", "CPI", "I-miss", "D-miss", "sent"] if cold else []
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for name, one in regions.items():
        cells = [f"{one['first_ticks']:,}", f"{one['least_ticks']:,}"]
        cells += [_number(one["ticks"]), f"{one['most_ticks']:,}"]
        if other := one.get("cold"):
            cells += [_number(other["ticks"]), f"{other['cpi']:.2f}", *_misses(other)]
        table.add_row(name, *cells)
    return table


def _table(title: str) -> Table:
    table = Table(title, box=None, pad_edge=False, padding=(0, 0, 0, 1))
    table.columns[0].overflow = "fold"
    table.columns[0].min_width = 18
    return table


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def _columns(regions: dict[str, dict]) -> dict[str, dict]:
    """The regions, and each one's cold passage behind it."""
    found = {}
    for name, one in regions.items():
        found[name] = one
        if "cold" in one:
            found[f"{name}, cold"] = one["cold"]
    return found


def _owners(columns: dict[str, dict]) -> Table:
    table = _table("who owns the ticks")
    return owners(table, columns, _number, words=len(columns) <= MOST_WITH_WORDS)


def _show_groups(columns: dict[str, dict], console: Console) -> None:
    """A row for each region; every tick is in one column."""
    table = _table("who owns the ticks, %")
    used = [g for g, owners in GROUPS.items() if any(_share(r, owners) for r in columns.values())]
    for group in used:
        table.add_column(group, justify="right")
    for name, one in columns.items():
        table.add_row(name, *(f"{_share(one, GROUPS[group]):.1f}" for group in used))
    fitted.show(table, console)
    named = [f"{group}: {', '.join(GROUPS[group])}" for group in used if group != GROUPS[group][0]]
    console.print("; ".join(named), style="dim")


def _share(one: dict, owners: tuple[str, ...]) -> float:
    return 100 * sum(one["owners"].get(owner, 0) for owner in owners) / one["ticks"]


def _say_repeats(regions: dict[str, dict], console: Console) -> None:
    for name, one in regions.items():
        if "run_ticks" in one:
            ticks = one["run_ticks"]
            console.print(
                f"{name}: {len(ticks)} runs with other orders of functions and other phases: "
                f"{min(ticks):,.1f} to {max(ticks):,.1f} ticks, the plain one {ticks[0]:,.1f}",
                soft_wrap=True,
            )
