# SPDX-License-Identifier: BSD-2-Clause
"""The command line of ``./mcpi``. Exit status: 0 done, 1 the run failed, 2 wrong usage, 130 ^C.

Commands import what they need when they run, so that a start costs little.
"""

import errno
import signal
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mcpi import board_cli, layout_cli
from mcpi.errors import RunError, UserError
from mcpi.paths import RESULTS

INTERRUPTED = 130

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="""A network testbed in which every cycle has an owner.

Two simulated Alpha machines run the x-kernel over an Ethernet wire; counters
in the hardware say where each cycle of a round trip went.

[bold]Examples[/bold]

  ./mcpi run      STD TCP/IP, 100 round trips, ends with a table

  ./mcpi run --set icache.size=16KB
      the same with a larger instruction cache

  ./mcpi run --round-trips 1000 --json > a.json
      only the record, for a script

  ./mcpi doctor   what is here, what is missing, what to type
""",
)

# Which machine, for every command that builds one; `record.settings` reads the second.
Machine = Annotated[str, typer.Option(help="A profile of machines/, or the path of a .toml.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change one machine parameter; repeatable."),
]

Ports = Annotated[
    list[str] | None,
    typer.Option(metavar="PORT", help="Engine board: the client's serial port, the server's."),
]
Baud = Annotated[int, typer.Option(min=0, max=10**8, help="Engine board: [115200]")]


@app.command()
def run(
    context: typer.Context,
    stack: Annotated[str, typer.Option(help="Protocol stack.", metavar="tcp|rpc")] = "tcp",
    variant: Annotated[
        str, typer.Option(help="A recipe of firmware/variants/: how the stack is compiled.")
    ] = "std",
    peer_variant: Annotated[
        str,
        typer.Option(metavar="VARIANT", help="The server's. \\[tcp: the same; rpc: all]"),
    ] = "",
    machine: Machine = "dec3000-600",
    set_: Settings = None,
    engine: Annotated[
        str, typer.Option(help="What runs it: rtl, board, or model (docs/model.md).")
    ] = "rtl",
    port: Ports = None,
    baud: Baud = 0,
    layout: Annotated[
        str,
        typer.Option(
            help="default; shuffle-N: the N-th random link order; for variants that clone also "
            "linear, bipartite, micro, pessimal."
        ),
    ] = "default",
    define: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Change one firmware switch; repeatable."),
    ] = None,
    round_trips: Annotated[int, typer.Option(min=1, help="Measured round trips.")] = 100,
    warmup: Annotated[int, typer.Option(min=0, help="Round trips before them.")] = 20,
    samples: Annotated[
        int, typer.Option(min=1, help="Runs that differ in their initial phases only.")
    ] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Sequence numbers, identifiers, phases.")] = 1,
    image: Annotated[
        str, typer.Option(metavar="ELF", help="Run this image instead of building one.")
    ] = "",
    cold: Annotated[
        bool,
        typer.Option("--cold", help="Also one invocation of the path from empty caches (Table 6)."),
    ] = False,
    tick_log: Annotated[
        str,
        typer.Option(metavar="SIDE", help="Each tick of client's or server's path: ticks.csv."),
    ] = "",
    trace: Annotated[
        str,
        typer.Option(metavar="SIDE", help="Each instruction of it: trace.csv."),
    ] = "",
    wire: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SIDE:KEY=VALUE",
            help="Faults of what client or server sends, as client:lose=0.01; repeatable "
            "(docs/segment.md).",
        ),
    ] = None,
    lockstep: Annotated[
        bool,
        typer.Option("--lockstep/--no-lockstep", help="Check every instruction against the model."),
    ] = True,
    out: Annotated[
        Path | None, typer.Option(help="Where the files go; else a new folder in results/.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print only the record on stdout.")] = False,
) -> None:
    """Build what changed, run it, print where the cycles went.

    [bold]Examples[/bold]

      ./mcpi run --stack tcp --variant std --round-trips 100

      ./mcpi run --samples 10   mean and spread over initial phases

      ./mcpi run --set memory.read_ticks=24
          memory twice as fast; rebuilds nothing

    Every file of the run (counters, events, pcap, consoles, images) is left in
    results/; the table is drawn from them alone.
    """
    from mcpi import options, record, run

    options.check(context, options.RUN)
    wanted = record.Record(
        machine=machine,
        settings=record.settings(set_ or []),
        stack=stack,
        variant=variant,
        peer_variant=peer_variant,
        layout=layout,
        engine=engine,
        round_trips=round_trips,
        warmup=warmup,
        samples=samples,
        seed=seed,
        image=image,
        cold=cold,
        lockstep=lockstep,
        defines=tuple(define or []),
        ports=tuple(port or []),
        baud=baud,
        tick_log=tick_log,
        trace=trace,
        wire=tuple(wire or []),
    )
    run.run(wanted, out, json)


