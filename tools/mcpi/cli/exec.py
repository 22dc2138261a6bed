# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi exec``: a program of one's own, and where its ticks went."""

import functools
from pathlib import Path
from typing import Annotated

import typer

from mcpi.base.errors import RunError
from mcpi.cli import options
from mcpi.cli.debug import start
from mcpi.spec.program_spec import ProgramSpec

WIDTH = 100  # where there is no terminal
TOO_LONG = (
    "the program has not ended after {} s of this computer (--max-seconds). "
    "--max-ticks N says where it is at tick N."
)


def exec_(
    context: typer.Context,
    sources: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="C, C++, assembly (.c, .cc, .S), or one ELF."),
    ],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FUNCTION",
            help="Measure it, in place of what the source marks; repeatable. \\[main]",
        ),
    ] = None,
    cold: Annotated[
        bool, typer.Option("--cold", help="Also the first passage from empty caches.")
    ] = False,
    repeat: Annotated[
        int,
        typer.Option(min=1, help="Runs: all but the first in other orders of the functions."),
    ] = ProgramSpec.repeat,
    peer: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="What the other machine runs; repeatable."),
    ] = None,
    stdin: Annotated[
        str, typer.Option(metavar="FILE", help="What the program reads as its standard input.")
    ] = ProgramSpec.stdin,
    file: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A file that fopen(NAME) reads; repeatable."),
    ] = None,
    pal: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="PALcode of your own (.S, or ELF): the sources are all of the image.",
        ),
    ] = ProgramSpec.pal,
    cores: options.CoresOf = ProgramSpec.cores,
    core: options.Core = ProgramSpec.core,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    engine: options.Engine = ProgramSpec.engine,
    define: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="Define a macro of the C preprocessor; repeatable."
        ),
    ] = None,
    optimise: Annotated[
        str,
        typer.Option(
            "--optimise", "-O", metavar="0|1|2|3|s", help="Optimisation level of the compiler."
        ),
    ] = ProgramSpec.optimise,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of the phases of timer and wire.")
    ] = ProgramSpec.seed,
    max_ticks: Annotated[
        int, typer.Option(min=1, help="A program that has not ended by then has failed.")
    ] = ProgramSpec.max_ticks,
    max_seconds: Annotated[
        float | None,
        typer.Option(min=0.1, help="End it after so many seconds of this computer. \\[none]"),
    ] = None,
    checks: Annotated[
        str,
        typer.Option(
            "--check",
            metavar="memory",
            help="End it where it uses memory that nobody has written.",
        ),
    ] = ProgramSpec.checks,
    tick_log: Annotated[
        str,
        typer.Option(metavar="SIDE", help="Each tick of what is measured, for profile, compare."),
    ] = ProgramSpec.tick_log,
    fail_above: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLACE=TICKS", help="Exit 1 if a mean passage takes more; repeatable."
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Exit 1 if a place takes more than in this record."),
    ] = None,
    debug: Annotated[
        bool, typer.Option("--debug", help="Open GDB where the program fails (./mcpi debug).")
    ] = False,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the ticks by owner, a bar a place.")
    ] = None,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Compile a program, run it on one machine, print where its ticks went.

    [bold]Examples[/bold]

      ./mcpi exec hello.c              its output, and main's ticks by owner

      ./mcpi exec hello.c --measure sort --cold
          a function, warm and from empty caches

      ./mcpi exec examples/conflict.c --set dcache.size=16KB

      ./mcpi exec hello.c --fail-above main=13000 --baseline before.json
          for CI; before.json: an earlier run's --json

      ./mcpi exec client.c --peer server.c
          two machines with the wire between (mcpi_net.h: frames, UDP)

      ./mcpi exec words.c --stdin text.txt --file stop.txt -- -n 10
          its input, a file that it opens, and the arguments of main

      ./mcpi exec hello.c --check memory
          no branch, address or output depends on memory that nobody wrote

      ./mcpi exec hello.c --debug
          GDB at the tick of its failure, from where it goes backward

      ./mcpi exec start.S kernel.c --pal pal.S
          a bare guest: your own PALcode and start-up, without the runtime

      ./mcpi exec hello.c --repeat 10
          how much of it is where the functions lie

    MCPI_MEASURE { ... } (#include <mcpi.h>) marks what is measured in the source.
    docs/how-to/exec.md explains the tables; examples/ has programs to begin with.
    """
    options.check(context, options.EXEC)
    if debug:
        raise typer.Exit(start(options.program(context, sources), out, at_failure=True))

    from rich.console import Console

    from mcpi.api import limits, single_run
    from mcpi.base import time_limit
    from mcpi.base.progress import Bar
    from mcpi.results import program_summary, record

    options.writable(svg)
    allowed = limits.of(fail_above or [], baseline)
    try:
        with time_limit.limit(max_seconds, TOO_LONG.format(max_seconds)):
            spec = options.program(context, sources)
            look = functools.partial(allowed.check, spec)
            place, result = single_run.perform(spec, out, Bar(), look)
    except single_run.Failed as failed:
        _say(failed.printed, json)
        raise RunError(f"{failed}\nagain: {spec.command()}") from None
    _say(single_run.printed(place), json)
    people = Console(stderr=json, highlight=False)
    if not people.is_terminal:
        people.width = WIDTH
    program_summary.show(record.plain(result), people)
    short = place.relative_to(Path.cwd()) if place.is_relative_to(Path.cwd()) else place
    words = f"files: {short}   again: {result.provenance.command}"
    people.print(words, soft_wrap=True, markup=False)
    if svg:
        from mcpi.export import region_bars

        svg.write_text(region_bars.svg(result))
    if json:
        print(record.text(result), end="")
    if exceeded := allowed.exceeded(result):
        raise RunError("\n  ".join(["more ticks than allowed:", *exceeded]))


def _say(printed: list[str], to_stderr: bool) -> None:
    """Print the machines' output, unchanged."""
    for text in printed:
        typer.echo(text, nl=bool(text) and not text.endswith("\n"), err=to_stderr)
