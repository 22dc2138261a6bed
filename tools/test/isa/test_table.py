# SPDX-License-Identifier: BSD-2-Clause
"""machines/instructions.toml: it is as the sheet says, and a wrong row is refused."""

import csv
from pathlib import Path

import pytest

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.isa import cpp_header, table
from mcpi.machine import profile

SHEET = ROOT / "docs" / "sources" / "isa" / "alpha_ev4_int.csv"
TEXT = table.FILE.read_text()
ADDQ = 'addq = { code = "10.20", format = "operate", group = "add" }\n'


def sheet() -> dict[str, dict[str, str]]:
    with SHEET.open() as file:
        return {row["mnemonic"].removeprefix("call_pal "): row for row in csv.DictReader(file)}


def differs(row: table.Instruction, wanted: dict[str, str]) -> bool:
    """Return true if the sheet has another code, or other needs, for a row of the table."""
    codes = (row.match, row.mask) != (int(wanted["match_hex"], 16), int(wanted["mask_hex"], 16))
    note, group = wanted["note"], wanted["group"]
    needs = {
        "overflow": row.overflow == ("overflow trap" in note),
        "kernel": (row.mode == "kernel") == note.startswith("privileged"),
        "pal": (row.mode == "pal") == (group == "PALRES"),
        "old rc": (row.group == "move") == (note == "reads old rc"),
        "lock": (row.group == "load_locked") == (group == "load-locked"),
        "conditional": (row.group == "store_conditional") == (group == "store-conditional"),
        "store": (row.group == "store" and row.mode != "pal") == (group == "store"),
        "load": (row.group == "load" and row.mode != "pal") == (group == "load"),
        "multiply": (row.group == "multiply") == (group == "INTM"),
        "shift": (row.group == "shift") == (group == "INTS"),
        "align 4": row.bytes == 4 or "align 4" not in note,
        "align 8": row.bytes == 8 or "align 8" not in note,
        "any": row.any_alignment or "addr&~7" not in note,
    }
    return codes or not all(needs.values())


def test_the_table_is_as_the_sheet_says() -> None:
    found = {row.name: row for row in table.rows() if not row.ours}
    assert list(found) == list(sheet()) and len(found) == 141
    assert not [name for name, row in found.items() if differs(row, sheet()[name])]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("10.20", "10.21"),
        ('group = "add"', 'group = "move"'),
        ('"add" }', '"add", overflow = true }'),
    ],
)
def test_another_code_or_need_than_the_sheets_is_found(tmp_path: Path, old: str, new: str) -> None:
    path = written(tmp_path, TEXT.replace(ADDQ, ADDQ.replace(old, new)))
    row = table.table(path).by_name["addq"]
    assert differs(row, sheet()["addq"])


def written(folder: Path, text: str) -> Path:
    assert text != TEXT
    path = folder / "instructions.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            'x = { code = "10.20", format = "operate", group = "add" }',
            "'addq' and 'x' have",
        ),
        ('x = { code = "10.80", format = "operate", group = "add" }', "has 7 bits"),
        ('x = { code = "10", format = "operate", group = "add" }', "has a function"),
        ('x = { code = "07.1", format = "memory", group = "load" }', "has no function"),
        ('x = { code = "14", format = "memory", group = "load" }', "14 is floating point's"),
        ('x = { code = "07", format = "memory", group = "laod" }', "no such group 'laod'"),
        ('x = { code = "07", format = "memory", group = "load", byte = 4 }', "`byte`"),
        ('x = { code = "77", format = "memory", group = "load" }', "more than six bits"),
    ],
)
def test_a_wrong_row_is_refused(tmp_path: Path, row: str, said: str) -> None:
    path = written(tmp_path, f"{TEXT}{row}\n")
    with pytest.raises(UserError) as error:
        table.table(path)
    assert said in str(error.value) and str(path) in str(error.value)


def test_a_machine_is_refused_with_a_wrong_row(tmp_path: Path, monkeypatch) -> None:
    path = written(tmp_path, TEXT.replace('group = "add"', 'group = "ad"', 1))
    monkeypatch.setattr(table, "FILE", path)
    with pytest.raises(UserError, match="no such group 'ad'"):
        profile.load("dec3000-600")


def test_each_word_has_the_row_whose_bits_it_has() -> None:
    for row in table.rows():
        assert table.find(row.match) is row
        assert table.find(row.match | ~row.mask & 0xFFFFFFFF) is row
    assert table.find(0x40000FE0) is None  # INTA has no function 7F


def test_the_header_has_every_row_and_each_name_once() -> None:
    text = cpp_header.header()
    assert all(f'"{row.name}", {row.match:#x}, {row.mask:#x}' in text for row in table.rows())
    names = [line for line in text.splitlines() if line.startswith("constexpr unsigned ")]
    assert len(set(names)) == len(names)
