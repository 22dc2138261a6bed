# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board …``: what there is, bitstreams, loading, boards without hardware."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="The design on FPGAs: size, speed, bitstreams.")

Name = Annotated[str, typer.Argument(metavar="BOARD", help="A folder of boards/.")]
Machine = Annotated[str, typer.Option(help="A profile of machines/, or the path of a .toml.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change one machine parameter; repeatable."),
]


@app.command(name="list")
def list_() -> None:
    """The boards there are, and the serial ports."""
    from mcpi import boards, serial_port

    for name in boards.names():
        board = boards.load(name)
        device = " ".join(board.device)
        print(f"{name:<16} {board.title}; {device}, {board.clock_mhz} MHz, {board.baud} baud")
        pages = f"{board.pages} pages of {board.page_bytes} bytes"
        print(f"{'':<16} {pages}; LEDs: {', '.join(board.leds)}")
    print(serial_port.there())


@app.command()
def build(
    name: Name,
    machine: Machine = "dec3000-600",
    set_: Settings = None,
    seeds: Annotated[int, typer.Option(min=1, help="Placements; the fastest is kept.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Placements side by side.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print only the record on stdout.")] = False,
) -> None:
    """A bitstream: yosys, nextpnr, ecppack; what is made is kept in build/boards/.

    [bold]Examples[/bold]

      ./mcpi board build ecpix-5   one seed

      ./mcpi board build colorlight-i9 --seeds 5
          the median says whether the clock is met

    Ends with size by block, clocks over seeds and the longest path in our names.
    """
    from mcpi import board_build, boards, record

    board_build.build(boards.load(name), machine, record.settings(set_ or []), seeds, jobs, json)


@app.command()
def timing(
    name: Name,
    machine: Machine = "dec3000-600",
    set_: Settings = None,
    seed: Annotated[int, typer.Option(min=1, help="Which placement.")] = 1,
    ns: Annotated[float, typer.Option(help="Paths of more than this for each clock.")] = 18,
    most: Annotated[int, typer.Option(min=1, help="Lines of the table.")] = 30,
) -> None:
    """Where a board that was built is slow, its ticks having two clocks: registers
    in groups.

    [bold]Examples[/bold]

      ./mcpi board timing ecpix-5   what is above 18 ns a clock

      ./mcpi board timing colorlight-i9 --seed 3 --ns 20 --most 60
    """
    from mcpi import board_build, board_load, board_table, boards, record

    board = boards.load(name)
    folder = board_load.bitstream(board, machine, record.settings(set_ or [])).parent
    found = board_build.timed(board, folder, seed, ns)
    board_table.timing(board, seed, found, ns, most)


@app.command()
def load(
    context: typer.Context,
    name: Name,
    machine: Machine = "dec3000-600",
    set_: Settings = None,
    flash: Annotated[bool, typer.Option("--flash", help="Into flash memory, to stay.")] = False,
    bitstream: Annotated[
        Path | None, typer.Option(help="This one, as board embed made it; else the one built.")
    ] = None,
) -> None:
    """Put the bitstream that was built into a board (openFPGALoader).

    [bold]Examples[/bold]

      ./mcpi board load ecpix-5

      ./mcpi board load ecpix-5 --bitstream FILE  with firmware in it
    """
    from mcpi import board_load, boards, options, record

    options.check(context, options.LOAD)
    board = boards.load(name)
    board_load.loader()
    file = bitstream or board_load.bitstream(board, machine, record.settings(set_ or []))
    board_load.load(board, file, flash)


@app.command()
def embed(
    context: typer.Context,
    name: Name,
    stack: Annotated[str, typer.Option(help="Protocol stack.", metavar="tcp|rpc")] = "tcp",
    variant: Annotated[str, typer.Option(help="Firmware variant.")] = "std",
    peer_variant: Annotated[
        str, typer.Option(metavar="VARIANT", help="The server's. \\[tcp: the same; rpc: all]")
    ] = "",
    node: Annotated[str, typer.Option(help="client or server: whose firmware.")] = "client",
    machine: Machine = "dec3000-600",
    set_: Settings = None,
    define: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Change one firmware switch; repeatable."),
    ] = None,
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
    from mcpi import board_embed, boards, options, record

    options.check(context, options.EMBED)
    wanted = record.Record(
        machine=machine,
        settings=record.settings(set_ or []),
        stack=stack,
        variant=variant,
        peer_variant=peer_variant,
        engine=record.BOARD,
        defines=tuple(define or []),
    )
    board_embed.make(boards.load(name), wanted, node)


