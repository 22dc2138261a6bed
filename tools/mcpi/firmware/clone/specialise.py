# SPDX-License-Identifier: BSD-2-Clause
"""A function for one session: loads of its constants become immediates, calls by constant pointers
direct, decided tests and what nobody uses go (cloning.md).

The whole function is taken, with its outlined tail: code that comes back from there is the
session's too.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from mcpi.base.errors import UserError
from mcpi.firmware.clone import alpha
from mcpi.firmware.clone.constants import Constants, Kind, Known
from mcpi.firmware.clone.fixes import Change, Copy, Fix
from mcpi.firmware.clone.program import Function, Program
from mcpi.isa import encode, table

ZERO, ARGUMENT, LINK, STACK = 31, 16, 26, 30
_RESULT = 0
_SAVED = frozenset((*range(9, 16), alpha.GP, STACK))
_ARGUMENTS = frozenset(range(16, 22))
_ALL = frozenset(range(31))
_RETURN = 2  # of a jump's kind
_MOVES = frozenset(encode.word(n) & table.named(n).mask for n in ("bis",))
_BRANCHES_IF_ZERO = {table.named("beq").opcode: True, table.named("bne").opcode: False}

State = dict[int, Known]


class Need(NamedTuple):
    """A condition on a session that has the code: on the quadword that the steps lead to, with a
    number."""

    kind: Kind
    steps: tuple[int, ...]
    value: int


@dataclass
class Step:
    """An instruction: its address in the shared function, its words (none if it is left out), and
    what is to be filled in. ``target``: of a branch or call, an address before cloning."""

    at: int
    words: list[int]
    target: int | None = None
    kind: Kind | None = None
    value: Known | None = None
    needs: list[Need] = field(default_factory=list)

    @property
    def word(self) -> int:
        return self.words[-1]


def specialised(program: Program, copy: Copy, constants: Constants) -> list[Step]:
    """The steps of a function whose first argument is the session. ``copy``: the whole of it."""
    f = copy.function
    _check(program, f)
    steps = _steps(program, copy)
    states = _states(steps, f, constants)
    for step in steps:
        if step.words:
            _fold(step, states.get(step.at, {}), constants, f)
    while dead := _dead(steps):
        for step in dead:
            step.words = []
            step.kind = None
    return steps


def _check(program: Program, f: Function) -> None:
    for address in program.marked():
        if f.start <= address < f.cold:
            raise UserError(f"{f.name}: it has a marker, so no connection can have its own.")
    for at in range(f.start, f.cold, 4):
        row = table.find(program.word(at))
        if row is None or row.format in ("call", "internal", "physical", "return"):
            raise UserError(f"{f.name}: no code of a connection's own with the word at {at:#x}.")


def _steps(program: Program, copy: Copy) -> list[Step]:
    """The function after cloning: direct calls; gp is loaded already."""
    f, edits = copy.function, {e.at: e for e in copy.edits}
    left_out = {e.at + e.distance for e in copy.edits if e.kind == Fix.GP}
    found = []
    for at in range(f.start, f.cold, 4):
        word, edit = program.word(at), edits.get(at)
        if at in left_out or (edit and edit.kind in (Fix.DROP, Fix.UNOP, Fix.GP)):
            found.append(Step(at, []))
        elif edit:
            found.append(_called(at, word, edit))
        else:
            target = alpha.branch_target(word, at) if alpha.is_branch(word) else None
            found.append(Step(at, [word], target))
    return found


def _called(at: int, word: int, edit: Change) -> Step:
    return Step(at, [alpha.direct(word)], edit.to)


def _size(word: int) -> int:
    row = table.find(word)
    return row.bytes if row else 0


def _read(word: int) -> frozenset[int]:
    """Registers that an instruction reads."""
    row = table.find(word)
    if alpha.is_call(word):
        jumps = alpha.opcode(word) == alpha.JUMP
        return _ARGUMENTS | {alpha.GP, STACK} | ({alpha.rb(word)} if jumps else set())
    if row.format == "jump":
        return _SAVED | {_RESULT, alpha.rb(word)} if word >> 14 & 3 == _RETURN else _ALL
    names = table.table().groups[row.group].reads.split()
    literal = row.format == "operate" and word >> 12 & 1
    places = {"ra": alpha.ra(word), "rb": alpha.rb(word), "rc": word & 31}
    return frozenset(places[n] for n in names if n != "rb" or not literal) - {ZERO}


def _written(word: int) -> frozenset[int]:
    if alpha.is_call(word):
        return _ALL - _SAVED
    row = table.find(word)
    places = {"ra": alpha.ra(word), "rb": alpha.rb(word), "rc": word & 31}
    return frozenset(places[n] for n in table.table().groups[row.group].writes.split()) - {ZERO}


def _group(word: int) -> str:
    return table.find(word).group


def _next(steps: list[Step], index: int) -> Iterable[int]:
    """Addresses that follow a step."""
    step = steps[index]
    ends = step.words and _ends(step.word)
    if not ends and index + 1 < len(steps):
        yield steps[index + 1].at
    if step.words and step.target is not None and not alpha.is_call(step.word):
        yield step.target


def _ends(word: int) -> bool:
    """Return true if the next instruction does not follow."""
    if alpha.opcode(word) == alpha.JUMP:
        return not alpha.is_call(word)
    return alpha.opcode(word) == alpha.BR


def _states(steps: list[Step], f: Function, constants: Constants) -> dict[int, State]:
    """Values of registers before each step, by address."""
    index = {step.at: n for n, step in enumerate(steps)}
    found: dict[int, State] = {f.start: {ARGUMENT: Known(Kind.ADDRESS)}}
    waiting = [f.start]
    while waiting:
        at = waiting.pop()
        step = steps[index[at]]
        after = _after(step, dict(found[at]), constants)
        for to in _next(steps, index[at]):
            if to not in index:
                continue
            before = found.get(to)
            both = after if before is None else _common(before, after)
            if both != before:
                found[to] = both
                waiting.append(to)
    return found


def _common(one: State, other: State) -> State:
    return {r: value for r, value in one.items() if other.get(r) == value}


def _after(step: Step, state: State, constants: Constants) -> State:
    if not step.words:
        return state
    word = step.word
    value = _value(word, state, constants)
    for register in _written(word):
        state.pop(register, None)
    if value:
        state[next(iter(_written(word)))] = value
    return state


def _value(word: int, state: State, constants: Constants) -> Known | None:
    """The result of an instruction on known registers; None if it is not known."""
    base, by = state.get(alpha.rb(word)), alpha.displacement(word)
    if alpha.opcode(word) == alpha.LDA:
        return base.moved(by) if base and base.kind == Kind.ADDRESS else None
    if _group(word) == "load":
        row = constants.at(base, by, _size(word))
        return base.loaded(row, by) if row else None
    if word & table.named("bis").mask in _MOVES and not word >> 12 & 1:
        ra, rb = alpha.ra(word), alpha.rb(word)
        return state.get(rb) if ra in (ZERO, rb) else state.get(ra) if rb == ZERO else None
    if _is_same(word):
        value = state.get(alpha.ra(word))
        return value if value and value.kind == Kind.SMALL else None
    return None


def _is_same(word: int) -> bool:
    """ZAPNOT of the lower four bytes: no change of a small number."""
    row = table.find(word)
    return row.name == "zapnot" and bool(word >> 12 & 1) and word >> 13 & 0xFF == 0xF


def _fold(step: Step, state: State, constants: Constants, f: Function) -> None:
    word = step.word
    value, register = _value(word, state, constants), alpha.ra(word)
    base, by = state.get(alpha.rb(word)), alpha.displacement(word)
    if _group(word) in ("store", "store_conditional") and constants.overlaps(base, by, _size(word)):
        raise UserError(f"{f.name}: the store at {step.at:#x} changes a constant of the session's.")
    if _group(word) == "load" and value:
        _fold_load(step, value, base, register)
    elif value and value.kind == Kind.SMALL:
        _small(step, value, word & 31)
    elif (tested := state.get(register)) and tested.kind == Kind.NOT_ZERO:
        if (zero := _BRANCHES_IF_ZERO.get(alpha.opcode(word))) is not None:
            step.needs.append(Need(Kind.NOT_ZERO, tested.steps, tested.add))
            step.words = [] if zero else [alpha.BR << 26 | ZERO << 21]
    elif alpha.is_call(word) and alpha.opcode(word) == alpha.JUMP:
        called = state.get(alpha.rb(word))
        if called and called.kind == Kind.CALL:
            step.words, step.kind, step.value = [alpha.direct(word)], Kind.CALL, called


def _fold_load(step: Step, value: Known, base: Known, register: int) -> None:
    if value.kind == Kind.SMALL:
        _small(step, value, register)
    elif value.kind == Kind.ADDRESS and not value.steps:
        at, by = base.add + alpha.displacement(step.word), value.add - base.add
        step.words = [encode.word("lda", ra=register, rb=alpha.rb(step.word), disp=by)]
        step.needs.append(Need(Kind.INSIDE, (at,), value.add))
    elif value.kind == Kind.ADDRESS and base.steps:
        # The second load of a chain: two instructions that need no load.
        step.kind, step.value = Kind.ADDRESS, value
        high = encode.word("ldah", ra=register, rb=alpha.GP)
        step.words = [high, encode.word("lda", ra=register, rb=register)]


def _small(step: Step, value: Known, register: int) -> None:
    step.kind, step.value = Kind.SMALL, value
    step.words = [encode.word("lda", ra=register)]


def _alive(steps: list[Step]) -> dict[int, frozenset[int]]:
    """Registers that are read before they are written, before each step, by address. All are,
    where control leaves the function."""
    index = {step.at: n for n, step in enumerate(steps)}
    alive: dict[int, frozenset[int]] = dict.fromkeys(index, frozenset())
    changed = True
    while changed:
        changed = False
        for step in reversed(steps):
            now = _before(step, _after_all(steps, index[step.at], alive))
            if now != alive[step.at]:
                alive[step.at], changed = now, True
    return alive


def _after_all(steps: list[Step], index: int, alive: dict[int, frozenset[int]]) -> frozenset[int]:
    return frozenset().union(*(alive.get(to, _ALL) for to in _next(steps, index)))


def _before(step: Step, after: frozenset[int]) -> frozenset[int]:
    for word in reversed(step.words):
        after = (after - _written(word)) | _read(word)
    return after


def _dead(steps: list[Step]) -> list[Step]:
    """Steps whose only effect is a register that nobody reads."""
    alive = _alive(steps)
    return [
        step
        for index, step in enumerate(steps)
        if step.words
        and _is_pure(step.word)
        and not _written(step.word) & _after_all(steps, index, alive)
    ]


def _is_pure(word: int) -> bool:
    """Return true if an instruction does nothing but write a register."""
    row = table.find(word)
    return row.group in ("address", "load") or (row.format == "operate" and not row.overflow)
