# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi scenario``: several machines on a network."""

import json as json_
from pathlib import Path
from typing import Annotated

import typer

from mcpi.base.errors import RunError
from mcpi.cli import options

WIDTH = 100  # where there is no terminal


def scenario(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The scenario, a .toml.")],
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of phases and faults. \\[the file's, or 1]")
    ] = None,
    max_ticks: Annotated[
        int | None, typer.Option(min=1, help="Give up there. \\[the file's, or 250 M]")
    ] = None,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Run up to eight machines on a network, each with a program or a stack.

    [bold]Examples[/bold]

      ./mcpi scenario examples/scenarios/count.toml
          two clients and a server, on a switch

      ./mcpi scenario examples/scenarios/background.toml --json
          TCP/IP between two machines while two others load the switch

    The file says nodes, switches, links and faults; docs/how-to/scenario.md
    lists its keys. Each link has a pcap in the run's folder.
    """
    from rich.console import Console

    from mcpi.api import scenarios
    from mcpi.api.single_run import Failed
    from mcpi.base.progress import Bar
    from mcpi.results import scenario_summary
    from mcpi.spec import scenario_file

    spec = scenario_file.read(file, seed, max_ticks)
    names = [node.name for node in spec.nodes]
    try:
        place, found = scenarios.perform(spec, out, Bar())
    except Failed as failed:
        _say(names, failed.printed, json)
        raise RunError(str(failed)) from None
    consoles = [place / f"console.{n}.txt" for n in range(len(names))]
    _say(names, [path.read_text(errors="replace") for path in consoles], json)
    people = Console(stderr=json, highlight=False)
    if not people.is_terminal:
        people.width = WIDTH
    scenario_summary.show(found, people)
    short = place.relative_to(Path.cwd()) if place.is_relative_to(Path.cwd()) else place
    people.print(f"files: {short}   again: {found['command']}", soft_wrap=True, markup=False)
    if json:
        print(json_.dumps(found, indent=1))


def _say(names: list[str], printed: list[str], to_stderr: bool) -> None:
    """Print what each node has printed, its name before each line."""
    for name, text in zip(names, printed, strict=True):
        for line in text.splitlines():
            typer.echo(f"{name}: {line}", err=to_stderr)
