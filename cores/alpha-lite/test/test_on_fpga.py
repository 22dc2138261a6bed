# SPDX-License-Identifier: BSD-2-Clause
"""The core as it goes onto an FPGA does in every tick what the simulated one does.

It tells of a tick a tick later and takes clocks in which time stands. So every directed test that
asserts values, ticks and owners holds for it, and random programs that run on both see the same:
with every kind of caches, and with clocks withheld. Mistakes in its second clocks are seen.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from mcpi.hdl import cocotb_run, verilator
from verify.long_tests import sampled
from verify.random import configurations
from verify.random.configurations import Configuration
from verify.verilog_mutants import VARIABLE, load, planted

HERE = Path(__file__).parent
# Instructions that wait for memory, that redirect, that are late.
MODULES = "timing stalls program locks pal pal_pairs prediction jumps operate isa".split()
SLOW = ("timing", "pal_pairs", "isa")  # 10 s each
# Small caches, in which all displace each other.
SMALL = {"icache.size": "1KB", "dcache.size": "1KB", "cache.block": "16B"}
KINDS = {
    "back": SMALL | {"dcache.policy": "back", "memory.ideal": "off"},
    "ways": SMALL | {"icache.ways": "2", "dcache.ways": "2"},
    "four ways": SMALL | {"icache.ways": "4", "dcache.ways": "4"},
    "victims": SMALL | {"icache.victims": "2", "dcache.victims": "2"},
}
MUTANTS = load(HERE / "clocks_mutants.csv")
WITHHELD = "withheld"  # in place of a test's name: nothing but withheld clocks shows the mistake


def drawn(settings: dict[str, str]) -> Configuration:
    """The machine of the paper with ``settings``, and its runs."""
    it = configurations.draw(0)
    runs = [replace(run, settings=run.settings | settings) for run in it.runs]
    return replace(it, settings=it.settings | settings, runs=runs)


@pytest.mark.parametrize("module", sampled(MODULES, lambda name: name not in SLOW))
def test_on_fpga(module: str) -> None:
    [path] = HERE.rglob(f"test_{module}.py")
    cocotb_run.simulate(cocotb_run.elaborate("AlphaLiteOnFpga"), path)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_random_programs_see_the_same(kind: str) -> None:
    for run in configurations.check_on_fpga(drawn(KINDS[kind]), 200_000):
        print(f"{run['ticks']} ticks, {run['clocks'] / run['ticks']:.3f} clocks a tick")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["plain", *KINDS])
def test_a_mistake_in_second_clocks_is_found(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By an assertion, or by what the benches say; some with clocks withheld alone."""
    mutants = [mutant for mutant in MUTANTS if mutant.settings.get("kind", "plain") == kind]
    it = drawn(KINDS.get(kind, {}))
    verilog = cocotb_run.elaborate("AlphaLiteOnFpga", settings=it.settings)
    program = verilator.build(planted(verilog, mutants, tmp_path), verilator.CORE_ON_FPGA)
    configurations.check_on_fpga(it, 40_000, program)
    for number, mutant in enumerate(mutants, 1):
        monkeypatch.setenv(VARIABLE, str(number))
        with pytest.raises(AssertionError) as found:
            configurations.check_on_fpga(it, 40_000, program)
        print(mutant.title, "-", str(found.value).splitlines()[1:2])
        assert WITHHELD not in mutant.tests or "withh" in str(found.value)
