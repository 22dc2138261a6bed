# SPDX-License-Identifier: BSD-2-Clause
"""The LANCE on a PMAD-AA option: memory on the card, identity mapping (sources/lance.md 3.2)."""

import cocotb
from cocotb.triggers import RisingEdge

from mcpi.cocotb.lance import NIBBLE, TIMES, Bench, fcs, timed
from mcpi.hdl.cocotb_run import run_cocotb

SLOT0, SPARSE, CYCLE = 0x1_0000_0000, 0x1000_0000, 7
RDP, RAP, STATION, HEADER = 0x100000, 0x100004, 0x1C0000, 0x3C03E0
RX_RING, TX_RING, RX_BUFFER, TX_BUFFER = 0x20, 0x40, 0x1003, 0x2001  # buffers at odd addresses
MAC = bytes.fromhex("08002b010203")


def test_pmad():
    run_cocotb(__file__, "LanceOnTc", settings={"lance.wiring": "pmad"})


class Card(Bench):
    """``put`` and ``get`` are the core's: bytes of the card's memory, by aligned longwords."""

    async def read(self, offset: int) -> int:
        data, error, _ = await self.access(SLOT0 + SPARSE + 2 * offset, False)
        assert not error, f"read of {offset:x} timed out"
        return data & 0xFFFFFFFF

    async def write(self, offset: int, data: int, mask: int = 15) -> None:
        at = SLOT0 + SPARSE + 2 * offset
        _, error, _ = await self.access(at, True, mask << 32 | data, quad=True)
        assert not error, f"write of {offset:x} timed out"

    async def csr(self, number: int) -> int:
        await self.write(RAP, number)
        return await self.read(RDP) & 0xFFFF

    async def set_csr(self, number: int, value: int) -> None:
        await self.write(RAP, number)
        await self.write(RDP, value)

    async def put(self, at: int, data: bytes) -> None:
        for i in range(at & ~3, at + len(data), 4):
            mask, word = 0, 0
            for b in range(4):
                if 0 <= i + b - at < len(data):
                    mask |= 1 << b
                    word |= data[i + b - at] << 8 * b
            await self.write(i, word, mask)

    async def get(self, at: int, size: int) -> bytes:
        first = at & ~3
        words = [await self.read(i) for i in range(first, at + size, 4)]
        return b"".join(w.to_bytes(4, "little") for w in words)[at - first :][:size]

    async def words(self, at: int, *values: int) -> None:
        await self.put(at, b"".join(v.to_bytes(2, "little") for v in values))

    async def bring_up(self, rx_buffer: int = RX_BUFFER, swap: int = 0) -> None:
        """Start the chip with one buffer each way, promiscuous; ``swap``: BSWP."""
        mac = [int.from_bytes(MAC[i : i + 2], "little") for i in (0, 2, 4)]
        await self.words(0, 0x8000, *mac, 0, 0, 0, 0, RX_RING, 0, TX_RING, 0)
        await self.words(RX_RING, rx_buffer, 0x8000, 0xF000 | 0x1000 - 1536, 0xEEEE)
        await self.words(TX_RING, TX_BUFFER, 0, 0xF000, 0)
        for number, value in ((0, 4), (1, 0), (2, 0), (3, 4 * swap)):
            await self.set_csr(number, value)
        await self.set_csr(0, 0x0041)
        for _ in range(1000):
            if await self.read(RDP) & 0x0100:
                break
        await self.write(RDP, 0x0142)
        assert await self.read(RDP) & 0xFFFF == 0x0073


async def started(dut, **options) -> Card:
    card = Card(dut)
    await card.start(**options)
    return card


@timed
async def test_s43_option_and_station_rom(dut):
    """Header at 3C03E0, byte 0 of each longword; station address in byte 2 (sources/lance.md 4)."""
    card = await started(dut)
    assert [await card.read(HEADER + 4 * i) for i in range(8)] == [1, 4, 1, 1, 0x55, 0, 0xAA, 0xFF]
    names = [bytes([await card.read(HEADER + at + 4 * i) for i in range(8)]) for at in (0x40, 0x60)]
    assert names == [b"DEC     ", b"PMAD-AA "]
    rom = [await card.read(STATION + 4 * i) for i in range(32)]
    assert all(x & ~0xFF0000 == 0 for x in rom), "the other bytes read zero"
    rom = [x >> 16 for x in rom]
    assert bytes(rom[:6]) == MAC and rom[8:16] == rom[7::-1]
    assert rom[24:] == [0xFF, 0, 0x55, 0xAA] * 2


@timed
async def test_card_memory_by_programmed_io(dut):
    """128 KB, every byte of a longword by itself, by sparse longwords and a dense quadword."""
    card = await started(dut)
    places = [4 * card.random.randrange(0x8000) for _ in range(20)] + [0, 0x1FFFC]
    shadow = {at: card.random.getrandbits(32) for at in places}
    for at, value in shadow.items():
        await card.write(at, value)
    for at in list(shadow)[:8]:
        mask, value = card.random.randrange(1, 15), card.random.getrandbits(32)
        await card.write(at, value, mask)
        keep = sum(0xFF << 8 * b for b in range(4) if not mask >> b & 1)
        shadow[at] = shadow[at] & keep | value & ~keep & 0xFFFFFFFF
    assert {at: await card.read(at) for at in shadow} == shadow
    at = next(iter(shadow)) & ~7
    quad, _, _ = await card.access(SLOT0 + at, False, quad=True)  # dense: two bus reads
    assert quad == await card.read(at) | await card.read(at + 4) << 32


