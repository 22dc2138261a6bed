# SPDX-License-Identifier: BSD-2-Clause
"""All commands of ``./mcpi``, in the order of its help.

Commands import what they need when they run, so that a start costs little.
"""

import os
from typing import Annotated

import typer
from typer.core import TyperCommand

from mcpi.base.repo import ROOT
from mcpi.cli import (
    checkout,
    compare,
    debug,
    docs,
    exec,
    grade,
    layout,
    paper,
    parameters,
    path,
    python,
    run,
    scenario,
    sweep,
    trace,
    verify_results,
    watch,
    whatif,
)
from mcpi.cli.hardware import board, cocotb, ip
from mcpi.cli.profiling import profile

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="""A network testbed in which every tick of a processor has an owner.

Two simulated Alpha machines run the x-kernel over an Ethernet wire; counters
say what each tick of the protocol code was spent on.

[bold]Examples[/bold]

  ./mcpi run      STD TCP/IP, 100 round trips, ends with a table

  ./mcpi run --set icache.size=16KB
      the same with a larger instruction cache

  ./mcpi run --round-trips 1000 --json > a.json
      only the record, for a script

  ./mcpi doctor   what is here, what is missing, what to type
""",
)


class ProgramCommand(TyperCommand):
    """A command whose positional words are the files of a program; those behind
    ``--`` are its arguments."""

    def parse_args(self, ctx, args: list[str]) -> list[str]:
        """Parse as typer does, but keep words after ``--`` for the program when a file stands
        before it: in ``ctx.obj``."""
        if "--" in args:
            at = args.index("--")
            given, _, _ = self.make_parser(ctx).parse_args(args=list(args[:at]))
            places = [one.name for one in self.get_params(ctx) if one.param_type_name == "argument"]
            if any(given.get(name) for name in places) and args[at + 1 :]:
                ctx.obj, args = args[at + 1 :], args[:at]
        return super().parse_args(ctx, args)


def _version(wanted: bool) -> None:
    """The launcher answers, with or without tools."""
    if wanted:
        os.execv(ROOT / "mcpi", ["mcpi", "--version"])


@app.callback()
def every_command(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_version,
            is_eager=True,
            help="Version, commit, changed or not, compiler.",
        ),
    ] = False,
) -> None:
    """Take the options that all commands have in common."""


app.command()(run.run)
app.command()(paper.paper)
app.command()(verify_results.verify_results)
app.command(cls=ProgramCommand)(profile.profile)
app.command(cls=ProgramCommand)(whatif.whatif)
app.command()(compare.compare)
app.command(cls=ProgramCommand)(sweep.sweep)
app.command(cls=ProgramCommand)(trace.trace)
app.command(context_settings=python.WORDS)(python.python)
app.command(context_settings=python.WORDS)(python.notebook)
app.command("exec", cls=ProgramCommand)(exec.exec_)
app.command()(grade.grade)
app.command()(scenario.scenario)
app.command()(parameters.parameters)
app.command(cls=ProgramCommand)(debug.debug)
app.command()(watch.watch)
app.command()(cocotb.cocotb)
app.command()(paper.calibrate)
app.command()(checkout.baseline)
app.command()(checkout.test)
app.command()(docs.docs)
app.command()(checkout.release)
app.command()(checkout.doctor)
app.command()(checkout.setup)
app.add_typer(layout.app, name="layout")
app.add_typer(path.app, name="path")
app.add_typer(board.app, name="board")
app.add_typer(ip.app, name="ip")
