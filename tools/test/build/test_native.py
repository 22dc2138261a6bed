# SPDX-License-Identifier: BSD-2-Clause
"""C and C++ to programs: what is compiled when, and what a slip looks like."""

import pytest

from mcpi.base.errors import RunError
from mcpi.base.process import heard
from mcpi.build import native

MAIN = '#include <cstdio>\n#include "turns.h"\nint twice(int);\nint main() { std::printf("%d", '


@pytest.fixture
def build(tmp_path):
    """build(option...) -> what the program prints; ``build.made`` are the objects there are."""
    (tmp_path / "main.cpp").write_text(MAIN + "twice(TURNS + MORE)); }\n")
    (tmp_path / "twice.cpp").write_text("int twice(int n) { return 2 * n; }\n")
    (tmp_path / "turns.h").write_text("#define TURNS 10\n")
    out = tmp_path / "out"

    def one(*options: str) -> str:
        sources = [tmp_path / "main.cpp", tmp_path / "twice.cpp"]
        native.make(out, native.program(out / "program", sources, ["g++", "-DMORE=0", *options]))
        return heard([out / "program"], check=True).stdout

    one.made = lambda: {p.name: p.stat().st_mtime_ns for p in out.glob("objects/*.o")}
    return one


def test_a_header_or_an_option_that_changed_compiles_again(build, tmp_path):
    assert build() == "20"
    before = build.made()
    assert build() == "20" and build.made() == before
    (tmp_path / "turns.h").write_text("#define TURNS 20\n")
    assert build() == "40"
    changed = {name for name, at in build.made().items() if before[name] != at}
    assert len(changed) == 1 and "main.cpp" in changed.pop()
    assert build("-UMORE", "-DMORE=1") == "42"
    assert len(build.made()) == 4, "both sets of options have their objects"
    assert build() == "40"


def test_what_the_compiler_says_is_told(build, tmp_path):
    (tmp_path / "twice.cpp").write_text("int twice(int n) { return m; }\n")
    with pytest.raises(
        RunError, match="building failed: compile twice.cpp(.|\n)*error: .m. was not"
    ):
        build()
