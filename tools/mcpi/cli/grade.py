# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi grade``: what hand-ins of a lab get, and why."""

from pathlib import Path
from typing import Annotated

import typer


def grade(
    lab: Annotated[Path, typer.Argument(metavar="LAB.TOML", help="What the lab asks for.")],
    hand_ins: Annotated[
        list[Path],
        typer.Argument(metavar="HAND_IN...", help="A file, or a folder with the lab's files."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PLACE",
            help="The report of one hand-in (JSON); of several, a new folder of reports.",
        ),
    ] = None,
    max_seconds: Annotated[
        float,
        typer.Option(min=1, help="Seconds of this computer for all runs of a hand-in."),
    ] = 60,
) -> None:
    """Compile and run hand-ins of a lab; print the points of each part, and why.

    [bold]Examples[/bold]

      ./mcpi grade course/1-ticks/lab.toml course/1-ticks/zeros.c

      ./mcpi grade lab.toml student.c --out results.json
          results.json in Gradescope's form

      ./mcpi grade lab.toml hand-ins/* --out reports
          a whole class: NAME.json for each, and grades.csv

    A hand-in that does not compile, crashes or does not end gets words and no
    points, and the next is graded. Points follow from ticks, so every computer
    gives the same. docs/how-to/grade.md has the form of lab.toml; course/ has
    six labs.
    """
    from mcpi.grading import gradescope, report
    from mcpi.grading import lab as labs
    from mcpi.grading.grade import grade as graded

    wanted = labs.read(lab)
    places = report.Places.of(hand_ins, out)
    found = []
    for hand_in in hand_ins:
        found.append(graded(wanted, hand_in, max_seconds))
        typer.echo(report.text(found[-1], whole=len(hand_ins) == 1))
        places.write(found[-1].name, gradescope.text(found[-1]))
    places.end(found)
