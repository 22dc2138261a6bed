# SPDX-License-Identifier: BSD-2-Clause
"""Two clocks a tick, as on an FPGA (boards.md): the bus moves in the same ticks, even where a
transaction ends after one.
"""

import json
import os
import random
import shutil
from pathlib import Path

import cocotb
import pytest
from test_memory_system import MB, Bench

from mcpi.hdl import cocotb_run
from mcpi.verify.verilog_mutants import VARIABLE, Mutant, mutated

SEED = int(os.environ.get("MCPI_SEED", "1"))
PLACE = "MCPI_HISTORIES"  # environment variable: the folder where histories are written
SMALL = {"bcache.size": "65536"}  # its tags are walked through before each history
REQUESTS = 120
# Bus times: all one tick; the least a machine may have; those of the first machine.
TIMES = {
    "one": {"hit": 1, "miss": 1, "write": 1, "dma": 1},
    "least": {"hit": 3, "miss": 3, "write": 5, "dma": 1},
    "usual": {"hit": 10, "miss": 48, "write": 9, "dma": 11},
}


class Paced(Bench):
    """Looks at the bus in ticks only, as a core with registers does; the events are in clocks."""

    def _sample(self, core, dma):
        if int(self.dut.tick.value):
            return super()._sample(core, dma)
        for name in ("access", "miss", "victim", "dma"):
            if int(getattr(self.dut, f"events_{name}").value):
                self.events.append((self.tick, name))
        self.clocks += 1
        self.withheld += 1
        return []


@cocotb.test()
@cocotb.parametrize(name=list(TIMES), latency=[1, 40])
async def history(dut, name, latency):
    """Requests of core and DMA at random, at rest or in each other's way; what came, in ticks."""
    slow, source = random.Random(latency), random.Random(SEED)
    bench = Paced(
        dut,
        latency=lambda: slow.randrange(1, latency + 1),
        stall=lambda: latency > 1 and slow.random() < 0.3,
        other_hold=lambda: latency > 1 and slow.random() < 0.2,
    )
    await bench.start(**TIMES[name])
    began = at = bench.tick
    for _ in range(REQUESTS):
        at += source.choice((0, 0, 1, 2, 30))
        address = source.choice((0, MB, 4 * MB)) + 32 * source.randrange(6)
        if source.random() < 0.5:
            address += 16 * source.randrange(2)
            data, mask = source.getrandbits(128), source.getrandbits(16)
            bench.want_dma(address, source.randrange(2), data, mask, at=at)
        else:
            data, mask = source.getrandbits(256), source.getrandbits(32)
            bench.want(source.randrange(4), address, data, mask, at=at)
    await bench.settle(REQUESTS, limit=30000)
    log = [(what, tick - began, data) for what, tick, data, _ in bench.log]
    found = {"log": log, "events": sorted(name for _, name in bench.events)}
    (Path(os.environ[PLACE]) / f"{name}-{latency}.json").write_text(json.dumps(found))
    dut._log.info(f"{bench.clocks} clocks, {bench.withheld} of them withheld")


TICKS = "next_1 = (((! held) && (! moved)) && io_settled)"
EVERY_CLOCK = "next_1 = ((! held) && io_settled)"
MUTANTS = [
    Mutant("PacedGovernor", TICKS, EVERY_CLOCK),
    Mutant("MemorySystem", "coreHolds = (core_late || 1'b0)", "coreHolds = 1'b0"),
    Mutant("MemorySystem", "dmaHolds = (dma_late || 1'b0)", "dmaHolds = 1'b0"),
    Mutant(
        "MemorySystem",
        "core_near <= (_zz_core_near <= _zz_core_near_1)",
        "core_near <= core_reached",
    ),
    Mutant("MemorySystem", "dma_near <= (_zz_dma_near <= _zz_dma_near_1)", "dma_near <= 1'b0"),
    Mutant("MemorySystem", "dma_reached <= (dma_nextDue <= dma_nextAge)", "dma_reached <= 1'b1"),
]


def histories(verilog: Path, place: Path, mutant: int = 0) -> dict[str, dict]:
    """What ``history`` wrote, by bus times and latency. AssertionError if one did not end."""
    place.mkdir()
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(PLACE, str(place))
        environment.setenv(VARIABLE, str(mutant))
        cocotb_run.simulate(verilog, Path(__file__), "history.*")
    return {file.stem: json.loads(file.read_text()) for file in sorted(place.glob("*.json"))}


@pytest.fixture(scope="module")
def ordinary(tmp_path_factory) -> dict[str, dict]:
    verilog = cocotb_run.elaborate("MemoryBench", settings=SMALL)
    return histories(verilog, tmp_path_factory.mktemp("ordinary") / "found")


@pytest.fixture(scope="module")
def on_fpga(tmp_path_factory) -> Path:
    """Its Verilog with all mutants."""
    verilog = cocotb_run.elaborate("MemoryBenchOnFpga", settings=SMALL)
    folder = tmp_path_factory.mktemp("fpga")
    shutil.copy(verilog.with_name("machine.json"), folder)
    (folder / verilog.name).write_text(mutated(verilog.read_text(), MUTANTS, verilog.stem))
    return folder / verilog.name


def test_same_ticks(ordinary, on_fpga, tmp_path):
    assert len(ordinary) == 2 * len(TIMES)
    assert histories(on_fpga, tmp_path / "found") == ordinary, f"seed {SEED}"
    for name, times in TIMES.items():  # how much RAM takes cannot be seen either
        assert ordinary[f"{name}-1"] == ordinary[f"{name}-40"]
        log = ordinary[f"{name}-1"]["log"]
        taken = {what: tick for what, tick, _ in reversed(log)}
        assert taken["dma answer"] - taken["dma"] == times["dma"], "the first of them"


@pytest.mark.parametrize("number", range(1, len(MUTANTS) + 1))
def test_a_mistake_shows(ordinary, on_fpga, tmp_path, number):
    try:
        found = histories(on_fpga, tmp_path / "found", number)
    except (AssertionError, SystemExit):
        return  # it never ended
    assert found != ordinary, f"survived: {MUTANTS[number - 1]}"
