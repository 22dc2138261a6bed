# SPDX-License-Identifier: BSD-2-Clause
"""Sweeps of a program, and sweeps in parts."""

import pytest
from tools_support.command import mcpi, refused

import mcpi as package
from mcpi.base.repo import ROOT

CONFLICT = "examples/conflict.c"
WORDS = ["sweep", CONFLICT, "--set", "dcache.size=8KB,16KB", "-O", "0,2", "--jobs", "1"]
FILES = ("sweep.csv", "sweep.parquet", "sweep.json", "sweep.svg")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Two stores of kept runs, both empty."""
    return [tmp_path_factory.mktemp(name) for name in ("whole", "parts")]


def swept(kept, *more: str):
    return mcpi(*WORDS, *more, MCPI_KEPT=str(kept))


def test_parts_give_the_bytes_of_the_whole(kept, tmp_path):
    """A killed part is done again: here the first."""
    assert swept(kept[0], "--out", str(tmp_path / "a")).returncode == 0
    for part, new in (("3/3", 1), ("1/3", 2), ("2/3", 1), ("1/3", 0)):
        done = swept(kept[1], "--shard", part)
        assert f"{new} of them are new" in done.stdout, done.stderr
    done = swept(kept[1], "--out", str(tmp_path / "b"))
    assert "4 are kept from before; 0 to run" in done.stderr
    for name in FILES:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_row_is_a_place_of_a_run(tmp_path):
    found = package.sweep(sources=ROOT / CONFLICT, dcache_size=["8KB", "16KB"], jobs=1)
    assert list(found.frame.place) == ["side by side", "8 KB apart"] * 2
    run = package.exec(ROOT / CONFLICT, dcache_size="16KB", out=tmp_path / "run")
    assert list(found.frame.ticks[2:]) == [side.ticks for side in run.regions.values()]


@pytest.mark.parametrize("part", ["0/3", "4/3", "3", "a/b"])
def test_a_wrong_part_is_refused(part):
    assert "K/N is wanted" in refused("sweep", CONFLICT, "--shard", part)


def test_options_of_stacks_are_refused():
    assert "no such thing" in refused("sweep", CONFLICT, "--variant", "all")
    assert "only a program" in refused("sweep", "--measure", "main")
    assert "no data set" in refused("sweep", CONFLICT, "--shard", "1/2", "--y", "cpi")
