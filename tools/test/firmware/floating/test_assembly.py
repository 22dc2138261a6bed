# SPDX-License-Identifier: BSD-2-Clause
"""The pass over a program's assembly leaves no floating-point instruction, and knows what it does
not know."""

import re
import subprocess

import pytest

from mcpi.base.repo import FIRMWARE
from mcpi.firmware.commands import PREFIX
from mcpi.firmware.floating import assembly
from mcpi.firmware.floating.sources import has_floats, refused

LEFT = re.compile(r"^\s+[a-z0-9/]+\s+.*\$f\d", re.M)
CALL = "\tbsr $28,addt_f1_f2_f3\n"


def test_each_form_of_an_operand_has_a_thunk_of_its_own():
    text = "\taddt $f1,$f2,$f3\n\taddt $f1,$f2,$f3\n\taddt $f31,$f2,$f3\n\taddt $f2,$f31,$f3\n"
    made = assembly.rewritten(text)
    assert made.count(CALL) == 2
    assert re.findall(r"\.ent (\S+)", made) == ["addt_f1_f2_f3", "addt_f31_f2_f3", "addt_f2_f31_f3"]


def test_each_core_has_registers_of_its_own():
    text = "\taddt $f1,$f2,$f3\n\tstt $f4,8($30)\n\tldt $f5,8($30)\n\tlds $f6,8($30)\n"
    made, shared = assembly.rewritten(text, cores=True), assembly.rewritten(text)
    assert assembly.REGISTERS not in made
    assert made.count("($14)") == shared.count("($29)\t\t!gprel") > 8
    assert "\tldq $28,32($14)\n\tstq $28,8($30)\n" in made


def test_gp_is_whole_where_a_register_is_read():
    """The scheduler puts instructions between the two that make gp."""
    text = "\tldah $29,0($26)\t\t!gpdisp!7\n\tstt $f0,8($30)\n\tlda $29,0($29)\t\t!gpdisp!7\n"
    lines = assembly.rewritten(text).splitlines()
    assert ["gpdisp" in line for line in lines] == [True, True, False, False]


BRANCHES = {"fbeq": "0 -0", "fbne": "1 -1", "fblt": "-1", "fble": "-1 0 -0", "fbgt": "1"}
BRANCHES["fbge"] = "1 0 -0"
BITS = {"0": 0, "-0": -(2**63), "1": 0x3FF << 52, "-1": (0xBFF << 52) - 2**64}


def goes(lines: list[str], value: int) -> bool:
    """Return true if integer instructions on $28 go to $L; the first reads ``value``."""
    at, conditions = 1, {"eq": value == 0}
    while at < len(lines):
        words = lines[at].split()
        if words[0] == "addq":
            value = (2 * value + 2**63) % 2**64 - 2**63
        elif words[0][0] == "b":
            conditions = {
                "eq": value == 0,
                "ne": value != 0,
                "lt": value < 0,
                "le": value <= 0,
                "gt": value > 0,
                "ge": value >= 0,
            }
            to = words[1].split(",")[1]
            if conditions[words[0][1:]]:
                return to == "$L"
        at += 1
    return False


@pytest.mark.parametrize("branch", BRANCHES)
def test_a_branch_goes_where_a_double_goes(branch):
    lines = assembly.rewritten(f"\t{branch} $f1,$L\n").splitlines()
    assert {name for name, bits in BITS.items() if goes(lines, bits)} == set(
        BRANCHES[branch].split()
    )


@pytest.mark.parametrize("line", ["\tsqrtt $f1,$f2", "\tcvttq $f1,$f2", "\taddt/su $f1,$f2,$f3"])
def test_an_unknown_instruction_is_refused(line):
    with pytest.raises(assembly.Unknown, match=line.split()[0]):
        assembly.rewritten(line + "\n")


def test_no_object_of_the_runtime_has_a_floating_point_instruction(tmp_path):
    source = FIRMWARE / "test" / "programs" / "course" / "structures" / "kinds.c"
    flags = ["-O3", "-mcpu=ev4", "-msmall-data", "-mlarge-text", "-fno-builtin", *assembly.FLAGS]
    flags += ["-isystem", FIRMWARE / "runtime" / "include"]
    before = tmp_path / "before.s"
    subprocess.run([f"{PREFIX}gcc", "-w", *flags, "-S", source, "-o", before], check=True)
    text = before.read_text()
    assert LEFT.search(text) and not LEFT.search(assembly.rewritten(text))


SOURCES = {
    "float x;": True,
    "int x = 1e3;": True,
    "int x = .5;": True,
    "#include <math.h>\n": True,
    '#include "own.h"\n': True,
    "int f(void); // a double\n": False,
    "const char *s = \"1.5 double\"; /* float */ char c = '.';": False,
    "int doubled = 0x1e3; int a = x.y;": False,
}


@pytest.mark.parametrize("text", SOURCES)
def test_a_source_with_floats_is_known_by_its_words(text, tmp_path):
    (tmp_path / "own.h").write_text("double twice(double);\n")
    (tmp_path / "a.c").write_text(text)
    assert has_floats(tmp_path / "a.c") is SOURCES[text]


def test_long_double_is_found_in_code_alone(tmp_path):
    (tmp_path / "a.c").write_text("long\ndouble x;\n")
    assert refused(tmp_path / "a.c") == "long double"
    (tmp_path / "a.c").write_text("/* long double */ double x;\n")
    assert refused(tmp_path / "a.c") is None
