# SPDX-License-Identifier: BSD-2-Clause
"""The command line of ``./mcpi``. Exit status: 0 done, 1 the run failed, 2 wrong usage, 130 ^C.

Commands import what they need when they run, so that a start costs little.
"""

import errno
import os
import signal
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcpi import studies
from mcpi.base.errors import RunError, UserError
from mcpi.base.repo import BUILD, RESULTS, ROOT
from mcpi.cli import board as board_cli
from mcpi.cli import cocotb as cocotb_cli
from mcpi.cli import compare as compare_cli
from mcpi.cli import exec as exec_cli
from mcpi.cli import layout as layout_cli
from mcpi.cli import options
from mcpi.cli import profile as profile_cli
from mcpi.cli import python as python_cli
from mcpi.cli import sweep as sweep_cli
from mcpi.cli import trace as trace_cli
from mcpi.cli import verify_results as verify_cli
from mcpi.cli.program_words import ProgramCommand
from mcpi.spec.run_spec import RunSpec

if TYPE_CHECKING:
    from mcpi.results.types import Result

INTERRUPTED = 130

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


def _version(asked: bool) -> None:
    """The launcher answers, with or without tools."""
    if asked:
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
    """What all commands have in common."""


@app.command()
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
            help="What runs it: exact, a program; rtl, the Verilog, the same bytes; or board."
        ),
    ] = RunSpec.engine,
    check: Annotated[
        bool,
        typer.Option("--check", help="Repeat the run on the RTL; every file must be the same."),
    ] = False,
    port: options.Ports = None,
    baud: options.Baud = 0,
    layout: Annotated[
        str,
        typer.Option(
            help="default; shuffle-N: the N-th random link order; for variants that clone also "
            "linear, bipartite, micro, pessimal."
        ),
    ] = RunSpec.layout,
    define: options.Defines = None,
    round_trips: options.RoundTrips = RunSpec.round_trips,
    warmup: Annotated[int, typer.Option(min=0, help="Round trips before them.")] = RunSpec.warmup,
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
        typer.Option(metavar="SIDE", help="Each tick of client's or server's path: ticks.csv."),
    ] = "",
    trace: Annotated[
        str,
        typer.Option(metavar="SIDE", help="Each instruction of it: trace.csv."),
    ] = "",
    loss: Annotated[
        float, options.share("Of the frames of both sides, so many are lost: 0.01.")
    ] = RunSpec.loss,
    corruption: Annotated[
        float, options.share("So many get a wrong bit, and fail the check of their receiver.")
    ] = RunSpec.corruption,
    duplication: Annotated[float, options.share("So many arrive twice.")] = RunSpec.duplication,
    reordering: Annotated[
        float, options.share("So many arrive after the frame that follows them.")
    ] = RunSpec.reordering,
    delay: Annotated[
        float, options.share("So many arrive later, by up to --delay-us.")
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

      ./mcpi run --engine rtl
          on the RTL alone, each instruction checked against a model

    Every file of the run (counters, events, pcap, consoles, images) is left in
    results/; the table is drawn from them alone.
    """
    from mcpi import api
    from mcpi.api import checking
    from mcpi.base.progress import Bar

    options.check(context, options.RUN)
    if live:
        from mcpi.results.live import Screen

    spec = options.spec(context)
    if check:
        checking.refuse(spec)
    place, result = api.perform(spec, out, Screen() if live else Bar())
    _show(place, result, json)
    if check:
        same = checking.check(place, spec, Bar())
        print(f"checked on the RTL: {same} files, the same", file=sys.stderr)


def _show(place: Path, result: "Result", as_json: bool) -> None:
    """The table, for people; on standard error if the record is wanted."""
    from rich.console import Console

    from mcpi.results import record, summary

    people = Console(stderr=as_json, highlight=False)
    summary.show(record.plain(result), people)
    shown = place.relative_to(Path.cwd()) if place.is_relative_to(Path.cwd()) else place
    again = result.provenance.command
    people.print(f"files: {shown}   again: {again}", soft_wrap=True, markup=False)
    if as_json:
        print(record.text(result), end="")


@app.command()
def paper(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="[STUDY]", help="A folder of tools/mcpi/studies/.")
    ] = studies.DEFAULT,
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
        str, typer.Option(help="exact, a part of it repeated on the RTL; rtl; board: 2 and 7.")
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

    It says what it will run, and about how long, before it starts. Runs that
    have ended are kept in build/runs/ and never run again. docs/how-to/paper.md
    says what each cell is.
    """
    import dataclasses

    from mcpi.cli import options
    from mcpi.study import command
    from mcpi.study.plan import Wanted

    options.check(context, options.PAPER)
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
        "" if name == studies.DEFAULT else name,
    )
    command.run(request)


