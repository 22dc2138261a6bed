# SPDX-License-Identifier: BSD-2-Clause
"""Why a program's run failed, for its writer: what happened, where, registers, who called whom.

A trap ends in PALcode's report on the console (palcode.md); a machine that went on until it was
stopped left ``state.N.json`` (simulator.md), and so did a program that left its bounds
(sim/check/program/program_guard.h). Frames are found by the call frame information that
the compiler leaves (DWARF 5, 6.4).
"""

import bisect
import itertools
import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from elftools.dwarf.callframe import FDE
from elftools.elf.elffile import ELFFile

from mcpi.base.errors import RunError
from mcpi.firmware.clone.program import Program
from mcpi.layout.lines import Lines
from mcpi.spec.numbers import CLIENT, SIDES

T9, RA, SP, ZERO = 23, 26, 30, 31  # t9: where divide.S returns to
DIVIDE_FRAME = 48  # bytes
PAL_MODE = 1
DEEPEST = 50
_CORE_AT = re.compile(r"core (\d+) at pc ([0-9a-f]+) ra ([0-9a-f]+)")
IMAGES = ("image.elf", "peer.elf")  # by machine
CORES = "console.txt"  # of a machine of several cores
NULL = 1 << 16  # below this address an access goes through NULL: to a member, an element
NAMES = (
    "v0 t0 t1 t2 t3 t4 t5 t6 t7 s0 s1 s2 s3 s4 s5 fp a0 a1 a2 a3 a4 a5 t8 t9 t10 t11 ra pv at gp sp"
)
REPORT = re.compile(
    r"\nPALcode: stopped by (.+?)(?: on core (\d))?\n pc ([0-9a-f]{16})  va ([0-9a-f]{16})\n"
)
_REGISTER = re.compile(r" (\w\w) ([0-9a-f]{16})")
# EXC_ADDR, which the report has, is the instruction's, but behind that of these (deliver.S). A
# machine check comes when the access has ended, before whatever would issue next.
BEHIND = ("arithmetic trap", "no such PALcall", "breakpoint", "bug check", "software trap")
_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
OURS, WORDS = tuple(_DATA["ours"]), _DATA["words"]
USES, ORIGINS = _DATA["uses"], _DATA["origins"]


@dataclass(frozen=True)
class Machine:
    """Where a machine stood: ``pc`` of the instruction, registers, and its stack by address.
    ``did``: the instruction that is to blame, if it is not that at ``pc``."""

    pc: int
    registers: tuple[int, ...]
    stack: dict[int, int]
    did: int | None = None


@dataclass(frozen=True)
class Fault:
    """``what`` happened on machine ``node``, at ``machine``; None if it is not known where.
    ``printed``: by the program itself. ``issued``: so has the instruction that did it.
    ``unwritten``: the byte that nobody has written, as ``state.N.json`` has it."""

    what: str
    machine: Machine | None
    printed: str
    node: int = CLIENT
    issued: bool = True
    unwritten: dict | None = None


def find(folder: Path, error: RunError) -> Fault | None:
    """Fault of the run in ``folder`` that ended with ``error``. None if no machine did anything
    wrong, or the run has left no files."""
    if not (folder / "run.json").exists():
        return None
    said = str(error).splitlines()[-1].strip().partition(": ")[2].rstrip(".")
    return next(filter(None, (read(folder, node, said) for node in SIDES.values())), None)


def read(folder: Path, node: int, said: str) -> Fault | None:
    """Fault of node ``node`` of the run in ``folder``; None if this machine did nothing wrong.
    ``said``: the simulator's last words."""
    if (folder / CORES).exists():
        return _of_cores(folder) if node == CLIENT else None
    console = (folder / f"console.{node}.txt").read_text(errors="replace")
    file = folder / f"state.{node}.json"
    if not file.exists():
        return None
    state = json.loads(file.read_text())
    stack = {state["stack_address"] + 8 * n: word for n, word in enumerate(state["stack"])}
    if report := REPORT.search(console):
        return _reported(console, report, stack, node, folder / IMAGES[node])
    exit_code = json.loads((folder / "run.json").read_text())["exit_codes"][node]
    if exit_code:
        return Fault(f"the program ended with exit code {exit_code}", None, console, node)
    if exit_code is None:
        out, unwritten = state.get("out_of_bounds"), state.get("unwritten")
        did = (out or unwritten or {}).get("pc")
        here = Machine(state["pc"], tuple(state["registers"][:ZERO]), stack, did)
        said = USES[unwritten["kind"]] if unwritten else said
        said = _out_of_bounds(out) if out else said
        return Fault(said, here, console, node, unwritten=unwritten)
    return None


