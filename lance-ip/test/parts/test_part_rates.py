# SPDX-License-Identifier: BSD-2-Clause
"""Frames a second of the part, both ways at once, against the clocks that memory takes: the table
``lance-ip/parts/files/rates.csv``. ``MCPI_WRITE=1`` writes it."""

import csv
import os

import cocotb
import pytest
from cocotb.triggers import RisingEdge, Timer
from cocotb.utils import get_sim_time
from lance_support.axi_bench import AXI4
from lance_support.option_bench import Option
from lance_support.part_bench import (
    ENP,
    ENTRIES,
    OWN,
    ROOM,
    RX,
    RX_BUFFER,
    STP,
    TX,
    TX_BUFFER,
    WISHBONE,
    Mii,
    Part,
)

from mcpi.hdl.cocotb_run import run_cocotb
from mcpi.parts.lance import BUSES, MACHINE, SHIPPED, Wanted

TABLE = SHIPPED / "rates.csv"
SPDX = "# SPDX-License-Identifier: BSD-2-Clause\n"
HEAD = ["bus", "Mb/s", "clocks", "bytes", "frames/s sent", "% received"]
FRAMES = {64: 20, 1518: 6}  # by bytes with FCS
LATENCIES = {"100": [1, 2, 3, 4, 6, 8, 16, 24], "10": [1, 32, 64]}
BUS, MBPS = os.environ.get("MCPI_PART", "wishbone 100").split()
MINE = LATENCIES[MBPS] if BUS != "turbochannel" else [1]  # memory of its own answers at once
rows: list[list[str]] = []


@pytest.mark.long
@pytest.mark.parametrize("mbps", LATENCIES)
@pytest.mark.parametrize("bus", BUSES)
def test_part_rates(bus, mbps, monkeypatch) -> None:
    wanted = Wanted(bus, "mii", 50, int(mbps))
    monkeypatch.setenv("MCPI_PART", f"{bus} {mbps}")
    run_cocotb(__file__, wanted.top, MACHINE, wanted.settings)


class Longest:
    """In the place of a random generator."""

    def randint(self, _, most: int) -> int:
        return most


def answers_after(memory, clocks: int) -> None:
    """Each Wishbone transfer, or the first longword of each burst, is answered so late."""
    memory.rng, memory.slowest = Longest(), clocks - 1 if BUS == "wishbone" else 0
    left = {}

    def waits(_) -> bool:
        burst = len(memory.bursts)
        left[burst] = left.get(burst, clocks) - 1
        return left[burst] > 0

    if BUS == "axi4":
        memory.silent = waits


class Traffic:
    """Both rings always full, and the wire that comes in always busy."""

    def __init__(self, part: Part | Option, size: int):
        self.part, self.size, self.frames = part, size, FRAMES[size]
        self.given = self.back = self.good = self.bad = 0
        self.starts: list[float] = []

    async def note_starts(self) -> None:
        while True:
            await RisingEdge(self.part.dut.mii_tx_en)
            self.starts.append(get_sim_time("ns"))

    async def wire(self) -> None:
        for _ in range(self.frames):
            await self.part.put(self.part.frame(self.size - 4))

    async def word(self, at: int) -> int:
        return self.part.memory.word(at)

    async def give(self, *what: int) -> None:
        self.part.give(*what)

    async def serve(self) -> None:
        """Take and give frames, as a driver does about once a microsecond."""
        i = self.back % ENTRIES
        if self.back < self.given and not await self.word(TX + 8 * i + 2) & OWN:
            self.back += 1
        if self.given < self.frames and self.given - self.back < ENTRIES:
            i = self.given % ENTRIES
            await self.give(TX + 8 * i, TX_BUFFER + ROOM * i, self.size - 4, OWN | STP | ENP)
            self.given += 1
            await self.part.csr(0, 0x0048)
        i = (self.good + self.bad) % ENTRIES
        if not (flags := await self.word(RX + 8 * i + 2)) & OWN:
            self.good += flags == STP | ENP
            self.bad += flags != STP | ENP
            await self.give(RX + 8 * i, RX_BUFFER + ROOM * i + 1, ROOM - 8, OWN)

    async def run(self) -> tuple[float, int]:
        """Frames sent a second, zero if one underflowed, and % of the received that are whole."""
        for work in (self.note_starts(), self.wire()):
            cocotb.start_soon(work)
        wire_us = (self.size + 20) * 8 / int(MBPS)
        ends = get_sim_time("us") + 2.5 * wire_us * (self.frames + 2)
        while get_sim_time("us") < ends:
            await self.serve()
            await Timer(0.7, unit="us")
            if self.back == self.frames and self.good + self.bad == self.frames:
                break
        whole = self.back == self.frames and len(self.starts) == self.frames
        rate = 1e9 * (self.frames - 1) / (self.starts[-1] - self.starts[0]) if whole else 0
        return rate, 100 * self.good // self.frames


class OptionTraffic(Traffic):
    """The same by programmed I/O."""

    async def word(self, at: int) -> int:
        return await self.part.word(at)

    async def give(self, *what: int) -> None:
        await self.part.give(*what)


@cocotb.test(timeout_time=100, timeout_unit="ms")
@cocotb.parametrize(clocks=MINE, size=list(FRAMES))
async def rate(dut, clocks, size):
    wire_ns = 4000 / int(MBPS)
    if BUS == "turbochannel":
        traffic = OptionTraffic(Option(dut, wire_ns=wire_ns), size)
    else:
        bus = AXI4 if BUS == "axi4" else WISHBONE
        traffic = Traffic(Part(dut, 1, lambda d, rng: Mii(d, rng, wire_ns), 0, bus), size)
    await traffic.part.reset()
    await traffic.part.start()
    if BUS != "turbochannel":
        answers_after(traffic.part.memory, clocks)
    sent, received = await traffic.run()
    rows.append([BUS, MBPS, str(clocks), str(size), f"{sent:.0f}", str(received)])
    dut._log.info(" ".join(rows[-1]))


@cocotb.test()
async def table(dut):
    """Compare with the file, or write it."""
    with TABLE.open(newline="") as stream:
        known = list(csv.reader(line for line in stream if line[:1] != "#"))[1:]
    mine = [row for row in known if row[:2] == [BUS, MBPS]]
    if os.environ.get("MCPI_WRITE") and mine != rows:
        with TABLE.open("w", newline="") as stream:
            stream.write(SPDX)
            out = csv.writer(stream, lineterminator="\n")
            out.writerows([HEAD, *(row for row in known if row not in mine), *rows])
        mine = rows
    assert rows == mine, TABLE
