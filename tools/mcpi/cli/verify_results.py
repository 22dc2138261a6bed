# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi verify-results``: the published tables of a study against tables made anew."""

from pathlib import Path
from typing import Annotated

import typer

from mcpi import studies
from mcpi.base.errors import UserError
from mcpi.cli import options


def verify_results(
    name: Annotated[
        str, typer.Argument(metavar="[STUDY]", help="A folder of tools/mcpi/studies/.")
    ] = studies.DEFAULT,
    made: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Compare the study in this folder; nothing runs. results/paper"
        ),
    ] = None,
    jobs: options.Cores = None,
    out: Annotated[
        Path | None, typer.Option(help="Where the study's files go; else results/paper.")
    ] = None,
) -> None:
    """Make the tables of a study anew and compare each cell with the published one.

    [bold]Examples[/bold]

      ./mcpi verify-results          SIGCOMM'96, in full: some minutes

      ./mcpi verify-results tr9304

      ./mcpi verify-results --made results/paper
          the tables of a study that has run

    The published tables are the blocks of README.md and docs/explanation/ that
    ./mcpi paper --update-docs fills. Exit status 0: every cell is equal. 1: a
    cell differs or is missing; each is listed with both texts.
    """
    import dataclasses

    from rich.console import Console
    from rich.table import Table

    from mcpi.studykit import command, verification
    from mcpi.studykit.measured import Measured

    study = studies.find(name)
    if made and out:
        raise UserError("--out has no effect with --made: nothing runs. Leave it out.")
    if made and not (made / "study.json").is_file():
        raise UserError(f"--made {made}: no study.json in it. ./mcpi paper {name} makes one.")
    if made:
        tables = study.tables(Measured.read(made / "study.json"))
    else:
        request = command.usual(study, studies.called(name), False, jobs or command.cores())
        tables = command.run(dataclasses.replace(request, out=out))
    found = verification.verify(study, tables)
    table = Table(box=None, pad_edge=False)
    for title in ("page and table", "equal", "differ", "missing"):
        table.add_column(title, justify="left" if title.startswith("page") else "right")
    for one in found:
        counts = (one.equal, len(one.different), len(one.missing))
        table.add_row(one.where, *map(str, counts))
    people = Console(highlight=False)
    people.print(table)
    for line in verification.lines(found):
        people.print(line, soft_wrap=True, markup=False)
    people.print(verification.total(found))
    raise typer.Exit(0 if all(one.is_equal for one in found) else 1)