def _reported(console: str, report: re.Match, stack: dict[int, int], node: int, elf: Path) -> Fault:
    """Fault that PALcode has reported on the console of the machine that has run ``elf``."""
    cause, pc, va = report[1], int(report[3], 16), int(report[4], 16)
    words = _REGISTER.findall(console[report.end() :])
    registers = tuple(int(value, 16) for _, value in words[:ZERO])
    at = (pc & ~3) - (4 if cause in BEHIND else 0)
    what = WORDS.get(cause, cause).format(va=va)
    if cause in ("unaligned", "data fault") and va < NULL:
        what = f"a read or a write through NULL, of address {va:#x}"
    if (
        cause == "data fault"
        and (program := Program(elf)).function_at(_virtual(at, program)) is None
    ):
        what = f"a jump to address {at:#x}, where no page is"
    what = f"core {report[2]}: {what}" if report[2] else what
    machine = Machine(at, registers, stack)
    return Fault(what, machine, console[: report.start()], node, cause in BEHIND)


def _of_cores(folder: Path) -> Fault | None:
    """Fault of a program on several cores, whose stacks nobody has written down."""
    console = (folder / CORES).read_text(errors="replace")
    if report := REPORT.search(console):
        return _reported(console, report, {}, CLIENT, folder / IMAGES[CLIENT])
    if code := json.loads((folder / "run.json").read_text())["exit_code"]:
        return Fault(f"the program ended with exit code {code}", None, console)
    return None


def cores_at(error: RunError, elf: Path) -> str:
    """The simulator's last words, with function and line of each core and of its caller; empty if
    the words do not name the cores."""
    said = str(error).splitlines()[-1].strip().partition(": ")[2].rstrip(".")
    what, _, cores = said.partition("; ")
    if not (found := _CORE_AT.findall(cores)):
        return ""
    program, source = Program(elf), Lines(elf).source
    places = []
    for number, *where in found:
        at, caller = (_virtual(int(word, 16), program) for word in where)
        text = f"core {number} in {_place(at, program, source)}"
        function = program.function_at(caller)
        if function and function != program.function_at(at):
            text += f", called by {_place(caller - 4, program, source)}"
        places.append(text)
    return f"{what}: {'; '.join(places)}."


def _out_of_bounds(out: dict) -> str:
    kind, address = out["kind"], out["address"]
    if kind == "stack":
        return f"stack overflow: the stack has {out['stack_bytes'] >> 10:,} KB"
    verb = {"read": "a read", "write": "a write", "jump": "a jump"}[kind]
    if address < NULL and kind == "jump":
        return f"{verb} to address {address:#x}: a function pointer that is NULL"
    if address < NULL:
        return f"{verb} through NULL, of address {address:#x}"
    there = "code" if kind == "jump" else "memory"
    return f"{verb} {'to' if kind == 'jump' else 'of'} address {address:#x}, where no {there} is"


def text(fault: Fault, elf: Path) -> str:
    """For people: one line that says what and where, the calls, the registers."""
    if fault.machine is None:
        return fault.what + "."
    exits = (fault.unwritten or {}).get("kind") == "exit"  # where is the runtime's matter
    places = [] if exits else [place for _, place in frames(fault.machine, elf)]
    lines = [f"{fault.what}: {places[0]}" if places else fault.what]
    lines += [_origin(fault.unwritten, elf)] if fault.unwritten else []
    for place, again in itertools.groupby(places[1:]):
        often = len(list(again))
        lines.append(f"  called by {place}" + (f", {often} times" if often > 1 else ""))
    if len(places) >= DEEPEST:
        lines[-1] += " or more"
    lines += ["registers:", *_registers(fault.machine)]
    return "\n  ".join(lines)


def _origin(unwritten: dict, elf: Path) -> str:
    """Where the byte lies that nobody has written."""
    program = Program(elf)
    by = _virtual(unwritten["by"], program)
    function, line = program.function_at(by), Lines(elf).source(by)
    who = f"{function.name if function else 'somebody'}{f' ({line})' if line else ''}"
    at, size = unwritten["address"] - unwritten["from"], unwritten["bytes"]
    return ORIGINS[unwritten["place"]].format(who=who, at=at, size=size, **unwritten)


