# SPDX-License-Identifier: BSD-2-Clause
"""Pages below the tags against a model: first use, zeros, tables, no frame left, forgetting; and
pages that were there from the start.

PageMapSmall has 64 KB of addresses in pages of 2 KB, and eight frames, one of which stays empty;
PageMapEmbedded is the same and looks for a record.
"""

import os
import random
import struct
from collections import deque
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from mcpi.hdl import cocotb_run

BLOCK, PAGE, FRAMES, RAM = 32, 2048, 8, 1 << 16
WHOLE = (1 << BLOCK) - 1  # mask
TABLE = 1 << 26  # where the residency table begins on the bus
NUMBERS = 2 * RAM // PAGE  # of pages, those of the table above RAM's
RECORD, NAME = NUMBERS - 1, 0x0123456789ABCDEF
SEED = int(os.environ.get("MCPI_SEED", "1"))


def test_page_map():
    cocotb_run.simulate(cocotb_run.elaborate("PageMapSmall"), Path(__file__), "a_random_history")


def test_what_was_embedded():
    cocotb_run.simulate(cocotb_run.elaborate("PageMapEmbedded"), Path(__file__), "embedded")


def first(number):
    """Where a page is looked for first: its low bits the other way round, and the high ones."""
    return int(f"{number % FRAMES:03b}"[::-1], 2) ^ number // FRAMES


