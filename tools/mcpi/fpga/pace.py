# SPDX-License-Identifier: BSD-2-Clause
"""What a board gives: target ticks per second, its clock divided by the clocks of a tick."""

import json
from dataclasses import dataclass

from mcpi.base.errors import UserError
from mcpi.base.repo import BUILD
from mcpi.machine.boards import Board
from mcpi.machine.profile import Machine


@dataclass(frozen=True)
class Pace:
    """Clocks and ticks of both machines together, in simulation of a board's memory: while the
    path's window was open, and in all of the measured time. ``run``: of what."""

    run: str
    path_clocks: int
    path_ticks: int
    clocks: int
    ticks: int

    @property
    def clocks_per_tick(self) -> float:
        return self.path_clocks / self.path_ticks

    def check(self, board: Board, machine: Machine) -> None:
        """UserError for a machine in real time that the board, as measured, does not hold."""
        holds, wanted = board.clock_mhz / self.clocks_per_tick, machine.ticks_per_us
        if machine.real_time and wanted > holds:
            raise UserError(
                f"machine {machine.name}: clock.ticks_per_us = {wanted} in real time: "
                f"{board.title} holds {holds:.1f} of this machine, as measured. Take fewer."
            )

    def words(self, board: Board) -> str:
        """Target ticks per second, and what they are made of."""
        mhz, path, whole = board.clock_mhz, self.clocks_per_tick, self.clocks / self.ticks
        return (
            f"{mhz / path:.1f} M ticks/s: {mhz:.1f} MHz ÷ {path:.3f} clocks a tick on the path, "
            f"{whole:.3f} in the whole run ({self.run} in simulation of this board's memory)"
        )


def last(board: Board) -> str:
    """What the last build of a board at its clock measured, or which command measures it."""
    built = (BUILD / "boards").glob(f"{board.name}-*/build.json")
    for path in sorted(built, key=lambda path: path.stat().st_mtime, reverse=True):
        found = json.loads(path.read_text())
        if "pace" in found and found["wanted_mhz"] == board.clock_mhz:
            return Pace(**found["pace"]).words(board) + ", when it was last built"
    return f"ticks/s: not built yet at this clock; ./mcpi board build {board.name} measures them"
