# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi profile``: which code owns the ticks of a path."""

import dataclasses
import json as json_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcpi.base.errors import UserError
from mcpi.cli import options
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec

if TYPE_CHECKING:
    from mcpi.analysis.attribution import Cost
    from mcpi.analysis.profile import Profile

COLUMNS = ("issue", "fetch", "branch", "load")  # groups of owners
REST = "other"  # all other owners
MISSES = {"I-miss": "icache.misses", "D-miss": "dcache.misses"}
ROUND_TRIPS = 20


def profile(
    context: typer.Context,
    program: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE...]", help="A program (./mcpi exec), in place of a stack."),
    ] = None,
    measure: options.Measure = None,
    cores: options.CoresOf = ProgramSpec.cores,
    core: options.Core = ProgramSpec.core,
    stack: options.Stack = RunSpec.stack,
    variant: options.Variant = RunSpec.variant,
    peer_variant: options.PeerVariant = RunSpec.peer_variant,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    define: options.Defines = None,
    engine: options.Engine = RunSpec.engine,
    round_trips: options.RoundTrips = ROUND_TRIPS,
    seed: options.Seed = RunSpec.seed,
    side: options.Side = "client",
    run: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="An earlier run with --tick-log, in place of a new run."
        ),
    ] = None,
    by: Annotated[
        str,
        typer.Option(
            metavar="function|line|instruction|set",
            help="Kind of row. \\[function] With --data: symbol, site or object. \\[site] With "
            "--report mix: class or opcode. \\[class]",
        ),
    ] = "",
    owner: Annotated[str, typer.Option(help="Only the ticks of this owner, as d_miss.")] = "",
    top: Annotated[int, typer.Option(min=1, help="Rows of the table.")] = 25,
    listing: Annotated[
        str,
        typer.Option(metavar="FUNCTION", help="Source and instructions of a function, with ticks."),
    ] = "",
    calls: Annotated[
        str,
        typer.Option(
            metavar="FUNCTION",
            help="Callers and callees of a function; ticks with those of callees.",
        ),
    ] = "",
    data: Annotated[
        bool,
        typer.Option("--data", help="Data that miss in the D-cache, and the data that they evict."),
    ] = False,
    report: Annotated[
        str,
        typer.Option(
            metavar="cpi|misses|mix",
            help="CPI, iCPI, mCPI and MPKI; misses by class (cold, capacity, conflict); "
            "instructions by class.",
        ),
    ] = "",
    evicts: Annotated[
        str,
        typer.Option(
            metavar="FUNCTION", help="Blocks that a function displaces, and who displaces its own."
        ),
    ] = "",
    place: Annotated[
        str, typer.Option(metavar="NAME", help="Of a program: only this measured place. \\[all]")
    ] = "",
    stream: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Each miss, as .csv or .parquet.")
    ] = None,
    sets: Annotated[
        Path | None,
        typer.Option(metavar="SVG", help="The sets of each cache that miss, over time."),
    ] = None,
    ticks: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Each tick, as .csv.zst or .parquet.")
    ] = None,
    flame: Annotated[
        Path | None, typer.Option(metavar="SVG", help="A flame graph of the calls.")
    ] = None,
    speedscope: Annotated[
        Path | None, typer.Option(metavar="JSON", help="The calls for speedscope.")
    ] = None,
    firefox: Annotated[
        Path | None, typer.Option(metavar="JSON", help="The calls for the Firefox profiler.")
    ] = None,
    callgrind: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The calls for KCachegrind.")
    ] = None,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Which functions, lines, instructions or cache sets own the ticks of a path.

    [bold]Examples[/bold]

      ./mcpi profile --variant std      the client's path, by function

      ./mcpi profile --by line --owner d_miss
          where loads miss

      ./mcpi profile --listing tcp_output
          source and instructions, each with its ticks

      ./mcpi profile --report misses --by line
          cold, capacity and conflict misses of each cache, by line

      ./mcpi profile --evicts tcp_output --sets sets.svg
          who displaces tcp_output's blocks; the caches' sets over time

      ./mcpi profile --flame tcp.svg --speedscope tcp.json

      ./mcpi profile examples/list-array.c --data --by object
          a program of one's own: which data miss, each object of the heap

    The sums over all instructions are the counters of the run, owner by owner.
    docs/how-to/profile.md says which instruction a waiting tick belongs to.
    """
    from mcpi.analysis import data_misses
    from mcpi.analysis import reports as made
    from mcpi.analysis.profile import BY, FUNCTION, Profile
    from mcpi.api import places
    from mcpi.cli.profiling import reports
    from mcpi.results import summary

    options.check(context, options.PROFILE)
    if report:
        options.one_of("--report", report, tuple(made.REPORTS))
    make, kinds = made.REPORTS.get(report, (None, data_misses.BY if data else BY))
    if by:
        options.one_of("--by", by, kinds)
    if owner:
        options.one_of("--owner", owner, tuple(summary.OWNERS))
    options.writable(flame, speedscope, firefox, callgrind, stream, sets, ticks)
    reports.check_name("--stream", stream, reports.STREAMS)
    reports.check_name("--ticks", ticks, reports.LOGS)
    if place and run is None and not program:
        raise UserError(f"--place {place}: only a program has several measured places; name one.")
    recording = bool(data or evicts or stream or sets or report in made.OF_RECORDING)
    if run is None:
        run = _run(context, program, out, recording)
    opens = places.opens(run, side, place) if place else frozenset()
    found = Profile(run, side, opens=opens)
    if make:
        reports.show(found, make(found, by or kinds[0]), top, json)
    elif evicts:
        reports.show(found, made.evictions(found, evicts), top, json)
    elif listing:
        _listing(found, listing)
    elif calls:
        _calls(found, calls, top, json)
    elif data:
        _data(found, by or data_misses.usual(found), top, json)
    else:
        _table(found, by or FUNCTION, owner, top, json)
    files = {"flame": flame, "speedscope": speedscope, "firefox": firefox, "callgrind": callgrind}
    _files(found, owner, {name: file for name, file in files.items() if file})
    if stream:
        reports.write_stream(found, stream)
    if ticks:
        reports.write_ticks(run, ticks)
    if sets:
        from mcpi.export import cache_sets

        sets.write_text(cache_sets.svg(found))
    for file in filter(None, (stream, ticks, sets)):
        typer.echo(f"file: {file}", err=True)


def _run(
    context: typer.Context, program: list[str] | None, out: Path | None, recording: bool
) -> Path:
    """The folder of a new run with what a profile reads."""
    from mcpi import api
    from mcpi.analysis.places import of_side
    from mcpi.api import places as measured
    from mcpi.base.progress import Bar

    given = context.params
    logs = {"tick_log": given["side"], "recording": recording}

    def look(folder: Path) -> None:
        places = of_side(folder, given["side"])
        for name in filter(None, (given["listing"], given["calls"])):
            if name not in places.starts():
                places.function(name)
        if given["place"]:
            measured.opens(folder, given["side"], given["place"])

    if not program:
        options.no_effect(context, "cores core", "only a program runs on several cores")
        spec = dataclasses.replace(options.spec(context), **logs)
    else:
        spec = options.program(context, program, **logs)
    return api.perform(spec, out, Bar(), look)[0]


def _calls(found: "Profile", function: str, top: int, json: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    from mcpi.analysis import call_graph
    from mcpi.results import fitted

    node, times = call_graph.around(found, function), found.invocations
    sides = {"callers": node.callers, "callees": node.callees}
    if json:
        listed = {
            side: [{"name": e.name, "calls": e.calls, "ticks": e.cost.ticks} for e in edges]
            for side, edges in sides.items()
        }
        print(json_.dumps({"invocations": times, "function": function} | listed, indent=1))
        return
    title = f"{found.whose}: {function}, ticks of one invocation (mean of {times}), with all below"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 0, 0, 1))
    for head in ("", "function", "calls", "ticks", "%"):
        table.add_column(head, justify="left" if head in ("", "function") else "right")
    for side, edges in sides.items():
        said = "from" if side == "callers" else "to"
        for edge in edges[:top]:
            ticks, share = edge.cost.total / times, 100 * edge.cost.total / node.total.total
            often = f"{edge.calls / times:,.1f}" if edge.calls else ""
            table.add_row(said, edge.name, often, f"{ticks:,.1f}", f"{share:.1f}")
        if len(edges) > top:
            rest = sum(edge.cost.total for edge in edges[top:]) / times
            table.add_row(said, f"{len(edges) - top} more", "", f"{rest:,.1f}", "")
        table.add_row("", "sum", "", f"{node.total.total / times:,.1f}", "", end_section=True)
    fitted.show(table, Console(highlight=False))


def _data(found: "Profile", by: str, top: int, json: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    from mcpi.analysis import data_misses

    rows = data_misses.by(found, by)
    if json:
        listed = [
            {"name": n, "misses": d.misses, "objects": len(d.objects), "puts_out": d.puts_out}
            for n, d in rows.items()
        ]
        print(json_.dumps({"invocations": found.invocations, "by": by, "rows": listed}, indent=1))
        return
    total = sum(one.misses for one in rows.values())
    title = (
        f"{found.whose}: D-cache misses of one invocation (mean of {found.invocations}), by {by}"
    )
    table = Table(title=title, title_justify="left", box=None, padding=(0, 0, 0, 1))
    for head in ("data", "objects", "misses", "%", "puts out"):
        table.add_column(head, justify="left" if head in ("data", "puts out") else "right")
    for name, one in list(rows.items())[:top]:
        out = ", ".join(f"{n} {k / found.invocations:,.1f}" for n, k in one.puts_out.most_common(3))
        share = f"{100 * one.misses / total:.1f}"
        objects = f"{len(one.objects):,}" if one.objects else ""
        table.add_row(name, objects, f"{one.misses / found.invocations:,.1f}", share, out)
    if len(rows) > top:
        rest = sum(one.misses for one in list(rows.values())[top:]) / found.invocations
        table.add_row(f"{len(rows) - top} more", "", f"{rest:,.1f}", "", "")
    table.add_row("sum = the counter", "", f"{total / found.invocations:,.1f}", "", "")
    Console(highlight=False).print(table)


def _table(found: "Profile", by: str, owner: str, top: int, json: bool) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from mcpi.analysis import attribution, source_lines
    from mcpi.analysis.profile import LINE
    from mcpi.results import fitted

    rows = found.rows(by, owner)
    if json:
        listed = [{"name": r.name, "ticks": r.cost.ticks, "events": r.cost.events} for r in rows]
        print(json_.dumps({"invocations": found.invocations, "by": by, "rows": listed}, indent=1))
        return
    times, total = found.invocations, found.sum
    costs = [(row.name, row.cost) for row in rows[:top]]
    if len(rows) > top:
        rest = attribution.total(row.cost for row in rows[top:])
        costs.append((f"{len(rows) - top} more", rest))
    costs.append(("sum = the counters", total))
    whole = total.ticks[owner] if owner else total.total
    heads = [owner or "ticks", "%", *([] if owner else (*COLUMNS, REST)), *MISSES]
    lines = [[name, *_numbers(cost, owner, times, whole)] for name, cost in costs]
    title = f"{found.whose}: ticks of one invocation (mean of {times}), by {by}"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 0, 0, 1))
    table.add_column(by, overflow="fold", min_width=fitted.LEAST)
    for n, head in enumerate(heads, 1):  # figures are never cut
        width = max(len(head), *(len(line[n]) for line in lines))
        table.add_column(head, justify="right", no_wrap=True, min_width=width)
    listed = source_lines.short([name for name, *_ in lines]) if by == LINE else {}
    if texts := source_lines.texts(found.folder, list(listed)):
        table.add_column("")
    for name, *numbers in lines:
        more = [escape(texts.get(name, ""))] if texts else []
        table.add_row(escape(listed.get(name, name)), *numbers, *more)
    fitted.show(table, Console(highlight=False))


def _numbers(cost: "Cost", owner: str, times: int, whole: int) -> list[str]:
    from mcpi.results.program_summary import GROUPS

    ticks = cost.ticks[owner] if owner else cost.total
    cells = [f"{ticks / times:,.1f}", f"{100 * ticks / whole:.1f}"]
    if not owner:
        groups = [sum(cost.ticks[o] for o in GROUPS[column]) for column in COLUMNS]
        groups.append(ticks - sum(groups))
        cells += [f"{ticks / times:,.0f}" if ticks else "" for ticks in groups]
    events = (cost.events[event] for event in MISSES.values())
    return cells + [f"{n / times:,.1f}" if n else "" for n in events]


def _listing(found: "Profile", function: str) -> None:
    from mcpi.analysis.listing import listing

    times, lines = found.invocations, list(listing(found, function))
    print(f"{'ticks':>8} {'issues':>7}  {function}, ticks and issues of one invocation")
    for line in lines:
        if line.cost is None:
            print(f"{'':16}  {line.text}")
            continue
        why = " ".join(
            f"{name} {ticks / times:.1f}"
            for name, ticks in line.cost.ticks.most_common()
            if name != "issue"
        )
        numbers = f"{line.cost.total / times:8.1f} {line.cost.ticks['issue'] / times:7.1f}"
        print(f"{numbers if line.cost.total else '':16}  {line.text:50} {why}".rstrip())


def _files(found: "Profile", owner: str, files: dict[str, Path]) -> None:
    from mcpi.export import callgrind, firefox, flame, speedscope

    texts = {
        "flame": lambda: flame.svg(found, owner),
        "speedscope": lambda: speedscope.text(found, owner),
        "firefox": lambda: firefox.text(found, owner),
        "callgrind": lambda: callgrind.text(found),
    }
    for name, file in files.items():
        file.write_text(texts[name]())
        typer.echo(f"file: {file}", err=True)
