# SPDX-License-Identifier: BSD-2-Clause
"""A program that leaves its stack, its memory or its code is stopped at once, in words; one that
does not is not touched."""

import json
import re
import shlex
import subprocess

import pytest

from mcpi.api import single_run as api
from mcpi.api import tracing
from mcpi.base.errors import RunError
from mcpi.base.repo import FIRMWARE, ROOT
from mcpi.firmware import bounds
from mcpi.machine.profile import load
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RTL
from mcpi.tracing.span_selection import Wanted

SOURCE = FIRMWARE / "test" / "programs" / "bounds.c"
STACK = r"stack overflow: the stack has 1,024 KB: "
#: By BOUNDS: what is said, the function, the word of its line, the callers.
OUT = {
    10: (STACK, "deep", "recursion", ["deep.*, 49 times or more"]),
    11: (STACK, "array", "array", ["go", "main"]),
    12: (STACK, "array", "array", ["go", "main"]),
    13: (STACK, "array", "array", ["go", "main"]),
    14: (STACK, "large", "large", ["go", "main"]),
    15: ("a read through NULL, of address 0x8: ", "go", "null", ["main"]),
    16: ("a jump to address 0x0: a function pointer that is NULL: ", "go", "jump", ["main"]),
    17: ("a jump to address 0x4140: a function pointer that is NULL: ", "go", "jump", ["main"]),
    18: ("a jump to address 0x141414140, where no code is: ", "smash", "smash", []),
    19: ("a write of address 0xfffffc0000000100, where no memory", "write_to", "write", ["go"]),
    20: ("a write of address 0xfffffc0000010000, where no memory", "write_to", "write", ["go"]),
    21: ("a read of address 0xfffffc0004000000, where no memory", "read_from", "read", ["go"]),
    22: ("a read of address 0x4141414141414140, where no memory", "read_from", "read", ["go"]),
}


def _spec(number: int, **more) -> ProgramSpec:
    given = {"defines": (f"BOUNDS={number}", "NODE=0"), "max_ticks": 30_000_000} | more
    return ProgramSpec((str(SOURCE),), **given)


def _check(number: int, said: str) -> None:
    what, function, word, callers = OUT[number]
    first, *rest = said.splitlines()
    assert re.match(what, first), said
    place = re.search(r"bounds\.c:(\d+): (\w+)[.\w]*\+0x", first)
    lines = SOURCE.read_text().splitlines()
    assert place and place[2] in (function, "go", "main"), said
    if place[2] == function:
        assert f"/* {word} */" in lines[int(place[1]) - 1], said
    for line, caller in zip(rest, callers):
        assert re.search(rf"called by .*: ({caller}|main)", line), said


@pytest.mark.parametrize("number", OUT)
def test_exec_out_of_bounds_is_said(number, tmp_path):
    with pytest.raises(api.Failed) as failed:
        api.perform(_spec(number), tmp_path / "a")
    _check(number, str(failed.value))
    assert failed.value.printed[0] == "begin\n"


def test_exec_within_bounds_is_not_stopped(tmp_path):
    """Nearly all of the stack, all of the heap; the same ticks as without the check."""
    place, _ = api.perform(_spec(0), tmp_path / "a")
    assert (place / "console.0.txt").read_text() == "begin\nend\n"
    words = (place / "command.txt").read_text()
    assert "guard=guard.0.csv" in words
    kept = {name: (place / name).read_bytes() for name in ("counters.json", "passages.0.csv")}
    words = words.replace("--node 0:guard=guard.0.csv", "")
    subprocess.run(shlex.split(words), cwd=place, check=True, capture_output=True)
    assert kept == {name: (place / name).read_bytes() for name in kept}


def test_exec_out_of_bounds_of_the_peer(tmp_path):
    good = tmp_path / "good.c"
    good.write_text("int main(void) { return 0; }\n")
    defines = ("BOUNDS=10", "NODE=1")
    spec = ProgramSpec((str(good),), peer=(str(SOURCE),), defines=defines)
    with pytest.raises(api.Failed, match=r"the peer: stack overflow.*bounds\.c:\d+: deep"):
        api.perform(spec, tmp_path / "a")


def test_exec_out_of_bounds_without_optimisation(tmp_path):
    for number in (10, 13, 14, 15):
        with pytest.raises(api.Failed) as failed:
            api.perform(_spec(number, optimise="0"), tmp_path / "a")
        _check(number, str(failed.value))


def test_exec_out_of_bounds_is_traced(tmp_path):
    """The marked instruction is the one that did it."""
    with tracing.trace(_spec(15), Wanted()) as found:
        assert found.fault.startswith("a read through NULL")
        passages = list(found.pipeline().passages())
        assert passages[-1].issues == found.span.marked
        place = found.code().places.at(passages[-1].pc)
    lines = SOURCE.read_text().splitlines()
    assert "/* null */" in lines[int(place.source.rpartition(":")[2]) - 1]


@pytest.mark.slow
def test_exec_out_of_bounds_is_the_same_on_the_rtl(tmp_path):
    for number in (10, 12, 15, 16, 22):
        said = []
        for engine in ("exact", RTL):
            with pytest.raises(RunError) as failed:
                api.perform(_spec(number, engine=engine), tmp_path / engine)
            said.append(str(failed.value).partition("registers:")[0])
        assert said[0] == said[1]
        _check(number, said[0])


def test_bounds_of_an_image_are_its_own(tmp_path):
    """An image of somebody else's that does not say where its stack is has none."""
    place, _ = api.perform(ProgramSpec((str(ROOT / "examples/conflict.c"),)), tmp_path / "a")
    machine = load("dec3000-600")
    rows = [row.split(",") for row in bounds.text(place / "image.elf", machine).splitlines()]
    assert {row[0] for row in rows} == {"stack", "code", "data"}
    (stack,) = [row for row in rows if row[0] == "stack"]
    assert int(stack[2], 16) - int(stack[1], 16) == 1 << 20
    assert not bounds.text(place / "pal.elf", machine)
    assert json.loads((place / "run.json").read_text())["exit_codes"] == [0, 0]