@app.command()
def paper(
    context: typer.Context,
    quick: Annotated[
        bool, typer.Option("--quick", help="A first look: one sample, 20 round trips.")
    ] = False,
    stack: Annotated[
        list[str] | None, typer.Option(metavar="tcp|rpc", help="Only this stack; repeatable.")
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option(help="Only this version; repeatable.")
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(metavar="1..9", help="Print this table at the end; repeatable. [4 and 7]"),
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
    machine: Machine = "dec3000-600",
    set_: Settings = None,
    engine: Annotated[
        str, typer.Option(help="rtl, model: Tables 4, 5, 7 (docs/model.md); board: 2 and 7.")
    ] = "rtl",
    port: Ports = None,
    baud: Baud = 0,
    seed: Annotated[int, typer.Option(min=0, help="Sequence numbers, identifiers, phases.")] = 1,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Runs side by side. \\[all cores]")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where the files go; else results/paper.")
    ] = None,
    docs: Annotated[
        bool, typer.Option("--docs", help="Also fill the tables of docs/*.md.")
    ] = False,
) -> None:
    """Every table of the study beside the paper's values, as CSV and as one HTML
    page.

    [bold]Examples[/bold]

      ./mcpi paper --quick          a first look: about two minutes

      ./mcpi paper                  everything: 15 minutes; ^C and again goes on

      ./mcpi paper --stack tcp --shuffles 100
          how much of it is the link order's doing

      ./mcpi paper --engine model   predicted from one short run of each version

      ./mcpi paper --quick --engine board --port A --port B
          on two boards (docs/boards.md)

      ./mcpi paper --set bcache.read_ticks=20
          the same study on another machine

    It says what it will run, and about how long, before it starts. Runs that
    have ended are kept in build/runs/ and never run again. docs/paper.md says
    what each cell is.
    """
    import dataclasses

    from mcpi import options, record
    from mcpi.paper import command, plan

    options.check(context, options.PAPER)
    extent = plan.QUICK if quick else plan.FULL
    if samples is not None:
        extent = dataclasses.replace(extent, samples=dict.fromkeys(extent.samples, samples))
    if round_trips is not None:
        extent = dataclasses.replace(extent, round_trips=round_trips)
    if shuffles is not None:
        extent = dataclasses.replace(extent, shuffles=shuffles)
    extent = extent.of_engine(engine)
    wanted = plan.Wanted(
        machine=machine,
        settings=record.settings(set_ or []),
        engine=engine,
        seed=seed,
        stacks=tuple(stack or []),
        variants=tuple(variant or []),
        ports=tuple(port or []),
        baud=baud,
    )
    chosen = tuple(table or [])
    command.run(command.Request(wanted, extent, quick, jobs or command.cores(), out, chosen, docs))


@app.command()
def calibrate(
    machine: Annotated[str, typer.Option(help="A profile of machines/.")] = "dec3000-600",
    round_trips: Annotated[int, typer.Option(min=1, help="Measured round trips.")] = 100,
    write: Annotated[
        bool, typer.Option("--write", help="Put the result into the machine's file.")
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Runs side by side. \\[all cores]")
    ] = None,
) -> None:
    """The ticks per taken branch with which STD TCP/IP's iCPI is nearest to the
    paper's 1.72.

    [bold]Examples[/bold]

      ./mcpi calibrate   measures every value the parameter can have

      ./mcpi calibrate --write
          and keeps the nearest in machines/dec3000-600.toml

    It is the only constant that is fitted to the study, on this one version;
    every other version is measured with it as it is. docs/results.md lists all
    constants that were chosen.
    """
    from mcpi import calibrate
    from mcpi.paper import command

    calibrate.calibrate(machine, round_trips, jobs or command.cores(), write)


@app.command()
def baseline(
    write: Annotated[
        bool, typer.Option("--write", help="Keep what the runs leave today as the baseline.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Where the runs go; else results/baseline.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Runs side by side. \\[all cores]")
    ] = None,
) -> None:
    """Whether the study's results are still, byte for byte, those of the baseline.

    [bold]Examples[/bold]

      ./mcpi baseline                      compares; exit status 1: what moved

      ./mcpi baseline --write              after a change meant to move figures

    It runs the quick study and compares a digest of each file with
    baseline.json: events, stamps, frames, consoles and tick logs byte by byte,
    records and counters without their provenance and times. About three
    minutes; runs that ended earlier are not run again.
    """
    from mcpi import baseline
    from mcpi.paper import command

    place = command.study_folder(out or RESULTS / "baseline")
    raise typer.Exit(baseline.check(place, jobs or command.cores(), write))


