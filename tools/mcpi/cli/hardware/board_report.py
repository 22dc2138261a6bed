# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board report``: size and speed of a block on its own."""

from enum import StrEnum
from typing import Annotated

import typer

from mcpi.cli import options


class Device(StrEnum):
    """Devices to place and route for."""

    u6 = "u6"
    g8 = "g8"
    both = "both"


class Block(StrEnum):
    """Blocks that a report can be about."""

    core = "core"
    cores = "cores"
    counters = "counters"
    lance = "lance"
    node = "node"
    phy = "phy"


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
    record: Annotated[
        str, typer.Option(metavar="CHANGE", help="Add the figures to boards/history.csv.")
    ] = "",
    history: Annotated[
        bool, typer.Option("--history", help="Only print what boards/history.csv has.")
    ] = False,
    untuned: Annotated[
        bool, typer.Option("--untuned", help="yosys with its own settings, as for the peers.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Size and post-route speed of the core alone, or of another block, next to
    its peers'. Behind the core's: what each board gave when it was last built.

    [bold]Examples[/bold]

      ./mcpi board report            both devices, 5 seeds: about 20 minutes

      ./mcpi board report --device u6 --seeds 1
          a first look: about 3 minutes

      ./mcpi board report --device u6 --seeds 1 --untuned
          yosys's own settings, as for the peers

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
    if history:
        fpga_history.show(block)
        return
    commit = fpga_history.commit() if record else ""
    found = fpga_report.report(block, machine, settings, device.value, seeds, jobs, json, untuned)
    if record:
        fpga_history.record(commit, block, record, found)
