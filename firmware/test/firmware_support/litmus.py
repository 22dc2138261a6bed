# SPDX-License-Identifier: BSD-2-Clause
"""Litmus tests of the multiprocessor's memory order: ``firmware/test/litmus/tests.txt``.

``outcomes`` explores every order that the sheet permits (docs/explanation/multiprocessor.md, Memory
order); ``source`` makes a test C, for Alpha and for threads of the host.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from firmware_support.host_build import TEST

LITMUS = TEST / "litmus"
NUMBER = re.compile(r"-?\d+$")


@dataclass(frozen=True)
class Access:
    """``kind``: store, load or mb. ``name``: the variable; ``other``: its value, or a register."""

    kind: str
    name: str = ""
    other: str = ""


@dataclass(frozen=True)
class Litmus:
    name: str
    programs: tuple[tuple[Access, ...], ...]
    relaxed: tuple[tuple[str, int], ...]

    @property
    def variables(self) -> list[str]:
        return sorted({a.name for p in self.programs for a in p if a.kind != "mb"})

    @property
    def registers(self) -> list[str]:
        return sorted({a.other for p in self.programs for a in p if a.kind == "load"})

    def without_barriers(self) -> "Litmus":
        kept = tuple(tuple(a for a in p if a.kind != "mb") for p in self.programs)
        return Litmus(self.name, kept, self.relaxed)


def _access(text: str) -> Access | None:
    if not text or text == "mb":
        return Access("mb") if text else None
    left, right = (word.strip() for word in text.split("="))
    return Access("store", left, right) if NUMBER.match(right) else Access("load", right, left)


def read(path: Path = LITMUS / "tests.txt") -> list[Litmus]:
    found = []
    lines = [line for line in path.read_text().splitlines() if line and line[0] != "#"]
    for block in re.split(r"^test ", "\n".join(lines), flags=re.M)[1:]:
        name, *rows, relaxed = block.strip().splitlines()
        columns = zip(*(row.split("|") for row in rows), strict=True)
        programs = [[_access(cell.strip()) for cell in column] for column in columns]
        wanted = (word.split("=") for word in relaxed.removeprefix("relaxed ").split())
        found.append(
            Litmus(
                name,
                tuple(tuple(a for a in p if a) for p in programs),
                tuple((n, int(v)) for n, v in wanted),
            )
        )
    return found


def block_of(variable: str) -> str:
    return variable[0]


Entry = tuple[str, tuple[tuple[str, int], ...]]  # of a write buffer: block, its variables' values


def _stored(buffer: tuple[Entry, ...], name: str, value: int) -> tuple[Entry, ...]:
    """A store merges into an unsent entry of its block, wherever that stands."""
    for n, (block, values) in enumerate(buffer):
        if block == block_of(name):
            merged = tuple(sorted((dict(values) | {name: value}).items()))
            return (*buffer[:n], (block, merged), *buffer[n + 1 :])
    return (*buffer, (block_of(name), ((name, value),)))


def _with(buffers: tuple, core: int, new: tuple[Entry, ...]) -> tuple:
    return (*buffers[:core], new, *buffers[core + 1 :])


def outcomes(test: Litmus, merges: bool = True) -> set[tuple[tuple[str, int], ...]]:
    """All values of registers and variables at the end. ``merges``: the write buffer does."""
    memory = tuple((v, 0) for v in test.variables)
    start = (tuple(0 for _ in test.programs), tuple(() for _ in test.programs), memory, ())
    found, seen, left = set(), {start}, [start]
    while left:
        at, buffers, memory, registers = left.pop()
        nexts = []
        for core, program in enumerate(test.programs):
            buffer = buffers[core]
            if buffer:  # the oldest entry is sent: all others see it at once
                image = dict(memory) | dict(buffer[0][1])
                sent = tuple(sorted(image.items()))
                nexts.append((at, _with(buffers, core, buffer[1:]), sent, registers))
            if at[core] == len(program):
                continue
            access = program[at[core]]
            then = (*at[:core], at[core] + 1, *at[core + 1 :])
            if access.kind == "mb":
                if not buffer:
                    nexts.append((then, buffers, memory, registers))
            elif access.kind == "store":
                value = int(access.other)
                entry = (block_of(access.name), ((access.name, value),))
                new = _stored(buffer, access.name, value) if merges else (*buffer, entry)
                nexts.append((then, _with(buffers, core, new), memory, registers))
            else:
                own = [dict(v)[access.name] for _, v in buffer if access.name in dict(v)]
                value = own[-1] if own else dict(memory)[access.name]
                known = tuple(sorted((*registers, (access.other, value))))
                nexts.append((then, buffers, memory, known))
        if not nexts:
            found.add(tuple(sorted((*registers, *memory))))
        for state in nexts:
            if state not in seen:
                seen.add(state)
                left.append(state)
    return found


def shows(test: Litmus, found: set[tuple[tuple[str, int], ...]]) -> bool:
    """Return true if the outcome asked about is among ``found``."""
    return any(set(test.relaxed) <= set(outcome) for outcome in found)


def source(test: Litmus) -> str:
    """C of a test: a function a processor, on the variables ``v`` and the registers ``r``."""
    words = [f'/* {test.name} */\n#include "test/litmus/litmus.h"\n']
    places = {v: (ord(block_of(v)) - ord("x")) * 16 + (len(v) > 1) for v in test.variables}
    for n, program in enumerate(test.programs):
        words.append(f"static void processor_{n}(uint64_t *v, uint64_t *r)\n{{")
        for access in program:
            if access.kind == "mb":
                words.append("\tlitmus_barrier();")
            elif access.kind == "store":
                words.append(f"\tlitmus_store(&v[{places[access.name]}], {access.other});")
            else:
                register = test.registers.index(access.other)
                words.append(f"\tr[{register}] = litmus_load(&v[{places[access.name]}]);")
        words.append("}\n")
    names = ", ".join(f"processor_{n}" for n in range(len(test.programs)))
    results = [f'{{ "{r}", 0, {n} }}' for n, r in enumerate(test.registers)]
    results += [f'{{ "{v}", 1, {places[v]} }}' for v in test.variables]
    words.append(f"void (*const litmus_processors[])(uint64_t *, uint64_t *) = {{ {names} }};")
    words.append(f"const unsigned litmus_count = {len(test.programs)};")
    words.append(f"const struct litmus_result litmus_result[] = {{ {', '.join(results)} }};")
    words.append(f"const unsigned litmus_result_count = {len(results)};\n")
    return "\n".join(words)
