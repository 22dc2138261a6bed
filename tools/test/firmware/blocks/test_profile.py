# SPDX-License-Identifier: BSD-2-Clause
"""The file of a profile, and the profiles of the recipes."""

import pytest

from mcpi.base.errors import UserError
from mcpi.firmware import images, recipes
from mcpi.firmware.blocks import profile
from mcpi.firmware.blocks.profile import ENTRY, Ways
from mcpi.machine import profile as machines

FOUND = {("a/b.c", "f"): Ways(3, {(ENTRY, 0): 7, (0, 2): 7}), ("a/a.c", "g.isra.0"): Ways(1, {})}


def test_what_is_written_is_read(tmp_path) -> None:
    file = tmp_path / "p.csv"
    file.write_text(profile.text(FOUND))
    assert profile.read(file) == FOUND
    assert "a/b.c,f,3,-0:7 0-2:7" in file.read_text().splitlines()


@pytest.mark.parametrize("row", ["a.c,f,x,0-1:2", "a.c,f,3,0:2", "a.c,f"])
def test_a_row_that_is_none_is_refused_by_its_line(row: str, tmp_path) -> None:
    file = tmp_path / "p.csv"
    file.write_text(f"source,function,blocks,ways\n{row}\n")
    with pytest.raises(UserError, match="line 2: no row of a profile"):
        profile.read(file)


def test_a_profile_that_is_not_there_is_refused() -> None:
    with pytest.raises(UserError, match="no profile 'none'.*There are: .*steady"):
        profile.file_of("none")


def test_a_recipe_with_an_order_that_is_none_is_refused(monkeypatch) -> None:
    rules = recipes.recipe("tsp")
    rules["compile"]["blocks"] = "size"
    monkeypatch.setattr(images, "recipe", lambda _: rules)
    with pytest.raises(UserError, match="source or tsp"):
        images.compiled(machines.load("dec3000-600"), "tsp", "tcp")


@pytest.mark.parametrize("name", ["steady", "stale"])
def test_recorded_ways_are_whole(name: str) -> None:
    """No block is left more often than it is entered; it may return."""
    for key, ways in profile.read(profile.file_of(name)).items():
        into = [0] * ways.blocks
        out = [0] * ways.blocks
        for (start, end), times in ways.times.items():
            assert times > 0
            into[end] += times
            if start != ENTRY:
                out[start] += times
        more = [n for n in range(ways.blocks) if out[n] > into[n]]
        assert not more, (key, more, ways)
