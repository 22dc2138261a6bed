# SPDX-License-Identifier: BSD-2-Clause
"""A backing memory of any latency: answers a BackingBus in clocks, reads in order."""

from collections import deque
from functools import cache

from cocotb.triggers import FallingEdge, RisingEdge


class Backing:
    """Drives ``<prefix>_cmd_ready`` and ``<prefix>_rsp``; ``blocks`` holds bytes by block address.

    ``latency()`` gives the clocks from command to answer (at least 1), ``stall()`` whether a
    command has to wait another clock; without it nothing runs between commands. ``blank(address)``
    gives a block that nobody has written.
    """

    def __init__(
        self,
        dut,
        clock,
        block_bytes,
        latency=lambda: 1,
        stall=None,
        prefix="backing",
        blank=lambda address: address | 0xABCD << 64,
    ):
        self.blank = blank
        self.clock, self.block_bytes = clock, block_bytes
        self.latency, self.stall = latency, stall
        self.blocks: dict[int, int] = {}
        self.commands = 0
        self._pin = cache(lambda signal: getattr(dut, f"{prefix}_{signal}"))
        for signal in ("cmd_ready", "rsp_valid", "rsp_payload"):
            self._pin(signal).value = 0

    def read(self, address: int) -> int:
        """The block at ``address``."""
        return self.blocks[address] if address in self.blocks else self.blank(address)

    def write(self, address: int, data: int, mask: int) -> None:
        old = self.read(address)
        for i in range(self.block_bytes):
            if mask >> i & 1:
                old = old & ~(0xFF << 8 * i) | data & 0xFF << 8 * i
        self.blocks[address] = old

    def place(self, address: int, data: bytes) -> None:
        """Bytes of any number at any address, past the bus."""
        size = self.block_bytes
        for at in range(address // size * size, address + len(data), size):
            block = bytearray(self.read(at).to_bytes(size, "little"))
            for n in range(max(at, address), min(at + size, address + len(data))):
                block[n - at] = data[n - address]
            self.blocks[at] = int.from_bytes(block, "little")

    def _wanted(self, block: int, mask: int) -> int:
        """``block``, and rubbish in the place of bytes that the mask does not want."""
        keep = sum(0xFF << 8 * i for i in range(self.block_bytes) if mask >> i & 1)
        whole = (1 << 8 * self.block_bytes) - 1
        return block & keep | ~block & ~keep & whole

    async def run(self):
        answers: deque[tuple[int, int]] = deque()
        clock = 0
        while True:
            await FallingEdge(self.clock)
            self._pin("cmd_ready").value = 0 if self.stall and self.stall() else 1
            idle = not answers and self.stall is None
            if answers and answers[0][0] <= clock:
                self._pin("rsp_valid").value = 1
                self._pin("rsp_payload").value = answers.popleft()[1]
            else:
                self._pin("rsp_valid").value = 0
            if idle and not int(self._pin("cmd_valid").value):
                await RisingEdge(self._pin("cmd_valid"))
                if int(self.clock.value):  # its falling edge is still to come
                    continue
            await RisingEdge(self.clock)
            clock += 1
            if not (int(self._pin("cmd_valid").value) and int(self._pin("cmd_ready").value)):
                continue
            self.commands += 1
            address = int(self._pin("cmd_payload_address").value)
            if int(self._pin("cmd_payload_write").value):
                data = int(self._pin("cmd_payload_data").value)
                self.write(address, data, int(self._pin("cmd_payload_mask").value))
            else:
                due = clock + self.latency() - 1
                mask = int(self._pin("cmd_payload_mask").value)
                answers.append((due, self._wanted(self.read(address), mask)))
