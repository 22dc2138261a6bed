# SPDX-License-Identifier: BSD-2-Clause
"""A function's source and instructions, each instruction with its cost."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mcpi.analysis.attribution import Cost
from mcpi.analysis.profile import Profile
from mcpi.base.errors import RunError
from mcpi.base.process import heard
from mcpi.base.repo import ROOT

OBJDUMP = "alpha-linux-gnu-objdump"
_INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\t(.*)$")


@dataclass(frozen=True)
class Line:
    """``cost`` is None for a line of source or a label."""

    text: str
    cost: Cost | None = None


def listing(profile: Profile, function: str) -> Iterator[Line]:
    """``function`` as the linker placed it; the costs of its copy, if the cloner made one, stand at
    the original's instructions. UserError if the image has no function of the name."""
    start, end = profile.places.function(function)
    costs: dict[int, Cost] = {}
    for pc, cost in profile.costs.items():
        if start <= (at := profile.place(pc).original) < end:
            costs.setdefault(at, Cost()).add(cost)
    for text in _disassembled(profile, start, end):
        if found := _INSTRUCTION.match(text):
            yield Line(text.rstrip(), costs.get(int(found[1], 16), Cost()))
        elif text.strip():
            yield Line(text.rstrip())


def _disassembled(profile: Profile, start: int, end: int) -> list[str]:
    words = [OBJDUMP, "--disassemble", "--source", "--no-show-raw-insn"]
    words += [f"--start-address={start:#x}", f"--stop-address={end:#x}"]
    words.append(str(profile.places.elf.resolve()))
    # Source files have names below the checkout.
    done = heard(words, cwd=ROOT)
    if done.returncode:
        raise RunError(f"{OBJDUMP} ended with status {done.returncode}: {done.stderr.strip()}")
    text = done.stdout.splitlines()
    first = next((n for n, line in enumerate(text) if line.endswith(">:")), 0)
    return text[first:]
