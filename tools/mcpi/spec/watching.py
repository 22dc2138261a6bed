# SPDX-License-Identifier: BSD-2-Clause
"""Options of a simulated run for its logs and for faults on the wire.

``./mcpi run`` says client and server, ``mcpi-sim`` 0 and 1 (simulator.md, segment.md).
"""

import hashlib
import re
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from mcpi.base.errors import UserError
from mcpi.machine.profile import Machine, load
from mcpi.spec.numbers import EXACT, SIDES

if TYPE_CHECKING:
    from mcpi.spec.run_spec import RunSpec
    from mcpi.spec.spec import Spec

RATES = ("lose", "corrupt", "duplicate", "delay", "reorder")  # of a frame, 0 to 1
# The same of what both sides send, as a spec's fields and options of ``run`` name them.
BOTH = dict(zip(("loss", "corruption", "duplication", "delay", "reordering"), RATES))
DELAY_US = 100  # the longest delay, usually: the wire's own
ALLOCATORS = "allocators.txt"  # where the traced node's heap is followed
NUMBERS = ("delay_ticks", "patience_ticks", "seed")
FILES = ("script", "replay")
FAULTS = (*RATES, *NUMBERS, *FILES)
_WIRE = re.compile(r"(client|server):(\w+)=(.+)")
# Faults that make use of a number; a script may reorder, too.
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
    options = [name for name in BOTH if getattr(spec, name)]
    for name in (f"--{name}" for name in (["wire"] if spec.wire else []) + options):
        if machine.parameters["link.duplex"] != "full":
            raise UserError(
                f"{name}: link.duplex = half has no faults on its segment; leave it out."
            )
    for name in BOTH:
        if not 0 <= getattr(spec, name) <= 1:
            raise UserError(
                f"--{name} {getattr(spec, name)}: a share of frames, 0 to 1, is wanted."
            )
    if not 1 <= spec.delay_us <= 10**6:
        raise UserError(f"--delay-us {spec.delay_us}: outside 1 to 1000000.")
    if spec.delay_us != DELAY_US and not spec.delay:
        raise UserError("--delay-us has no effect without --delay.")
    for text in spec.wire:
        _check_wire(text)
    given = [_WIRE.fullmatch(text).groups()[:2] for text in spec.wire]
    for name in options:
        for side in SIDES:
            if (side, BOTH[name]) in given:
                raise UserError(f"--{name} is of both sides; leave out --wire {side}:{BOTH[name]}.")
    if spec.delay and any(key == "delay_ticks" for _, key in given):
        raise UserError("--delay: its longest is --delay-us; leave out --wire SIDE:delay_ticks.")
    given += [(side, BOTH[name]) for side in SIDES for name in options]
    for side, key in given:
        if given.count((side, key)) > 1:
            raise UserError(f"--wire {side}:{key} is given twice.")
        own = {other for of, other in given if of == side}
        check_effect(f"--wire {side}:{key}", key, own, f"{side}:")


def _check_wire(text: str) -> None:
    match = _WIRE.fullmatch(text)
    if not match or match[2] not in FAULTS:
        raise UserError(
            f"--wire {text}: write client:KEY=VALUE or server:KEY=VALUE, of what that side sends. "
            f"Keys: {', '.join(FAULTS)} (docs/reference/segment.md)."
        )
    check_fault(f"--wire {text}", *match.groups()[1:])


def check_fault(said: str, key: str, value: str) -> None:
    """UserError, with ``said`` before it, for a value that fault ``key`` cannot have."""
    if key in RATES and not _is_rate(value):
        raise UserError(f"{said}: a probability from 0 to 1 is wanted.")
    if key in NUMBERS and not (re.fullmatch("[0-9]{1,20}", value) and int(value) < 1 << 64):
        raise UserError(f"{said}: a whole number is wanted.")
    if key == "delay_ticks" and int(value) == 0:
        raise UserError(f"{said}: 1 tick or more is wanted.")
    if key in FILES:
        try:
            given = Path(value).read_bytes()
        except OSError as error:
            raise UserError(f"{said}: {error.strerror}.") from None
        if key == "script":
            _check_script(said, given.decode(errors="replace"))
        elif not given.startswith(_PCAP):
            raise UserError(f"{said}: no pcap file; editcap converts pcapng.")


