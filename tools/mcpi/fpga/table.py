# SPDX-License-Identifier: BSD-2-Clause
"""Table that ``./mcpi board build`` prints: clocks over seeds, blocks, the longest path."""

import statistics
from pathlib import Path

from rich.console import Console
from rich.table import Table

from mcpi.base.repo import ROOT
from mcpi.fpga.place_route import Netlist, Routed
from mcpi.machine.boards import Board

# A carry cell and its twin, and the six of a distributed RAM cell, are COMB after packing.
COMB = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}
KINDS = {"FF": "TRELLIS_FF", "EBR": "DP16KD", "DSP": "MULT18X18D"}


def size(cells: dict[str, int]) -> dict[str, int]:
    found = {"COMB": sum(n * cells.get(kind, 0) for kind, n in COMB.items())}
    return found | {column: cells.get(kind, 0) for column, kind in KINDS.items()}


def show(board: Board, netlist: Netlist, runs: list[Routed], best: Routed, bitstream: Path) -> None:
    people = Console(highlight=False)
    table = Table(title=f"{board.title}: size by block (yosys)", box=None, title_justify="left")
    table.add_column("")
    for column in ("COMB", *KINDS):
        table.add_column(column, justify="right")
    total: dict[str, int] = {}
    for block, cells in netlist.cells.items():
        row = size(cells)
        total = {k: total.get(k, 0) + v for k, v in row.items()}
        table.add_row(block, *(f"{v:,}" if v else "" for v in row.values()))
    table.add_row("all", *(f"{v:,}" for v in total.values()))
    people.print(table)
    for kind in ("TRELLIS_COMB", "TRELLIS_FF", "DP16KD", "MULT18X18D", "TRELLIS_IO"):
        if kind in best.used:
            used, there = best.used[kind]
            people.print(f"  {kind:<14} {used:>7,} of {there:,}, {100 * used / there:.0f} %")
    for position, clock in enumerate(best.clocks):
        mhz = [run.clocks[position].achieved for run in runs]
        met = "met" if min(mhz) >= clock.wanted else "NOT met by every seed"
        people.print(
            f"  clock {clock.name}: {clock.wanted:.1f} MHz wanted, "
            f"median {statistics.median(mhz):.1f} of {len(mhz)} seeds "
            f"({min(mhz):.1f} to {max(mhz):.1f}): {met}",
            soft_wrap=True,
        )
    if path := best.node(board).path:
        people.print(f"  longest path, seed {best.seed}: {path.words()}", soft_wrap=True)
    seconds = ", ".join(f"{run.seconds:.0f}" for run in runs)
    short = bitstream.relative_to(ROOT) if bitstream.is_relative_to(ROOT) else bitstream
    people.print(f"  place and route: {seconds} s; bitstream: {short}", soft_wrap=True)
