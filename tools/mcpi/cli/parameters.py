# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi parameters``: what ``--set`` takes."""

import json as json_
from typing import Annotated

import typer

from mcpi.base.errors import UserError, nearest
from mcpi.cli import options

WIDTH = 100  # where there is no terminal


def parameters(
    word: Annotated[
        str, typer.Argument(metavar="[WORD]", help="A key, or a part of keys or descriptions.")
    ] = "",
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    json: Annotated[bool, typer.Option("--json", help="Print a list of objects (JSON).")] = False,
) -> None:
    """Every parameter of a machine: its value, its range, its unit, where it acts.

    [bold]Examples[/bold]

      ./mcpi parameters             all of them

      ./mcpi parameters dcache      those of the D-cache

      ./mcpi parameters memory.read_ticks --machine dec3000-pmad

    --set KEY=VALUE of run, exec, sweep, compare changes a parameter. "acts"
    says what a change costs: run, nothing; firmware, a new image; elaborate, a
    new model of engine rtl; host, boards alone.
    """
    from rich.console import Console
    from rich.table import Table

    from mcpi.machine import listing

    found = listing.of(machine, options.settings(set_))
    rows = [row for row in found if word.lower() in f"{row.key} {row.doc}".lower()]
    if not rows:
        hint = nearest(word, [row.key for row in found])
        raise UserError(f"{word}: no parameter of {machine} has this in its key or text.{hint}")
    if json:
        print(json_.dumps([row.plain() for row in rows], indent=1))
        return
    people = Console(highlight=False)
    if not people.is_terminal:
        people.width = WIDTH
    table = Table(box=None, pad_edge=False)
    for name in ("key", "value", "range", "unit", "acts", ""):
        table.add_column(name, overflow="fold", no_wrap=name in ("key", "acts", "unit"))
    for row in rows:
        table.add_row(row.key, row.value, row.range, row.unit, row.acts, row.doc)
    people.print(table)
