# SPDX-License-Identifier: BSD-2-Clause
"""Register traces of Linux and NetBSD (sources/lance.md 3.1), and rings in the shared window."""

from mcpi.cocotb.lance import POINTER, SIMR, SSR, WINDOW, Bench

OWN, ERR, STP, ENP = 0x8000, 0x4000, 0x0200, 0x0100
BUFFER = 1536
STATION = bytes.fromhex("08002b010203")


class Driver:
    """Linux's layout by default: 16 + 16 entries, RDRA 20 hex, TDRA A0 hex, 1536-byte buffers."""

    def __init__(self, bench: Bench, rx_log: int = 4, tx_log: int = 4, buffer: int = BUFFER):
        self.b = bench
        self.rx_log, self.tx_log, self.buffer = rx_log, tx_log, buffer
        self.rx, self.tx = 1 << rx_log, 1 << tx_log
        self.rdra = 0x20
        self.tdra = self.rdra + 8 * self.rx
        self.buffers = (self.tdra + 8 * self.tx + 15) & ~15
        self.next_tx = self.next_rx = 0
        self.station = STATION

    def rx_descriptor(self, i: int) -> int:
        return self.rdra + 8 * (i % self.rx)

    def tx_descriptor(self, i: int) -> int:
        return self.tdra + 8 * (i % self.tx)

    def rx_buffer(self, i: int) -> int:
        return self.buffers + self.buffer * (i % self.rx)

    def tx_buffer(self, i: int) -> int:
        return self.buffers + self.buffer * (self.rx + i % self.tx)

    def write_init_block(self, mode: int = 0, ladrf: int = 0) -> None:
        words = [mode]
        words += [int.from_bytes(self.station[i : i + 2], "little") for i in (0, 2, 4)]
        words += [ladrf >> s & 0xFFFF for s in (0, 16, 32, 48)]
        words += [self.rdra, self.rx_log << 13, self.tdra, self.tx_log << 13]
        for i, word in enumerate(words):
            self.b.set_word(2 * i, word)
        for i in range(self.rx):
            self.give_rx(i)
        for i in range(self.tx):
            for j in range(4):
                self.b.set_word(self.tx_descriptor(i) + 2 * j, 0)

    def give_rx(self, i: int, size: int | None = None, own: bool = True) -> None:
        """Receive descriptor i to the chip."""
        d = self.rx_descriptor(i)
        self.b.set_word(d, self.rx_buffer(i) & 0xFFFF)
        self.b.set_word(d + 4, 0x10000 - (size or self.buffer))
        self.b.set_word(d + 6, 0)
        self.b.set_word(d + 2, OWN if own else 0)

    def give_tx(self, i: int, data: bytes, flags: int = STP | ENP, tmd3: int = 0x5555) -> None:
        """Transmit descriptor i to the chip; the word of errors gets a pattern."""
        d = self.tx_descriptor(i)
        self.b.set_buffer(self.tx_buffer(i), data)
        self.b.set_word(d, self.tx_buffer(i) & 0xFFFF)
        self.b.set_word(d + 4, 0x10000 - len(data))
        self.b.set_word(d + 6, tmd3)
        self.b.set_word(d + 2, OWN | flags)

    async def attach(self) -> None:
        """IOASIC: DMA pointer, LANCE out of reset, DMA and interrupt on."""
        await self.b.write(POINTER, WINDOW << 3)
        await self.b.write(SSR, 1 << 16 | 1 << 8)
        await self.b.write(SIMR, 1 << 8)

    async def linux_open(self, mode: int = 0, ladrf: int = 0) -> None:
        b = self.b
        self.write_init_block(mode, ladrf)
        await b.set_csr(0, 0x0004)
        await b.set_csr(1, 0)
        await b.set_csr(2, 0)
        await b.set_csr(3, 0)
        await b.select(0)
        await b.write(0xC0000, 0x0001)
        await b.wait_csr0(0x0100, us=1000)
        for value in (0x0100, 0x0002, 0x0040):
            await b.write(0xC0000, value)

    async def demand(self) -> int:
        """0048 as both drivers write it; returns the tick of hand-over."""
        handover = self.b.now
        await self.b.write(0xC0000, 0x0048)
        return handover


async def running(
    dut,
    mode: int = 0,
    ladrf: int = 0,
    rx_log=4,
    tx_log=4,
    buffer=BUFFER,
    station: bytes = STATION,
    **start,
):
    """A bench with the chip brought up as Linux does: CSR0 reads 0073 (unless MODE says else)."""
    bench = Bench(dut)
    await bench.start(**start)
    driver = Driver(bench, rx_log, tx_log, buffer)
    driver.station = station
    await driver.attach()
    await driver.linux_open(mode, ladrf)
    return bench, driver