def frames(machine: Machine, elf: Path) -> list[tuple[int, str]]:
    """``backtrace`` with each place for people, without our frames around the program's."""
    program, source = Program(elf), Lines(elf).source
    found = [(pc, _place(pc, program, source)) for pc in backtrace(machine, elf)]
    return [one for one in found if not one[1].startswith(OURS)] or found


def backtrace(machine: Machine, elf: Path) -> list[int]:
    """Program counters (virtual), the innermost first; a caller's is that of its call."""
    frames, pc, registers = [], machine.pc, dict(enumerate(machine.registers))
    program = Program(elf)
    if pc & PAL_MODE:  # a CALL_PAL of the program, or an interrupt: who called is not known
        return [] if machine.did is None else [_virtual(machine.did, program)]
    with elf.open("rb") as stream:
        entries = _entries(ELFFile(stream))
        while len(frames) < DEEPEST:
            frames.append(_virtual(pc, program))
            row = _row(entries, frames[-1])
            if row is None and len(frames) > 1:  # assembly: who called it is not known
                break
            back = _leaf(pc, registers, program) if row is None else None
            back = back or (row and _caller(row, registers, machine.stack))
            if not back or back[0] < 4:
                break
            pc, registers = back[0] - 4, back[1]
    return frames if machine.did is None else _blamed(_virtual(machine.did, program), frames)


def _blamed(did: int, frames: list[int]) -> list[int]:
    """The frames of a machine that stands after ``did``, the instruction that is to blame, which
    may have jumped away: then the frame in which it is follows, if it was a call."""
    if frames[0] == did + 4 or did not in frames[:2]:
        return [did, *(frames[1:] if frames[0] - did in range(4, 64, 4) else [])]
    return frames[frames.index(did) :]


def _leaf(pc: int, registers: dict[int, int], program: Program) -> tuple[int, dict[int, int]]:
    """Return address of assembly that calls no function, and the registers of its caller."""
    at = _virtual(pc, program)
    function = program.function_at(at)
    if function is None or not function.name.startswith(("__div", "__rem")):
        return registers[RA] & ~3, registers
    inside = at != function.start  # its first instruction makes the frame
    outer = registers | {SP: registers[SP] + (DIVIDE_FRAME if inside else 0)}
    return registers[T9] & ~3, outer


def _caller(
    row: dict, registers: dict[int, int], stack: dict[int, int]
) -> tuple[int, dict[int, int]] | None:
    """Return address and registers of the frame outside this one."""
    frame = registers[row["cfa"].reg] + row["cfa"].offset
    back = dict(registers) | {SP: frame}
    for register in range(ZERO):
        rule = row.get(register)
        if rule is not None and rule.type == "OFFSET":
            word = stack.get((frame + rule.arg) & _PHYSICAL & ~7)
            if word is None:
                return None
            back[register] = word
    return back[RA] & ~3, back


_PHYSICAL = (1 << 34) - 1


def _virtual(pc: int, program: Program) -> int:
    return program.base + (pc & _PHYSICAL & ~3)


def _entries(elf: ELFFile) -> list[FDE]:
    if not elf.has_dwarf_info():
        return []
    dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)
    if not dwarf.has_CFI():
        return []
    found = [entry for entry in dwarf.CFI_entries() if isinstance(entry, FDE)]
    return sorted(found, key=lambda entry: entry["initial_location"])


def _row(entries: list[FDE], pc: int) -> dict | None:
    """Row of the call frame table with the rules that hold at ``pc``; None if no entry covers
    it."""
    i = bisect.bisect_right(entries, pc, key=lambda entry: entry["initial_location"]) - 1
    if i < 0:
        return None
    entry = entries[i]
    if pc >= entry["initial_location"] + entry["address_range"]:
        return None
    rows = [row for row in entry.get_decoded().table if row["pc"] <= pc]
    return rows[-1] if rows else None


def _place(pc: int, program: Program, source: Callable[[int], str]) -> str:
    function = program.function_at(pc)
    name = f"{function.name}+{pc - function.start:#x}" if function else "no function"
    line = source(pc)
    return f"{line}: {name} ({pc:x})" if line else f"{name} ({pc:x})"


def _registers(machine: Machine) -> list[str]:
    words = [f"{n:>3} {v:016x}" for n, v in zip(NAMES.split(), machine.registers, strict=True)]
    return ["".join(f" {one}" for one in words[n : n + 4]) for n in range(0, len(words), 4)]
