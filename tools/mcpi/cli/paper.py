# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi paper`` and ``./mcpi calibrate``: a study's tables, and the constant fitted to it."""

from pathlib import Path
from typing import Annotated

import typer

from mcpi import studies
from mcpi.base.errors import UserError
from mcpi.cli import options
from mcpi.spec.run_spec import RunSpec


def paper(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="[STUDY]", help="A folder of tools/mcpi/studies/.")
    ] = studies.DEFAULT,
    all_studies: Annotated[
        bool, typer.Option("--all-studies", help="Every study, one after the other.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="A first look: one sample, 8 round trips.")
    ] = False,
    stack: Annotated[
        list[str] | None, typer.Option(metavar="tcp|rpc", help="Only this stack; repeatable.")
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option(help="Only this version; repeatable.")
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(help="Print this table at the end, 1 to 9 or another name; repeatable."),
    ] = None,
    samples: Annotated[
        int | None, typer.Option(min=1, help="Runs that differ in phases. [10 for TCP, 5 for RPC]")
    ] = None,
    round_trips: Annotated[
        int | None, typer.Option(min=1, help="Measured round trips of each run. [50]")
    ] = None,
    shuffles: Annotated[
        int | None,
        typer.Option(min=0, max=10_000, help="Random link orders of each version. [30]"),
    ] = None,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    engine: Annotated[
        str,
        typer.Option(help="exact, with a part repeated on the RTL; rtl; board, Tables 2 and 7."),
    ] = "exact",
    port: options.Ports = None,
    baud: options.Baud = 0,
    seed: options.Seed = RunSpec.seed,
    jobs: options.Cores = None,
    out: Annotated[
        Path | None, typer.Option(help="Where the files go; else results/paper.")
    ] = None,
    update_docs: Annotated[
        bool,
        typer.Option("--update-docs", help="Also fill the tables and drawings of docs/."),
    ] = False,
    pdf: Annotated[
        bool, typer.Option("--pdf", help="Also each figure as PDF, 84.7 mm (a column) wide.")
    ] = False,
    alive: Annotated[
        bool,
        typer.Option("--alive", help="Also alive.html, which makes Tables 4 to 9 in a browser."),
    ] = False,
) -> None:
    """Every table of the study next to the paper's values, as CSV and as one HTML
    page.

    [bold]Examples[/bold]

      ./mcpi paper --quick          a first look: about two minutes

      ./mcpi paper                  everything; ^C and again goes on

      ./mcpi paper --stack tcp --shuffles 100
          how much of it is the link order's doing

      ./mcpi paper --quick --engine board --port A --port B
          on two boards (docs/how-to/boards.md)

      ./mcpi paper --set bcache.read_ticks=20
          the same study on another machine

      ./mcpi paper --alive
          also results/paper/alive.html: each figure of Tables 4 to 9 is a
          button, and the reader's browser runs both machines

      ./mcpi paper --all-studies --update-docs
          everything that docs/ publishes, anew

    It says what it will run, and about how long, before it starts. Runs that
    have ended are kept in build/runs/ and never run again. docs/how-to/paper.md
    says what each cell is.
    """
    import dataclasses

    from mcpi.batch.plan import Wanted
    from mcpi.studykit import command

    options.check(context, options.PAPER)
    if all_studies and name != studies.DEFAULT:
        raise UserError(f"--all-studies has {name} too: leave one of them out.")
    if all_studies:
        first, *others = sorted(studies.there(), key=lambda one: one != studies.DEFAULT)
        for each in (first, *others):
            about = studies.find(each), studies.called(each), quick, jobs or command.cores()
            command.run(command.usual(*about, update_docs, pdf))
        return
    study = studies.find(name)
    extent = study.quick if quick else study.full
    if samples is not None:
        extent = dataclasses.replace(extent, samples=dict.fromkeys(extent.samples, samples))
    if round_trips is not None:
        extent = dataclasses.replace(extent, round_trips=round_trips)
    if shuffles is not None:
        extent = dataclasses.replace(extent, shuffles=shuffles)
    of_study = ("stack", "variant", "samples", "round_trips")
    usual = options.spec(context, **{name: getattr(RunSpec, name) for name in of_study})
    wanted = Wanted(usual, tuple(stack or []), tuple(variant or []))
    request = command.Request(
        study,
        wanted,
        extent,
        quick,
        jobs or command.cores(),
        out,
        tuple(table or []),
        update_docs,
        studies.called(name),
        pdf,
        studies.alive(name) if alive else None,
    )
    command.run(request)


def calibrate(
    machine: Annotated[str, typer.Option(help="A file of machines/, by name.")] = "dec3000-600",
    round_trips: options.RoundTrips = 100,
    write: Annotated[
        bool, typer.Option("--write", help="Put the result into the machine's file.")
    ] = False,
    jobs: options.Cores = None,
) -> None:
    """The ticks per taken branch with which STD TCP/IP's iCPI is nearest to the
    paper's 1.72.

    [bold]Examples[/bold]

      ./mcpi calibrate   measures every value the parameter can have

      ./mcpi calibrate --write
          and keeps the nearest in machines/dec3000-600.toml

    It is the only constant that is fitted to the study, on this one version;
    every other version is measured with it as it is.
    docs/explanation/results.md lists all constants that were chosen.
    """
    from mcpi.studykit import command

    studies.find().calibrate(machine, round_trips, jobs or command.cores(), write)
