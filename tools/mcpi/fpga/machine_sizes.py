# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board list --sizes``: the block RAMs of each machine's node, and on each board."""

from collections.abc import Sequence
from dataclasses import dataclass

from mcpi.fpga import block_rams
from mcpi.hdl import cocotb_run
from mcpi.machine import boards, profile
from mcpi.machine.boards import Board
from mcpi.machine.profile import Machine

USUAL = "dec3000-600"
NODE, CORES = "NodeInside", "CoresInside"


@dataclass(frozen=True)
class Size:
    """Block RAMs of a machine's node, and with a board's own RAM, page map and gateway."""

    machine: str
    node: int
    boards: dict[str, int]


def _nodes(machines: Sequence[Machine]) -> dict[str, int]:
    found = {}
    for block in (NODE, CORES):
        of = [machine for machine in machines if machine.coherent == (block == CORES)]
        for machine, verilog in zip(of, cocotb_run.elaborate_all(block, of), strict=True):
            found[machine.name] = block_rams.of(verilog.read_text(), block).total()
    return found


def _own(board: Board, node: int) -> int:
    """Block RAMs of a board around a node, of the usual machine."""
    verilog = cocotb_run.elaborate(board.top, USUAL)
    return block_rams.of(verilog.read_text(), board.top).total() - node


def measure() -> list[Size]:
    """Elaborates each machine file's node."""
    nodes = _nodes([profile.load(name) for name in profile.names()])
    own = {name: _own(boards.load(name), nodes[USUAL]) for name in boards.names()}
    return [
        Size(name, node, {board: node + more for board, more in own.items()})
        for name, node in nodes.items()
    ]


def _there() -> dict[str, int]:
    """Block RAMs of each board's device."""
    return {name: block_rams.there(boards.load(name)) for name in boards.names()}


def boards_of() -> dict[str, list[str]]:
    """Boards that have the block RAMs of each machine file; the one with most first."""
    order = sorted(_there().items(), key=lambda item: -item[1])
    return {s.machine: [b for b, n in order if s.boards[b] <= n] for s in measure()}


def show() -> None:
    """Prints a row for each machine; a board that is too small is marked."""
    there = _there()
    print(
        f"{'block RAMs':<18}{'node':>6}" + "".join(f"{b}, {n}".rjust(22) for b, n in there.items())
    )
    for size in sorted(measure(), key=lambda size: size.node):
        cells = [f"{many}{'' if many <= there[b] else ' no'}" for b, many in size.boards.items()]
        print(f"{size.machine:<18}{size.node:>6}" + "".join(cell.rjust(22) for cell in cells))
