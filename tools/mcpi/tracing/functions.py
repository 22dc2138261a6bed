# SPDX-License-Identifier: BSD-2-Clause
"""Which function of which thread is under way, while the instructions of a span issue.

BSR, JSR, CALL_PAL      ──► a frame more, with its return address
RET, HW_REI             ──► back to the frame whose return address comes next
PALcode without a call  ──► an interrupt or trap: frames of its own, until its RTI
plat_switch             ──► with its first load, the frames of the thread whose stack that is
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mcpi.analysis.attribution import Tick
from mcpi.firmware.clone import alpha
from mcpi.tracing.disassembly import Disassembly

SWITCH = "plat_switch"  # firmware/platform/alpha/switch.S
CALL_PAL, HW_REI, RETURN = 0x00, 0x1E, 2
PAL_MODE = 1
INTERRUPTS = 0  # the lane of interrupts and traps; threads count from 1


@dataclass
class Access:
    """Access of the instruction that issues as number ``issue`` of the span, from 0."""

    issue: int
    stores: bool
    address: int


@dataclass
class Frame:
    """A function that is under way; ``back``: the program counter after its call, 0 if unknown."""

    function: str
    back: int = 0


@dataclass
class Lane:
    """A thread, or what interrupts run. ``stack``: the stack pointer with which it was switched
    away; ``before``: the program counter that issued last."""

    number: int
    frames: list[Frame] = field(default_factory=list)
    stack: int | None = None
    before: int | None = None


@dataclass(frozen=True)
class Change:
    """In ``tick`` a frame of the lane begins, with its function's name, or the last one ends."""

    tick: int
    lane: int
    begins: str = ""


@dataclass(frozen=True)
class Runs:
    """From ``tick`` on this lane runs."""

    tick: int
    lane: int


class Functions:
    """The frames of all lanes. A frame begins and ends with an issue, as its function does."""

    def __init__(self, code: Disassembly, accesses: Iterable[Access]) -> None:
        self._code, self._accesses = code, iter(accesses)
        self._access = next(self._accesses, None)
        self._threads = [Lane(1)]
        self._interrupts = Lane(INTERRUPTS)
        self._lane = self._threads[0]
        self._interrupted: list[tuple[Lane, int]] = []  # and how many frames there were above
        self._suspends = False  # the thread has stored its registers and goes
        self._tick, self._changes = 0, []

    def changes(self, rows: Iterable[Tick]) -> Iterator[Change | Runs]:
        """Changes of a span, in order. At its end every frame ends."""
        issue, runs = 0, None
        for row in rows:
            if row.pc is not None:
                self._tick = row.first
                self._switch(row.pc, self._addressed(issue))
                self._step(row.pc)
                issue += 1
                if self._lane is not runs:
                    runs = self._lane
                    yield Runs(row.first, runs.number)
                yield from self._changes
                self._changes.clear()
            end = row.first + row.count
        self._tick = end
        for lane in (*self._threads, self._interrupts):
            self._pop(lane, 0)
        yield from self._changes

    def _addressed(self, issue: int) -> Access | None:
        while self._access and self._access.issue < issue:
            self._access = next(self._accesses, None)
        return self._access if self._access and self._access.issue == issue else None

    def _step(self, pc: int) -> None:
        lane, function = self._lane, self._code.place(pc).function
        word = None if lane.before is None else self._code.word(lane.before)
        if pc & PAL_MODE and self._exits_pal(lane.before, word):
            return self._interrupt(pc, function)
        if word is not None and (alpha.is_call(word) or _is(word, CALL_PAL)):
            self._push(lane, Frame(function, lane.before + 4))
        elif word is not None and _returns(word):
            if not self._back(lane, pc, function, word):
                return None
        elif not lane.frames or lane.frames[-1].function != function:
            self._becomes(lane, function)
        lane.before = pc
        return None

    @staticmethod
    def _exits_pal(before: int | None, word: int | None) -> bool:
        """Return true if the instruction before is outside PALcode, or leads out of it, and calls
        none."""
        if before is None or _is(word, CALL_PAL):
            return False
        return not before & PAL_MODE or _is(word, HW_REI)

    def _interrupt(self, pc: int, function: str) -> None:
        self._interrupted.append((self._lane, len(self._interrupts.frames)))
        self._lane = self._interrupts
        self._push(self._lane, Frame(function))
        self._lane.before = pc

    def _back(self, lane: Lane, pc: int, function: str, word: int) -> bool:
        """False: an interrupt is over, and what it interrupted has gone on."""
        returns = [frame.back for frame in lane.frames]
        if pc in returns:
            self._pop(lane, len(returns) - 1 - returns[::-1].index(pc))
        elif _is(word, HW_REI) and self._interrupted and self._resumes(lane, pc, function):
            interrupted, above = self._interrupted.pop()
            self._pop(lane, above)
            self._lane = interrupted
            self._step(pc)
            return False
        elif _is(word, HW_REI) and self._interrupted:  # PALcode delivers it
            self._becomes(lane, function)
        else:  # the call was outside the span
            self._pop(lane, 0)
        if not lane.frames:
            self._push(lane, Frame(function))
        return True

    def _resumes(self, lane: Lane, pc: int, function: str) -> bool:
        """RTI has been called, or PALcode has found nothing to deliver."""
        if lane.frames and lane.frames[-1].back:
            return True
        frames = self._interrupted[-1][0].frames
        return bool(frames) and frames[-1].function == function and not self._code.starts(pc)

    def _switch(self, pc: int, access: Access | None) -> None:
        if access is None or self._code.place(pc).function != SWITCH:
            return
        if access.stores and not self._suspends:
            self._lane.stack, self._suspends = access.address, True
        elif not access.stores and (self._suspends or self._lane.stack is None):
            comes = next((t for t in self._threads if t.stack == access.address), None)
            if comes is None:
                comes = Lane(len(self._threads) + 1)
                self._threads.append(comes)
            comes.stack, comes.before, self._suspends = access.address, pc, False
            self._lane = comes

    def _becomes(self, lane: Lane, function: str) -> None:
        back = lane.frames[-1].back if lane.frames else 0
        self._pop(lane, max(len(lane.frames) - 1, 0))
        self._push(lane, Frame(function, back))

    def _push(self, lane: Lane, frame: Frame) -> None:
        lane.frames.append(frame)
        self._changes.append(Change(self._tick, lane.number, frame.function))

    def _pop(self, lane: Lane, left: int) -> None:
        """Frames end, the last one first, until so many are left."""
        for _ in lane.frames[left:]:
            self._changes.append(Change(self._tick, lane.number))
        del lane.frames[left:]


def _is(word: int | None, opcode: int) -> bool:
    return word is not None and alpha.opcode(word) == opcode


def _returns(word: int) -> bool:
    jump = alpha.opcode(word) == alpha.JUMP and word >> 14 & 3 == RETURN
    return jump or alpha.opcode(word) == HW_REI
