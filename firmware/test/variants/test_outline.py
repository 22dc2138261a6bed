# SPDX-License-Identifier: BSD-2-Clause
"""OUT moves what is annotated and nothing else; STD moves nothing: on assembly and on images."""

from functools import cache
from pathlib import Path

import pytest
from firmware_support.annotated import Function, falls_into, functions, unlikely_lines, words

from mcpi.firmware import images
from mcpi.firmware.outline import MARK, outline
from mcpi.isa import table
from mcpi.machine import profile

STACKS = ("tcp", "rpc")
BRANCHES = {table.named("br"), *table.of_group("conditional_branch")}

# Several conditions became one branch, which the compiler counts to another line of them.
ONE_BRANCH = {("path_output", "tcp_queue.c"), ("path_output", "tcp_output.c")}
# Code that an annotated statement shares with another that is not, such as `return XK_NO_MEMORY`.
SHARED_INSTRUCTIONS = 20
# msg_push never answers NULL on its fast way, so the test is made on the slow one only, and what
# depends on it stands there: not a guess of the compiler's, and the same in OUT.
ON_THE_SLOW_WAY = {"eth_push", "ip_push", "blast_push", "chan_send", "bid_push", "mselect_call_pop"}
ON_THE_SLOW_WAY |= {"tcp_output", "server_call_demux"}
# GCC knows of the first ACK of a connection from an earlier test, and jumps to what it brings.
ON_THE_SLOW_WAY |= {"tcp_ack_input"}


def asm(text: str) -> str:
    """A function's assembly; `!` is a mark, labels are as they are."""
    words = text.replace("!", MARK).split(";")
    lines = [x if x.endswith(":") else f"\t{x}" for x in words]
    return "\n".join(["\t.ent f", "f:", *lines, "\t.end f"]) + "\n"


CASES = {
    "then": (
        "beq $1,$L2;!;addq $2,1,$2;$L2:;ret $31,($26),1",
        "bne\t$1,$Lout.f.1;$L2:;ret $31,($26),1;f.cold:;$Lout.f.1:;!;addq $2,1,$2;br\t$31,$L2",
    ),
    "not annotated": (
        "beq $1,$L2;addq $2,1,$2;$L2:;beq $3,$L3;!;br $31,$L2;$L3:;ret $31,($26),1",
        "beq $1,$L2;addq $2,1,$2;$L2:;bne\t$3,$Lout.f.3;$L3:;ret $31,($26),1;"
        "f.cold:;$Lout.f.3:;!;br $31,$L2",
    ),
    "else": (
        "beq $1,$L2;!;addq $2,1,$2;br $31,$L3;$L2:;subq $2,1,$2;$L3:;ret $31,($26),1",
        "bne\t$1,$Lout.f.1;$L2:;subq $2,1,$2;$L3:;ret $31,($26),1;"
        "f.cold:;$Lout.f.1:;!;addq $2,1,$2;br $31,$L3",
    ),
    "unlikely else": (
        "beq $1,$L2;addq $2,1,$2;br $31,$L3;$L2:;!;subq $2,1,$2;$L3:;ret $31,($26),1",
        "beq $1,$L2;addq $2,1,$2;$L3:;ret $31,($26),1;f.cold:;$L2:;!;subq $2,1,$2;br\t$31,$L3",
    ),
    "what only it leads to": (
        "beq $1,$L2;!;beq $2,$L4;mulq $2,$2,$2;$L4:;ret $31,($26),1;$L2:;ret $31,($26),1",
        "bne\t$1,$Lout.f.1;$L2:;ret $31,($26),1;"
        "f.cold:;$Lout.f.1:;!;beq $2,$L4;mulq $2,$2,$2;$L4:;ret $31,($26),1",
    ),
    "a loop within": (
        "beq $1,$L2;!;$L5:;subq $2,1,$2;bne $2,$L5;$L2:;ret $31,($26),1",
        "bne\t$1,$Lout.f.1;$L2:;ret $31,($26),1;"
        "f.cold:;$Lout.f.1:;!;$L5:;subq $2,1,$2;bne $2,$L5;br\t$31,$L2",
    ),
    "a loop that ends there": (
        "$L1:;blbc $1,$L1;!;ret $31,($26),1;$L2:;ret $31,($26),1",
        "$L1:;blbc $1,$L1;f.cold:;!;ret $31,($26),1;$L2:;ret $31,($26),1",
    ),
    "no mark": ("beq $1,$L2;addq $2,1,$2;$L2:;ret $31,($26),1",) * 2,
}


@pytest.mark.parametrize("name", CASES)
def test_assembly(name: str) -> None:
    before, after = CASES[name]
    assert outline(asm(before)) == asm(after)


