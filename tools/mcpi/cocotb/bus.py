# SPDX-License-Identifier: BSD-2-Clause
"""Around a TURBOchannel with its cards, for cocotb: the core's uncached accesses (IoBus) and memory
behind the DMA bus. The pins are those of ``TcHost``, ``TcScratchOnTc`` and ``LanceOnTc``."""

from cocotb.triggers import FallingEdge, RisingEdge
from cocotb.utils import get_sim_time

PERIOD = 10  # ns of simulator time for one clock


class Started:
    """A bench that ``start`` resets."""

    @classmethod
    async def started(cls, dut, *words, **more):
        bench = cls(dut, *words, **more)
        await bench.start()
        return bench


class CoreAndMemory(Started):
    """A bench derives from it, sets ``io_tick``, and starts ``serve_memory``."""

    def __init__(self, dut, memory_bytes: int):
        self.dut = dut
        self.memory = bytearray(memory_bytes)
        self.dma_log: list[tuple[int, int, bool, int]] = []  # tick, address, write, mask
        self.dma_latency = 10  # ticks, as a b-cache access
        self.dma_stalled = False
        self.dma_error = False

    @property
    def now(self) -> int:
        return round(get_sim_time("ns") / PERIOD)

    async def ticks(self, n: int) -> None:
        for _ in range(n):
            await RisingEdge(self.dut.clk)

    async def access(self, address: int, write: bool, data: int = 0, quad: bool = False):
        """Perform an access of the core. Return (data, error, ticks from command to response)."""
        d = self.dut
        d.io_io_cmd_valid.value = 1
        d.io_io_cmd_payload_address.value = address
        d.io_io_cmd_payload_write.value = int(write)
        d.io_io_cmd_payload_quad.value = int(quad)
        d.io_io_cmd_payload_data.value = data
        while True:
            await FallingEdge(d.clk)
            fires = d.io_io_cmd_ready.value == 1
            await RisingEdge(d.clk)
            if fires:
                break
        start = self.now
        d.io_io_cmd_valid.value = 0
        await RisingEdge(d.io_io_rsp_valid)
        result = int(d.io_io_rsp_payload_data.value), bool(d.io_io_rsp_payload_error.value)
        await RisingEdge(d.clk)
        return *result, self.now - start

    async def serve_memory(self) -> None:
        """Answers reads and writes of 16 bytes, for ever."""
        d = self.dut
        d.io_dma_cmd_ready.value = 1
        d.io_dma_rsp_valid.value = 0
        while True:
            await RisingEdge(d.io_dma_cmd_valid)
            while True:  # ready is low while stalled
                await FallingEdge(d.clk)
                d.io_dma_cmd_ready.value = 0 if self.dma_stalled else 1
                if not self.dma_stalled:
                    break
            address = int(d.io_dma_cmd_payload_address.value)
            write = d.io_dma_cmd_payload_write.value == 1
            data = int(d.io_dma_cmd_payload_data.value).to_bytes(16, "little")
            mask = int(d.io_dma_cmd_payload_mask.value)
            assert address % 16 == 0, "pieces are aligned"
            self.dma_log.append((self.now, address, write, mask))
            await RisingEdge(d.clk)
            if self.dma_latency > 1:
                await self.ticks(self.dma_latency - 1)
            at = address % len(self.memory)
            if write:
                for i in range(16):
                    if mask >> i & 1:
                        self.memory[at + i] = data[i]
            d.io_dma_rsp_payload_data.value = int.from_bytes(self.memory[at : at + 16], "little")
            d.io_dma_rsp_payload_error.value = int(self.dma_error)
            d.io_dma_rsp_valid.value = 1
            await RisingEdge(d.clk)
            d.io_dma_rsp_valid.value = 0
