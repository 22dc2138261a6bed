# SPDX-License-Identifier: BSD-2-Clause
"""A run in a page: its files, once each, and an image without debug information."""

import base64
import gzip
import io
import subprocess

import pytest
from elftools.elf.elffile import ELFFile

from mcpi.browser.carried import Carried, packed

SOURCE = """
	.globl _start
	.ent _start
_start:	ret $31, ($26)
	.end _start
"""


@pytest.fixture
def place(tmp_path):
    """A run's folder, with an image that has debug information."""
    (tmp_path / "start.S").write_text(SOURCE)
    words = ["alpha-linux-gnu-gcc", "-g", "-nostdlib", "-static", "-o", "image.elf", "start.S"]
    subprocess.run(words, cwd=tmp_path, check=True)
    (tmp_path / "cold").mkdir()
    for name in ("machine.json", "cold/machine.json", "markers.0.csv"):
        (tmp_path / name).write_text("{}")
    return tmp_path


RETURN = bytes.fromhex("0080fa6b")  # little end first


def carried(text: str) -> bytes:
    return gzip.decompress(base64.b64decode(text))


def test_a_run_s_files_are_those_of_its_words(place):
    runs = Carried()
    words = "run --out cold --machine cold/machine.json --node 0:image=image.elf".split()
    words += "--node 0:markers=markers.0.csv --node 1:phase=7".split()
    given = [*words[:3], "--reproduce", "./mcpi run", *words[3:]]
    request = runs.run(place, given, ["cold/counters.json"])
    assert request["words"] == words
    assert set(request["files"]) == {"cold/machine.json", "image.elf", "markers.0.csv"}
    assert request["wanted"] == ["cold/counters.json"]


def test_equal_files_are_carried_once(place):
    runs = Carried()
    assert runs.file(place / "machine.json") == runs.file(place / "cold/machine.json")
    assert len(runs.files) == 1
    (place / "machine.json").write_text("{ }")
    runs.file(place / "machine.json")
    assert sorted(map(carried, runs.files.values())) == [b"{ }", b"{}"]


def test_an_image_keeps_code_and_symbols_alone(place):
    runs = Carried()
    image = carried(runs.files[runs.file(place / "image.elf")])
    whole = ELFFile(io.BytesIO((place / "image.elf").read_bytes()))
    kept = ELFFile(io.BytesIO(image))
    assert whole.has_dwarf_info() and not kept.has_dwarf_info()
    assert kept.get_section_by_name(".symtab").get_symbol_by_name("_start")
    assert [elf.get_section_by_name(".text").data() for elf in (kept, whole)] == [RETURN, RETURN]


def test_equal_bytes_are_packed_to_equal_text():
    assert packed(b"tick") == packed(b"tick")
    assert carried(packed(b"tick")) == b"tick"
