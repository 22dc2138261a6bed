# SPDX-License-Identifier: BSD-2-Clause
"""A program's files and folders may have any name that a linker's script, a shell, ninja, make or
a terminal would take for something else."""

import re
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from tools_support.command import mcpi, refused

from mcpi.base import compiler
from mcpi.base.repo import FIRMWARE, ROOT
from mcpi.firmware import commands, images, program
from mcpi.machine.profile import load

#: Each is a folder, a file and a part of --out. The first is the commonest.
NAMES = [
    "my documents",
    "größe ö 日本",
    'it\'s "so"',
    "a[b]$HOME#%&;(*)=,:@!`x`~{}<>^\\",
    "n" * 60,
]
TEXT = """\
#include <mcpi.h>
#include <stdio.h>
#include "%s.h"
int main(void)
{
	MCPI_MEASURE mcpi_keep(0);
	printf("%%d\\n", ANSWER);
	return 0;
}
"""


@pytest.mark.parametrize("name", NAMES, ids=["space", "umlaut", "quotes", "all", "long"])
def test_exec_of_any_name(name, tmp_path):
    place = tmp_path / name
    place.mkdir()
    header = "h" if '"' in name or "\\" in name else name
    source = place / f"{name}.c"
    source.write_text(TEXT % header)
    for answer in (17, 18):  # a header's change is seen
        (place / f"{header}.h").write_text(f"#define ANSWER {answer}\n")
        out = place / f"out {name[:50]}"
        done = mcpi("exec", str(source), "--out", str(out), COLUMNS="400")
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(f"{answer}\n{name}.c on dec3000-600\n"), done.stdout
        assert f"files: {out}" in done.stdout
        assert f"\n{name}.c:6" in done.stdout or len(name) > 50  # it is folded
    done = mcpi("profile", "--run", str(out), "--by", "line")
    assert done.returncode == 2 and "--tick-log" in done.stderr


def test_exec_profiles_a_name_with_brackets(tmp_path):
    place = tmp_path / "a [b] c"
    place.mkdir()
    (place / "[x] y.c").write_text(TEXT % "h")
    (place / "h.h").write_text("#define ANSWER 1\n")
    out = str(place / "out")
    done = mcpi("profile", str(place / "[x] y.c"), "--by", "line", "--out", out, COLUMNS="400")
    assert done.returncode == 0 and "[x] y.c:6" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["a|b", "a\nb"])
def test_exec_refuses_what_ninja_cannot_name(name, tmp_path):
    (tmp_path / f"{name}.c").write_text("int main(void) { return 0; }\n")
    assert "rename it" in refused("exec", str(tmp_path / f"{name}.c"))


def test_exec_names_objects_for_a_script(tmp_path):
    """Unlike sources have unlike objects; a source of ours keeps its name. A graph of a user's own
    has such objects too."""
    names = [compiler.plain(name) for name in ("a b.c", "a_b.c", "a\tb.c", "ä.c", "ö.c")]
    assert len(set(names)) == len(names) and names[1] == "a_b.c"
    assert all(re.fullmatch(r"[\w.+-]+", name, re.ASCII) for name in names)
    own = commands.compiled(FIRMWARE / "main.c", tmp_path, tmp_path, [])[0].outputs[0]
    assert own.name == "main.c.o"
    users = commands.compiled(Path("/x/my protocol/a b.c"), tmp_path, tmp_path, [])[0].outputs[0]
    assert re.fullmatch(r"[\w.+-]+", users.name, re.ASCII)


def test_exec_images_name_no_checkout():
    """Nor do those of stacks: objects come from a cache that checkouts share."""
    source = ROOT / "examples" / "conflict.c"
    machine = load("dec3000-600")
    plans = [program.plan(machine, program.Wanted((source,))), images.plan(machine, "std", "hello")]
    for plan in plans:
        folders = set()
        with images.build(plan).image.open("rb") as stream:
            for unit in ELFFile(stream).get_dwarf_info(relocate_dwarf_sections=False).iter_CUs():
                about = unit.get_top_DIE().attributes
                folders.add(about["DW_AT_comp_dir"].value)
                assert str(ROOT).encode() not in about["DW_AT_name"].value
        assert folders == {b"."}
