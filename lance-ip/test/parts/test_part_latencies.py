# SPDX-License-Identifier: BSD-2-Clause
"""Times of the part with memory that answers in a clock, against the table
``lance-ip/parts/files/latencies.csv``. ``MCPI_WRITE=1`` writes it."""

import csv
import os

import cocotb
import pytest
from cocotb.triggers import First, RisingEdge, Timer
from cocotb.utils import get_sim_time
from lance_support.axi_bench import AXI4
from lance_support.option_bench import Option
from lance_support.part_bench import WISHBONE, Mii, Part

from mcpi.hdl.cocotb_run import run_cocotb
from mcpi.parts.lance import BUSES, MACHINE, SHIPPED, Wanted
from verify.long_tests import sampled

TABLE = SHIPPED / "latencies.csv"
SPDX = "# SPDX-License-Identifier: BSD-2-Clause\n"
HEAD = ["bus", "Mb/s", "TDMD to first bit", "last bit to irq", "received last bit to irq"]
BUS, MBPS = os.environ.get("MCPI_PART", "wishbone 100").split()
PAIRS = [f"{bus} {mbps}" for bus in BUSES for mbps in ("100", "10")]


@pytest.mark.parametrize("pair", sampled(PAIRS, lambda p: p == "wishbone 100"))
def test_part_latencies(pair, monkeypatch) -> None:
    bus, mbps = pair.split()
    wanted = Wanted(bus, "mii", 50, int(mbps))
    monkeypatch.setenv("MCPI_PART", pair)
    run_cocotb(__file__, wanted.top, MACHINE, wanted.settings)


def made(dut) -> Part | Option:
    wire_ns = 4000 / int(MBPS)
    if BUS == "turbochannel":
        return Option(dut, wire_ns=wire_ns)
    bus = AXI4 if BUS == "axi4" else WISHBONE
    return Part(dut, 1, lambda d, rng: Mii(d, rng, wire_ns), 0, bus)


async def irq(part: Part | Option) -> float:
    """The time of its rise; it is taken afterwards."""
    await First(RisingEdge(part.irq), Timer(2, unit="ms"))
    assert part.irq.value, "no interrupt"
    at = get_sim_time("us")
    await part.csr(0, 0x7F40)
    return at


async def ends(pin, clock) -> float:
    """The time of the first edge of the PHY's clock at which an enable is low again."""
    await RisingEdge(pin)
    while pin.value:
        await RisingEdge(clock)
    return get_sim_time("us")


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def latencies(dut):
    """A frame of 64 bytes each way. ``MCPI_WRITE``: keep what is measured."""
    part = made(dut)
    await part.reset()
    await part.start()
    await part.csr(0, 0x7F40)
    data = part.frame(60)
    over = cocotb.start_soon(ends(dut.mii_tx_en, dut.mii_tx_clk))
    await part.send(data)
    begun = get_sim_time("us")
    await RisingEdge(dut.mii_tx_en)
    out = get_sim_time("us") - begun
    sent = await irq(part) - await over
    over = cocotb.start_soon(ends(dut.mii_rx_dv, dut.mii_rx_clk))
    await part.put(data)
    received = await irq(part) - await over
    row = [BUS, MBPS, *(f"{us:.1f}" for us in (out, sent, received))]
    dut._log.info(" ".join(row))
    with TABLE.open(newline="") as stream:
        known = list(csv.reader(line for line in stream if line[:1] != "#"))[1:]
    mine = [r for r in known if r[:2] == row[:2]]
    if os.environ.get("MCPI_WRITE"):
        rest = [r for r in known if r[:2] != row[:2]]
        with TABLE.open("w", newline="") as stream:
            stream.write(SPDX)
            csv.writer(stream, lineterminator="\n").writerows([HEAD, *sorted([*rest, row])])
    else:
        assert [row] == mine, TABLE
