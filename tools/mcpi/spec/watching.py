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
    from mcpi.spec.program_spec import ProgramSpec
    from mcpi.spec.run_spec import RunSpec

RATES = ("lose", "corrupt", "duplicate", "delay", "reorder")  # of a frame, 0 to 1
NUMBERS = ("delay_ticks", "patience_ticks", "seed")
FILES = ("script", "replay")
_WIRE = re.compile(r"(client|server):(\w+)=(.+)")
# What makes use of a number; a script may reorder, too.
_OF = {"delay_ticks": ("delay",), "patience_ticks": ("reorder", "script"), "seed": RATES}
_LINE = re.compile(
    r"(frame \d+ (lose|duplicate|reorder|delay \d+|corrupt \d+)|inject \d+ ([0-9a-f]{2})+)?",
    re.ASCII | re.IGNORECASE,
)
_PCAP = (b"\x4d\x3c\xb2\xa1", b"\xd4\xc3\xb2\xa1")  # as sim/link/pcap.cpp
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
    given = [_WIRE.fullmatch(text).groups()[:2] for text in spec.wire]
    for side, key in given:
        if given.count((side, key)) > 1:
            raise UserError(f"--wire {side}:{key} is given twice.")
        if key in _OF and not any((side, other) in given for other in _OF[key]):
            raise UserError(
                f"--wire {side}:{key} has no effect without {side}:{' or '.join(_OF[key])}."
            )


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
    if key == "delay_ticks" and int(value) == 0:
        raise UserError(f"--wire {text}: 1 tick or more is wanted.")
    if key in FILES:
        try:
            given = Path(value).read_bytes()
        except OSError as error:
            raise UserError(f"--wire {text}: {error.strerror}.") from None
        if key == "script":
            _check_script(text, given.decode(errors="replace"))
        elif not given.startswith(_PCAP):
            raise UserError(f"--wire {text}: no pcap file; editcap converts pcapng.")


def _check_script(option: str, script: str) -> None:
    for number, line in enumerate(script.splitlines(), 1):
        if not _LINE.fullmatch(" ".join(line.partition("#")[0].split())):
            raise UserError(
                f"--wire {option}, line {number}: '{line}' is neither `frame N lose|duplicate|"
                "reorder|delay TICKS|corrupt NIBBLE` nor `inject TICK HEX`."
            )


def _is_rate(value: str) -> bool:
    try:
        return 0 <= float(value) <= 1
    except ValueError:
        return False


def logs(spec: "RunSpec | ProgramSpec") -> list[str]:
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
