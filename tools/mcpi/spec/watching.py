# SPDX-License-Identifier: BSD-2-Clause
"""What a simulated run is told besides its spec's figures: a node's logs, faults on the wire.

``./mcpi run`` says client and server, ``mcpi-sim`` 0 and 1 (simulator.md, segment.md).
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from mcpi.base.errors import UserError
from mcpi.machine.profile import Machine
from mcpi.spec.numbers import SIDES

if TYPE_CHECKING:
    from mcpi.spec.run_spec import RunSpec

RATES = ("lose", "corrupt", "duplicate", "delay", "reorder")  # of a frame, 0 to 1
NUMBERS = ("delay_ticks", "patience_ticks", "seed")
FILES = ("script", "replay")
_WIRE = re.compile(r"(client|server):(\w+)=(.+)")
# TCP sends a lost frame again after a second or more; a quiet second is simulated in one step.
TICKS_OF_A_LOSS = 700_000_000


def check(spec: "RunSpec", machine: Machine) -> None:
    """UserError for a node or a fault that there is not, and for a file that cannot be read."""
    for option, side in (("tick-log", spec.tick_log), ("trace", spec.trace)):
        if side and side not in SIDES:
            raise UserError(f"--{option} {side}: {' or '.join(SIDES)} is wanted.")
    if spec.wire and machine.parameters["link.duplex"] != "full":
        raise UserError("--wire: link.duplex = half has no faults on its segment; leave it out.")
    for text in spec.wire:
        _check_wire(text)


def _check_wire(text: str) -> None:
    match = _WIRE.fullmatch(text)
    if not match or match[2] not in (*RATES, *NUMBERS, *FILES):
        there = ", ".join((*RATES, *NUMBERS, *FILES))
        raise UserError(
            f"--wire {text}: write client:KEY=VALUE or server:KEY=VALUE, of what that side sends. "
            f"Keys: {there} (docs/reference/segment.md)."
        )
    _, key, value = match.groups()
    if key in RATES and not _is_rate(value):
        raise UserError(f"--wire {text}: a probability from 0 to 1 is wanted.")
    if key in NUMBERS and not (re.fullmatch("[0-9]{1,20}", value) and int(value) < 1 << 64):
        raise UserError(f"--wire {text}: a whole number is wanted.")
    if key in FILES:
        try:
            Path(value).open("rb").close()
        except OSError as error:
            raise UserError(f"--wire {text}: {error.strerror}.") from None


def _is_rate(value: str) -> bool:
    try:
        return 0 <= float(value) <= 1
    except ValueError:
        return False


def logs(spec: "RunSpec") -> list[str]:
    """For ``mcpi-sim``: ticks.csv and trace.csv in the run's folder."""
    asked = (("--tick-log", spec.tick_log), ("--trace", spec.trace))
    return [word for option, side in asked if side for word in (option, str(SIDES[side]))]


def faults(spec: "RunSpec") -> list[str]:
    """For ``mcpi-sim``, which runs elsewhere: files by their whole path."""
    words = []
    for text in spec.wire:
        side, key, value = _WIRE.fullmatch(text).groups()
        value = str(Path(value).resolve()) if key in FILES else value
        words += ["--wire", f"{SIDES[side]}:{key}={value}"]
    return words
