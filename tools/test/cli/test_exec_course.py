# SPDX-License-Identifier: BSD-2-Clause
"""Thirty programs of a course, and three in C++, print what they print on this computer; wrong
programs are stopped in words of their own."""

import dataclasses

import pytest
from tools_support.command import refused
from tools_support.course_programs import COURSE, PROGRAMS, given, hosts

from mcpi.api import single_run as api
from mcpi.base.errors import RunError, UserError
from mcpi.spec.program_spec import ProgramSpec


def test_there_are_thirty_and_three_in_cplusplus():
    assert [source.suffix for source in PROGRAMS] == [".c"] * 30 + [".cc"] * 3


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_prints_what_it_prints_here(source, tmp_path):
    more = given(tmp_path, source.stem)
    place, _ = api.perform(ProgramSpec((str(source),), **more), tmp_path / "run")
    assert (place / "console.0.txt").read_text() == hosts(tmp_path, source, more)


@pytest.mark.parametrize("level", ["0", "3"])
def test_floats_survive_each_level_of_the_compiler(level, tmp_path):
    for name in ("structures/kinds.c", "structures/variadic.c", "cplusplus/shapes.cc"):
        source = COURSE / name
        spec = ProgramSpec((str(source),), optimise=level)
        place, _ = api.perform(spec, tmp_path / source.stem)
        assert (place / "console.0.txt").read_text() == hosts(tmp_path, source, {})


def test_an_interrupts_floats_are_not_the_programs(tmp_path):
    text = "#include <mcpi.h>\n#include <stdio.h>\nstatic volatile double ticks;\n"
    text += "static void on(void) { ticks = ticks + 0.5; }\nint main(void)\n{\n\tdouble s = 0;\n\n"
    text += "\tmcpi_on_timer(on);\n\tmcpi_interrupts_on();\n\twhile (ticks < 10)\n"
    text += "\t\ts = s * 0.5 + 1.0;\n\tmcpi_interrupts_off();\n"
    text += '\tprintf("%g %g\\n", ticks, s);\n\treturn 0;\n}\n'
    (tmp_path / "a.c").write_text(text)
    place, _ = api.perform(ProgramSpec((str(tmp_path / "a.c"),)), tmp_path / "run")
    assert (place / "console.0.txt").read_text() == "10 2\n"


WRONG = {
    "int main(void) { int *p = 0; return *p; }": "a read through null",
    "int main(void) { volatile int z = 0; return 3 / z; }": "division",
    "#include <stdlib.h>\nint main(void) { abort(); }": "abort",
    "#include <assert.h>\nint main(void) { assert(1 == 2); }": "assertion failed: 1 == 2",
    "int f(int n) { volatile int a[100]; a[0] = n; return f(n + 1) + a[0]; }\n"
    "int main(void) { return f(0); }": "stack",
    "int main(void) { for (;;) ; }": "--max-ticks",
    '#include <stdio.h>\nint main(void) { return !fopen("x", "r"); }': "exit code 1",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_program_is_stopped_in_its_own_words(text, tmp_path):
    (tmp_path / "wrong.c").write_text(text)
    spec = ProgramSpec((str(tmp_path / "wrong.c"),), max_ticks=3_000_000)
    with pytest.raises(RunError) as found:
        api.perform(spec, tmp_path / "run")
    assert WRONG[text] in str(found.value).lower() or WRONG[text] in "".join(found.value.printed)


REFUSED = {
    "int main(void) { long double x = 1; return x > 2; }": "long double is not emulated",
    "int main(void) { double _Complex x = 1; return 0; }": "_Complex is not emulated",
    "#include <complex.h>\nint main(void) { return 0; }": "_Complex is not emulated",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_emulated_is_refused_by_name(text, tmp_path):
    (tmp_path / "wrong.c").write_text(text)
    with pytest.raises(UserError, match=REFUSED[text]):
        ProgramSpec((str(tmp_path / "wrong.c"),)).check()


def test_arguments_files_and_input_are_checked_first(tmp_path):
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    words = refused("exec", str(tmp_path / "a.c"), "--stdin", str(tmp_path / "none"))
    assert "--stdin and --file want a file that is there" in words
    name = str(tmp_path / "a.c")
    assert "named twice" in refused("exec", name, "--file", name, "--file", name)


def test_what_a_program_is_given_moves_nothing_else(tmp_path):
    """Inputs lie behind all else of the image: the ticks are the same."""
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "long").write_text("x" * 10_000)
    spec = ProgramSpec((str(tmp_path / "a.c"),), arguments=("1",))
    _, plain = api.perform(spec, tmp_path / "plain")
    more = dataclasses.replace(spec, files=(str(tmp_path / "long"),))
    _, with_files = api.perform(more, tmp_path / "given")
    assert plain.regions.client["main"].totals == with_files.regions.client["main"].totals
