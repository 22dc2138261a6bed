# SPDX-License-Identifier: BSD-2-Clause
"""Two copies of the core, one with clocks withheld at random, do the same in every tick.

Random programs run on both, with each kind of caches. The comparison finds the planted mistakes of
``clocks_mutants.csv``; ``test_node_clocks`` has those that TCP shows.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from mcpi.hdl import cocotb_run, verilator
from verify.long_tests import sampled
from verify.random import configurations
from verify.verilog_mutants import VARIABLE, load, planted

SMALL = {"icache.size": "1KB", "dcache.size": "1KB", "cache.block": "16B"}  # blocks displace others
KINDS = {
    "plain": {},
    "back": SMALL | {"dcache.policy": "back", "memory.ideal": "off"},
    "ways": SMALL | {"icache.ways": "2", "dcache.ways": "2"},
    "four ways": SMALL | {"icache.ways": "4", "dcache.ways": "4"},
    "victims": SMALL | {"icache.victims": "2", "dcache.victims": "2"},
}
MUTANTS = load(Path(__file__).with_name("clocks_mutants.csv"))
INSTRUCTIONS = 40_000  # of all programs on a core with mistakes


def drawn(kind: str) -> configurations.Configuration:
    """Random programs on the paper's machine with these caches."""
    it, more = configurations.draw(0), KINDS[kind]
    runs = [replace(run, settings=run.settings | more) for run in it.runs]
    return replace(it, settings=it.settings | more, runs=runs)


@pytest.mark.parametrize("kind", sampled(KINDS, "plain".__eq__))
def test_clocks_without_a_tick_change_nothing(kind: str) -> None:
    for run in configurations.check_clocks(drawn(kind), 200_000):
        print(f"{run['ticks']} ticks, {run['clocks'] / run['ticks']:.3f} clocks a tick")
        assert run["clocks"] > run["ticks"]


@pytest.mark.long
def test_two_copies_find_a_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a tick, by an assertion of the core or by lock-step."""
    it = drawn("victims")
    verilog = cocotb_run.elaborate("AlphaLite", settings=it.settings)
    program = verilator.build(planted(verilog, MUTANTS, tmp_path), verilator.CORE)
    configurations.check_clocks(it, INSTRUCTIONS, program)
    survivors = []
    for number, mutant in enumerate(MUTANTS, 1):
        monkeypatch.setenv(VARIABLE, str(number))
        try:
            configurations.check_clocks(it, INSTRUCTIONS, program)
            survivors.append(mutant.title)
        except AssertionError as error:
            print(mutant.title, "-", str(error).splitlines()[:2])
    assert not survivors
