# SPDX-License-Identifier: BSD-2-Clause
"""The core with caches of several ways (memory.md): it has nothing of them with one; mistakes in
the Verilog, which random programs in lock-step find."""

from core_support import mutants as core_mutants

from mcpi.hdl import cocotb_run

# Small caches, in which all displace each other, and DMA all the while.
NARROW = {
    "icache.size": "1KB",
    "dcache.size": "1KB",
    "cache.block": "16B",
    "icache.ways": "2",
    "dcache.ways": "2",
}


def test_a_core_with_one_way_has_nothing_of_them():
    several = cocotb_run.elaborate("AlphaLite", settings=NARROW).read_text()
    one = cocotb_run.elaborate("AlphaLite").read_text()
    for word in ("DCacheOfWays", "Replacement", "cache_hits", "iWay", "payload_way"):
        assert word in several and word not in one, word


program, test_none_without_a_mistake, test_a_mistake_is_found = core_mutants.tests(
    __file__, NARROW, {"core.prediction": "ev4"}, 300_000
)
