# SPDX-License-Identifier: BSD-2-Clause
"""Pace of a board: target ticks per second, its clock divided by the clocks of a tick."""

from dataclasses import dataclass

from mcpi.base.errors import UserError
from mcpi.base.repo import BUILD
from mcpi.fpga import builds
from mcpi.machine.boards import Board
from mcpi.machine.profile import Machine

UNMEASURED = "ticks/s: not measured: no board runs a node of several cores yet"


@dataclass(frozen=True)
class Pace:
    """Clocks and ticks of both machines together in a ``run``, in simulation of a board's memory:
    while the path's window was open, and in all of the measured time."""

    run: str
    path_clocks: int
    path_ticks: int
    clocks: int
    ticks: int

    @property
    def clocks_per_tick(self) -> float:
        return self.path_clocks / self.path_ticks


def held(board: Board, paces: list[Pace]) -> float:
    """M ticks/s, of the run that takes most clocks a tick."""
    return board.clock_mhz / max(pace.clocks_per_tick for pace in paces)


def check(board: Board, machine: Machine, paces: list[Pace]) -> None:
    """UserError for a machine in real time that the board, as measured, does not hold."""
    rate, wanted = held(board, paces), machine.ticks_per_us
    if machine.real_time and wanted > rate:
        raise UserError(
            f"machine {machine.name}: clock.ticks_per_us = {wanted} in real time: "
            f"{board.title} holds {rate:.1f} of this machine, as measured. Take fewer."
        )


def words(board: Board, paces: list[Pace]) -> str:
    """Target ticks per second of each run, and what they are made of."""
    first, *others = ((f"{board.clock_mhz / pace.clocks_per_tick:.1f}", pace.run) for pace in paces)
    rates = [f"{first[0]} M ticks/s in {first[1]}", *map(" in ".join, others)]
    path = " and ".join(f"{pace.clocks_per_tick:.3f}" for pace in paces)
    whole = " and ".join(f"{pace.clocks / pace.ticks:.3f}" for pace in paces)
    return (
        f"{', '.join(rates)}: {board.clock_mhz:.1f} MHz ÷ {path} clocks a tick on the path, "
        f"{whole} in the whole run (in simulation of this board's memory)"
    )


def last(board: Board) -> str:
    """Paces that the last build of a board at its clock measured, or the command that measures
    them."""
    for _, found in builds.records(BUILD, board.name):
        if found.get("paces") and found["wanted_mhz"] == board.clock_mhz:
            paces = [Pace(**pace) for pace in found["paces"]]
            machine = ", ".join([found["machine"], *map("=".join, found["settings"].items())])
            return f"{words(board, paces)}, when it was last built, for {machine}"
    return f"ticks/s: not built yet at this clock; ./mcpi board build {board.name} measures them"
