# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board …``: what there is, bitstreams, loading, boards without hardware."""

from pathlib import Path
from typing import Annotated

import typer

from mcpi.base.errors import UserError
from mcpi.cli import options
from mcpi.cli.hardware import board_report
from mcpi.spec.run_spec import BOARD, RTL, RunSpec

app = typer.Typer(no_args_is_help=True, help="The design on FPGAs: size, speed, bitstreams.")

Name = Annotated[str, typer.Argument(metavar="BOARD", help="A folder of boards/.")]


@app.command(name="list")
def list_(
    sizes: Annotated[
        bool,
        typer.Option("--sizes", help="Only print the block RAMs of each machine on each board."),
    ] = False,
    shown: Annotated[
        bool,
        typer.Option("--status", help="Only print what was shown of each machine, and when."),
    ] = False,
) -> None:
    """The boards there are, and the serial ports."""
    from mcpi.fpga import machine_sizes, pace, status
    from mcpi.hardware import serial_port
    from mcpi.machine import boards

    if sizes and shown:
        raise UserError("board list: --sizes and --status are a table each. Give one of them.")
    if sizes:
        machine_sizes.show()
        return
    if shown:
        status.show()
        return
    for name in boards.names():
        board = boards.load(name)
        device = " ".join(board.device)
        print(f"{name:<16} {board.title}; {device}, {board.clock_mhz:.1f} MHz, {board.baud} baud")
        pages = f"{board.pages} pages of {board.page_bytes} bytes"
        print(f"{'':<16} {pages}; LEDs: {', '.join(board.leds)}")
        print(f"{'':<16} {pace.last(board)}")
    print(serial_port.there())


@app.command()
def build(
    name: Name,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    seeds: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Number of placements; the fastest is kept. If not given: one after the other, "
            "until one meets every clock, five at most.",
        ),
    ] = None,
    jobs: options.Placements = 1,
    json: options.Json = False,
) -> None:
    """A bitstream: yosys, nextpnr, ecppack; what is made is kept in build/boards/.

    [bold]Examples[/bold]

      ./mcpi board build ecpix-5

      ./mcpi board build colorlight-i9 --seeds 5
          the median says whether the clock is met

    Prints size by block, clocks over seeds, the longest path in our names. The
    last line is what the board gives, in target ticks per second: the clock it is
    built for divided by the clocks of a tick, measured in simulation of the
    board's memory, for TCP STD and RPC STD. A clock that no placement meets is an
    error, and no bitstream is made.
    """
    from mcpi.engines.board import pace
    from mcpi.fpga import place_route
    from mcpi.machine import boards

    board, settings = boards.load(name), options.settings(set_)
    place_route.ready(board, machine, settings)
    measured = pace.measured(board, machine, settings)
    place_route.build(board, machine, settings, seeds, jobs, measured, json)


@app.command()
def load(
    context: typer.Context,
    name: Name,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    flash: Annotated[
        bool, typer.Option("--flash", help="Write it into flash memory, to stay.")
    ] = False,
    bitstream: Annotated[
        Path | None, typer.Option(help="A bitstream of board embed, in place of the one built.")
    ] = None,
    release: Annotated[
        Path | None,
        typer.Option(metavar="PLACE", help="A release, or its archive of bitstreams, has it."),
    ] = None,
) -> None:
    """Put the bitstream that was built into a board (openFPGALoader).

    [bold]Examples[/bold]

      ./mcpi board load ecpix-5

      ./mcpi board load ecpix-5 --bitstream FILE  with firmware in it

      ./mcpi board load ecpix-5 --release FOLDER
          of a release: no Java, no yosys; checks digests and machine
    """
    from mcpi.engines.board import program as board_load
    from mcpi.machine import boards

    options.check(context, options.LOAD)
    board = boards.load(name)
    board_load.loader()
    if release:
        board_load.load_released(board, release, machine, options.settings(set_), flash)
        return
    if bitstream:
        board_load.check_file(board, bitstream)
    file = bitstream or board_load.bitstream(board, machine, options.settings(set_))
    board_load.load(board, file, flash)


@app.command()
def embed(
    context: typer.Context,
    name: Name,
    stack: options.Stack = RunSpec.stack,
    variant: options.Variant = RunSpec.variant,
    peer_variant: options.PeerVariant = RunSpec.peer_variant,
    node: Annotated[str, typer.Option(help="client or server: whose firmware.")] = "client",
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    define: options.Defines = None,
) -> None:
    """A bitstream that was built, with firmware in its block RAM: no place and
    route, seconds.

    [bold]Examples[/bold]

      ./mcpi board embed ecpix-5 --stack rpc --variant all

      ./mcpi board embed ecpix-5 --node server   when its image is another (rpc)

    The first run finds the images in RAM and does not send them over the serial
    line; a run changes RAM, so every later one does. A board with SDRAM has no
    RAM that a bitstream fills.
    """
    from mcpi.engines.board import embed as board_embed
    from mcpi.machine import boards

    options.check(context, options.EMBED)
    board_embed.make(boards.load(name), options.spec(context, engine=BOARD), node)