def located(text: str) -> dict[str, str]:
    """The .loc in force at each instruction."""
    at, found = "", {}
    for line in text.splitlines():
        if line.startswith("\t.loc"):
            at = line
        elif line.startswith("\t") and not line.startswith(("\t.", "\t#")):
            found[line] = at
    return found


def test_line_numbers_stay_with_their_instructions() -> None:
    before = asm(
        ".loc 1 5;beq $1,$L2;.loc 1 6;!;addq $2,1,$2;stq $2,0($3);$L2:;subq $2,1,$2;"
        ".loc 1 9;ret $31,($26),1"
    )
    old, new = located(before), located(outline(before))
    assert all(new[x] == at for x, at in old.items() if not x.startswith("\tbeq"))
    assert new["\tbne\t$1,$Lout.f.1"] == "\t.loc 1 5"


def test_written_assembly_is_not_looked_into() -> None:
    text = ".set macro;beq $1,$L9;.set nomacro;beq $2,$L2;!;$L2:;ret $31,($26),1"
    assert "\tbeq $1,$L9" in outline(asm(text)).splitlines()


@cache
def image(variant: str, stack: str, role: str = "client") -> Path:
    plan = images.plan(profile.load("dec3000-600"), variant, stack, role=role)
    return images.build(plan).image


def unlikely(f: Function, address: int) -> bool:
    file, line = f.lines.get(address, (Path(), 0))
    return file.suffix in (".c", ".h") and line in unlikely_lines(file)


def target(word: int, address: int) -> int | None:
    if table.find(word) not in BRANCHES:
        return None
    displacement = (word & 0x1FFFFF) - ((word & 0x100000) << 1)
    return address + 4 + 4 * displacement


OUTLINED = [("out", "tcp", "client"), ("out", "rpc", "client"), ("pin", "tcp", "client")]
OUTLINED += [("pin", "rpc", "client"), ("pin", "rpc", "server")]


@pytest.mark.parametrize(("variant", "stack", "role"), OUTLINED)
def test_only_annotated_code_has_moved(variant: str, stack: str, role: str) -> None:
    """Every way into moved code is a branch of an annotated condition, or to annotated code."""
    elf = image(variant, stack, role)
    code, ways, strange = words(elf), 0, []
    for f in functions(elf):
        assert f.cold == f.high or not falls_into(code, f.cold), f"{f.name} runs into its cold part"
        for address in range(f.low, f.cold, 4):
            to = target(code[address], address)
            if to is None or not f.cold <= to < f.high:
                continue
            ways += 1
            file, line = f.lines[address]
            said = file.read_text().splitlines()[line - 1]
            if "PREDICT_" not in said and not unlikely(f, to):
                strange.append((f.name, file.name, line, said.strip()))
    print(f"{ways} ways into moved code, of these not by an annotation: {strange}")
    assert ways > 90
    assert {(name, file) for name, file, _, _ in strange} <= ONE_BRANCH, strange


@pytest.mark.parametrize(("variant", "stack", "role"), OUTLINED)
def test_annotated_code_has_moved(variant: str, stack: str, role: str) -> None:
    moved, stayed = 0, []
    for f in functions(image(variant, stack, role)):
        for address in f.lines:
            if unlikely(f, address):
                moved += address >= f.cold
                if address < f.cold:
                    file, line = f.lines[address]
                    stayed.append(f"{f.name} {file.name}:{line}")
    print(f"{moved} annotated instructions have moved, {len(stayed)} have not: {stayed}")
    assert moved > 400
    assert len(stayed) <= SHARED_INSTRUCTIONS


@pytest.mark.parametrize("stack", STACKS)
def test_nothing_has_moved_in_std(stack: str) -> None:
    """Annotated code stands where the source has it: behind the branch that skips it."""
    elf = image("std", stack)
    code, there, elsewhere = words(elf), 0, []
    for f in functions(elf):
        assert f.cold == f.high, f"{f.name} has a cold part"
        first: dict[tuple[Path, int], int] = {}
        for address in sorted(f.lines):
            if unlikely(f, address):
                file, line = f.lines[address]
                while earlier := {line - 3, line - 2, line - 1} & unlikely_lines(file):
                    line = min(earlier)  # over blank lines and comments
                first.setdefault((file, line), address)
        for (file, line), address in first.items():
            condition = "\n".join(file.read_text().splitlines()[line - 4 : line])
            if "PREDICT_TRUE" in condition or falls_into(code, address):
                there += 1
            else:
                elsewhere.append((f.name, file.name, line))
    print(f"{there} annotated pieces of code stand in line, not so: {elsewhere}")
    assert there > 50
    assert {name for name, _, _ in elsewhere} <= ON_THE_SLOW_WAY, elsewhere
