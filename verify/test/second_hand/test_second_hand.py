# SPDX-License-Identifier: BSD-2-Clause
"""Every column of every table of the studies, as a second hand has it from the same raw files."""

import ast
from pathlib import Path

import pytest

from verify.second_hand import compare, fixtures
from verify.second_hand.fixture_plan import FIXTURES

RECOUNT = Path(compare.__file__).with_name("recount")


@pytest.mark.parametrize("name", FIXTURES)
def test_every_cell_of_a_study(name, tmp_path):
    fixtures.unpack(name, tmp_path)
    found = compare.of_fixtures(name, tmp_path)
    assert not found.different, str(found)
    assert found.equal > 400


@pytest.mark.parametrize("path", sorted(RECOUNT.glob("*.py")), ids=lambda path: path.stem)
def test_the_second_hand_shares_no_line_with_the_first(path):
    """Its modules import each other and the standard library alone."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            assert name.split(".")[0] != "mcpi", f"{path.name} imports {name}"
            if name.startswith("verify"):
                assert name.startswith("verify.second_hand.recount"), f"{path.name}: {name}"


def test_fixtures_are_small():
    sizes = [path.stat().st_size for path in fixtures.HERE.rglob("*.tar.xz")]
    assert max(sizes) <= fixtures.MOST_EACH and sum(sizes) <= fixtures.MOST


@pytest.mark.long
@pytest.mark.parametrize("name", FIXTURES)
def test_fixtures_are_what_their_command_makes(name, tmp_path):
    """Byte for byte."""
    made = fixtures.packed(name, fixtures.made(name, 2, tmp_path), tmp_path)
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