def check_effect(said: str, key: str, keys: Collection[str], sender: str = "") -> None:
    """UserError for a number that none of the faults ``keys`` of the same sender makes use of;
    ``sender`` stands before the first that would."""
    if key in _OF and not any(other in keys for other in _OF[key]):
        raise UserError(f"{said} has no effect without {sender}{' or '.join(_OF[key])}.")


def _check_script(said: str, script: str) -> None:
    for number, line in enumerate(script.splitlines(), 1):
        if not _LINE.fullmatch(" ".join(line.partition("#")[0].split())):
            raise UserError(
                f"{said}, line {number}: '{line}' is neither `frame N lose|duplicate|"
                "reorder|delay TICKS|corrupt NIBBLE` nor `inject TICK HEX`."
            )


def _is_rate(value: str) -> bool:
    try:
        return 0 <= float(value) <= 1
    except ValueError:
        return False


def logs(spec: "Spec") -> list[str]:
    """For ``mcpi-sim``: ticks.csv, trace.csv, calls.N.csv and misses.N.csv in the run's folder. The
    last is the exact engine's alone."""
    options = (("--tick-log", spec.tick_log), ("--trace", spec.trace))
    words = [word for option, side in options if side for word in (option, str(SIDES[side]))]
    if side := heap_of(spec):
        words += ["--node", f"{SIDES[side]}:calls={ALLOCATORS}"]
    return [*words, "--misses"] if spec.recording and spec.engine == EXACT else words


def heap_of(spec: "Spec") -> str:
    """The side whose heap is followed; empty: none."""
    return spec.trace or (spec.tick_log if spec.recording else "")


def ideal_logs(spec: "Spec") -> list[str]:
    """Options of the run with ideal memory: a recording has its ticks too."""
    return ["--tick-log", str(SIDES[spec.tick_log])] if spec.recording else []


def recorded_faults(spec: "RunSpec") -> list[str]:
    """The faults asked for, as a record has them: KEY=VALUE of both sides, SIDE:KEY=VALUE."""
    both = [f"{key}={getattr(spec, name):g}" for name, key in BOTH.items() if getattr(spec, name)]
    return [*both, *([f"delay_us={spec.delay_us}"] if spec.delay else []), *spec.wire]


def faults(spec: "RunSpec") -> list[str]:
    """For ``mcpi-sim``, which runs elsewhere: files by their whole path. Each side has chances of
    its own, from the spec's seed."""
    given = [_WIRE.fullmatch(text).groups() for text in spec.wire]
    for side in SIDES:
        given += [(side, k, repr(getattr(spec, n))) for n, k in BOTH.items() if getattr(spec, n)]
        if spec.delay:
            per_us = load(spec.machine, spec.settings).parameters["clock.ticks_per_us"]
            given.append((side, "delay_ticks", str(spec.delay_us * per_us)))
        keys = {key for of, key, _ in given if of == side}
        if keys.intersection(RATES) and "seed" not in keys:
            given.append((side, "seed", str(fault_seed(spec.seed, side))))
    words = []
    for side, key, value in given:
        value = str(Path(value).resolve()) if key in FILES else value
        words += ["--wire", f"{SIDES[side]}:{key}={value}"]
    return words


def fault_seed(seed: int, sender: str) -> int:
    """Seed of the faults of what ``sender`` sends, of its own in a run with this seed."""
    return int.from_bytes(hashlib.sha256(f"{seed} wire {sender}".encode()).digest()[:8], "big")
