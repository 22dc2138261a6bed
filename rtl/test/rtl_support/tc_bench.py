# SPDX-License-Identifier: BSD-2-Clause
"""Around a TcHost with slots 6 and 7: the core, memory, and options made of Python."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge, Timer

from mcpi.cocotb.bus import PERIOD, CoreAndMemory

CYCLE = 7  # ticks


def timed(function):
    return cocotb.test(timeout_time=2, timeout_unit="ms")(function)


class Option:
    """The option side of one slot. Every method counts in TURBOchannel cycles."""

    def __init__(self, bench, index: int):
        self.bench = bench
        self.index = index
        self.accesses: list[tuple] = []  # address, mask, write, data
        self.wait_states = 0
        self.conflict_once = False
        self.registers: dict[int, int] = {}
        self.grants: list[int] = []  # ticks of DMA acknowledgements

    def pin(self, name: str):
        return getattr(self.bench.dut, f"io_slots_{self.index}_{name}")

    async def cycle(self) -> None:
        """To the edge that ends a cycle; what is driven next belongs to the following one."""
        if self.pin("cycle").value != 1:
            await RisingEdge(self.pin("cycle"))
        await FallingEdge(self.bench.dut.clk)
        self.seen = {
            n: int(self.pin(n).value) for n in ("sel", "write", "ack", "err", "adHost", "reset")
        }
        await RisingEdge(self.bench.dut.clk)
        await Timer(1, unit="ns")

    async def serve(self) -> None:
        """Answers programmed I/O from ``registers`` for ever."""
        while True:
            await self.cycle()
            if not self.seen["sel"]:
                continue
            beat = self.seen["adHost"]
            address, mask = beat >> 5 << 2, beat & 15
            if self.conflict_once:
                self.conflict_once = False
                self.accesses.append((address, mask, "conflict", None))
                self.pin("conflict").value = 1
                await self.cycle()
                self.pin("conflict").value = 0
                continue
            for _ in range(1 + self.wait_states):
                await self.cycle()
            write, data = bool(self.seen["write"]), self.seen["adHost"]
            self.accesses.append((address, mask, write, data if write else None))
            self.pin("adOption").value = self.registers.get(address, 0)
            self.pin("rdy").value = 1
            await self.cycle()
            self.pin("rdy").value = 0

    async def dma(self, address: int, words: list[int] | int) -> list[int] | None:
        """A write burst of ``words``, or a read burst of that many; None after an error."""
        read = isinstance(words, int)
        request = self.pin("rReq" if read else "wReq")
        request.value = 1
        while True:
            await self.cycle()
            if self.seen["ack"]:
                break
        self.grants.append(self.bench.now)
        self.pin("adOption").value = (address >> 2 & 0x7FFFFFF) << 5 | address >> 29
        await self.cycle()
        if not read:
            for word in words:
                self.pin("adOption").value = word
                await self.cycle()
                if self.seen["err"]:
                    request.value = 0
                    return None
            request.value = 0
            await self.cycle()
            return None if self.seen["err"] else []
        got: list[int] = []
        while len(got) < words:
            await self.cycle()
            if self.seen["err"]:
                request.value = 0
                return None
            if self.seen["ack"]:
                got.append(self.seen["adHost"])
        request.value = 0
        await self.cycle()  # low for one cycle is enough
        return got


class TcBench(CoreAndMemory):
    def __init__(self, dut, seed: int = 1, options: int = 2):
        super().__init__(dut, 0x10000)
        self.random = random.Random(seed)
        self.options = [Option(self, n) for n in range(options)]

    @property
    def pieces(self) -> list[tuple[int, bool, int]]:
        """Address, write and mask of DMA's pieces."""
        return [log[1:] for log in self.dma_log]

    async def start(self) -> None:
        d = self.dut
        for signal in (
            "io_io_cmd_valid",
            "io_dma_rsp_valid",
            "io_dma_rsp_payload_error",
            "io_faultTaken",
        ):
            getattr(d, signal).value = 0
        for option in self.options:
            for pin in ("rdy", "conflict", "rReq", "wReq", "int", "adOption"):
                option.pin(pin).value = 0
        d.io_tick.value = 1
        d.reset.value = 1
        cocotb.start_soon(Clock(d.clk, PERIOD, unit="ns").start())
        await self.ticks(3)
        d.reset.value = 0
        cocotb.start_soon(self.serve_memory())
        await self.ticks(70)
        for option in self.options:
            cocotb.start_soon(option.serve())
