# SPDX-License-Identifier: BSD-2-Clause
"""Floating point for a machine that has none: a pass over the compiler's assembly.

``python -m mcpi.firmware.floating.assembly IN OUT`` writes OUT. The registers ``$f0`` to ``$f31``
become the words of ``mcpi_float_registers`` (firmware/runtime/float), which lie near gp; all
functions of an image have one gp. With ``cores`` behind OUT each core has words of its own:
``$14`` has their address from start-up on, and the compiler leaves it alone (``OF_CORES``).

Loads, stores, moves and branches become integer instructions with ``$28``, which the compiler
leaves free (``FLAGS``). Each other instruction becomes a call of a thunk at the end of the file,
``bsr $28``, which calls the emulation. No other register changes.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

from mcpi.base.errors import RunError

REGISTERS = "mcpi_float_registers"
ZERO, SCRATCH = 31, 32  # $f31; the word between two instructions
FLAGS = ["-ffixed-28", "-mfp-trap-mode=n", "-mtrap-precision=p", "-ffp-contract=off"]
# The emulation changes no register but $0 and, by its own calls, $27: a function of it saves what
# it uses.
SAVED = [f"-fcall-saved-{n}" for n in (*range(1, 9), *range(16, 26), 28)]
OF_CORES = ["-ffixed-14"]  # of all code of an image for several cores
CORES = "cores"
TWO = "add sub mul div".split()
CALLED = {
    *(f"{name}{size}" for name in TWO for size in "st"),
    *(f"cmpt{name}" for name in "eq lt le un".split()),
    *"cpys cpysn cpyse cvtqt cvtqs cvtts".split(),
    "cvttq/c",
}
# Branches by the integer in $28 that has a register's bits: -0 is the least of them. {skip}: a
# label behind. Each goes to {to} if its condition holds.
DOUBLED = "\taddq $28,$28,$28\n"
BRANCHES = {
    "eq": DOUBLED + "\tbeq $28,{to}\n",
    "ne": DOUBLED + "\tbne $28,{to}\n",
    "gt": "\tbgt $28,{to}\n",
    "le": "\tble $28,{to}\n",
    "lt": "\tbge $28,{skip}\n" + DOUBLED + "\tbne $28,{to}\n{skip}:\n",
    "ge": "\tbge $28,{to}\n" + DOUBLED + "\tbeq $28,{to}\n",
}
OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}
_LINE = re.compile(r"\s+([a-z0-9]+(?:/[a-z]+)?)\s+(.*\$f\d+.*)")
_GP = re.compile(r"\s+(ldah?)\s+\$29,.*!gpdisp!(\d+)")
_SHARED = re.compile(rf"{REGISTERS}\+(\d+)\(\$29\)\t\t!gprel")
_THUNK = """\
\t.section .text.{name},"ax",@progbits
\t.ent {name}
{name}:
\t.frame $30,48,$26,0
\tlda $30,-48($30)
\tstq $16,0($30)
\tstq $17,8($30)
\tstq $0,16($30)
\tstq $26,24($30)
\tstq $27,32($30)
\t.prologue 0
{load}\tbsr $26,mcpi_{function}\t\t!samegp
{store}\tldq $16,0($30)
\tldq $17,8($30)
\tldq $0,16($30)
\tldq $26,24($30)
\tldq $27,32($30)
\tlda $30,48($30)
\tret $31,($28),1
\t.end {name}
"""


class Unknown(RunError):
    """An instruction that the pass does not know."""


def rewritten(text: str, cores: bool = False) -> str:
    """The assembly without floating-point instructions; ``cores``: each core has registers of its
    own."""
    thunks: dict[str, str] = {}
    labels = iter(range(10**9))
    lines = []
    for line in _whole_gp(text.splitlines(keepends=True)):
        found = _LINE.fullmatch(line.rstrip("\n"))
        if found and not line.lstrip().startswith("."):
            line = _replaced(*found.groups(), thunks, lambda: f"$mcpi_f{next(labels)}")
        elif line.strip() == "trapb":
            continue  # the emulation has no traps to wait for
        lines.append(line)
    made = "".join([*lines, *thunks.values()])
    return _SHARED.sub(r"\1($14)", made) if cores else made


def _whole_gp(lines: list[str]) -> list[str]:
    """``lines``, where gp is never half: the second instruction that makes it follows the first,
    with nothing that the scheduler had put between."""
    second = {found[2]: n for n, line in enumerate(lines) if (found := _GP.match(line))}
    moved, kept = set(), []
    for n, line in enumerate(lines):
        if n not in moved:
            kept.append(line)
        found = _GP.match(line)
        if found and found[1] == "ldah":
            kept.append(lines[second[found[2]]])
            moved.add(second[found[2]])
    return kept


def _replaced(name: str, rest: str, thunks: dict[str, str], label: Callable[[], str]) -> str:
    if name in ("ldt", "stt", "lds", "sts"):
        register, where = re.fullmatch(r"\$f(\d+),(.*)", rest).groups()
        return _memory(name, int(register), where, thunks)
    words = [word.strip() for word in rest.split(",")]
    if name[:2] == "fb" and name[2:] in BRANCHES:
        return _fetch(_number(words[0])) + _branch(name[2:], words[1], label)
    registers = [_number(word) for word in words]
    if name[:5] == "fcmov" and name[5:] in BRANCHES:
        past = label()
        test = _fetch(registers[0]) + _branch(OPPOSITE[name[5:]], past, label)
        return test + _move(registers[1], registers[2]) + f"{past}:\n"
    if name == "fmov" or (name == "cpys" and registers[0] == registers[1]):
        return _move(registers[0], registers[-1])
    if name == "cvtsts":  # a register has a float as a double
        return _move(*registers)
    if name == "cpys" and registers[0] == ZERO:
        return _fetch(registers[1]) + DOUBLED + "\tsrl $28,1,$28\n" + _keep(registers[2])
    if name not in CALLED:
        raise Unknown(f"the instruction {name} {rest}: mCPI does not emulate it.")
    if len(registers) == 2:  # a conversion: of the second operand
        registers.insert(0, ZERO)
    return _call(name.partition("/")[0], registers, thunks)


def _memory(name: str, register: int, where: str, thunks: dict[str, str]) -> str:
    if name == "ldt":
        return f"\tldq $28,{where}\n" + _keep(register)
    if name == "stt":
        return _fetch(register) + f"\tstq $28,{where}\n"
    if name == "lds":
        return f"\tldl $28,{where}\n{_keep(SCRATCH)}" + _call(
            "lds", [SCRATCH, ZERO, register], thunks
        )
    stored = _call("sts", [register, ZERO, SCRATCH], thunks)
    return stored + _fetch(SCRATCH) + f"\tstl $28,{where}\n"


def _call(function: str, registers: list[int], thunks: dict[str, str]) -> str:
    """A call of the thunk for these registers, which it adds to ``thunks``."""
    if registers[2] == ZERO:
        return ""
    name = "_".join([function, *(f"f{n}" for n in registers)])
    first, second, to = (f"{REGISTERS}+{8 * n}($29)\t\t!gprel\n" for n in registers)
    load, store = f"\tldq $16,{first}\tldq $17,{second}", f"\tstq $0,{to}"
    thunks[name] = _THUNK.format(name=name, load=load, function=function, store=store)
    return f"\tbsr $28,{name}\n"


def _branch(condition: str, to: str, label: Callable[[], str]) -> str:
    text = BRANCHES[condition]
    return text.format(to=to, skip=label() if "{skip}" in text else "")


def _move(one: int, to: int) -> str:
    return "" if one == to or to == ZERO else _fetch(one) + _keep(to)


def _fetch(register: int) -> str:
    if register == ZERO:
        return "\tbis $31,$31,$28\n"
    return f"\tldq $28,{REGISTERS}+{8 * register}($29)\t\t!gprel\n"


def _keep(register: int) -> str:
    return "" if register == ZERO else f"\tstq $28,{REGISTERS}+{8 * register}($29)\t\t!gprel\n"


def _number(word: str) -> int:
    found = re.fullmatch(r"\$f(\d+)", word)
    if not found:
        raise Unknown(f"{word}: a floating-point register is wanted.")
    return int(found[1])


if __name__ == "__main__":
    read, write = map(Path, sys.argv[1:3])
    try:
        write.write_text(rewritten(read.read_text(), CORES in sys.argv[3:]))
    except Unknown as error:
        sys.exit(f"{read.name}: error: {error}")
