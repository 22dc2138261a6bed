# SPDX-License-Identifier: BSD-2-Clause
"""A reader of ``Kanata 0004``, written from the page "Kanata Log Format" and nothing else."""

from dataclasses import dataclass, field

COLUMNS = {"C=": 1, "C": 1, "I": 3, "L": 3, "S": 3, "E": 3, "R": 3, "W": 3}


class BadLog(Exception):
    """It is no such file; says why, and in which line."""


@dataclass
class Instruction:
    """``stages``: the cycle in which each begins, of lane 0; ``left``, ``hover``: its texts."""

    stages: dict[str, int] = field(default_factory=dict)
    left: str = ""
    hover: str = ""
    retired: int | None = None


def read(text: str) -> list[Instruction]:
    """The instructions, by their number in the file. BadLog if it breaks a rule."""
    lines = text.splitlines()
    if not lines or lines[0] != "Kanata\t0004":
        raise BadLog(f"line 1: header and version are wrong: {lines[:1]}")
    found: dict[int, Instruction] = {}
    cycle = None
    for number, line in enumerate(lines[1:], 2):
        name, *words = line.split("\t")
        if len(words) != COLUMNS.get(name, -1):
            raise BadLog(f"line {number}: unknown command, or wrong columns: {line}")
        if name in ("C=", "C"):
            step = int(words[0])
            if step < 0 or (name == "C=") != (cycle is None):
                raise BadLog(f"line {number}: time goes backwards, or begins twice: {line}")
            cycle = (cycle or 0) + step
            continue
        if cycle is None:
            raise BadLog(f"line {number}: no cycle yet")
        ident = int(words[0])
        if name == "I":
            if ident != len(found):
                raise BadLog(f"line {number}: numbers in the file are sequential, from 0")
            found[ident] = Instruction()
            continue
        if ident not in found:
            raise BadLog(f"line {number}: instruction {ident} before its I")
        one = found[ident]
        if one.retired is not None:
            raise BadLog(f"line {number}: instruction {ident} after its R")
        if name == "L" and words[1] == "0":
            one.left += words[2]
        elif name == "L":
            one.hover += words[2]
        elif name == "S" and words[1] == "0":
            one.stages[words[2]] = cycle
        elif name == "R":
            one.retired = cycle
    for ident, one in found.items():
        if one.retired is None:
            raise BadLog(f"instruction {ident} never retires")
    return list(found.values())
