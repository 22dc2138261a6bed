# SPDX-License-Identifier: BSD-2-Clause
"""Pages below the tags against a model: first use, zeros, tables, no frame left, forgetting.

PageMapSmall has 64 KB of addresses in pages of 2 KB, and five frames.
"""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from mcpi.testing import run_cocotb

BLOCK, PAGE, FRAMES, RAM = 32, 2048, 5, 1 << 16
WHOLE = (1 << BLOCK) - 1  # mask
TABLE = 1 << 26  # where the residency table begins on the bus
SEED = int(os.environ.get("MCPI_SEED", "1"))


def test_page_map():
    run_cocotb(__file__, "PageMapSmall")


class Bench:
    """RAM below, with random latency and stalls; commands from above."""

    def __init__(self, dut, rng):
        self.dut, self.rng = dut, rng
        # What was there before: nobody must see it.
        self.ram = {n: rng.getrandbits(256) for n in range(512)}
        self.answer = None

    async def start(self):
        dut = self.dut
        dut.above_cmd_valid.value = 0
        dut.below_cmd_ready.value = 0
        dut.below_rsp_valid.value = 0
        dut.forget.value = 0
        dut.reset.value = 1
        cocotb.start_soon(Clock(dut.clk, 2, "ns").start())
        for _ in range(3):
            await FallingEdge(dut.clk)
        dut.reset.value = 0
        cocotb.start_soon(self._below())

    async def _below(self):
        dut = self.dut
        while True:
            ready = self.answer is None and self.rng.random() < 0.8
            dut.below_cmd_ready.value = int(ready)
            due = self.answer is not None and self.answer[0] == 0
            dut.below_rsp_valid.value = int(due)
            if due:
                dut.below_rsp_payload.value = self.answer[1]
                self.answer = None
            elif self.answer is not None:
                self.answer[0] -= 1
            await cocotb.triggers.ReadOnly()
            if ready and int(dut.below_cmd_valid.value):
                at = int(dut.below_cmd_payload_block.value)
                assert at < FRAMES * (PAGE // BLOCK + PAGE // BLOCK // BLOCK), at
                if int(dut.below_cmd_payload_write.value):
                    mask = int(dut.below_cmd_payload_mask.value)
                    data = int(dut.below_cmd_payload_data.value)
                    keep = sum(0xFF << 8 * i for i in range(BLOCK) if not mask >> i & 1)
                    self.ram[at] = self.ram[at] & keep | data & ~keep
                else:
                    self.answer = [self.rng.randrange(4), self.ram[at]]
            await FallingEdge(dut.clk)

    async def command(self, address, data=None, mask=(1 << BLOCK) - 1):
        """A write, or a read and what it gives."""
        dut = self.dut
        dut.above_cmd_valid.value = 1
        dut.above_cmd_payload_write.value = int(data is not None)
        dut.above_cmd_payload_address.value = address
        dut.above_cmd_payload_data.value = data or 0
        dut.above_cmd_payload_mask.value = mask
        found, taken = None, False
        for _ in range(3000):
            await cocotb.triggers.ReadOnly()
            ready = bool(int(dut.above_cmd_ready.value))
            over = taken and ready  # it could take another
            taken = taken or ready
            if int(dut.above_rsp_valid.value):
                found = int(dut.above_rsp_payload.value)
            await FallingEdge(dut.clk)
            if taken:
                dut.above_cmd_valid.value = 0
            if over:
                assert (found is None) == (data is not None)
                return found
        raise AssertionError(f"no answer to {address:#x}, seed {SEED}")

    async def settle(self):
        for _ in range(300):
            await FallingEdge(self.dut.clk)

    async def forget(self):
        await self.settle()
        self.dut.forget.value = 1
        await FallingEdge(self.dut.clk)
        self.dut.forget.value = 0


class Model:
    """Pages by number; tables by the page they are about."""

    def __init__(self):
        self.pages, self.tables, self.fault = {}, {}, None

    def _place(self, address, marks=False):
        """Bytes and index of this block's first byte, or None. ``marks``: of a table, not all of a
        line is written."""
        table, first = address & TABLE, (address & TABLE - 1) % (RAM // BLOCK)
        page = first // (PAGE // BLOCK) if table else address // PAGE
        if page not in self.pages:
            if table and (not marks or len(self.pages) == FRAMES):
                return None
            if len(self.pages) == FRAMES:
                self.fault = address if self.fault is None else self.fault
                return None
            self.pages[page] = bytearray(PAGE)
            self.tables[page] = bytearray(PAGE // BLOCK)
        return (
            (self.tables[page], first % (PAGE // BLOCK))
            if table
            else (self.pages[page], address % PAGE)
        )

    def read(self, address):
        place = self._place(address)
        return int.from_bytes(place[0][place[1] : place[1] + BLOCK], "little") if place else 0

    def write(self, address, data, mask):
        place = self._place(address, mask != WHOLE)
        for i in range(BLOCK):
            if place and mask >> i & 1:
                place[0][place[1] + i] = data >> 8 * i & 0xFF


def one_in(rng, pages):
    page = rng.choice(pages)
    if rng.random() < 0.25:
        line = rng.randrange(PAGE // BLOCK // BLOCK)
        return TABLE + page * (PAGE // BLOCK) + line * BLOCK
    return page * PAGE + rng.randrange(PAGE // BLOCK) * BLOCK


async def history(bench, model, rng, pages, count):
    for n in range(count):
        address = one_in(rng, pages)
        if rng.random() < 0.5:
            data, mask = rng.getrandbits(256), rng.choice((WHOLE, rng.getrandbits(32)))
            await bench.command(address, data, mask)
            model.write(address, data, mask)
        else:
            found, wanted = await bench.command(address), model.read(address)
            assert found == wanted, f"step {n}, {address:#x}, seed {SEED}"
        assert int(bench.dut.used.value) == len(model.pages)


@cocotb.test()
async def a_random_history(dut):
    """Five frames for five pages far apart, then a sixth page, then all forgotten."""
    rng = random.Random(SEED)
    bench, model = Bench(dut, rng), Model()
    await bench.start()
    pages = rng.sample(range(RAM // PAGE), FRAMES)
    await history(bench, model, rng, pages, 400)
    assert len(model.pages) == FRAMES and int(dut.fault.value) == 0
    other = next(p for p in range(RAM // PAGE) if p not in pages)
    await history(bench, model, rng, [*pages, other], 200)
    await bench.settle()
    assert int(dut.fault.value) == 1
    assert int(dut.faultAddress.value) == model.fault
    await bench.forget()
    await bench.settle()
    assert (int(dut.used.value), int(dut.fault.value)) == (0, 0)
    model = Model()
    await history(bench, model, rng, rng.sample(range(RAM // PAGE), FRAMES), 300)
