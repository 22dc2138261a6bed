# SPDX-License-Identifier: BSD-2-Clause
"""The SDRAM of the i9 behind its controller: whole and partial blocks, a chip that objects."""

import os
import random

import cocotb
import pytest
from boards_support.sdram_model import (
    ACTIVE,
    MODE,
    NOP,
    PRECHARGE,
    RANDOM,
    READ,
    REFRESH,
    WRITE,
    SdramModel,
    Violation,
)
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge, Timer

from mcpi.hdl.cocotb_run import run_cocotb

BLOCK = 32
PERIOD = 18.33  # ns
SEED = int(os.environ.get("MCPI_SEED", "1"))


def test_sdram():
    run_cocotb(__file__, "SdramSmall")


def chip_in_use() -> SdramModel:
    """A chip after a lawful start, its bank 0 open."""
    chip = SdramModel(PERIOD)
    chip.now = 6000
    for command, address in ((PRECHARGE, 1 << 10), (REFRESH, 0), (REFRESH, 0), (MODE, 0x20)):
        chip.clock(command, 0, address, 0, False)
        for _ in range(5):
            chip.clock(NOP, 0, 0, 0, False)
    chip.clock(ACTIVE, 0, 5, 0, False)
    return chip


@pytest.mark.parametrize(
    "what, steps",
    {
        "tRCD": [(READ, 0)],
        "the bank is open": [(NOP, 0), (NOP, 0), (ACTIVE, 6)],
        "tRAS": [(PRECHARGE, 0)],
        "refresh of an open bank": [(NOP, 0), (REFRESH, 0)],
        "auto-precharge": [(NOP, 0), (WRITE, 1 << 10)],
    }.items(),
)
def test_the_chip_objects(what, steps):
    chip = chip_in_use()
    with pytest.raises(Violation, match=what):
        for command, address in steps:
            chip.clock(command, 0, address, 1, True)


def test_the_chip_wants_its_refresh():
    chip = chip_in_use()
    with pytest.raises(Violation, match="overdue"):
        for _ in range(int(SdramModel.REFRESH_WITHIN / PERIOD) + 1):
            chip.clock(NOP, 0, 0, 0, False)


class Bench:
    """The chip's clock rises 5 ns behind ours, as the top makes it. Its data stand from ACCESS
    (7 ns of the chip's, 5 of two pads) behind its edge to HOLD behind the next; otherwise the bus
    holds rubbish."""

    PHASE, ACCESS, HOLD = 5, 12, 2  # ns

    def __init__(self, dut):
        self.dut, self.chip = dut, SdramModel(PERIOD)

    async def start(self):
        dut = self.dut
        dut.bus_cmd_valid.value = 0
        dut.reset.value = 1
        dut.sdram_DQ_read.value = 0
        cocotb.start_soon(Clock(dut.clk, PERIOD, "ns").start())
        for _ in range(3):
            await FallingEdge(dut.clk)
        dut.reset.value = 0
        cocotb.start_soon(self._chip())

    async def _chip(self):
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            await Timer(self.PHASE, "ns")
            command = (
                int(dut.sdram_RASn.value) << 2
                | int(dut.sdram_CASn.value) << 1
                | int(dut.sdram_WEn.value)
            )
            # Both pins are tied on the board.
            assert int(dut.sdram_CSn.value) == 0 and int(dut.sdram_CKE.value) == 1
            driven = int(dut.sdram_DQ_writeEnable.value) != 0
            data = self.chip.clock(
                command,
                int(dut.sdram_BA.value),
                int(dut.sdram_ADDR.value),
                int(dut.sdram_DQ_write.value),
                driven,
            )
            cocotb.start_soon(self._drive(data))

    async def _drive(self, data):
        await Timer(self.HOLD, "ns")
        self.dut.sdram_DQ_read.value = RANDOM
        await Timer(self.ACCESS - self.HOLD, "ns")
        self.dut.sdram_DQ_read.value = data

    async def command(self, block, data=None, mask=(1 << BLOCK) - 1):
        dut = self.dut
        dut.bus_cmd_payload_write.value = int(data is not None)
        dut.bus_cmd_payload_block.value = block
        dut.bus_cmd_payload_data.value = data or 0
        dut.bus_cmd_payload_mask.value = mask
        dut.bus_cmd_valid.value = 1
        found, taken = None, None
        for clock in range(40000):
            await ReadOnly()
            if taken is None and int(dut.bus_cmd_ready.value):
                taken = clock
            if int(dut.bus_rsp_valid.value):
                found = int(dut.bus_rsp_payload.value)
            await FallingEdge(dut.clk)
            if taken is not None:
                dut.bus_cmd_valid.value = 0
            if taken is not None and (data is not None or found is not None):
                self.clocks = clock - taken
                return found
        raise AssertionError(f"no answer for block {block:#x}")


