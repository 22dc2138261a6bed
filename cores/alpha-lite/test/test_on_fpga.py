# SPDX-License-Identifier: BSD-2-Clause
"""The core as it goes onto an FPGA does in every tick what the simulated one does.

It tells of a tick a tick later and takes clocks in which time stands. So every directed test that
asserts values, ticks and owners holds for it. Random programs see the same on both cores, with each
kind of caches and with clocks withheld, and they find planted mistakes of victims.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from mcpi.hdl import cocotb_run, verilator
from verify.long_tests import sampled
from verify.random import configurations
from verify.verilog_mutants import VARIABLE, load, planted

HERE = Path(__file__).parent
# Instructions that wait for memory, that redirect, that are late.
MODULES = "timing stalls program locks pal pal_pairs prediction jumps operate isa".split()
SLOW = ("timing", "pal_pairs", "isa")  # 10 s each
SMALL = {"icache.size": "1KB", "dcache.size": "1KB", "cache.block": "16B"}  # blocks displace others
KINDS = {
    "plain": {},
    "back": SMALL | {"dcache.policy": "back", "memory.ideal": "off"},
    "ways": SMALL | {"icache.ways": "2", "dcache.ways": "2"},
    "four ways": SMALL | {"icache.ways": "4", "dcache.ways": "4"},
    "victims": SMALL | {"icache.victims": "2", "dcache.victims": "2"},
}
MUTANTS = load(HERE / "clocks_mutants.csv")
INSTRUCTIONS = 40_000  # of all programs on a core with mistakes


def drawn(kind: str) -> configurations.Configuration:
    """Random programs on the paper's machine with these caches."""
    it, more = configurations.draw(0), KINDS[kind]
    runs = [replace(run, settings=run.settings | more) for run in it.runs]
    return replace(it, settings=it.settings | more, runs=runs)


@pytest.mark.parametrize("module", sampled(MODULES, lambda name: name not in SLOW))
def test_on_fpga(module: str) -> None:
    [path] = HERE.rglob(f"test_{module}.py")
    cocotb_run.simulate(cocotb_run.elaborate("AlphaLiteOnFpga"), path)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_random_programs_see_the_same(kind: str) -> None:
    for run in configurations.check_on_fpga(drawn(kind), 200_000):
        print(f"{run['ticks']} ticks, {run['clocks'] / run['ticks']:.3f} clocks a tick")


@pytest.mark.long
def test_random_programs_find_a_mistake_with_victims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By an assertion of the core, or by a tick."""
    it = drawn("victims")
    verilog = cocotb_run.elaborate("AlphaLiteOnFpga", settings=it.settings)
    program = verilator.build(planted(verilog, MUTANTS, tmp_path), verilator.CORE_ON_FPGA)
    configurations.check_on_fpga(it, INSTRUCTIONS, program)
    survivors = []
    for number, mutant in enumerate(MUTANTS, 1):
        monkeypatch.setenv(VARIABLE, str(number))
        try:
            configurations.check_on_fpga(it, INSTRUCTIONS, program)
            survivors.append(mutant.title)
        except AssertionError as error:
            print(mutant.title, "-", str(error).splitlines()[:2])
    assert not survivors
