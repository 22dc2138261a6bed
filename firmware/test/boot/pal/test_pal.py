# SPDX-License-Identifier: BSD-2-Clause
"""PALcode lies where the hardware enters it (facts of the 21064: offsets from PAL_BASE)."""

import csv
import struct

import pytest

from mcpi.base.repo import ROOT
from mcpi.firmware import elf, images
from mcpi.isa import encode, table
from mcpi.machine import profile

TRAPS = {
    "pal_reset": 0x0000,
    "pal_mchk": 0x0020,
    "pal_arith": 0x0060,
    "pal_interrupt": 0x00E0,
    "pal_d_fault": 0x01E0,
    "pal_unalign": 0x11E0,
    "pal_opcdec": 0x13E0,
    "pal_fen": 0x17E0,
}


CALLS = {row.name: row.function for row in table.of_group("call")}  # function numbers
HW_REI = encode.word("hw_rei")
BR = encode.word("br")


def entry(function: int) -> int:
    return (0x2000 if function < 0x80 else 0x3000) + 0x40 * (function & 0x3F)


@pytest.fixture(scope="module")
def pal():
    resolved = profile.load("dec3000-600")
    built = images.build(images.plan(resolved, "std", "hello"))
    return elf.read(built.pal, resolved, "pal")


def words(pal):
    return [w for (w,) in struct.iter_unpack("<I", pal.segments[0].data)]


def test_entries(pal):
    """Every trap, and every call of the instruction table."""
    assert len(CALLS) == 32
    wanted = TRAPS | {f"pal_{name}": entry(f) for name, f in CALLS.items()}
    base = pal.entry
    assert {name: pal.symbols[name] - base for name in wanted} == wanted


REFILLS = {
    "pal_d_fault": 0x01E0,
    "pal_itb_miss": 0x03E0,
    "pal_itb_acv": 0x07E0,
    "pal_dtb_miss": 0x08E0,
    "pal_dtb_miss_pal": 0x09E0,
}


@pytest.mark.parametrize("refill", ["tuned", "portable"])
@pytest.mark.parametrize("page", ["4KB", "8KB"])
def test_entries_of_a_translated_machine(refill, page):
    """Its own, and all of the others where they were."""
    settings = {"core.translation": "tlb", "tlb.refill": refill, "tlb.page": page}
    resolved = profile.load("dec3000-600", settings)
    built = images.build(images.plan(resolved, "std", "hello"))
    translated = elf.read(built.pal, resolved, "pal")
    wanted = TRAPS | REFILLS | {f"pal_{name}": entry(f) for name, f in CALLS.items()}
    wanted["pal_prefill"] = entry(0xAB)  # ours
    assert {name: translated.symbols[name] - translated.entry for name in wanted} == wanted


def test_other_functions_are_instruction_faults(pal):
    code, trap = words(pal), pal.symbols["trap"] - pal.entry
    for function in [*range(0x40), *range(0x80, 0xC0)]:
        if function in CALLS.values():
            continue
        branch = code[entry(function) // 4 + 2]
        assert branch >> 21 == BR >> 21, f"CALL_PAL {function:#x} has no entry"
        displacement = (branch & 0x1FFFFF) - ((branch & 0x100000) << 1)
        assert entry(function) + 12 + 4 * displacement == trap


def described() -> dict[str, dict[str, str]]:
    """The rows of docs/data/palcode-calls.csv by the name of the call."""
    lines = (ROOT / "docs" / "data" / "palcode-calls.csv").read_text().splitlines()
    table = csv.DictReader(line for line in lines if not line.startswith("#"))
    return {row["name"].lower(): row for row in table}


def test_the_table_has_every_call():
    numbers = {name: int(row["function"], 16) for name, row in described().items()}
    assert numbers.pop("prefill") == 0xAB, "ours; no call of the instruction table"
    assert numbers == CALLS


@pytest.mark.parametrize("name", ["swpipl", "rti", "imb", "wtint", "rdps", "draina"])
def test_cost_of_a_call(pal, name):
    """Instructions the x-kernel's calls take from kernel to kernel: docs/data/palcode-calls.csv."""
    start = entry(CALLS[name]) // 4
    cost = int(described()[name]["cost"])
    assert words(pal)[start : start + 16].index(HW_REI) == cost - 1


def test_cost_of_an_interrupt(pal):
    """The network's: up to the first HW_REI, no branch taken."""
    start = TRAPS["pal_interrupt"] // 4
    assert words(pal)[start : start + 64].index(HW_REI) == 29


def test_size_and_place(pal):
    (segment,) = pal.segments
    assert (segment.address, len(segment.data), segment.reserved) == (0x10000, 0x4000, 0)