@cocotb.test()
async def a_random_history(dut):
    """Blocks in all banks and few rows, so that rows change often; masks of all kinds."""
    rng = random.Random(SEED)
    bench, model = Bench(dut), {}
    await bench.start()
    blocks = [rng.getrandbits(18) for _ in range(12)]
    for block in blocks:
        model[block] = rng.getrandbits(256)
        await bench.command(block, model[block])
    for n in range(400):
        block = rng.choice(blocks)
        if rng.random() < 0.5:
            data = rng.getrandbits(256)
            mask = rng.choice([(1 << BLOCK) - 1, 0xFF << 8 * rng.randrange(4), rng.getrandbits(32)])
            await bench.command(block, data, mask)
            for i in range(BLOCK):
                if mask >> i & 1:
                    model[block] = model[block] & ~(0xFF << 8 * i) | data & 0xFF << 8 * i
        else:
            found = await bench.command(block)
            assert found == model[block], f"step {n}, block {block:#x}, seed {SEED}"
    for _ in range(3000):  # idle: refreshes go on
        await FallingEdge(dut.clk)
    assert bench.chip.refreshes > 8 + 2


@cocotb.test()
async def rows_stay_open(dut):
    """Clocks from a read's command to its answer (docs/reference/boards.md); a word alone takes
    seven fewer than a block."""
    bench = Bench(dut)
    await bench.start()
    row, bank = 1 << 7, 1 << 5  # in blocks
    await bench.command(0)
    for block, clocks in (
        (0, 12),
        (1, 12),
        (bank, 14),
        (1, 12),
        (row, 16),
        (row + 31, 12),
        (0, 16),
    ):
        for _ in range(8):  # longer than a row must stay open
            await FallingEdge(dut.clk)
        await bench.command(block)
        assert bench.clocks == clocks, f"block {block}: {bench.clocks} clocks"
    await bench.command(0, mask=0xF << 8)
    assert bench.clocks == 12 - 7


@cocotb.test()
async def reads_overlap(dut):
    """The next command is taken while the data of a read are on their way, and answers keep their
    order."""
    bench = Bench(dut)
    await bench.start()
    for block in range(4):
        await bench.command(block, block + 1)
    dut.bus_cmd_payload_write.value = 0
    dut.bus_cmd_payload_mask.value = (1 << BLOCK) - 1
    dut.bus_cmd_valid.value = 1
    block, found, taken = 0, [], []
    for clock in range(200):
        dut.bus_cmd_payload_block.value = block % 4
        await ReadOnly()
        if int(dut.bus_cmd_ready.value):
            block += 1
            taken.append(clock)
        if int(dut.bus_rsp_valid.value):
            found.append(int(dut.bus_rsp_payload.value))
        await FallingEdge(dut.clk)
    assert found == [n % 4 + 1 for n in range(len(found))] and len(found) >= len(taken) - 2
    assert sorted(b - a for a, b in zip(taken, taken[1:]))[len(taken) // 2] == 9, taken
