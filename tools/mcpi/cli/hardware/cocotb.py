# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi cocotb``: a test of one's own on any block of the hardware."""

from pathlib import Path
from typing import Annotated

import typer

from mcpi.cli import options


def cocotb(
    file: Annotated[
        Path, typer.Argument(metavar="TEST.py", help="A file with @cocotb.test() functions.")
    ],
    top: Annotated[
        str, typer.Option(help="The block to test: Node, LanceOnTc, AlphaLite or others.")
    ] = "Node",
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    k: Annotated[str, typer.Option("-k", metavar="NAME", help="Only this test of the file.")] = "",
    waves: Annotated[
        bool, typer.Option("--waves", help="Every signal over time, in results/cocotb/ (VCD).")
    ] = False,
) -> None:
    """Elaborate a block of the hardware and run your cocotb tests on it.

    [bold]Examples[/bold]

      ./mcpi cocotb examples/cocotb/frame_in.py
          a complete machine: a frame at its MII, and what it counted

      ./mcpi cocotb examples/cocotb/lance_register.py --top LanceOnTc

      ./mcpi cocotb examples/cocotb/stall.py --top AlphaLite --waves

      ./mcpi cocotb my_test.py --set dcache.size=16KB -k one_of_its_tests

    mcpi.cocotb has drivers: frames, host link, memory, retire port, counters
    (docs/how-to/cocotb.md). A name that is no top gets the list of them.
    """
    from mcpi.cocotb import command

    wanted = command.Wanted(file, top, machine, options.settings(set_), k, waves)
    command.check(wanted)
    command.run(wanted)
