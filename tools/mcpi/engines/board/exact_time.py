# SPDX-License-Identifier: BSD-2-Clause
"""Exact time of two boards: virtual time is one, whatever their cable (docs/reference/phy.md).

Each gateway promises the other from which tick on something may arrive, and passes no tick that
the other has not promised. So counters are the simulator's, to the tick.
"""

import dataclasses
import secrets

from mcpi.base.errors import RunError
from mcpi.engines.board.node import BoardNode
from mcpi.hardware.ethernet_phy import Mode
from mcpi.machine import boards
from mcpi.machine.profile import Machine
from mcpi.spec.node_image import SIMULATORS_SEED, WIRE, phase_from_seed

ON, RECORDS = 1, 2  # bits of board.exact
PHASE, SESSION, NIBBLE = 16, 32, 48  # where its fields begin
FOREIGN = 1 << 3
# Bits of board.exact_state, and what each means.
FAULTS = {
    1: "silent: no message of the other board came for some tenths of a second. Does it still run, "
    "and is the cable in both jacks?",
    2: "stalled: messages of the other board come, but time has not gone on for some ten seconds. "
    "Does this program still read both ports? If it does, please report it.",
    4: "broken: something came after its tick. Please report it.",
    16: "not recorded: an entry of the record was lost. Please report it.",
}


def hindrance(nodes: list[BoardNode], machine: Machine) -> str:
    """Return why two boards have no exact time, but a live cable; empty: they have."""
    if any(node.about["board"] == boards.SIMULATED for node in nodes):
        return "simulated boards: their time is exact without messages"
    if machine.real_time:
        return "clock.real_time = on: the cable is the machine's wire"
    if machine.parameters["lance.profile"] == "ideal":
        return "lance.profile = ideal: its promises reach 23 ticks, so boards would mostly wait"
    for node in nodes:
        if not _read(node, "exact") >> NIBBLE:
            return f"{node.path}: this bitstream has no exact time; build and load it anew"
    return ""


def mode(machine: Machine) -> Mode:
    """Mode of the cable, which is not the machine's wire: as fast as it can be."""
    return dataclasses.replace(Mode.of(machine), mbps=100)


def begin(nodes: list[BoardNode], exact: bool, records: bool = False) -> None:
    """Set both boards, which do not run yet, to exact time or to a live cable."""
    session = secrets.randbelow(1 << 16)
    for number, node in enumerate(nodes):
        word = 0
        if exact:
            # `board.exact` has the phase of what this board sends, at the other.
            phase = phase_from_seed(SIMULATORS_SEED, WIRE + number, _read(node, "exact") >> NIBBLE)
            word = ON | RECORDS * records | phase << PHASE | session << SESSION
        node.link.write(node.names["board.exact"], word)


def check(node: BoardNode) -> None:
    """RunError if the gateway has ended the run."""
    state = _read(node, "exact_state")
    for bit, said in FAULTS.items():
        if state & bit:
            other = " Messages of another session came." if state & FOREIGN else ""
            raise RunError(f"{node.path}: exact time is {said}{other}")


def waits(node: BoardNode) -> dict[str, int]:
    """Clocks of the measurement in which the board waited for the other, and for the host."""
    return {"waits": _read(node, "exact_waits"), "host_waits": _read(node, "record_waits")}


def messages(node: BoardNode, before: int = 0) -> int:
    """Messages that the board has sent since its counter of 32 bits was ``before``."""
    return (_read(node, "sent") - before) % (1 << 32)


def _read(node: BoardNode, name: str) -> int:
    return node.link.read(node.names[f"board.{name}"])
