# SPDX-License-Identifier: BSD-2-Clause
"""Programs in C++: what is refused by name, which headers there are, and names as people write
them."""

import re
from pathlib import Path

import pytest

from mcpi.api import single_run as api
from mcpi.base import environment
from mcpi.base.errors import RunError, UserError
from mcpi.base.repo import FIRMWARE
from mcpi.firmware.languages import cplusplus
from mcpi.spec.program_spec import ProgramSpec

INCLUDE = FIRMWARE / "runtime" / "include"
MAIN = "int main() { return 0; }\n"
REFUSED = {
    "int main() { throw 1; }": "exceptions (throw) are not there; return a value",
    "void f(); int main() { try { f(); } catch (int) { } }": "exceptions (try)",
    "struct S { virtual ~S(); }; S *f(S *s) { return dynamic_cast<S *>(s); }": "RTTI (dynamic",
    "int main() { return sizeof typeid(int); }": "RTTI (typeid) is not there; call a virtual",
    "#include <iostream>\n" + MAIN: "#include <iostream>: the C++ library is not there",
    "#include <vector>\n" + MAIN: "#include <vector>: the C++ library is not there",
    "int main() { long double x = 1; return x > 2; }": "long double is not emulated",
}
ACCEPTED = [
    "#include <cstdio>\n#include <string.h>\n" + MAIN,
    '// try and catch\nconst char *s = "throw";\n' + MAIN,
    "int retry(int catches) noexcept { return catches; }\n" + MAIN,
]


def source(place: Path, text: str, name: str = "a.cc") -> str:
    (place / name).write_text(text)
    return str(place / name)


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_there_is_refused_by_name(text, tmp_path):
    with pytest.raises(UserError) as found:
        ProgramSpec((source(tmp_path, text),)).check()
    assert REFUSED[text] in str(found.value)


@pytest.mark.parametrize("text", ACCEPTED)
def test_other_words_are_accepted(text, tmp_path):
    ProgramSpec((source(tmp_path, text),)).check()


def test_a_header_of_the_programs_own_is_looked_at(tmp_path):
    (tmp_path / "own.h").write_text("#include <map>\n")
    with pytest.raises(UserError, match="#include <map>"):
        ProgramSpec((source(tmp_path, '#include "own.h"\n' + MAIN),)).check()


def test_without_the_compiler_a_sentence_names_the_command(tmp_path, monkeypatch):
    monkeypatch.setenv("MCPI_ENV", str(tmp_path))
    failed = type("Failed", (), {"returncode": 1})
    monkeypatch.setattr(environment.subprocess, "run", lambda *words, **how: failed)
    with pytest.raises(RunError, match=r"Type: \./mcpi setup exec --with c\+\+"):
        cplusplus.want()


def declared(name: str) -> set[str]:
    """Functions that a header of C declares."""
    text = re.sub(r"/\*.*?\*/", "", (INCLUDE / name).read_text(), flags=re.S)
    found = re.findall(r"^[\w ]+[ *](\w+)\([^;{]*\)[^;{(]*[;{]", text, re.M)
    found += [f"{name}f" for name in re.findall(r"^MCPI_OF_FLOATS?\((\w+)\)", text, re.M)]
    return set(found) - {"__attribute__"}


@pytest.mark.parametrize("name", ["ctype", "math", "stdio", "stdlib", "string", "time"])
def test_a_header_has_all_names_of_cs(name):
    text = (INCLUDE / "c++" / f"c{name}").read_text()
    assert declared(f"{name}.h") == declared(f"{name}.h") & set(re.findall(r"::(\w+)", text))


TWO = """\
namespace game
{
struct Board {
	int n[8];
	__attribute__((noinline)) int sum() const { return n[1] + n[2]; }
};
__attribute__((noinline)) int twice(int x) { return x + x; }
__attribute__((noinline)) long twice(long x) { return x + x; }
}
static game::Board b;
int main() { return b.sum() + game::twice(b.n[3]) + (int)game::twice((long)b.n[4]); }
"""


def test_functions_have_the_names_of_the_source(tmp_path):
    file = source(tmp_path, TWO)
    measure = ("game::Board::sum", "game::twice(long)")
    _, result = api.perform(ProgramSpec((file,), measure=measure), tmp_path / "run")
    assert list(result.regions.client) == list(measure)
    with pytest.raises(UserError, match=r"Did you mean game::twice\(int\)"):
        api.perform(ProgramSpec((file,), measure=("game::twice",)), tmp_path / "other")


def test_c_and_cplusplus_are_linked(tmp_path):
    """C++ calls C, and each has its own warnings and standard."""
    c = source(tmp_path, "int of_c(int new) { return new + 1; }\n", "c.c")
    text = 'extern "C" int of_c(int);\nint main() { return of_c(-1); }\n'
    api.perform(ProgramSpec((source(tmp_path, text), c)), tmp_path / "run")


FAILS = {
    "struct S { virtual void f() = 0; S() { g(); } void g() { f(); } };\n"
    "struct T : S { void f() override {} };\nint main() { T t; }": "a pure virtual function",
    "static char *volatile p;\nint main() { p = new char[1L << 40]; }": "operator new: no memory",
}


@pytest.mark.parametrize("text", FAILS)
def test_a_wrong_program_is_stopped_in_its_own_words(text, tmp_path):
    with pytest.raises(RunError) as found:
        api.perform(ProgramSpec((source(tmp_path, text),)), tmp_path / "run")
    assert FAILS[text] in "".join(found.value.printed)
