# SPDX-License-Identifier: BSD-2-Clause
"""A node with each kind of primary caches, as it goes onto an FPGA, counts in a ping-pong what the
simulated node counts."""

from pathlib import Path

import pytest
from sim_support.simulators import on_fpga

from mcpi.base.progress import Bar
from mcpi.build import graph
from mcpi.engines.rtl import substitute
from mcpi.spec.run_spec import RTL, RunSpec

KINDS = {
    "write-back": {"dcache.policy": "back"},
    "ways": {"icache.ways": "2", "dcache.ways": "4"},
    "ways and write-back": {"dcache.policy": "back", "icache.ways": "4"},
    "victims": {"icache.victims": "4", "dcache.victims": "4"},
    "TLBs and write-back": {"core.translation": "tlb", "dcache.policy": "back"},
}


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_it_counts_the_same(kind: str, tmp_path: Path) -> None:
    settings = KINDS[kind]
    spec = RunSpec(engine=RTL, settings=settings, warmup=1, round_trips=1, lockstep=False)
    machine, bar = spec.check(), Bar()
    built = graph.build(spec, machine, bar)
    program = on_fpga(spec.machine, machine.shape)
    both = substitute.compare(spec, built, program, tmp_path, [], bar)
    print(kind, both.ticks, "ticks", both.count, "counters")
    assert not both.differences()
    if "dcache.policy" in settings:
        assert both.rtl[0]["all"]["dcache.dirty_misses"]