class Bench:
    """RAM below, with random latency and stalls; commands from above."""

    def __init__(self, dut, rng):
        self.dut, self.rng = dut, rng
        # The page's earlier content: nobody must see it.
        self.ram = {n: rng.getrandbits(256) for n in range(FRAMES * PAGE // BLOCK)}
        self.answers = deque()  # [clocks to go, block], in order
        self.found = deque()

    async def start(self):
        dut = self.dut
        dut.above_cmd_valid.value = 0
        dut.below_cmd_ready.value = 0
        dut.below_rsp_valid.value = 0
        dut.forget.value = 0
        dut.reset.value = 1
        self.tasks = [cocotb.start_soon(Clock(dut.clk, 2, "ns").start())]
        for _ in range(3):
            await FallingEdge(dut.clk)
        dut.reset.value = 0
        self.tasks.append(cocotb.start_soon(self._below()))

    def stop(self):
        for task in self.tasks:
            task.cancel()

    async def _below(self):
        dut = self.dut
        while True:
            ready = len(self.answers) < 2 and self.rng.random() < 0.8
            dut.below_cmd_ready.value = int(ready)
            due = bool(self.answers) and self.answers[0][0] <= 0
            dut.below_rsp_valid.value = int(due)
            if due:
                dut.below_rsp_payload.value = self.answers.popleft()[1]
            for answer in self.answers:
                answer[0] -= 1
            await cocotb.triggers.ReadOnly()
            if ready and int(dut.below_cmd_valid.value):
                at = int(dut.below_cmd_payload_block.value)
                if int(dut.below_cmd_payload_write.value):
                    mask = int(dut.below_cmd_payload_mask.value)
                    data = int(dut.below_cmd_payload_data.value)
                    keep = sum(0xFF << 8 * i for i in range(BLOCK) if not mask >> i & 1)
                    self.ram[at] = self.ram[at] & keep | data & ~keep
                else:
                    self.answers.append([self.rng.randrange(12), self.ram[at]])
            if int(dut.above_rsp_valid.value):
                self.found.append(int(dut.above_rsp_payload.value))
            await FallingEdge(dut.clk)

    async def command(self, address, data=None, mask=(1 << BLOCK) - 1):
        """A write, or a read and what it gives."""
        await self.ask(address, data, mask)
        return None if data is not None else await self.next()

    async def next(self):
        """Result of the oldest read that was asked for."""
        for _ in range(3000):
            if self.found:
                return self.found.popleft()
            await FallingEdge(self.dut.clk)
        raise AssertionError(f"no answer, seed {SEED}")

    async def ask(self, address, data=None, mask=(1 << BLOCK) - 1):
        """A command, until it is taken; returns how many clocks that took."""
        dut = self.dut
        dut.above_cmd_valid.value = 1
        dut.above_cmd_payload_write.value = int(data is not None)
        dut.above_cmd_payload_address.value = address
        dut.above_cmd_payload_data.value = data or 0
        dut.above_cmd_payload_mask.value = mask
        for clocks in range(3000):
            await cocotb.triggers.ReadOnly()
            ready = bool(int(dut.above_cmd_ready.value))
            await FallingEdge(dut.clk)
            if ready:
                dut.above_cmd_valid.value = 0
                return clocks
        raise AssertionError(f"{address:#x} is not taken, seed {SEED}")

    async def settle(self):
        for _ in range(300):
            await FallingEdge(self.dut.clk)

    async def forget(self):
        await self.settle()
        self.dut.forget.value = 1
        await FallingEdge(self.dut.clk)
        self.dut.forget.value = 0


class Model:
    """Pages by number; a page is there once something other than zeros has been written to it."""

    def __init__(self):
        self.pages, self.fault = {}, None

    def read(self, address):
        page = self.pages.get(numbered(address), bytes(PAGE))
        return int.from_bytes(page[address % PAGE :][:BLOCK], "little")

    def write(self, address, data, mask):
        written = {i: data >> 8 * i & 0xFF for i in range(BLOCK) if mask >> i & 1}
        number = numbered(address)
        if number not in self.pages and any(written.values()):
            if len(self.pages) == FRAMES - 1:
                self.fault = address % TABLE if self.fault is None else self.fault
                return
            self.pages[number] = bytearray(PAGE)
        if number in self.pages:
            for i, byte in written.items():
                self.pages[number][address % PAGE + i] = byte


def numbered(address):
    """The number of the page an address lies in."""
    return address // TABLE * (RAM // PAGE) + address % TABLE // PAGE


def one_in(rng, pages):
    number = rng.choice(pages)
    table, page = divmod(number, RAM // PAGE)
    return table * TABLE + page * PAGE + rng.randrange(PAGE // BLOCK) * BLOCK


async def history(bench, model, rng, pages, count):
    wanted = deque()
    for n in range(count):
        address = one_in(rng, pages)
        if rng.random() < 0.5:
            mask = rng.choice((WHOLE, rng.getrandbits(32)))
            data = rng.choice((0, 0xFF << 8 * rng.randrange(BLOCK), rng.getrandbits(256)))
            await bench.command(address, data, mask)
            model.write(address, data, mask)
        else:  # up to two reads under way
            wanted.append((n, address, model.read(address)))
            await bench.ask(address)
        while len(wanted) > rng.randrange(3):
            step, address, right = wanted.popleft()
            assert await bench.next() == right, f"step {step}, {address:#x}, seed {SEED}"
    for step, address, right in wanted:
        assert await bench.next() == right, f"step {step}, {address:#x}, seed {SEED}"
    await bench.settle()
    assert int(bench.dut.used.value) == len(model.pages)
    assert not bench.found


@cocotb.test()
async def a_random_history(dut):
    """Seven frames for seven pages, of RAM and tables, then for nine, then all forgotten."""
    rng = random.Random(SEED)
    bench, model = Bench(dut, rng), Model()
    await bench.start()
    await bench.settle()
    pages = rng.sample(range(NUMBERS), FRAMES - 1)
    await history(bench, model, rng, pages, 600)
    assert len(model.pages) == FRAMES - 1 and int(dut.fault.value) == 0
    others = [n for n in range(NUMBERS) if n not in pages][:2]
    await history(bench, model, rng, [*pages, *others], 200)
    await bench.settle()
    assert int(dut.fault.value) == 1
    assert int(dut.faultAddress.value) == model.fault
    assert int(dut.embedded.value) == 0
    await bench.forget()
    await bench.settle()
    assert (int(dut.used.value), int(dut.fault.value)) == (0, 0)
    model = Model()
    await history(bench, model, rng, rng.sample(range(NUMBERS), FRAMES - 1), 300)


def embed(bench, model, rng, pages, magic=b"mCPIpage"):
    """Pages and a record, as they would come with a bitstream: map, RAM, and the model's."""
    slots = {}
    for number in [*pages, RECORD]:
        frame = first(number)
        while frame in slots:
            frame = (frame + 1) % FRAMES
        slots[frame] = number
        page = rng.randbytes(PAGE)
        if number == RECORD:
            page = struct.pack("<8sQI", magic, NAME, len(slots)) + page[20:]
        model.pages[number] = bytearray(page)
        for n in range(PAGE // BLOCK):
            block = page[n * BLOCK : (n + 1) * BLOCK]
            bench.ram[frame * PAGE // BLOCK + n] = int.from_bytes(block, "little")
    for frame in range(FRAMES):
        there = frame in slots
        bench.dut.map_1[frame].value = there * NUMBERS | slots.get(frame, 0)


async def empty(bench, pages):
    """Nothing is embedded, and what was reads zero."""
    assert state(bench.dut) == (0, 0)
    for number in pages:
        assert await bench.command(one_in(bench.rng, [number])) == 0


async def reset(bench):
    await bench.settle()
    bench.dut.reset.value = 1
    await FallingEdge(bench.dut.clk)
    bench.dut.reset.value = 0
    await bench.settle()


def state(dut):
    return int(dut.used.value), int(dut.embedded.value)


@cocotb.test()
async def embedded(dut):
    """Read as often as one likes, the pages stay, over a reset too; after a write they are there
    and nothing says so any more, and a reset finds none. So does one behind what is no record."""
    for spoil in ("a page", "a new page", "forget"):
        rng = random.Random(f"{SEED} {spoil}")
        bench, model = Bench(dut, rng), Model()
        pages = rng.sample(range(NUMBERS - 1), FRAMES - 3)
        embed(bench, model, rng, pages)
        await bench.start()
        for _ in range(2):
            await bench.settle()
            assert state(dut) == (len(pages) + 1, NAME)
            for number in range(NUMBERS):
                at = one_in(rng, [number])
                assert await bench.command(at) == model.read(at)
                if number not in pages and number != RECORD:  # as a sweep of the tables does
                    await bench.command(at, 0)
            assert state(dut) == (len(pages) + 1, NAME)
            await reset(bench)
        if spoil == "forget":
            await bench.forget()
            await bench.settle()
            assert state(dut) == (0, 0)
            model = Model()
        else:
            chosen = pages if spoil == "a page" else set(range(NUMBERS - 1)) - set(pages)
            at = one_in(rng, sorted(chosen))
            await bench.command(at, 1)
            await bench.settle()
            model.write(at, 1, WHOLE)
            assert state(dut) == (len(model.pages), 0)
            for number in pages:
                at = one_in(rng, [number])
                assert await bench.command(at) == model.read(at)
        await reset(bench)
        await empty(bench, pages)
        bench.stop()
    bench = Bench(dut, rng)
    embed(bench, Model(), rng, pages, magic=b"mCPIpagE")
    await bench.start()
    await bench.settle()
    await empty(bench, pages)
