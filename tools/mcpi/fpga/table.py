# SPDX-License-Identifier: BSD-2-Clause
"""What ``./mcpi board build`` and ``board timing`` print: clocks over seeds, blocks, paths."""

import statistics
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mcpi.base.repo import ROOT
from mcpi.fpga.place_route import Netlist, Routed
from mcpi.fpga.timing.sta import Timing
from mcpi.machine.boards import Board

# A carry cell and its twin, and the six of a distributed RAM cell, are COMB after packing.
COMB = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}
KINDS = {"FF": "TRELLIS_FF", "EBR": "DP16KD", "DSP": "MULT18X18D"}


def size(cells: dict[str, int]) -> dict[str, int]:
    found = {"COMB": sum(n * cells.get(kind, 0) for kind, n in COMB.items())}
    return found | {column: cells.get(kind, 0) for column, kind in KINDS.items()}


def paced(board: Board, runs: list[Routed]) -> str:
    """The node's clock with a tick's two clocks, over seeds."""
    mhz = [run.paced_mhz for run in runs]
    margin = min(mhz) - board.clock_mhz
    met = "met" if margin >= 0 else "NOT met by every seed"
    return (
        "node's clock, a tick having two (docs/explanation/timing.md): "
        f"{board.clock_mhz:.1f} MHz wanted, "
        f"median {statistics.median(mhz):.1f} of {len(mhz)} seeds "
        f"({min(mhz):.1f} to {max(mhz):.1f}), margin {margin:+.1f}: {met}"
    )


def timing(board: Board, seed: int, found: Timing, above_ns: float, most: int) -> None:
    """The groups of paths that take more than ``above_ns`` for each clock they have."""
    people = Console(highlight=False, width=None if Console().is_terminal else 160)
    table = Table(box=None, pad_edge=False)
    for column in ("ns", "clocks", "levels", "ends"):
        table.add_column(column, justify="right")
    table.add_column("from")
    table.add_column("to")
    for group in found.groups[:most]:
        numbers = f"{group.ns:.1f}", group.clocks, group.levels, f"{group.ends:,}"
        table.add_row(*map(str, numbers), escape(group.start), escape(group.end))
    people.print(table)
    if len(found.groups) > most:
        people.print(f"… and {len(found.groups) - most} groups more (--most)")
    path, counts = found.path, found.counts
    people.print(
        f"{board.title}, seed {seed}: {found.paced_mhz:.2f} MHz with a tick's two clocks, "
        f"{found.one_clock_mhz:.2f} with one for each path; {board.clock_mhz} wanted\n"
        f"limit: {path.start} → {path.end}, {path.logic_ns:.1f} ns logic and "
        f"{path.wire_ns:.1f} wire for {path.clocks} clock{'s' if path.clocks > 1 else ''}, "
        f"{path.levels} levels\n"
        f"{counts['held']:,} of {counts['registers']:,} registers hold between beats, "
        f"{counts['static']} static, {counts['early']} early, {counts['beats']} beats, "
        f"{counts['unmapped']} cells unknown; ns are those for each clock, above {above_ns:g}",
        markup=False,
        soft_wrap=True,
    )


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
    people.print(f"  {paced(board, runs)}", soft_wrap=True)
    start, end, logic, routing = best.path
    if start:
        people.print(
            f"  longest path, seed {best.seed}: {start} → {end}, {logic + routing:.1f} ns, "
            f"{100 * routing / (logic + routing):.0f} % wire",
            soft_wrap=True,
        )
    start, end, clocks, logic, routing = best.paced_path
    people.print(
        f"  what limits a tick's two clocks: {start} → {end}, {logic + routing:.1f} ns for "
        f"{clocks}, {100 * routing / (logic + routing):.0f} % wire",
        soft_wrap=True,
    )
    seconds = ", ".join(f"{run.seconds:.0f}" for run in runs)
    shown = bitstream.relative_to(ROOT) if bitstream.is_relative_to(ROOT) else bitstream
    people.print(f"  place and route: {seconds} s; bitstream: {shown}", soft_wrap=True)