@app.command()
def simulate(
    machine: Machine = "dec3000-600",
    set_: Settings = None,
    out: Annotated[
        Path, typer.Option(help="Where the two ports appear: serial.0 and serial.1.")
    ] = Path("build/serial"),
    ram_of: Annotated[
        str, typer.Option(metavar="BOARD", help="No more RAM than it has, in its pages.")
    ] = "",
) -> None:
    """Two boards and the cable without hardware, on pseudo-terminals; until ^D or
    ^C.

    [bold]Examples[/bold]

      ./mcpi board simulate                    in one terminal

      ./mcpi board simulate --ram-of ecpix-5   does a variant fit?

      ./mcpi run --engine board --port SERIAL.0 --port SERIAL.1
          its ports
    """
    from mcpi import board_load, boards, record

    ram = boards.load(ram_of) if ram_of else None
    board_load.simulate(machine, record.settings(set_ or []), out, ram)


@app.command()
def test(
    port: Annotated[str, typer.Option(metavar="PORT", help="The board's serial port.")],
    baud: Annotated[
        int, typer.Option(min=0, max=10**8, help="As in its board.toml; 0: 115200.")
    ] = 0,
    loop: Annotated[str, typer.Option(help="What is looped: phy or cable.")] = "phy",
    frames: Annotated[int, typer.Option(min=1, max=10**6, help="So many, of all lengths.")] = 100,
    seed: Annotated[
        int, typer.Option(min=0, max=2**64 - 1, help="Of what is written and sent.")
    ] = 1,
    machine: Machine = "dec3000-600",
    set_: Settings = None,
) -> None:
    """One board on the bench: identity, RAM, PHY, frames around the loop; pass or
    fail.

    [bold]Examples[/bold]

      ./mcpi board test --port /dev/ttyUSB0 --baud 1000000

      ./mcpi board test --port /dev/ttyACM0 --loop cable
    """
    from mcpi import board_selftest, record

    board_selftest.run(port, baud, loop, frames, seed, machine, record.settings(set_ or []))


@app.command()
def serve(
    port: Annotated[str, typer.Option(metavar="PORT", help="The board's serial port.")],
    baud: Annotated[
        int, typer.Option(min=0, max=10**8, help="As in its board.toml; 0: 115200.")
    ] = 0,
    seconds: Annotated[float, typer.Option(min=0, help="So long; 0: until ^C.")] = 0,
    machine: Machine = "dec3000-600",
    set_: Settings = None,
) -> None:
    """One board as a host on the network: ping it from the computer at the other
    end of the cable.

    [bold]Examples[/bold]

      ./mcpi board serve --port /dev/ttyUSB0 --baud 1000000

      ./mcpi board serve --port /dev/ttyACM0 --set link.autonegotiation=off

    ARP, ping, UDP and TCP by the same x-kernel; nothing is measured.
    """
    from mcpi import board_serve, record

    board_serve.run(port, baud, machine, record.settings(set_ or []), seconds)


@app.command()
def netlist(
    machine: Machine = "dec3000-600",
    set_: Settings = None,
    stack: Annotated[str, typer.Option(help="Protocol stack.")] = "tcp",
    variant: Annotated[str, typer.Option(help="Firmware variant.")] = "std",
    round_trips: Annotated[int, typer.Option(min=1, help="Measured ping-pongs.")] = 1,
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
    from mcpi import board_netlist, record

    wanted = record.Record(
        machine=machine,
        settings=record.settings(set_ or []),
        stack=stack,
        variant=variant,
        round_trips=round_trips,
        warmup=1,
        lockstep=False,
    )
    board_netlist.netlist(wanted, out.resolve(), mutant)
