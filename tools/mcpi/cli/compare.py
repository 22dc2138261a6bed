# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi compare``: what differs between two runs, and what explains most of it."""

import json as json_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcpi.base.errors import UserError
from mcpi.cli import options
from mcpi.spec.run_spec import RunSpec

if TYPE_CHECKING:
    from mcpi.analysis.comparison import Change, Comparison
    from mcpi.api.comparand import Comparand

# Options of runs that are still to come.
OF_RUNS = "stack peer_variant set_ define engine round_trips seed layouts out variant machine"


def compare(
    context: typer.Context,
    a: Annotated[
        str, typer.Argument(metavar="A", help="A result folder, source, variant or machine.")
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The other: what A may be.")],
    stack: options.Stack = RunSpec.stack,
    variant: options.Variant = RunSpec.variant,
    peer_variant: options.PeerVariant = RunSpec.peer_variant,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    define: options.Defines = None,
    engine: options.Engine = RunSpec.engine,
    round_trips: options.RoundTrips = 10,
    seed: options.Seed = RunSpec.seed,
    side: options.Side = "client",
    layouts: Annotated[
        int | None,
        typer.Option(min=0, max=1000, help="Link orders, shuffle-1 and on. \\[5; folders: 0]"),
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Functions in the table.")] = 15,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="All rows as CSV.")] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A drawing of the comparison.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where the runs go, as a and b; else in results/.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Compare two runs by owner and by function, and say what explains most of
    the difference.

    [bold]Examples[/bold]

      ./mcpi compare std all            two variants of TCP/IP

      ./mcpi compare std clo --stack rpc --svg clo.svg

      ./mcpi compare std std,icache.size=16KB
          the same program with a larger I-cache

      ./mcpi compare dec3000-600 dec3000-pmad --variant all
          two machines

      ./mcpi compare before.c after.c
          two programs; by function

      ./mcpi compare results/before results/after
          two finished runs; by function if both have --tick-log

    A difference is B's value minus A's. Its range is the same difference in other
    link orders of both programs: what the layout alone can do. The differences of
    all owners sum to the difference of the ticks; so do those of all functions.
    """
    from mcpi import api
    from mcpi.api import comparand
    from mcpi.base.progress import Bar

    options.writable(csv, svg)
    usual = options.spec(context)
    both = comparand.of(a, usual), comparand.of(b, usual)
    _refuse_what_has_no_effect(context, *both)
    found = api.compare(*both, side=side, layouts=layouts, out=out, bar=Bar()).comparison
    if json:
        from mcpi.export import difference

        print(json_.dumps(difference.plain(found), indent=1))
    else:
        _show(found, top)
    _files(found, csv, svg)


def _refuse_what_has_no_effect(context: typer.Context, a: "Comparand", b: "Comparand") -> None:
    from mcpi.api.comparand import FOLDER, MACHINE, SOURCE, VARIANT

    kinds = {a.kind, b.kind}
    if kinds == {FOLDER}:
        options.no_effect(context, OF_RUNS, "A and B are finished runs")
    if FOLDER in kinds:
        options.no_effect(context, "layouts", "a finished run has one link order")
    if SOURCE in kinds:
        of_stacks = "stack variant peer_variant round_trips layouts"
        options.no_effect(context, of_stacks, "a program has no such thing")
        if kinds - {SOURCE, FOLDER}:
            raise UserError(f"{a.title}, {b.title}: a program and a stack have nothing in common.")
        return
    if MACHINE not in kinds:
        options.no_effect(context, "variant", "A and B name the variants")
    if VARIANT not in kinds:
        options.no_effect(context, "machine", "A and B name the machines")


def _files(found: "Comparison", csv: Path | None, svg: Path | None) -> None:
    if csv or svg:
        from mcpi.export import difference

        for file, make in ((csv, difference.text), (svg, difference.svg)):
            if file:
                file.write_text(make(found))
                typer.echo(f"file: {file}", err=True)


def _show(found: "Comparison", top: int) -> None:
    from rich.console import Console
    from rich.table import Table

    from mcpi.analysis import explanation
    from mcpi.analysis.cost_of_path import FIGURES
    from mcpi.results.summary import NARROW

    people = Console(highlight=False)
    people.print(f"\n{explanation.sentence(found)}\n")
    times = {found.a.invocations, found.b.invocations}
    means = f"means of {' and '.join(map(str, sorted(times)))} invocations"
    noise = f"; range over shuffle-1 to shuffle-{len(found.names)}" if found.names else ""
    narrow = people.width < NARROW
    table = Table(box=None, pad_edge=False, padding=(0, 0, 0, 1))
    table.title, table.title_justify = f"the {found.side}'s path, {means}{noise}", "left"
    table.add_column("", overflow="fold", min_width=10 if narrow else 20)
    heads = [found.a.title, found.b.title, "difference", *([] if narrow else ["%"])]
    heads += ["range"] if found.names and not narrow else []
    for head in heads:
        table.add_column(head, justify="right", overflow="fold", min_width=8 if narrow else None)
    for change in found.figures():
        name, digits = FIGURES[change.name]
        _row(table, name, change, digits, found)
    _row(table, "ticks = sum of owners", found.ticks, 1, found)
    for change in found.owners():
        _row(table, f"  {change.name}", change, 1, found)
    functions = found.functions()
    if functions:
        _row(table, "ticks = sum of functions", found.ticks, 1, found)
    for change in functions[:top]:
        _row(table, f"  {change.name}", change, 1, found)
    if len(functions) > top:
        _row(table, f"  {len(functions) - top} more", _sum(functions[top:]), 1, found)
    people.print(table)
    if not functions:
        people.print("No functions: both runs must have been made with --tick-log of this side.")


def _sum(changes: list["Change"]) -> "Change":
    from mcpi.analysis.comparison import Change

    orders = tuple(sum(each) for each in zip(*(change.orders for change in changes)))
    return Change("", sum(c.a for c in changes), sum(c.b for c in changes), orders)


def _row(table, name: str, change: "Change", digits: int, found: "Comparison") -> None:
    def signed(value) -> str:
        return f"{float(value):+,.{digits}f}".replace("-", "−")

    share = ""
    if change.a and change.difference:
        share = f"{100 * float(change.difference / change.a):+.1f}".replace("-", "−")
    cells = [f"{float(value):,.{digits}f}" for value in (change.a, change.b)]
    cells += [signed(change.difference), share]
    if found.names:
        cells.append(f"{signed(change.low)} … {signed(change.high)}")
    table.add_row(name, *cells[: len(table.columns) - 1])
