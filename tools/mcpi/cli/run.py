# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi run``: one run, its table, and the same on the RTL."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcpi.cli import options
from mcpi.cli.debug import start
from mcpi.spec.run_spec import RunSpec

if TYPE_CHECKING:
    from mcpi.results.types import Result


def run(
    context: typer.Context,
    stack: options.Stack = RunSpec.stack,
    variant: options.Variant = RunSpec.variant,
    peer_variant: options.PeerVariant = RunSpec.peer_variant,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    engine: Annotated[
        str,
        typer.Option(
            help="exact, the C++ engine; rtl, the Verilog, with the same files; board, two FPGAs."
        ),
    ] = RunSpec.engine,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Repeat the run on the RTL, a run of boards on engine exact; every file must be "
            "the same.",
        ),
    ] = False,
    twice: Annotated[
        bool, typer.Option("--twice", help="Repeat the run; every file must be the same.")
    ] = False,
    port: options.Ports = None,
    baud: options.Baud = 0,
    layout: Annotated[
        str,
        typer.Option(
            help="default; shuffle-N: the N-th random link order; for variants that clone also "
            "linear, bipartite, micro, pessimal; or both, linear-shuffle-N."
        ),
    ] = RunSpec.layout,
    path: Annotated[
        str, typer.Option(metavar="DIR", help="A found path, for --variant pin (./mcpi path find).")
    ] = RunSpec.path,
    define: options.Defines = None,
    round_trips: options.RoundTrips = RunSpec.round_trips,
    warmup: Annotated[
        int, typer.Option(min=0, help="Round trips before the measured ones.")
    ] = RunSpec.warmup,
    samples: Annotated[
        int, typer.Option(min=1, help="Runs that differ in their initial phases only.")
    ] = RunSpec.samples,
    seed: options.Seed = RunSpec.seed,
    image: Annotated[
        str, typer.Option(metavar="ELF", help="Run this image instead of building one.")
    ] = "",
    cold: Annotated[
        bool,
        typer.Option("--cold", help="Also one invocation of the path from empty caches (Table 6)."),
    ] = False,
    tick_log: Annotated[
        str,
        typer.Option(
            metavar="SIDE", help="Write ticks.csv: each tick of client's or server's path."
        ),
    ] = "",
    trace: Annotated[
        str,
        typer.Option(
            metavar="SIDE", help="Write trace.csv: each instruction of client's or server's path."
        ),
    ] = "",
    loss: Annotated[
        float, options.share("Share of all frames that are lost, as 0.01.")
    ] = RunSpec.loss,
    corruption: Annotated[
        float, options.share("Share that get a wrong bit; the receiver drops them.")
    ] = RunSpec.corruption,
    duplication: Annotated[float, options.share("Share that arrive twice.")] = RunSpec.duplication,
    reordering: Annotated[
        float, options.share("Share that arrive after the frame sent after them.")
    ] = RunSpec.reordering,
    delay: Annotated[
        float, options.share("Share that arrive later, by up to --delay-us.")
    ] = RunSpec.delay,
    delay_us: Annotated[int, typer.Option(metavar="US", help="The longest delay, in us.")] = (
        RunSpec.delay_us
    ),
    half_duplex: Annotated[
        bool,
        typer.Option("--half-duplex", help="One cable with collisions: --set link.duplex=half."),
    ] = False,
    wire: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SIDE:KEY=VALUE",
            help="Faults of what one side sends, as client:lose=0.01 or client:script=FILE; "
            "repeatable (docs/how-to/wire.md).",
        ),
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help="Both machines' owners and hit rates while it runs.")
    ] = False,
    lockstep: Annotated[
        bool,
        typer.Option("--lockstep/--no-lockstep", help="Check every instruction against the model."),
    ] = True,
    debug: Annotated[
        bool,
        typer.Option(
            "--debug",
            help="Open GDB where the run fails (./mcpi debug), in the first sample that fails.",
        ),
    ] = False,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Build what changed, run it, print where the cycles went.

    [bold]Examples[/bold]

      ./mcpi run --stack tcp --variant std --round-trips 100

      ./mcpi run --samples 10   mean and spread over initial phases

      ./mcpi run --set memory.read_ticks=24
          memory twice as fast; rebuilds nothing

      ./mcpi run --round-trips 2000 --live
          both machines' counters while it runs

      ./mcpi run --loss 0.02
          a wire that loses frames; --seed says which

      ./mcpi run --check
          the same again on the RTL: equal, file by file

      ./mcpi run --engine board --port A --port B --check
          two boards, and the same on engine exact

      ./mcpi run --twice
          the same again, in another process: equal, file by file

      ./mcpi run --engine rtl
          on the RTL alone, each instruction checked against a model

      ./mcpi run --stack my.graph --debug
          GDB at the tick of the failure, from where it goes backward

    Every file of the run (counters, events, pcap, consoles, images) is left in
    results/; the table is drawn from them alone.
    """
    options.check(context, options.RUN)
    if debug:
        raise typer.Exit(start(options.spec(context), out, at_failure=True))

    from mcpi import api
    from mcpi.api import checking
    from mcpi.base.progress import Bar

    if live:
        from mcpi.results.live import Screen

    spec = options.spec(context)
    if check:
        checking.refuse(spec)
    place, result = api.perform(spec, out, Screen() if live else Bar())
    _show(place, result, json)
    if check:
        same = checking.check(place, spec, Bar())
        by = checking.repeated(spec).engine
        print(f"checked on engine {by}: {same} files, the same", file=sys.stderr)
    if twice:
        same = checking.twice(place, spec, Bar())
        print(f"run twice: {same} files, the same", file=sys.stderr)


def _show(place: Path, result: "Result", as_json: bool) -> None:
    """The table, for people; on standard error if the record is wanted."""
    from rich.console import Console

    from mcpi.results import record, summary

    people = Console(stderr=as_json, highlight=False)
    summary.show(record.plain(result), people)
    short = place.relative_to(Path.cwd()) if place.is_relative_to(Path.cwd()) else place
    again = result.provenance.command
    people.print(f"files: {short}   again: {again}", soft_wrap=True, markup=False)
    if as_json:
        print(record.text(result), end="")