@app.command()
def test(
    quick: Annotated[bool, typer.Option("--quick", help="Leave out tests marked slow.")] = False,
    all_: Annotated[
        bool,
        typer.Option("--all", help="Also tests marked long: every random machine, every mutant."),
    ] = False,
    k: Annotated[str, typer.Option("-k", metavar="EXPRESSION", help="As pytest -k.")] = "",
    workers: Annotated[int, typer.Option(min=1, help="Tests side by side.")] = 2,
) -> None:
    """Everything that can fail; the last line is 'N passed, N failed'.

    [bold]Examples[/bold]

      ./mcpi test --quick

      ./mcpi test -k lance

      ./mcpi test --all -k "random or mutants"
          the long ones; what has passed is not run again
    """
    from mcpi import tests

    if quick and all_:
        raise UserError("--quick and --all contradict each other; give one of them.")
    kinds = tests.Kinds.QUICK if quick else tests.Kinds.ALL if all_ else tests.Kinds.USUAL
    raise typer.Exit(tests.run(kinds, k, workers))


@app.command()
def doctor() -> None:
    """What is here, what is missing, what to type."""
    from mcpi import doctor

    raise typer.Exit(doctor.doctor())


@app.command()
def setup() -> None:
    """Complete the tool environment (./mcpi does it by itself on its first start)."""
    doctor()


app.add_typer(layout_cli.app, name="layout")
app.add_typer(board_cli.app, name="board")
board = board_cli.app


class Device(StrEnum):
    """What to place and route for."""

    u6 = "u6"
    g8 = "g8"
    both = "both"


@board.command(
    "run",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    add_help_option=False,
)
def board_run(context: typer.Context) -> None:
    """The same as ./mcpi run --engine board, with all of its options: a run on two
    boards.
    """
    if any(word.partition("=")[0] == "--engine" for word in context.args):
        raise UserError("board run: --engine has no effect, it is the boards'. Leave it out.")
    app(["run", *context.args, "--engine", "board"], prog_name="./mcpi", standalone_mode=False)


@board.command()
def report(
    context: typer.Context,
    machine: Machine = "dec3000-600",
    set_: Settings = None,
    seeds: Annotated[int, typer.Option(min=1, help="Placements for each device.")] = 5,
    device: Annotated[
        Device, typer.Option(help="LFE5U-45F speed 6, LFE5UM5G-45F speed 8, or both.")
    ] = Device.both,
    jobs: Annotated[int, typer.Option(min=1, help="Placements side by side.")] = 2,
    counters: Annotated[
        bool, typer.Option("--counters", help="The core with the counters behind it.")
    ] = False,
    blocks: Annotated[
        bool, typer.Option("--blocks", help="What each part of a node costs; nothing is placed.")
    ] = False,
    lance: Annotated[
        bool, typer.Option("--lance", help="LANCE-IP alone instead, beside other Ethernet MACs.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print only the record on stdout.")] = False,
) -> None:
    """Size and post-route speed of the core alone, beside other cores'.

    [bold]Examples[/bold]

      ./mcpi board report            both devices, 5 seeds: about 20 minutes

      ./mcpi board report --device u6 --seeds 1
          a first look: about 3 minutes

      ./mcpi board report --set dcache.size=16KB --json

      ./mcpi board report --counters --device u6 --seeds 1
          what the counters do to its speed

      ./mcpi board report --blocks   size of counters, b-cache tags and the rest

      ./mcpi board report --lance --device u6
          the Ethernet controller beside other MACs

    What is measured is kept in build/synthesis/; an interrupted or repeated call
    goes on from it.
    """
    from mcpi import block_report, board_report, lance_report, options, record, synthesis

    options.check(context, options.REPORT)
    settings = record.settings(set_ or [])
    if lance:
        lance_report.report(machine, settings, device.value, seeds, jobs, json)
        return
    if blocks:
        block_report.report(machine, settings, json)
        return
    block = synthesis.WITH_COUNTERS if counters else synthesis.BLOCK
    board_report.report(machine, settings, device.value, seeds, jobs, json, block)


def main() -> None:
    """Run a command; every error that is for people ends here, without a stack trace."""
    # Also when started in the background, where shells have ^C ignored; and a plain kill is as ^C.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        status = app(prog_name="./mcpi", standalone_mode=False)
    except UserError as error:
        status = _complain(error, 2)
    except RunError as error:
        status = _complain(error, 1)
    except typer.TyperException as error:
        error.show()
        status = error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        status = 1
    except OSError as error:
        status = _complain(_of_system(error), 1)
    if status == INTERRUPTED:  # typer turns some ^C into this status by itself
        _complain("interrupted; what was built is kept, the next start goes on.", status)
    sys.exit(status or 0)


def _of_system(error: OSError) -> str:
    """What the system refused, and what to do where we know it."""
    what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        what += ". Free some space; what is complete is kept, the next start goes on."
    return what


def _complain(what: object, status: int) -> int:
    print(f"mcpi: {what}", file=sys.stderr)
    return status