@timed
async def test_wait_states_of_memory_and_roms(dut):
    """Memory read 9 and write 6 cycles, station ROM 13 (sources/lance.md 3.2); registers 3."""
    card = await started(dut)

    async def cycles(offset: int, write: bool) -> int:
        while card.now % CYCLE:
            await card.ticks(1)
        *_, ticks = await card.access(SLOT0 + SPARSE + 2 * offset, write)
        return ticks

    least = await cycles(RAP, False)
    for offset, write, wanted in ((0x40, False, 9), (0x40, True, 6), (STATION, False, 13)):
        assert await cycles(offset, write) - least == CYCLE * (wanted - 3), (offset, write)


@timed
async def test_frames_both_ways_without_dma_on_the_turbochannel(dut):
    """Buffers at odd addresses; bytes beside a received frame stay; word 3 is the length."""
    card = await started(dut)
    await card.bring_up()
    frame = card.random.randbytes(77)
    await card.put(TX_BUFFER, frame)
    await card.words(TX_RING, TX_BUFFER, 0x0300, 0xF000 | 0x1000 - len(frame), 0xEEEE)
    await card.words(TX_RING + 2, 0x8300)
    await card.write(RDP, 0x0048)
    await card.wait_line(1)
    assert [data for *_, data in card.sent] == [frame + fcs(frame)]
    length = (0xF000 | 0x1000 - 77).to_bytes(2, "little")
    assert await card.get(TX_RING + 2, 4) == bytes.fromhex("0003") + length
    await card.write(RDP, 0x0240)

    fill = card.random.randbytes(200)
    await card.put(RX_BUFFER - 32, fill)
    incoming = card.random.randbytes(90)
    await card.send(incoming)
    await card.wait_line(1)
    assert await card.csr(0) & 0x0400
    assert await card.get(RX_BUFFER, 94) == incoming + fcs(incoming)
    assert await card.get(RX_BUFFER - 32, 32) == fill[:32]
    assert await card.get(RX_BUFFER + 94, 64) == fill[126:190], "not a byte beyond the frame"
    assert await card.get(RX_RING + 2, 2) == bytes.fromhex("0003")
    assert int.from_bytes(await card.get(RX_RING + 6, 2), "little") == 94
    assert not card.dma_log, "no DMA on the TURBOchannel"


@timed
async def test_every_start_and_end_of_a_buffer_in_both_byte_orders(dut):
    """Byte i of a frame at address a goes to a + i; with BSWP to (a + i) ^ 1: a longword's halves
    swap, its bytes are all there, and none beside them changes."""
    for swap in (0, 1):
        card = await started(dut)
        for start in range(4):
            for size in (64, 65, 66, 67):
                buffer = 0x1000 + start + 16 * card.random.randrange(2)
                await card.bring_up(buffer, swap)
                first = buffer - buffer % 4 - 4
                fill = card.random.randbytes(80)
                await card.put(first, fill)
                frame = card.random.randbytes(size - 4)
                await card.send(frame)
                await card.wait_line(1)
                wanted = bytearray(fill)
                for i, byte in enumerate(frame + fcs(frame)):
                    wanted[(buffer + i ^ swap) - first] = byte
                assert await card.get(first, 80) == bytes(wanted), (swap, start, size)


@timed
async def test_strt_while_the_last_nibble_of_a_stopped_frame_is_on_the_wire(dut):
    """STOP in a frame and STRT at once, on a chip without times: the next frame is sent, wherever
    in that nibble STRT comes. (No memory is so fast that it is ready before the nibble is over.)"""
    card = await started(dut, poll_phase=1, **{name: 0 for name in TIMES if name != "poll"})
    await card.bring_up()
    for delay in range(0, 70, 5):
        await card.words(TX_RING + 4, 0xF000 | 0x1000 - 1500, 0)
        await card.words(TX_RING + 2, 0x8300)
        await card.write(RDP, 0x0048)
        await RisingEdge(dut.io_events_firstBit)
        await card.words(TX_RING + 4, 0xF000 | 0x1000 - 1)
        await card.ticks(20 * NIBBLE + delay)
        await card.write(RDP, 0x0004)
        await card.write(RDP, 0x0042)
        await card.ticks(6000)  # the gap after the frame that was cut, and the next one
        assert await card.read(RDP) & 0x0200, delay
        await card.write(RDP, 0x0240)


@timed
async def test_programmed_io_while_the_chip_uses_the_memory(dut):
    """The core reads and writes the card's memory all through a frame each way: none is spoilt."""
    card = await started(dut, **dict.fromkeys(("word", "gap", "arbitration"), 0))
    await card.bring_up()
    frame, incoming = card.random.randbytes(300), card.random.randbytes(300)
    await card.put(TX_BUFFER, frame)
    await card.words(TX_RING, TX_BUFFER, 0x8300, 0xF000 | 0x1000 - len(frame), 0)
    await card.write(RDP, 0x0048)
    sending = cocotb.start_soon(card.send(incoming))
    shadow = {}
    while not sending.done():
        at = 0x10000 + 4 * card.random.randrange(64)
        if at in shadow and card.random.random() < 0.5:
            assert await card.read(at) == shadow[at]
        else:
            shadow[at] = card.random.getrandbits(32)
            await card.write(at, shadow[at])
    await card.ticks(10000)
    assert [data for *_, data in card.sent] == [frame + fcs(frame)]
    assert await card.get(RX_BUFFER, 304) == incoming + fcs(incoming)
