# SPDX-License-Identifier: BSD-2-Clause
"""The core with caches of several ways (memory.md): it has nothing of them with one; mistakes in
the Verilog, which random programs in lock-step find."""

from collections.abc import Callable
from pathlib import Path

import core_mutants
import pytest

from mcpi.hdl import cocotb_run, verilator
from mcpi.verify.verilog_mutants import load

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
def said() -> Callable[[Path, int], str]:
    """What is said of a mistake, in a folder."""
    program = verilator.build(core_mutants.faulty(NARROW, MUTANTS), verilator.CORE)
    settings = NARROW | {"core.prediction": "ev4"}
    return lambda folder, n: core_mutants.said(program, folder, n, settings, INSTRUCTIONS)


@pytest.mark.slow
def test_none_without_a_mistake(said, tmp_path):
    assert not (found := said(tmp_path, 0)), found


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.title)
def test_a_mistake_is_found(said, tmp_path, mutant):
    assert (found := said(tmp_path, 1 + MUTANTS.index(mutant)))
    print(mutant.title, found.splitlines()[0])
