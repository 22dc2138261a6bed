# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi exec --check memory``: uses of memory that nobody has written are found, with function,
line and whose memory; right programs pass."""

import dataclasses
import subprocess

import pytest
from tools_support.command import mcpi, refused
from tools_support.course_programs import PROGRAMS, given

from mcpi.api import single_run as api
from mcpi.base.errors import RunError, UserError
from mcpi.base.repo import FIRMWARE
from mcpi.firmware import bounds
from mcpi.machine.profile import load
from mcpi.spec.program_spec import ProgramSpec

FILE = FIRMWARE / "test" / "programs" / "unwritten.c"
BRANCH = "a branch depends on memory that nobody has written: {used}"
EXIT = "the exit code depends on memory that nobody has written\n"
HEAP = "the byte is number {} of the {}, from 0, that {{by}} ({{made}}) has allocated"
# By the argument of FILE: who makes the memory, what uses it and where, whose it is.
WRONG = {
    1: ("sum_of_too_many", BRANCH, HEAP.format(36, 40)),
    2: ("half_an_array", "called by {used}", "the byte is of a local variable of {by}"),
    3: ("freed_node", BRANCH, HEAP.format(8, 16) + ", and freed since"),
    4: ("letter", "called by {used}", HEAP.format(2, 4)),
    5: (
        "indexed",
        "an address depends on memory that nobody has written: {used}",
        HEAP.format(0, 4),
    ),
    6: (
        "called",
        "a jump goes where memory says that nobody has written: {used}",
        HEAP.format(24, 32),
    ),
    7: ("copied", EXIT, HEAP.format(4, 8)),
    8: ("without_end", "called by {used}", HEAP.format(4, 16)),
    9: ("added", BRANCH, HEAP.format(8, 16)),
    10: ("ended", EXIT, "the byte is of a local variable of a function that has returned"),
    11: ("grown", BRANCH, HEAP.format(40, 64)),
    12: ("outside", BRANCH, "is of no object"),
    13: ("between", BRANCH, HEAP.format(16, 48)),
}
RIGHT = "flags\npadded\nabcdefghijklm 13 0\n3\n4 1\n0\n"
SCALAR = """\
int main(int argc, char **argv)
{
	int x;

	if (argc > 1)
		x = 1;
	if (x)
		return 0;
	return 0 * (argv == 0);
}
"""
POINT = """\
struct Point { int x, y; explicit Point(int a) : x(a) {} };
int main()
{
	Point *volatile p = new Point(3);
	return p->y == 4;
}
"""
TIMER = """\
#include <mcpi.h>
static volatile int times;
static void on(void) { volatile int a[50]; a[3] = 1; times += a[3]; }
int main(void) { mcpi_on_timer(on); mcpi_interrupts_on(); while (times < 5) ; return 0; }
"""


def of(number: int, level: str = "2") -> ProgramSpec:
    return ProgramSpec((str(FILE),), checks="memory", arguments=(str(number),), optimise=level)


def line(number: int, what: str) -> str:
    """The line of FILE that says so."""
    lines = FILE.read_text().splitlines()
    found = [n for n, text in enumerate(lines, 1) if f"/* {number} {what} */" in text]
    return f"{FILE.relative_to(FIRMWARE.parent)}:{found[0]}" if found else ""


def failure(spec: ProgramSpec, place) -> str:
    with pytest.raises(RunError) as found:
        api.perform(spec, place)
    return str(found.value)


@pytest.mark.parametrize("level", ["0", "2"])
@pytest.mark.parametrize("number", WRONG)
def test_a_use_is_found(number, level, tmp_path):
    said = failure(of(number, level), tmp_path / "run")
    by, use, origin = WRONG[number]
    known = {"used": line(number, "used"), "made": line(number, "made"), "by": by}
    for words in (use, origin):
        assert words.format(**known) in said, said


@pytest.mark.parametrize("level", ["0", "2", "3"])
def test_what_is_only_copied_is_right(level, tmp_path):
    place, _ = api.perform(of(0, level), tmp_path / "run")
    assert (place / "console.0.txt").read_text() == RIGHT


def test_a_scalar_has_memory_without_optimisation(tmp_path):
    (tmp_path / "a.c").write_text(SCALAR)
    spec = ProgramSpec((str(tmp_path / "a.c"),), checks="memory", optimise="0")
    said = failure(spec, tmp_path / "run")
    assert f"{tmp_path}/a.c:7: main+" in said and "a local variable of main" in said


def test_a_use_is_found_in_cplusplus(tmp_path):
    (tmp_path / "a.cc").write_text(POINT)
    said = failure(ProgramSpec((str(tmp_path / "a.cc"),), checks="memory"), tmp_path / "run")
    assert f"number 4 of the 8, from 0, that main ({tmp_path}/a.cc:4) has allocated" in said


def test_interrupts_are_right(tmp_path):
    (tmp_path / "a.c").write_text(TIMER)
    api.perform(ProgramSpec((str(tmp_path / "a.c"),), checks="memory"), tmp_path / "run")


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_of_the_course_passes_with_the_same_counters(source, tmp_path):
    spec = ProgramSpec((str(source),), checks="memory", **given(tmp_path, source.stem))
    place, found = api.perform(spec, tmp_path / "run")
    other, plain = api.perform(dataclasses.replace(spec, checks=""), tmp_path / "plain")
    assert found.regions == plain.regions and found.steady == plain.steady
    for name in ("counters.json", "console.0.txt", "passages.0.csv"):
        assert (place / name).read_bytes() == (other / name).read_bytes()


def test_the_command_repeats_itself(tmp_path):
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    words = [str(tmp_path / "a.c"), "--check", "memory"]
    done = mcpi("exec", *words, "--out", str(tmp_path / "run"))
    assert done.returncode == 0
    assert f"again: ./mcpi exec {' '.join(words)}" in done.stdout + done.stderr


def test_what_cannot_be_checked_is_refused(tmp_path):
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    name = str(tmp_path / "a.c")
    assert "--check heap: memory is wanted" in refused("exec", name, "--check", "heap")
    for other in (("--engine", "rtl"), ("--peer", name)):
        words = refused("exec", name, "--check", "memory", *other)
        assert f"--check memory is of one machine on engine exact: leave {other[0]}" in words


def test_an_image_without_the_runtime_is_refused(tmp_path):
    source, elf = tmp_path / "b.S", tmp_path / "b"
    source.write_text("\t.globl _start\n_start:\tret\n")
    subprocess.run(["alpha-linux-gnu-gcc", "-nostdlib", "-static", source, "-o", elf], check=True)
    with pytest.raises(UserError, match="does not say where its heap and its stack are"):
        bounds.unwritten(elf, load("dec3000-600"))
