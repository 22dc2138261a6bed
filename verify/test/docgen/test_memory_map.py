# SPDX-License-Identifier: BSD-2-Clause
"""The memory map's page, its file of registers, and its consistency."""

import itertools
import tomllib

from mcpi.base.repo import MACHINES
from verify.docgen import memory_map


def test_page_is_current():
    again = "it is stale; again: python -m verify.docgen.memory_map"
    assert memory_map.PAGE.read_text() == memory_map.render(), again
    assert memory_map.DATA.read_text() == memory_map.registers(), again


def test_regions_do_not_overlap():
    table = tomllib.loads((MACHINES / "memory-map.toml").read_text())
    for (a, x), (b, y) in itertools.combinations(table["ram"].items(), 2):
        apart = x["base"] + x["size"] <= y["base"] or y["base"] + y["size"] <= x["base"]
        assert apart, f"{a} and {b} overlap"


def test_alignment_the_hardware_relies_on():
    ram = tomllib.loads((MACHINES / "memory-map.toml").read_text())["ram"]
    assert ram["pal"]["base"] % 0x4000 == 0, "CALL_PAL entries reach PAL_BASE + 3A80"
    assert ram["lance_window"]["base"] % 0x20000 == 0, "the IOASIC replaces the low 17 bits"