app.command()(verify_cli.verify_results)
app.command(cls=ProgramCommand)(profile_cli.profile)
app.command()(compare_cli.compare)
app.command()(sweep_cli.sweep)
app.command(cls=ProgramCommand)(trace_cli.trace)
app.command(context_settings=python_cli.WORDS)(python_cli.python)
app.command(context_settings=python_cli.WORDS)(python_cli.notebook)
app.command("exec", cls=ProgramCommand)(exec_cli.exec_)
app.command()(cocotb_cli.cocotb)


@app.command()
def calibrate(
    machine: Annotated[str, typer.Option(help="A profile of machines/.")] = "dec3000-600",
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
    from mcpi.study import command

    studies.find().calibrate(machine, round_trips, jobs or command.cores(), write)


@app.command()
def baseline(
    context: typer.Context,
    write: Annotated[
        bool, typer.Option("--write", help="Keep what the runs leave today as the baseline.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Where the runs go; else results/baseline.")
    ] = None,
    jobs: options.Cores = None,
    folders: Annotated[
        tuple[Path, Path] | None,
        typer.Option(metavar="A B", help="Compare two result folders instead; nothing runs."),
    ] = None,
) -> None:
    """Whether the study's results are still, byte for byte, those of the baseline.

    [bold]Examples[/bold]

      ./mcpi baseline                      compares; exit status 1: what moved

      ./mcpi baseline --write              after a change meant to move figures

      ./mcpi baseline --folders A B
          two runs, as of two engines, file by file

    It runs the quick study and compares a digest of each file with
    baseline.json: events, stamps, frames, consoles and tick logs byte by byte,
    records and counters without their provenance and times. About three
    minutes; runs that ended earlier are not run again.
    """
    from mcpi.results import folders as two
    from mcpi.study import command
    from mcpi.verify import baseline

    options.check(context, options.BASELINE)
    if folders:
        raise typer.Exit(two.check(*folders))
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
    workers: Annotated[
        int, typer.Option(min=1, help="Tests side by side; some wait for a process or a clock.")
    ] = 3,
) -> None:
    """Everything that can fail; the last line is 'N passed, N failed'.

    [bold]Examples[/bold]

      ./mcpi test --quick

      ./mcpi test -k lance

      ./mcpi test --all -k "random or mutants"
          the long ones; what has passed is not run again
    """
    from mcpi.verify import test_runner

    if quick and all_:
        raise UserError("--quick and --all contradict each other; give one of them.")
    kinds = (
        test_runner.Kinds.QUICK
        if quick
        else test_runner.Kinds.ALL
        if all_
        else test_runner.Kinds.USUAL
    )
    raise typer.Exit(test_runner.run(kinds, k, workers))


@app.command()
def doctor() -> None:
    """What is here, what is missing, what to type."""
    from mcpi.base import doctor

    raise typer.Exit(doctor.doctor())


@app.command()
def setup(
    purpose: Annotated[
        str, typer.Argument(help="exec, rtl, test or all: each brings what those before it bring.")
    ] = "test",
    with_: Annotated[
        str,
        typer.Option("--with", metavar="GROUP", help="Also Python packages: analysis or notebook."),
    ] = "",
) -> None:
    """Complete the tool environment; each command does it for what it wants.

    [bold]Examples[/bold]

      ./mcpi setup exec
          only what programs of your own and the exact engine want

      ./mcpi setup --with notebook
          pandas, Dask and Jupyter too, before somebody needs them
    """
    doctor()


app.add_typer(layout_cli.app, name="layout")
app.add_typer(board_cli.app, name="board")
board = board_cli.app


class Device(StrEnum):
    """What to place and route for."""

    u6 = "u6"
    g8 = "g8"
    both = "both"


class Block(StrEnum):
    """What a report is of."""

    core = "core"
    cores = "cores"
    counters = "counters"
    lance = "lance"
    node = "node"
    phy = "phy"


