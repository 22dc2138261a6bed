# SPDX-License-Identifier: BSD-2-Clause
"""Which differences between the files of two boards and engine exact's count, and how they are
told."""

import json
import shutil
from pathlib import Path

import pytest

from mcpi.engines.board import against_exact
from mcpi.engines.board.record import FILES

COUNT = {"ticks": 700, "clocks": 900, "withheld": 200, "icache.replacement_misses": 3}


@pytest.fixture
def pair(tmp_path) -> tuple[Path, Path]:
    boards, exact = tmp_path / "boards", tmp_path / "exact"
    exact.mkdir()
    both = {"all": COUNT, "path": COUNT}
    (exact / against_exact.COUNTERS).write_text(json.dumps({"nodes": [both, both]}))
    for name in (*FILES, "console.0.txt", "console.1.txt", "lance.0.csv"):
        (exact / name).write_text(f"{name}\n")
    shutil.copytree(exact, boards)
    (boards / "lance.0.csv").unlink()
    return boards, exact


def changed(place: Path, node: int, bank: str, name: str) -> None:
    file = place / against_exact.COUNTERS
    counts = json.loads(file.read_text())
    counts["nodes"][node][bank][name] += 1
    file.write_text(json.dumps(counts))


def test_what_only_a_simulator_sees_is_no_difference(pair):
    assert len(against_exact.compared(pair[0])) == 3 + len(FILES)
    assert not against_exact.differences(*pair)


@pytest.mark.parametrize("name", [name for name in COUNT if name != "ticks"])
def test_clocks_and_the_begin_of_the_measurement_do_not_count(pair, name):
    changed(pair[0], 0, "path", name)
    changed(pair[0], 1, "all", "ticks")
    assert not against_exact.differences(*pair)


def test_a_counter_is_named(pair):
    changed(pair[0], 1, "path", "ticks")
    found = against_exact.differences(*pair)
    assert found == {"counters.json": ["server ticks is 701, exact 700"]}


@pytest.mark.parametrize("name", [*FILES, "console.1.txt"])
def test_a_file_is_named(pair, name):
    (pair[0] / name).write_text("another\n")
    assert against_exact.differences(*pair).keys() == {name}


@pytest.mark.parametrize("name", FILES)
def test_a_record_is_compared_if_the_boards_have_it(pair, name):
    (pair[0] / name).unlink()
    assert name not in against_exact.compared(pair[0]) and not against_exact.differences(*pair)


def test_a_console_that_is_missing_is_named(pair):
    (pair[0] / "console.0.txt").unlink()
    assert against_exact.differences(*pair).keys() == {"console.0.txt"}
