# SPDX-License-Identifier: BSD-2-Clause
"""Planted mistakes: a copy of ``sim/`` with all of them in it, of which MCPI_MUTANT chooses one.

A mistake is an expression of a file, once there, and what stands in its place. A row of a table is
a mistake; columns beyond ``title``, ``file``, ``right`` and ``wrong`` say how the table's own test
finds it. The tables share the copy, so that programs share their objects.
"""

import csv
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mcpi.base.file_lock import hold
from mcpi.base.repo import BUILD
from mcpi.build import graph, models, native
from mcpi.machine import cpp_headers
from sim_support.simulators import SIM
from verify.verilog_mutants import VARIABLE

PLACE = BUILD / "planted"
TREE = PLACE / "sim"
TABLES = (
    "exact_card_mutants",
    "exact_core_mutants",
    "translation_mutants",
    "write_back_mutants",
    "ways_mutants",
    "victims_mutants",
    "exact_coherent_mutants",
    "placing_mutants",
    "glide_mutants",
    "vanishing_mutants",
    "miss_recorder_mutants",
    "debug_mutants",
    "network_mutants",
    "unwritten_mutants",
    "standstill_mutants",
    "core_logs_mutants",
)
# In the copy, this variable keeps the core from gliding: mistakes of the other tables are in what
# each tick does, and must be what runs.
NO_GLIDE = "MCPI_NO_GLIDE"
GLIDES = ("exact/core/core.cpp", "m.glides() && memory_.glides()")
COMPILER = ["g++", "-O1", "-std=c++17", "-w", "-fPIC", "-include", TREE / "mutant.h", f"-I{TREE}"]
COMPILER += [f"-I{cpp_headers.write()}"]
SWITCH = f"""\
#pragma once
#include <cstdlib>
inline bool mutant(int n) {{
    static const char *const number = std::getenv("{VARIABLE}");
    return number && std::atoi(number) == n;
}}
"""


@dataclass(frozen=True)
class Mistake:
    """``number``: of all tables, from 1. ``how``: what the table's own test wants to know;
    ``glides``: the mistake is in a glide."""

    number: int
    title: str
    file: str
    right: str
    wrong: str
    how: dict = field(default_factory=dict)
    glides: bool = False

    @property
    def environment(self) -> dict[str, str]:
        """Environment that makes the mistake act."""
        return {VARIABLE: str(self.number)} | ({} if self.glides else {NO_GLIDE: "1"})

    def acts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let it act in programs that this test starts, which glide."""
        monkeypatch.setenv(VARIABLE, str(self.number))


def _value(column: str, text: str) -> object:
    """The value of a column that a table has of its own."""
    if column == "seeds":
        return [int(seed) for seed in text.split()]
    if column == "settings":
        return dict(setting.split("=") for setting in text.split())
    return int(text) if text.isdigit() else text


def _read() -> dict[str, dict[str, list[Mistake]]]:
    """By table, and by the list in it."""
    found: dict[str, dict[str, list[Mistake]]] = {}
    number = 0
    for table in TABLES:
        text = next((SIM / "test").rglob(f"{table}.csv")).read_text()
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        for row in csv.DictReader(lines):
            number += 1
            said = [row.pop(key) for key in ("title", "file", "right", "wrong")]
            name = row.pop("list", "mutant")
            how = {column: _value(column, text) for column, text in row.items() if text}
            mistake = Mistake(number, *said, how, table == "glide_mutants")
            found.setdefault(table, {}).setdefault(name, []).append(mistake)
    return found


ALL = _read()


def mistakes(table: str, name: str = "mutant") -> list[Mistake]:
    """Mistakes of a table, in its order."""
    return ALL[table][name]


def _texts() -> dict[str, str]:
    """The files of the copy, with the mistakes."""
    paths = [path for path in sorted(SIM.rglob("*")) if path.suffix in (".h", ".cpp")]
    sources = {str(path.relative_to(SIM)): path.read_text() for path in paths}
    texts = dict(sources)
    for mistake in (m for lists in ALL.values() for each in lists.values() for m in each):
        text = texts[mistake.file]
        for there in (sources[mistake.file], text):  # not in another mistake
            times = there.count(mistake.right)
            assert times == 1, f"{mistake.title}: {times} times there"
        either = f"(mutant({mistake.number}) ? ({mistake.wrong}) : ({mistake.right}))"
        texts[mistake.file] = text.replace(mistake.right, either)
    file, glides = GLIDES
    assert texts[file].count(glides) == 1, f"{file}: {glides}"
    texts[file] = texts[file].replace(glides, f'{glides} && !std::getenv("{NO_GLIDE}")')
    return texts | {"mutant.h": SWITCH}


def program(name: str) -> Path:
    """``name`` of ``models.SOURCES`` with all mistakes in it, up to date."""
    PLACE.mkdir(parents=True, exist_ok=True)
    with hold(PLACE / "sources.lock", "writes the copy with mistakes"):
        for file, text in _texts().items():
            graph.write(TREE / file, text)
    sources = [TREE / path.relative_to(SIM) for path in models.sources(name)]
    link = ["-shared"] if name.endswith(".so") else models.libraries(name)
    native.make(PLACE, native.program(PLACE / name, sources, COMPILER, link))
    return PLACE / name
