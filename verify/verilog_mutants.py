# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes put into generated Verilog, all into one simulator.

Each is the right side of an assignment, an ``if(…)`` or a part of either, replaced by another where
the environment variable MCPI_MUTANT holds its number, from 1, so that one compilation serves them
all. It is read when the model is made.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.build import graph

VARIABLE = "MCPI_MUTANT"


@dataclass(frozen=True)
class Mutant:
    """``wrong`` in the place of ``right``: ``name = value``, ``name <= value``, ``if(value)``, or a
    value in brackets. ``tests``: who is to find it, if the test of all mutants asks others;
    ``settings``: of the machine whose Verilog has it."""

    module: str
    right: str
    wrong: str
    title: str = ""
    tests: Sequence[str] = ()
    settings: Mapping[str, str] = field(default_factory=dict)


def load(path: Path) -> list[Mutant]:
    """The tables ``[[mutant]]`` of a TOML file."""
    return [Mutant(**row) for row in tomllib.loads(path.read_text())["mutant"]]


def mutated(verilog: str, mistakes: Sequence[Mutant], top: str) -> str:
    """With all of them; an AssertionError names one whose text is no longer there once."""
    changes: dict[tuple[str, str], str] = {}
    for number, mistake in enumerate(mistakes, 1):
        assert ";" not in mistake.right + mistake.wrong, f"no value: {mistake.right}"
        place = (mistake.module, mistake.right)
        (start, right), (_, wrong) = _side(mistake.right), _side(mistake.wrong)
        now = changes.get(place, right)
        changes[place] = f"(({top}.mutant == {number}) ? ({wrong}) : ({now}))"
    for (module, right), expression in changes.items():
        found = re.search(rf"^module {module} \(.*?^endmodule", verilog, re.M | re.S)
        assert found, f"no module {module}"
        assert found[0].count(right) == 1, f"{module}: '{right}' is there {found[0].count(right)}×"
        start, _ = _side(right)
        end = ")" if start == "if(" else ""
        text = found[0].replace(right, start + expression + end)
        verilog = verilog[: found.start()] + text + verilog[found.end() :]
    return switched(verilog, top)


def planted(source: Path, mistakes: Sequence[Mutant], folder: Path | None = None) -> Path:
    """An elaborated top with all of them in it, and its machine.json, in ``folder``; else in a
    folder beside it."""
    path = (folder or source.parent / "mutants") / source.name
    graph.write(path.with_name("machine.json"), source.with_name("machine.json").read_text())
    graph.write(path, mutated(source.read_text(), mistakes, source.stem))
    return path


def switched(verilog: str, top: str) -> str:
    """With the number that chooses, ``mutant`` of the module ``top``."""
    switch = (
        f'\n  integer mutant = $c32("(getenv(\\"{VARIABLE}\\") ? '
        f'atoi(getenv(\\"{VARIABLE}\\")) : 0)");\n\nendmodule'
    )
    found = re.search(rf"^module {top} ?\(.*?^endmodule", verilog, re.M | re.S)
    return verilog[: found.end() - len("endmodule")] + switch + verilog[found.end() :]


def _side(text: str) -> tuple[str, str]:
    """Text before the value, and the value."""
    if match := re.match(r"[^=<(]*?(?:\[[^\]]*\])? ?<?= ", text):
        return match[0], text[match.end() :]
    if text.startswith("if("):
        return "if(", text.removeprefix("if(").removesuffix(")")
    return "", text
