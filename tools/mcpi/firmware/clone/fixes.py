# SPDX-License-Identifier: BSD-2-Clause
"""Changes that are due when functions move: in their copies, and everywhere else."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from mcpi.base.errors import UserError
from mcpi.firmware.clone import alpha
from mcpi.firmware.clone.program import JSR_USE, Function, Kind, Program

DROPS = ("load", "gp")
NOTHING = "nothing"  # left out; without it a load that is not dropped becomes unop


class Fix(IntEnum):
    """Kinds of a change, with the numbers of ``enum clone_kind`` in firmware/clone/table.h."""

    DROP, UNOP, CALL, GP, ADDRESS, BRANCH, POINTER = range(1, 8)


@dataclass(frozen=True)
class Change:
    """``to`` is an address before cloning; ``distance`` from an ldah to its lda, in bytes."""

    kind: Fix
    at: int
    to: int = 0
    distance: int = 0


@dataclass
class Copy:
    """Main line of a function and the changes in its copy, by address."""

    function: Function
    edits: list[Change]
    target: int = 0

    @property
    def words(self) -> int:
        """Number of words of the copy."""
        return self.function.words - len(self.dropped)

    def __post_init__(self) -> None:
        self.dropped = [e.at for e in self.edits if e.kind == Fix.DROP]

    def holds(self, address: int) -> bool:
        return self.function.start <= address < self.function.cold

    def where(self, address: int) -> int:
        """Address in the copy of an instruction of the original, or of the next one if it is left
        out."""
        dropped = sum(at < address for at in self.dropped)
        return self.target + address - self.function.start - 4 * dropped


def where(copies: list[Copy], address: int) -> int:
    """The address after cloning of what was at ``address``."""
    return next((c.where(address) for c in copies if c.holds(address)), address)


def literals(program: Program) -> Iterator[tuple[int, list[int] | None]]:
    """Loads from the GOT, with the calls that use them; None if something else does, too."""
    at, calls, other = 0, [], False
    for r in program.relocations:
        if r.kind == Kind.LITERAL:
            if at:
                yield at, None if other else calls
            at, calls, other = r.at, [], False
        elif r.kind == Kind.LITUSE and r.addend == JSR_USE:
            calls.append(r.at)
        elif r.kind == Kind.LITUSE:
            other = True
    if at:
        yield at, None if other else calls


def copies(program: Program, chosen: list[Function], drop: tuple[str, ...]) -> list[Copy]:
    """The chosen functions with the edits of their copies; targets are yet to be given."""
    calls = [(at, uses) for at, uses in literals(program) if uses]
    pairs = {r.at: r.addend for r in program.relocations if r.kind == Kind.GPDISP}
    return [Copy(f, _edits(program, f, calls, pairs, drop)) for f in chosen]


def _edits(
    program: Program,
    f: Function,
    literals_: list[tuple[int, list[int]]],
    pairs: dict[int, int],
    drop: tuple[str, ...],
) -> list[Change]:
    edits: dict[int, Change] = {}
    for load, uses in literals_:
        if not f.start <= load < f.cold:
            continue
        callee = program.starts.get(program.quad(_slot(program, load)))
        inside = [u for u in uses if f.start <= u < f.cold]
        if not callee or callee.entry is None:
            continue
        register = alpha.ra(program.word(load))
        for use in inside:
            word = program.word(use)
            if not alpha.is_jump(word) or alpha.rb(word) != register:
                raise UserError(
                    f"{f.name}: the address loaded at {load:#x} is used at {use:#x}, "
                    "which is no call."
                )
            edits[use] = Change(Fix.CALL, use, callee.entry)
        if inside == uses and NOTHING not in drop:
            kind = Fix.DROP if "load" in drop else Fix.UNOP
            edits[load] = Change(kind, load)
    for at, distance in pairs.items():
        if not f.start <= at < f.cold:
            continue
        lda = at + distance
        if not f.start <= lda < f.cold or not _from_here(program, f, at):
            raise UserError(f"{f.name}: the gp load at {at:#x} is not one after entry or call.")
        if at - 4 in edits and edits[at - 4].kind == Fix.CALL and "gp" in drop:
            edits[at], edits[lda] = Change(Fix.DROP, at), Change(Fix.DROP, lda)
        else:
            edits[at] = Change(Fix.GP, at, 0, distance)
    return [edits[at] for at in sorted(edits)]


def _slot(program: Program, load: int) -> int:
    return program.gp + alpha.displacement(program.word(load))


def _from_here(program: Program, f: Function, at: int) -> bool:
    """Return true if the base of this ldah is its own address."""
    base = alpha.rb(program.word(at))
    if at == f.start:
        return base == alpha.PV
    before = program.word(at - 4)
    return alpha.is_call(before) and alpha.ra(before) == base


def elsewhere(program: Program, moved: list[Copy]) -> list[Change]:
    """Changes outside the copies that lead all calls and pointers to them. Targets must be set."""
    found = [*_addresses(program, moved), *_branches(program, moved), *_pointers(program, moved)]
    return sorted(found, key=lambda change: (change.kind, change.at))


def _in_copies(moved: list[Copy], address: int) -> bool:
    return any(c.holds(address) for c in moved)


def _addresses(program: Program, moved: list[Copy]) -> Iterator[Change]:
    """Entry points that are computed from gp."""
    starts = {c.function.start for c in moved}
    in_text = [r for r in program.relocations if program.text[0] <= r.at < program.text[1]]
    highs = {r.at for r in in_text if r.kind == Kind.GPRELHIGH}
    uppers: dict[int, int] = {}
    for r in in_text:
        if r.kind == Kind.GPREL16:
            target = program.gp + alpha.displacement(program.word(r.at))
            if program.text[0] <= target < program.text[1]:
                raise UserError(f"{r.at:#x} addresses code by one instruction; cannot redirect.")
        if r.kind != Kind.GPRELLOW:
            continue
        low = program.word(r.at)
        f = program.function_at(r.at)
        high = r.at - 4
        while f and high >= f.start:
            if high in highs and alpha.ra(program.word(high)) == alpha.rb(low):
                break
            high -= 4
        if not f or high < f.start:
            raise UserError(f"{r.at:#x}: no ldah belongs to this gp-relative lda.")
        to = program.gp + alpha.joined(program.word(high), low)
        if to not in starts:
            if _in_copies(moved, to):
                raise UserError(
                    f"{r.at:#x}: an address inside {program.function_at(to).name}, which is copied."
                )
            continue
        upper = alpha.split(0, 0, where(moved, to) - program.gp)[0]
        if uppers.setdefault(high, upper) != upper:
            raise UserError(
                f"{high:#x}: an ldah for two addresses, and the copies need two values."
            )
        yield Change(Fix.ADDRESS, high, to, r.at - high)


def _branches(program: Program, moved: list[Copy]) -> Iterator[Change]:
    """From outlined tails, and others, into what has been copied."""
    for f in program.functions.values():
        for at in range(f.start, f.end, 4):
            if not alpha.is_branch(word := program.word(at)) or _in_copies(moved, at):
                continue
            to = alpha.branch_target(word, at)
            if _in_copies(moved, to):
                yield Change(Fix.BRANCH, at, to)


def _pointers(program: Program, moved: list[Copy]) -> Iterator[Change]:
    """GOT slots, and quads of operation tables."""
    quads = {r.at for r in program.relocations if r.kind == Kind.REFQUAD}
    quads |= {_slot(program, r.at) for r in program.relocations if r.kind == Kind.LITERAL}
    for at in sorted(quads):
        if not program.holds(at):
            continue
        to = program.quad(at)
        if not _in_copies(moved, to):
            continue
        if to not in program.starts:
            raise UserError(
                f"the pointer at {at:#x} is into {program.function_at(to).name}, which is copied: "
                "only pointers to its begin can be changed."
            )
        yield Change(Fix.POINTER, at, to)


def check_reach(program: Program, moved: list[Copy], changes: list[Change]) -> None:
    """Every branch of the copies, and back into them, must reach its target."""
    for c in moved:
        calls = {e.at: e.to for e in c.edits if e.kind == Fix.CALL}
        for at in range(c.function.start, c.function.cold, 4):
            word = program.word(at)
            to = calls.get(at)
            if to is None and alpha.is_branch(word):
                to = alpha.branch_target(word, at)
            if to is not None:
                _reach(program, c.where(at), where(moved, to), c.function.name, to)
    for change in changes:
        if change.kind == Fix.BRANCH:
            name = program.function_at(change.at).name
            _reach(program, change.at, where(moved, change.to), name, change.to)


def _reach(program: Program, source: int, target: int, name: str, to: int) -> None:
    if not alpha.reaches(source, target):
        there = program.function_at(to)
        raise UserError(
            f"{name}: a branch at {source:#x} does not reach {there.name if there else 'code'} at "
            f"{target:#x}: more than 4 MB away. Make the clone area smaller, or the layout denser."
        )
