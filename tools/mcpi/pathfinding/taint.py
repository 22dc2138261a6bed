# SPDX-License-Identifier: BSD-2-Clause
"""Follow the bits of a frame through registers and memory, along recorded instructions.

The recording has no values. What is known: literals, what instructions make of them, constants of
the image, and each base register, as address less displacement.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from mcpi.firmware.clone import alpha
from mcpi.firmware.clone.path_order import Step
from mcpi.firmware.clone.program import Program
from mcpi.isa import table
from mcpi.pathfinding import bits
from mcpi.pathfinding.bits import ALL, UNKNOWN, ZERO, Value
from mcpi.pathfinding.operations import operated

BRANCH, JUMP, ADDRESS = "branch", "jump", "address"
CONSTANT = (".rodata", ".got", ".lit8", ".lita")
NOWHERE = 31
_TESTED = {"blbc": 1, "blbs": 1, "blt": 1 << 63, "bge": 1 << 63}  # bits; the others test all
_SAVED = (9, 10, 11, 12, 13, 14, 15, 26, 29, 30)  # registers that PALcode keeps


@dataclass(frozen=True)
class Decision:
    """Bits of the frame that decide what comes next. ``index``: of the step, in its window."""

    kind: str
    pc: int
    index: int
    bits: int


class Follower:
    """Registers and memory of one invocation, in which ``frame`` lies at ``at``."""

    def __init__(self, program: Program, at: int, length: int) -> None:
        self._program = program
        self._constant = [program.sections[n] for n in CONSTANT if n in program.sections]
        self._memory = {at + n: tuple(1 << 8 * n + bit for bit in range(8)) for n in range(length)}
        self._numbers: dict[tuple[int, int], int] = {}
        self._registers: list[Value] = []

    def decisions(self, steps: list[Step]) -> Iterator[Decision]:
        """The decisions of a window. Its first registers are not made from the frame."""
        self._registers = [UNKNOWN] * NOWHERE + [ZERO]
        for index, step in enumerate(steps):
            word = self._program.word(step.pc)
            if decided := self._step(step, word):
                yield Decision(decided[0], step.pc, index, decided[1])

    def _set(self, register: int, value: Value) -> None:
        if register != NOWHERE:
            self._registers[register] = value

    def _step(self, step: Step, word: int) -> tuple[str, int] | None:
        row = table.find(word)
        group = row.group if row else ""
        ra, rb = self._registers[alpha.ra(word)], self._registers[alpha.rb(word)]
        if group == "address":
            self._address(word, row.name, rb)
        elif group in ("load", "load_locked", "store", "store_conditional"):
            return self._access(step, word, row, ra, rb)
        elif row and row.format == "operate":
            given = word >> 13 & 0xFF
            other = Value(None, given) if word >> 12 & 1 else rb
            old = self._registers[word & 31]
            self._set(word & 31, operated(row.name, ra, other, old))
        elif group == "conditional_branch":
            tested = _TESTED.get(row.name, ALL)
            found = bits.union(s for n, s in enumerate(ra.sets) if tested >> n & 1)
            return (BRANCH, found) if found else None
        elif group == "jump":
            self._set(alpha.ra(word), UNKNOWN)
            return (JUMP, rb.every) if rb.every else None
        elif group == "branch":
            self._set(alpha.ra(word), UNKNOWN)
        elif row is None or row.format in ("call", "return", "internal", "physical"):
            kept = [(n, self._registers[n]) for n in _SAVED]
            self._registers = [UNKNOWN] * NOWHERE + [ZERO]
            for n, value in kept:
                self._registers[n] = value
        elif group in ("cycles", "flag"):
            self._set(alpha.ra(word), UNKNOWN)
        return None

    def _address(self, word: int, name: str, base: Value) -> None:
        more = alpha.displacement(word) << (16 if name == "ldah" else 0)
        number = None if base.number is None else (base.number + more) & ALL
        made = bits.added(base, Value(None, more & ALL)).made
        self._set(alpha.ra(word), Value(made, number))

    def _access(self, step: Step, word: int, row, ra: Value, rb: Value) -> tuple[str, int] | None:
        size = row.bytes
        at = step.address & ~7 if row.any_alignment else step.address
        if alpha.rb(word) != NOWHERE and step.address is not None:
            known = (step.address - alpha.displacement(word)) & ALL
            exact = not row.any_alignment or step.address & 7
            if exact and rb.made is None and rb.number is None:
                self._set(alpha.rb(word), Value(None, known))
        if row.group.startswith("store"):
            self._store(at, size, ra)
            if row.group == "store_conditional":
                self._set(alpha.ra(word), UNKNOWN)
        else:
            self._set(alpha.ra(word), self._load(at, size))
        return (ADDRESS, rb.every) if rb.every else None

    def _store(self, at: int, size: int, value: Value) -> None:
        for key in list(self._near(at, size)):
            del self._numbers[key]
        if value.number is not None:
            self._numbers[at, size] = value.number & ((1 << 8 * size) - 1)
        for n in range(size):
            sets = value.made[8 * n : 8 * n + 8] if value.made else ()
            if any(sets):
                self._memory[at + n] = sets
            else:
                self._memory.pop(at + n, None)

    def _near(self, at: int, size: int) -> Iterator[tuple[int, int]]:
        """Known numbers in memory that overlap these bytes."""
        for other in range(at - 7, at + size):
            for length in (4, 8):
                if (other, length) in self._numbers and other + length > at:
                    yield other, length

    def _load(self, at: int, size: int) -> Value:
        sets: list[int] = []
        for n in range(size):
            sets += self._memory.get(at + n, (0,) * 8)
        number = self._numbers.get((at, size))
        if number is None and any(a <= at and at + size <= b for a, b in self._constant):
            number = self._program.quad(at & ~7) >> 8 * (at & 7) & ((1 << 8 * size) - 1)
        if size == 4:
            sets += [sets[31]] * 32
            number = None if number is None else (number | -(number >> 31) << 32) & ALL
        return Value(tuple(sets) if any(sets) else None, number)
