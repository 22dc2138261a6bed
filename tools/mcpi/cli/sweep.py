# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi sweep``: all combinations of what varies, each run once, as one data set."""

import datetime
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcpi.base.errors import UserError
from mcpi.base.repo import RESULTS
from mcpi.cli import options
from mcpi.spec import run_spec
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec

if TYPE_CHECKING:
    from mcpi.api import Dataset

ROUND_TRIPS = 20
SHOWN = 40  # rows of the summary
Several = Annotated[str, typer.Option(metavar="NAME,…", help="One name or several.")]


def sweep(
    context: typer.Context,
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE...]", help="A program of your own, as of exec, in place of a stack."
        ),
    ] = None,
    stack: Annotated[
        str, typer.Option(metavar="tcp,rpc", help="One stack or both.")
    ] = RunSpec.stack,
    variant: Several = RunSpec.variant,
    machine: Several = RunSpec.machine,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE,…", help="Values of a parameter; repeatable."),
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Initial phases: seeds 1 to this.")] = 1,
    layouts: Annotated[
        int, typer.Option(min=0, help="Random link orders, besides the usual one.")
    ] = 0,
    define: options.Defines = None,
    engine: options.Engine = RunSpec.engine,
    round_trips: options.RoundTrips = ROUND_TRIPS,
    warmup: Annotated[
        int, typer.Option(min=0, help="Round trips before the measured ones.")
    ] = RunSpec.warmup,
    optimise: Annotated[
        str,
        typer.Option("--optimise", "-O", metavar="0,1,…", help="Optimisation levels of a program."),
    ] = ProgramSpec.optimise,
    measure: options.Measure = None,
    shard: Annotated[
        str,
        typer.Option(
            metavar="K/N", help="Only part K of N of the runs; they are kept, nothing is collected."
        ),
    ] = "",
    cluster: Annotated[
        str,
        typer.Option(
            metavar="local|ADDRESS|slurm",
            help="Workers that run the points: this machine, Dask's, Slurm's.",
        ),
    ] = "local",
    jobs: options.Cores = None,
    x: Annotated[
        str, typer.Option(help="Plot: parameter of the x axis. \\[what varies first]")
    ] = "",
    y: Annotated[
        str, typer.Option(help="Column of the plot's y axis and of the summary. \\[t_p_us; ticks]")
    ] = "",
    by: Annotated[
        str, typer.Option(help="Plot: parameter with a line for each value. \\[what varies next]")
    ] = "",
    out: options.Out = None,
) -> None:
    """Many runs: all combinations of variants, machines, parameters, link orders
    and phases, as one data set.

    [bold]Examples[/bold]

      ./mcpi sweep --variant std,all --set icache.size=4KB,8KB,16KB --seeds 10

      ./mcpi sweep --variant std,out,clo,all --layouts 30 --y mcpi

      ./mcpi sweep examples/stride.c --set dcache.size=8KB,16KB -O 0,2
          a program: a row for each place that it measures

      ./mcpi sweep --variant std,all --seeds 10 --shard 1/3
          a third of the runs; after all three, the command without --shard

      ./mcpi sweep --set memory.read_ticks=24,48,96 --cluster tcp://HOST:8786

    It says the cost first. ^C and again goes on: what has ended is kept, and
    equal runs are never run twice. The folder has sweep.parquet, sweep.csv,
    sweep.svg. docs/how-to/sweep.md has the columns, and says how workers
    elsewhere are started.
    """
    from mcpi.api.sweeping import cluster as clusters
    from mcpi.api.sweeping import dataset, grid, perform
    from mcpi.base import staging
    from mcpi.base.progress import Bar

    clusters.check(cluster)
    y = y or ("ticks" if sources else dataset.Y)
    of_a_stack = {
        "stack": _several("--stack", stack),
        "variant": _several("--variant", variant),
        "round_trips": round_trips,
        "warmup": warmup,
    }
    of_a_program = {"optimise": _several("--optimise", optimise)}
    of_a_program |= {"measure": tuple(measure)} if measure else {}
    if sources:
        options.no_effect(
            context, "stack variant round_trips warmup layouts", "a program has no such thing"
        )
    else:
        options.no_effect(context, "optimise measure", "only a program has such a thing")
    given: dict[str, object] = (
        (of_a_program if sources else of_a_stack)
        | {
            "machine": _several("--machine", machine),
            "engine": engine,
            "set": {
                key: _several(f"--set {key}", text)
                for key, text in run_spec.settings(set_ or []).items()
            },
        }
        | ({"defines": tuple(define)} if define else {})
    )
    arguments = tuple(context.obj or ())
    usual = ProgramSpec(tuple(sources), arguments=arguments) if sources else None
    wanted = grid.of(given, layouts, seeds, usual)
    perform.check(wanted)
    part = _part(shard)
    for option, name, there in (
        ("--x", x, wanted.columns),
        ("--by", by, wanted.columns),
        ("--y", y, dataset.MEASURED),
    ):
        if name:
            options.one_of(option, name, there)
    if part:
        options.no_effect(context, "x y by out", "a part of a sweep makes no data set")
        whole, ran = perform.shard(wanted, part, cluster, jobs or 0, Bar())
        print(f"part {shard}: {whole} runs are kept, {ran} of them are new")
        return
    place = _place(out)
    with staging.staged(place, mark="sweep.json") as stage:
        found = perform.sweep(wanted, cluster, jobs or 0, stage, Bar())
        if found.axes:
            found.plot(x, y, by).save(stage / "sweep.svg")
    _show(found, y, place)


def _part(text: str) -> tuple[int, int] | None:
    """K and N of ``--shard``."""
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    part = (int(found[1]), int(found[2])) if found else (0, 0)
    if text and not 1 <= part[0] <= part[1]:
        raise UserError(f"--shard {text}: K/N is wanted, K from 1 to N, as 1/3.")
    return part if text else None


def _several(option: str, text: str) -> list[str]:
    values = text.split(",")
    if not all(values):
        raise UserError(f"{option} {text}: a value between two commas is empty.")
    return values


def _place(out: Path | None) -> Path:
    if out is not None:
        return out.resolve()
    stamp = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S-%f")[:-3]
    return RESULTS / f"sweep-{stamp}"


def _show(found: "Dataset", y: str, place: Path) -> None:
    from rich.console import Console
    from rich.table import Table

    rows = found.summary(y).reset_index()
    table = Table(box=None, pad_edge=False, title=f"{y}: median and range", title_justify="left")
    keys = list(rows.columns[:-4])
    for name in rows.columns:
        is_key = name in keys
        table.add_column(name, justify="left" if is_key else "right", overflow="fold")
        table.columns[-1].no_wrap = not is_key and name != "runs"
    for row in rows.head(SHOWN).itertuples(index=False):
        *labels, runs, median, low, high = row
        table.add_row(*map(str, labels), str(runs), *(f"{v:,.2f}" for v in (median, low, high)))
    people = Console(highlight=False)
    people.print(table)
    if len(rows) > SHOWN:
        people.print(f"{len(rows) - SHOWN} more rows in sweep.csv")
    short = place.relative_to(Path.cwd()) if place.is_relative_to(Path.cwd()) else place
    people.print(f"files: {short}", soft_wrap=True)
