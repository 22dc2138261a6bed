# SPDX-License-Identifier: BSD-2-Clause
"""Memory that nobody has written: operations against all values of their operands; planted
mistakes."""

import dataclasses
import json
from pathlib import Path

import pytest
from sim_support import planted
from sim_support.simulators import run

from mcpi.base.errors import RunError
from mcpi.base.progress import Silent
from mcpi.base.repo import FIRMWARE
from mcpi.build import models
from mcpi.engines import program
from mcpi.firmware.clone.program import Program
from mcpi.machine.c_header import KSEG
from mcpi.spec.program_spec import ProgramSpec

FILE = FIRMWARE / "test" / "programs" / "unwritten.c"
MISTAKES = planted.mistakes("unwritten_mutants")
PHYSICAL = (1 << 34) - 1
# By the argument of FILE: kind, function of the use, place, function that made it, byte of it. None
# where the compiler may inline.
USES = {
    1: ("branch", None, "heap", None, 36),
    3: ("branch", None, "freed", None, 8),
    4: ("output", "plat_putc", "heap", None, 2),
    5: ("address", None, "heap", None, 0),
    6: ("jump", None, "heap", None, 24),
    7: ("exit", None, "heap", None, 4),
    9: ("branch", "added", "heap", "added", 8),
    10: ("exit", None, "ended", None, None),
    11: ("branch", "grown", "heap", "grown", 40),
    12: ("branch", "outside", "memory", None, None),
    13: ("branch", "between", "heap", "between", 16),
}


def simulated(place: Path, number: int, simulator: Path | None) -> None:
    """The program with this argument, on the simulator; its run ends as it should."""
    spec = ProgramSpec((str(FILE),), checks="memory", arguments=(str(number),))
    machine = spec.check()
    built = program.prepare(spec, machine, place, Silent())
    if simulator:
        built = dataclasses.replace(built, simulator=simulator)
    if not number:
        program.run(spec, machine, place, built, Silent())
        return
    with pytest.raises(RunError, match="memory that nobody has written"):
        program.run(spec, machine, place, built, Silent())
    found = json.loads((place / "state.0.json").read_text())["unwritten"]
    image = Program(place / "image.elf")
    at = {key: image.function_at(KSEG + (found[key] & PHYSICAL & ~3)) for key in ("pc", "by")}
    kind, user, where, maker, byte = USES[number]
    assert (found["kind"], found["place"]) == (kind, where)
    assert user in (None, at["pc"].name) and (not maker or maker == at["by"].name)
    assert byte in (None, found["address"] - found["from"])


def test_bits_of_a_result_that_nobody_knows():
    """Each operation, against all values that its operands can have."""
    run(models.build("unit_unknown_bits"))


@pytest.mark.parametrize("number", [0, *USES])
def test_a_use_is_described(number, tmp_path):
    simulated(tmp_path, number, None)


@pytest.mark.long
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: one.title)
def test_a_mistake_is_found(mistake, tmp_path, monkeypatch):
    mistake.acts(monkeypatch)
    finds = mistake.how["finds"]
    if finds == "bits":
        assert run(planted.program("unit_unknown_bits"), check=False).returncode, mistake.title
        return
    simulator = planted.program("mcpi-exact")
    with pytest.raises((AssertionError, RunError, pytest.fail.Exception)):
        simulated(tmp_path, finds, simulator)
