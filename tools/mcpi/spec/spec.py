# SPDX-License-Identifier: BSD-2-Clause
"""The protocol of a spec: what every layer above asks of a ``RunSpec`` (two stacks and round trips
between them), a ``ProgramSpec`` (a program of one's own), a ``NodeSpec`` (a node by its images)."""

from typing import Protocol

from mcpi.machine.profile import Machine


class Spec(Protocol):
    """A frozen dataclass that describes a run completely: the same spec gives the same results.

    ``tick_log``, ``trace``: client or server, whose ticks or instructions are written down.
    ``recording``: with ``tick_log``, also which blocks the caches miss.
    ``defines``: switches of the firmware, or of the program. ``title``: the beginning of its
    folder's name. ``program``: the name in a record, of a program or a node; empty: a stack runs.
    ``nodes``: numbers of the machines that run something. ``steps``: round trips, warm-up too, for
    the bar; 1 where there are none. ``longest``: ticks; a run that has not ended by then has
    failed. ``is_faulty``: the wire may lose frames.
    """

    machine: str
    settings: dict[str, str]
    engine: str
    seed: int
    tick_log: str
    recording: bool
    trace: str
    defines: tuple[str, ...]
    title: str
    program: str
    nodes: tuple[int, ...]
    steps: int
    longest: int
    is_faulty: bool

    def check(self) -> Machine:
        """Refuse what does not exist, saying what does; returns the resolved machine."""

    def command(self) -> str:
        """The command line that repeats this run."""

    def boot(self) -> dict[str, int]:
        """Fields of the boot block that both nodes are given."""

    def words(self) -> list[str]:
        """Options of the simulator besides images, phases, fields and limit."""
