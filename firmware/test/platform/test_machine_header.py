# SPDX-License-Identifier: BSD-2-Clause
"""machine.h says what the memory map says."""

import re
import subprocess

import pytest

from mcpi.base.errors import UserError
from mcpi.machine import c_header, profile


def defines(text: str) -> dict[str, int]:
    """Defines that the preprocessor finds in ``text``; it also proves that this is a header."""
    done = subprocess.run(
        ["gcc", "-E", "-dM", "-"], input=text, capture_output=True, text=True, check=True
    )
    rows = (line.split(maxsplit=2) for line in done.stdout.splitlines())
    return {r[1]: int(r[2], 0) for r in rows if re.fullmatch("0x[0-9a-f]+", r[-1])}


@pytest.fixture(scope="module")
def names():
    return defines(c_header.header(profile.load("dec3000-600")))


def test_addresses(names):
    assert names["RAM_IMAGE"] == 0xFFFFFC0000100000
    assert names["SYSTEM_CONSOLE_EXIT"] == 0xFFFFFC0200001010
    # Dense C0004 hex of slot 7, twice as far in the sparse half.
    assert names["IOASIC_LANCE_RAP"] == 0xFFFFFC0000000000 + 0x1_E000_0000 + 0x1000_0000 + 0x180008


def test_levels(names):
    """Network is held off from level 3, console from 4, timer from 5."""
    table = names["INTERRUPT_HIER_TABLE"].to_bytes(8, "little")
    assert list(table) == [7, 7, 7, 6, 4, 0, 0, 0]


def test_table_refuses_what_a_byte_cannot_hold():
    with pytest.raises(UserError, match="bit 0 to 7"):
        c_header.hier_table({"late": {"bit": 8, "ipl": 3}})


@pytest.mark.parametrize("refill", ["tuned", "portable"])
def test_a_choice_has_a_define_for_each_value(refill):
    machine = profile.load("dec3000-tlb", {"tlb.refill": refill})
    assert machine.acts["tlb.refill"] == "firmware"
    names = defines(c_header.header(machine))
    choices = machine.choices["tlb.refill"]
    found = {choice: names[f"MACHINE_TLB_REFILL_{choice.upper()}"] for choice in choices}
    assert found == {choice: int(choice == refill) for choice in choices}
