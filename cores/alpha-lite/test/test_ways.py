# SPDX-License-Identifier: BSD-2-Clause
"""The core with caches of several ways (memory.md): it has nothing of them with one; mistakes in
the Verilog, which random programs in lock-step find."""

import os
import shutil
from pathlib import Path

import pytest

from mcpi.hdl import cocotb_run, verilator
from mcpi.verify.random import configurations
from mcpi.verify.verilog_mutants import VARIABLE, load, mutated

MUTANTS = load(Path(__file__).with_name("ways_mutants.toml"))
# Small caches, in which all displace each other, and DMA all the while.
NARROW = {
    "icache.size": "1KB",
    "dcache.size": "1KB",
    "cache.block": "16B",
    "icache.ways": "2",
    "dcache.ways": "2",
}
INSTRUCTIONS = 300_000


def test_a_core_with_one_way_has_nothing_of_them():
    several = cocotb_run.elaborate("AlphaLite", settings=NARROW).read_text()
    one = cocotb_run.elaborate("AlphaLite").read_text()
    for word in ("DCacheOfWays", "Replacement", "cache_hits", "iWay", "payload_way"):
        assert word in several and word not in one, word


@pytest.fixture(scope="module")
def program() -> Path:
    """``mcpi-core`` with all mistakes in it."""
    source = cocotb_run.elaborate("AlphaLite", settings=NARROW)
    folder = source.parent / "mutants"
    folder.mkdir(exist_ok=True)
    shutil.copy(source.with_name("machine.json"), folder)
    path = folder / source.name
    path.write_text(mutated(source.read_text(), MUTANTS, "AlphaLite"))
    return verilator.build(path, verilator.CORE)


def said(program: Path, folder: Path, number: int) -> str:
    """What an assertion or lock-step says of mistake ``number``; empty if nothing is seen."""
    weather = {"seed": 7, "interrupt-every": 200, "dma-every": 20, "slow-read-in": 8, "withhold": 0}
    wanted = configurations.Run(96, NARROW | {"core.prediction": "ev4"}, weather)
    env = os.environ | {VARIABLE: str(number)}
    done = configurations.execute(program, folder, wanted, INSTRUCTIONS, "", env=env)
    return done.stderr if done.returncode else ""


@pytest.mark.slow
def test_none_without_a_mistake(program, tmp_path):
    assert not (found := said(program, tmp_path, 0)), found


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.title)
def test_a_mistake_is_found(program, tmp_path, mutant):
    assert (found := said(program, tmp_path, 1 + MUTANTS.index(mutant)))
    print(mutant.title, found.splitlines()[0])