@board.command(
    "run",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    add_help_option=False,
)
def board_run(context: typer.Context) -> None:
    """The same as ./mcpi run --engine board, with all of its options: a run on two
    boards.

    [bold]Examples[/bold]

      ./mcpi board run --port /dev/ttyUSB0 --port /dev/ttyUSB1
          the client's board, the server's

      ./mcpi board run --port A --port B --stack rpc --round-trips 1000

    ./mcpi run --help has the options: all but --engine, and those that only a
    simulation has. docs/how-to/boards.md says how two boards are wired.
    """
    if any(word in ("-h", "--help") for word in context.args):
        print(context.get_help())
        raise typer.Exit
    if any(word.partition("=")[0] == "--engine" for word in context.args):
        raise UserError("board run: --engine has no effect, it is the boards'. Leave it out.")
    app(["run", *context.args, "--engine", "board"], prog_name="./mcpi", standalone_mode=False)


@board.command()
def report(
    context: typer.Context,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    seeds: Annotated[int, typer.Option(min=1, help="Placements for each device.")] = 5,
    device: Annotated[
        Device, typer.Option(help="LFE5U-45F speed 6, LFE5UM5G-45F speed 8, or both.")
    ] = Device.both,
    jobs: options.Placements = 2,
    block: Annotated[
        Block,
        typer.Option(help="The core, it with the counters, LANCE-IP; sizes: node, cores, phy."),
    ] = Block.core,
    counters: Annotated[bool, typer.Option("--counters", hidden=True)] = False,
    blocks: Annotated[bool, typer.Option("--blocks", hidden=True)] = False,
    lance: Annotated[bool, typer.Option("--lance", hidden=True)] = False,
    record: Annotated[
        str, typer.Option(metavar="CHANGE", help="Add the figures to boards/history.csv.")
    ] = "",
    history: Annotated[
        bool, typer.Option("--history", help="Only print what boards/history.csv has.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Size and post-route speed of the core alone, or of another block, next to
    its peers'. Behind the core's: what each board gave when it was last built.

    [bold]Examples[/bold]

      ./mcpi board report            both devices, 5 seeds: about 20 minutes

      ./mcpi board report --device u6 --seeds 1
          a first look: about 3 minutes

      ./mcpi board report --set dcache.size=16KB --json

      ./mcpi board report --block counters --device u6 --seeds 1
          what the counters do to its speed

      ./mcpi board report --block node
          size of counters, b-cache tags and the rest

      ./mcpi board report --block cores --machine challenge-100
          size of a coherent core's parts

      ./mcpi board report --block lance --device u6
          the Ethernet controller next to other MACs

      ./mcpi board report --record "bypass chosen a stage before"
          and keep the figures, as this commit's

    What is measured is kept in build/synthesis/; an interrupted or repeated call
    goes on from it.
    """
    from mcpi.fpga import history as fpga_history
    from mcpi.fpga import report as fpga_report

    options.check(context, options.REPORT)
    settings = options.settings(set_)
    for old, given in (("counters", counters), ("blocks", blocks), ("lance", lance)):
        if given:  # spellings of before
            block = Block.node if old == "blocks" else Block(old)
            typer.echo(f"--{old} is --block {block} now.", err=True)
    if history:
        fpga_history.show(block)
        return
    commit = fpga_history.commit() if record else ""
    found = fpga_report.report(block, machine, settings, device.value, seeds, jobs, json)
    if record:
        fpga_history.record(commit, block, record, found)


def main() -> None:
    """Run a command; every error that is for people ends here, without a stack trace."""
    # Also when started in the background, where shells have ^C ignored; and a plain kill is as ^C.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    for stream in (sys.stdout, sys.stderr):  # a terminal without µ and → shows a question mark
        stream.reconfigure(errors="replace")
    try:
        words = options.today(options.filled(sys.argv[1:]))
        status = app(words, prog_name="./mcpi", standalone_mode=False)
        sys.stdout.flush()
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
        _end_as_others_do()
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # rich makes this of it
            _end_as_others_do()
        raise
    except OSError as error:
        status = _complain(_of_system(error), 1)
    if status == INTERRUPTED:  # typer turns some ^C into this status by itself
        _complain("interrupted; what was built is kept, the next start goes on.", status)
    sys.exit(status or 0)


def _end_as_others_do() -> None:
    """The reader of a pipe has gone: by the signal, without a word."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGPIPE)


def _of_system(error: OSError) -> str:
    """What the system refused, and what to do where we know it."""
    what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        what += ". Free some space; what is complete is kept, the next start goes on."
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        if Path(str(error.filename or "")).is_relative_to(BUILD):
            what += (
                f". mCPI keeps what it builds in {BUILD.name}/ of the checkout {ROOT}, which must "
                "be writable. Clone or copy it to a place of your own."
            )
    return what


def _complain(what: object, status: int) -> int:
    print(f"mcpi: {what}", file=sys.stderr)
    return status
