# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board list --status``: cells of status.csv, and when a cell is old."""

from dataclasses import replace

from mcpi.fpga import status
from mcpi.fpga.status import Cell
from mcpi.machine import profile

MACHINE = profile.load("dec3000-600")
CELL = Cell(MACHINE.name, "gates", "0123abc", "2026-11-30", status.circuit(MACHINE), "all 208")
LARGE = profile.load("dec3000-mp")
ROOMS = {MACHINE.name: ["ecpix-5"], LARGE.name: []}


def word(cells: list[Cell], machine: profile.Machine, claim: str) -> str:
    [row] = status.table(cells, [machine], ROOMS)
    return row[1 + [*status.CLAIMS].index(claim)]


def test_a_cell_is_of_its_circuit_or_old() -> None:
    assert word([CELL], MACHINE, "gates") == "0123abc 26-11-30"
    other = replace(CELL, circuit="0" * 16)
    assert word([other], MACHINE, "gates") == "old: 0123abc 26-11-30"


def test_what_nobody_ran_is_empty_and_what_fits_no_board_says_so() -> None:
    assert word([CELL], MACHINE, "placed") == status.NEVER
    assert word([CELL], LARGE, "placed") == status.NO_ROOM
    assert word([CELL], LARGE, "gates") == status.NEVER


def test_a_cell_replaces_that_of_its_machine_and_claim(tmp_path) -> None:
    file = tmp_path / "status.csv"
    file.write_text(status.FILE.read_text())
    before = [c for c in status.read(file) if (c.machine, c.claim) != (CELL.machine, CELL.claim)]
    status.write(CELL, file)
    later = replace(CELL, shown='all 208, and "more"')
    status.write(later, file)
    assert later in status.read(file)
    assert len(status.read(file)) == len(before) + 1


def test_a_comment_changes_no_circuit() -> None:
    scala = 'val url = "http://x" // why\n/* a\n b */ val s = """//"""'
    assert status.code(scala) == 'val url = "http://x" val s = """//"""'
    assert status.code(scala) != status.code(scala.replace("url", "uri"))


def test_a_parameter_of_elaboration_changes_the_circuit_and_no_other() -> None:
    digest = status.circuit(MACHINE)
    assert status.circuit(profile.load(MACHINE.name, {"icache.size": "16KB"})) != digest
    assert status.circuit(profile.load(MACHINE.name, {"lance.csr_ns": "900"})) == digest


def test_the_file_has_only_machines_and_claims_that_there_are() -> None:
    for cell in status.read():
        assert cell.machine in profile.names()
        assert cell.claim in status.CLAIMS
