# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi ip``: parts of the hardware as files for another design."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="Parts of the hardware for a design of your own.")


@app.callback()
def parts() -> None:
    """Keep the name of the part a word of the command."""


@app.command()
def lance(
    out: Annotated[Path, typer.Option(help="The folder for the files; it is made.")],
    bus: Annotated[
        str, typer.Option(metavar="wishbone|axi4|turbochannel", help="Bus of registers and DMA.")
    ],
    phy: Annotated[str, typer.Option(metavar="mii|rmii|rgmii", help="Pins of the PHY.")],
    clock: Annotated[int, typer.Option(metavar="MHZ", help="Clock of the bus.")] = 50,
    mbps: Annotated[int, typer.Option(metavar="10|100", help="Speed of the wire.")] = 100,
    chip: Annotated[str, typer.Option(metavar="am7990|c-lance", help="The chip.")] = "am7990",
) -> None:
    """LANCE-IP, an Ethernet controller with rings and DMA, as Verilog.

    [bold]Examples[/bold]

      ./mcpi ip lance --bus wishbone --phy mii --out lance

      ./mcpi ip lance --bus wishbone --phy rmii --mbps 10 --clock 20 --out x

    The folder has Verilog, waivers of Verilator's lint, constraints of clocks,
    registers as SystemRDL and C header, a core file of FuseSoC, and a data sheet.
    """
    from mcpi.parts import lance as part

    for path in part.write(part.Wanted(bus, phy, clock, mbps, chip), out):
        print(path)


@app.command()
def library(
    out: Annotated[Path, typer.Option(help="The folder for the files; it is made.")],
    chip: Annotated[str, typer.Option(metavar="am7990|c-lance", help="The chip.")] = "am7990",
) -> None:
    """LANCE-IP as C libraries with make install, Verilated and exact.

    [bold]Example[/bold]

      ./mcpi ip library --out liblance && make -C liblance install PREFIX=/opt/x
    """
    from mcpi.parts import lance as part
    from mcpi.parts import library as made

    part.check(part.Wanted("wishbone", "mii", chip=chip))
    for path in made.write(out, chip):
        print(path)


@app.command()
def drivers(
    out: Annotated[Path, typer.Option(help="The folder for the package; it is made.")],
) -> None:
    """cocotbext-mcpi, drivers for cocotb with the Verilog that they drive.

    [bold]Example[/bold]

      ./mcpi ip drivers --out cocotbext-mcpi && pip install ./cocotbext-mcpi
    """
    from mcpi.parts import drivers as made

    for path in made.write(out):
        print(path)


@app.command()
def sizes(
    bus: Annotated[
        str, typer.Option(metavar="wishbone|axi4|turbochannel", help="Bus.")
    ] = "wishbone",
    phy: Annotated[str, typer.Option(metavar="mii|rmii|rgmii", help="Pins of the PHY.")] = "mii",
    family: Annotated[
        str, typer.Option(metavar="NAME", help="ECP5, iCE40, Gowin or Xilinx 7; else all.")
    ] = "",
    write: Annotated[
        bool, typer.Option("--write", help="Write the rows into the table of data sheets.")
    ] = False,
) -> None:
    """Cells and clock of LANCE-IP on four families of FPGAs; minutes.

    [bold]Example[/bold]

      ./mcpi ip sizes --bus axi4 --phy rmii --family ECP5
    """
    from mcpi.base import blocks
    from mcpi.parts import sizes as measured

    rows = measured.rows(bus, phy, family)
    if write:
        measured.keep(rows)
    print(blocks.table(measured.HEAD, rows))
