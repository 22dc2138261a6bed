# SPDX-License-Identifier: BSD-2-Clause
"""Every column of every table of the studies, as a second hand has it from the same raw files."""

import ast
import os
from dataclasses import replace
from pathlib import Path

import pytest

from mcpi.batch.repeat import RUNS
from mcpi.studies.sigcomm96.plan import FULL
from verify.second_hand import compare, fixtures, outside
from verify.second_hand.fixture_plan import FIXTURES, SIGCOMM96
from verify.second_hand.recount import raw

RECOUNT = Path(compare.__file__).with_name("recount")


@pytest.mark.parametrize("name", FIXTURES)
def test_every_cell_of_a_study(name, tmp_path):
    fixtures.unpack(name, tmp_path)
    found = compare.of_fixtures(name, tmp_path)
    assert not found.different, str(found)
    assert found.equal > 400


@pytest.mark.parametrize("path", sorted(RECOUNT.glob("*.py")), ids=lambda path: path.stem)
def test_the_second_hand_shares_no_line_with_the_first(path):
    """Its modules import each other and the standard library alone; and a reader of DWARF."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            assert name.split(".")[0] != "mcpi", f"{path.name} imports {name}"
            if name.startswith("elftools"):
                assert path.stem == "debug"
            if name.startswith("verify"):
                assert name.startswith("verify.second_hand.recount"), f"{path.name}: {name}"


def test_fixtures_are_small():
    sizes = [path.stat().st_size for path in fixtures.HERE.rglob("*.tar.xz")]
    assert max(sizes) <= fixtures.MOST_EACH and sum(sizes) <= fixtures.MOST


def test_misses_by_a_simulator_of_others(tmp_path):
    """Both caches' misses of ten runs or more are the replay's; the b-cache's lie between the
    bounds; the table in docs/ has them. A trace with an instruction in another block has other
    misses."""
    fixtures.unpack("sigcomm96", tmp_path)
    found = list(outside.opinions(tmp_path))
    assert len(found) >= 10
    assert [labels for labels, theirs, replay, _ in found if not theirs.agrees(replay)] == []
    assert outside.TABLE.read_text() == outside.text(found)
    _, theirs, replay, _ = found[0]
    cold = tmp_path / "tcp-original" / "cold"
    rows = raw.lines(cold / "cold_trace.csv")
    rows[100]["pc"] = f"{int(rows[100]['pc'], 16) + 0x80_0000:x}"
    seen = outside.outside(rows, outside.caches())
    assert seen.i != theirs.i and not seen.agrees(replay)


@pytest.mark.long
def test_every_cell_of_a_real_run(tmp_path):
    """SIGCOMM'96 with the samples and round trips of the whole study, in three link orders."""
    wanted = replace(SIGCOMM96, extent=replace(FULL, shuffles=3))
    made = fixtures.run(wanted, "sigcomm96", os.cpu_count(), tmp_path)
    root = tmp_path / RUNS
    first = compare.first_hand("sigcomm96", root, made, wanted.extent)
    found = compare.compare(first, compare.second_hand("sigcomm96", root))
    assert not found.different, str(found)
    assert found.equal > 2000


@pytest.mark.long
@pytest.mark.parametrize("name", FIXTURES)
def test_fixtures_are_what_their_command_makes(name, tmp_path):
    """Byte for byte."""
    made = fixtures.packed(name, fixtures.made(name, 2, tmp_path), tmp_path / RUNS)
    there = {p.name.removesuffix(".tar.xz"): p for p in (fixtures.HERE / name).iterdir()}
    assert made.keys() == there.keys()
    assert [group for group, content in made.items() if there[group].read_bytes() != content] == []


def test_a_cell_that_differs_is_named():
    first = {"t": {("row",): {"a": 1.0, "b": 2.0}}}
    second = {"t": {("row",): {"a": 1.0, "b": 2.1}, ("more",): {"a": 5.0}}}
    found = compare.compare(first, second)
    assert found.equal == 1
    assert ("t", ("row",), "b", 2.0, 2.1) in found.different
    assert ("t", ("more",), "a", None, 5.0) in found.different
