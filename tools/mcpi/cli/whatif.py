# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi whatif``: by how much a round trip or a program gets shorter if ticks take no time."""

import json as json_
from typing import TYPE_CHECKING, Annotated

import typer

from mcpi.cli import options
from mcpi.spec.run_spec import RunSpec

if TYPE_CHECKING:
    from mcpi.analysis.causal import Effect, WhatIf

ROUND_TRIPS = 20
MOST_GROWN = 2  # owners that are named as growing


def whatif(
    context: typer.Context,
    program: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE...]", help="A program (./mcpi exec), in place of a stack."),
    ] = None,
    measure: options.Measure = None,
    stack: options.Stack = RunSpec.stack,
    variant: options.Variant = RunSpec.variant,
    peer_variant: options.PeerVariant = RunSpec.peer_variant,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    define: options.Defines = None,
    round_trips: options.RoundTrips = ROUND_TRIPS,
    seed: options.Seed = RunSpec.seed,
    side: Annotated[
        str,
        typer.Option(
            metavar="client|server|both",
            help="Whose ticks vanish; both: a function's on either machine.",
        ),
    ] = "both",
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FUNCTION[:OWNER]",
            help="Also all of these together, as checksum_add or :d_miss; repeatable.",
        ),
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Rows of each table.")] = 15,
    json: options.Json = False,
) -> None:
    """By how much a run gets shorter if ticks of a function take no time.

    [bold]Examples[/bold]

      ./mcpi whatif --variant std       each function and owner of the path

      ./mcpi whatif --without checksum_add --without tcp_output:d_miss
          these together, too

      ./mcpi whatif examples/conflict.c
          a program of one's own

    Each figure comes from a copy of both machines in which those ticks take no
    time: the core moves, and the world stands still. Nothing is estimated.
    docs/how-to/whatif.md says what stands still.
    """
    from mcpi.api import causes
    from mcpi.base.progress import Bar

    options.check(context, options.WHATIF)
    if not program:
        options.no_effect(context, "measure", "only a program has functions to measure")
    wanted = [tuple(without)] if without else []
    if program:
        spec = options.program(context, program)
    else:
        spec = options.spec(context)
    found = causes.find(spec, side, wanted, Bar())
    if json:
        print(json_.dumps(_record(found), indent=1))
    else:
        _show(found, top)


def _record(found: "WhatIf") -> dict:
    """Whole numbers, over all round trips."""

    def rows(effects: list["Effect"]) -> list[dict]:
        return [_row(effect) for effect in effects]

    return {
        "sides": found.sides,
        "round_trips": None if found.is_program else found.passages,
        "ticks": found.whole,
        "path_ticks": found.path,
        "pairs": rows(found.pairs),
        "functions": rows(found.functions),
        "owners": rows(found.owners),
        "all": _row(found.every),
        "memory": _row(found.memory),
        "without": rows(found.sets),
        "ideal_memory": {"owners": found.ideal, "left": found.left, "covered": found.covered},
    }


def _row(effect: "Effect") -> dict:
    row = {
        "function": effect.function or None,
        "owner": effect.owner or None,
        "ticks": effect.ticks,
        "shorter": effect.shorter,
        "grows": dict(effect.grows),
    }
    more = {"alone": effect.alone, "interaction": effect.interaction}
    failed = {"failed": effect.failed} if effect.failed else {}
    return row | ({} if effect.alone is None else more) | failed


def _show(found: "WhatIf", top: int) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    whose = "" if found.is_program else f" of {' and '.join(found.sides)}"
    unit = "the program" if found.is_program else f"a round trip (mean of {found.passages})"
    whole, path = found.whole / found.passages, found.path / found.passages
    console.print(f"{unit} takes {whole:,.1f} ticks; {path:,.1f} are the path's{whose}")
    _table(
        found,
        f"a function's ticks with an owner vanish: {unit} gets shorter",
        ("function", "owner"),
        found.pairs,
        top,
        console,
    )
    _table(found, "all ticks of a function vanish", ("function",), found.functions, top, console)
    _table(found, "all ticks of an owner vanish", ("owner",), found.owners, top, console)
    named = [("everything", found.every), ("memory's owners", found.memory)]
    named += [("--without", one) for one in found.sets]
    _together(found, named, console)
    _ideal(found, console)


def _cells(found: "WhatIf", effect: "Effect", with_alone: bool) -> list[str]:
    def number(value: int | None) -> str:
        return "" if value is None else f"{value / found.passages:,.1f}"

    share = "" if effect.shorter is None else f"{100 * effect.shorter / found.whole:.2f}"
    cells = [number(effect.ticks), number(effect.shorter), share]
    if with_alone:
        cells += [number(effect.alone), number(effect.interaction)]
    grown = [(o, n) for o, n in effect.grows.most_common(MOST_GROWN) if n > 0]
    said = ", ".join(f"{owner} {n / found.passages:,.1f}" for owner, n in grown)
    return [*cells, effect.failed or said]


HEADS, WITH_ALONE = ("ticks", "shorter by", "%"), ("sum alone", "interaction")


def _grid(title: str, names: tuple[str, ...], with_alone: bool):
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=None, padding=(0, 0, 0, 1))
    for name in names:
        table.add_column(name)
    for head in (*HEADS, *(WITH_ALONE if with_alone else ())):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("grows")
    return table


def _table(
    found: "WhatIf", title: str, names: tuple[str, ...], effects: list["Effect"], top: int, console
) -> None:
    with_alone = len(names) == 1
    table = _grid(title, names, with_alone)
    for effect in effects[:top]:
        labels = [getattr(effect, name) for name in names]
        table.add_row(*labels, *_cells(found, effect, with_alone))
    if len(effects) > top:
        table.add_row(f"{len(effects) - top} more")
    console.print(table)


def _together(found: "WhatIf", named: list[tuple[str, "Effect"]], console) -> None:
    table = _grid("together", ("",), True)
    for name, effect in named:
        table.add_row(name, *_cells(found, effect, True))
    console.print(table)


def _ideal(found: "WhatIf", console) -> None:
    ideal, left = sum(found.ideal.values()), sum(found.left.values())
    said = ", ".join(f"{o} {n / found.passages:,.1f}" for o, n in found.covered.items())
    console.print(
        f"the path has {left / found.passages:,.1f} ticks without memory's owners, and "
        f"{ideal / found.passages:,.1f} with memory.ideal = on; the difference: {said or 'none'}"
    )