@app.command()
def simulate(
    context: typer.Context,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    out: Annotated[
        Path, typer.Option(help="Where the two ports appear: serial.0 and serial.1.")
    ] = Path("build/serial"),
    ram_of: Annotated[
        str, typer.Option(metavar="BOARD", help="Limit RAM to this board's size and pages.")
    ] = "",
    loopback: Annotated[
        bool, typer.Option("--loopback", help="One board, whose cable leads back to itself.")
    ] = False,
    exact_time: Annotated[
        bool,
        typer.Option("--exact-time", help="Whole boards, RTL at the pins of their PHYs; slow."),
    ] = False,
    stack: Annotated[str, typer.Option(help="--exact-time: firmware in RAM.")] = "tcp",
    variant: Annotated[str, typer.Option(help="--exact-time: of both boards.")] = "std",
    seed: Annotated[
        int, typer.Option(min=0, max=2**63 - 1, help="--exact-time: of clocks and cable.")
    ] = 1,
    latency_us: Annotated[
        float, typer.Option(min=0, max=160, help="--exact-time: the cable's, at most.")
    ] = 100,
    loss: Annotated[
        float, typer.Option(min=0, max=0.9, help="--exact-time: share of messages lost.")
    ] = 0.01,
) -> None:
    """Two boards and the cable without hardware, on pseudo-terminals; until ^D or
    ^C.

    [bold]Examples[/bold]

      ./mcpi board simulate                    in one terminal

      ./mcpi board simulate --ram-of ecpix-5   does a variant fit?

      ./mcpi run --engine board --port SERIAL.0 --port SERIAL.1
          its ports

      ./mcpi board simulate --loopback         for board test and board attach

      ./mcpi board simulate --exact-time --seed 7
          board run --peer-variant std finds its firmware in RAM
    """
    from mcpi.engines.board import cabled
    from mcpi.engines.board import program as board_load
    from mcpi.machine import boards

    options.check(context, options.SIMULATE)
    if exact_time:
        record = cabled.spec_of(machine, options.settings(set_), stack, variant)
        cabled.simulate(record, out, seed, latency_us, loss)
        return
    options.no_effect(context, "stack variant seed latency_us loss", "only --exact-time has it")
    ram = boards.load(ram_of) if ram_of else None
    board_load.simulate(machine, options.settings(set_), out, ram, loopback)


@app.command()
def test(
    port: options.Port,
    baud: options.OwnBaud = 0,
    loop: Annotated[str, typer.Option(help="Where frames turn back: phy or cable.")] = "phy",
    frames: Annotated[
        int, typer.Option(min=1, max=10**6, help="Frames to send, of all lengths.")
    ] = 100,
    seed: Annotated[
        int, typer.Option(min=0, max=2**64 - 1, help="Seed of the data written and sent.")
    ] = 1,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
) -> None:
    """Test one board on the bench: identity, RAM, PHY, frames around the loop;
    pass or fail.

    [bold]Examples[/bold]

      ./mcpi board test --port /dev/ttyUSB0 --baud 921600

      ./mcpi board test --port /dev/ttyACM0 --loop cable
    """
    from mcpi.engines.board import selftest as board_selftest

    board_selftest.run(port, baud, loop, frames, seed, machine, options.settings(set_))


@app.command("first-light")
def first_light(
    port: options.Ports = None,
    baud: options.OwnBaud = 0,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    out: Annotated[Path, typer.Option(help="Where both runs' files go.")] = Path(
        "build/first-light"
    ),
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="The cable is plugged in: do not wait for Enter.")
    ] = False,
) -> None:
    """Two boards for the first time: bitstream, self-test, cable, round trips,
    comparison with exact.

    [bold]Examples[/bold]

      ./mcpi board first-light --port A --port B --baud 921600
          the client's port, the server's

    Each step says what was seen. The first that fails ends the command and says
    what to do. The last line is for boards/lit.csv: please paste it into an
    issue.
    """
    from mcpi.api import first_light as lights

    lights.run(port or [], baud, machine, options.settings(set_), out, not no_wait)


@app.command()
def attach(
    port: options.Port,
    baud: options.OwnBaud = 0,
    seconds: Annotated[float, typer.Option(min=0, help="Seconds to serve; 0: until ^C.")] = 0,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
) -> None:
    """Attach a board to the network as a host: ping it from the computer at the
    other end of the cable.

    [bold]Examples[/bold]

      ./mcpi board attach --port /dev/ttyUSB0 --baud 921600

      ./mcpi board attach --port /dev/ttyACM0 --set link.autonegotiation=off

    ARP, ping, UDP and TCP by the same x-kernel; nothing is measured.
    """
    from mcpi.engines.board import attach as board_attach

    board_attach.run(port, baud, machine, options.settings(set_), seconds)


@app.command()
def netlist(
    context: typer.Context,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    stack: options.Stack = RunSpec.stack,
    variant: options.Variant = RunSpec.variant,
    round_trips: options.RoundTrips = 1,
    mutant: Annotated[
        int | None, typer.Option(min=0, help="Change one LUT first: it must be caught.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Where both runs' files go.")] = Path(
        "build/netlist/run"
    ),
) -> None:
    """A ping-pong on the gates of a board's node: every counter as on the RTL.

    Some five minutes of a processor: yosys, Verilator, the compiler, and 1.7 M
    ticks of each run.

    [bold]Examples[/bold]

      ./mcpi board netlist   the first ping-pong

      ./mcpi board netlist --mutant 1
          one LUT changed: the comparison must say so
    """
    from mcpi.engines.rtl import gate_level

    wanted = options.spec(context, engine=RTL, warmup=1, lockstep=False)
    gate_level.netlist(wanted, out.resolve(), mutant)


@app.command(
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
    from mcpi.cli.commands import app as every

    every(["run", *context.args, "--engine", "board"], prog_name="./mcpi", standalone_mode=False)


app.command()(board_report.report)
