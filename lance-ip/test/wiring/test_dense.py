# SPDX-License-Identifier: BSD-2-Clause
"""The LANCE in host RAM without gaps: lance.md, Where the chip sees memory."""

from mcpi.cocotb.lance import POINTER, RDP, SIMR, SSR, Bench, fcs, timed
from mcpi.cocotb.lance_driver import ENP, OWN, STP
from mcpi.hdl.cocotb_run import run_cocotb

BASE = 0x1FE0000  # bits 23:17 of it and of a chip address carry
RX_RING, TX_RING, RX_BUFFER, TX_BUFFER = 0x030020, 0x020040, 0x051003, 0x062001
MAC = bytes.fromhex("08002b010203")


def test_dense():
    run_cocotb(__file__, "LanceOnTc", settings={"lance.wiring": "dense"})


class Dense(Bench):
    """Chip addresses in memory; the bench keeps some bits of an address, ``dma_log`` all."""

    def byte_at(self, a: int) -> int:
        return (BASE + a) % len(self.memory)

    def put(self, a: int, data: bytes) -> None:
        self.set_buffer(a, data)

    def get(self, a: int, size: int) -> bytes:
        return self.buffer(a, size)

    def words(self, a: int, *values: int) -> None:
        self.put(a, b"".join(v.to_bytes(2, "little") for v in values))

    def descriptor(self, a: int, buffer: int, size: int, flags: int) -> None:
        self.words(a, buffer & 0xFFFF, buffer >> 16 | flags, 0x10000 - size, 0xEEEE)

    async def bring_up(self, rx_buffer: int = RX_BUFFER, swap: int = 0) -> None:
        """Start the chip with one buffer each way, promiscuous; ``swap``: BSWP."""
        mac = [int.from_bytes(MAC[i : i + 2], "little") for i in (0, 2, 4)]
        rings = [RX_RING & 0xFFFF, RX_RING >> 16, TX_RING & 0xFFFF, TX_RING >> 16]
        self.words(0, 0x8000, *mac, 0, 0, 0, 0, *rings)
        self.descriptor(RX_RING, rx_buffer, 1536, OWN)
        self.descriptor(TX_RING, TX_BUFFER, 4096, 0)
        await self.write(POINTER, BASE << 3)
        await self.write(SSR, 1 << 16 | 1 << 8)
        await self.write(SIMR, 1 << 8)
        for number, value in ((0, 4), (1, 0), (2, 0), (3, 4 * swap)):
            await self.set_csr(number, value)
        await self.set_csr(0, 0x0041)
        await self.wait_csr0(0x0100)
        await self.write(RDP, 0x0142)
        assert await self.read(RDP) == 0x0073
        self.dma_log.clear()

    def pieces(self, a: int, size: int) -> list[tuple[int, int]]:
        """The 16-byte pieces of a write, each with the bytes that are meant."""
        first = BASE + a
        masks: dict[int, int] = {}
        for at in range(first, first + size):
            masks[at & ~15] = masks.get(at & ~15, 0) | 1 << (at & 15)
        return sorted(masks.items())

    def written(self) -> list[tuple[int, int]]:
        return [(at, mask) for _, at, write, mask in self.dma_log if write]


@timed
async def test_a_frame_out_of_a_buffer_anywhere(dut):
    """A buffer at an odd address beyond 64 KB, and a descriptor there, whose flags alone change."""
    card = await Dense.started(dut)
    await card.bring_up()
    frame = card.random.randbytes(77)
    card.put(TX_BUFFER, frame)
    card.descriptor(TX_RING, TX_BUFFER, len(frame), OWN | STP | ENP)
    await card.write(RDP, 0x0048)
    await card.wait_line(1)
    assert [data for *_, data in card.sent] == [frame + fcs(frame)]
    read = [at for _, at, write, _ in card.dma_log if not write]
    rings = {at - at % 16 for at in (BASE + RX_RING, BASE + TX_RING)}
    assert [at for at in read if at not in rings] == [at for at, _ in card.pieces(TX_BUFFER, 77)]
    assert card.written() == card.pieces(TX_RING + 2, 2)
    assert card.get(TX_RING, 4) == bytes.fromhex("01200603"), "the buffer's high byte stays"


@timed
async def test_a_frame_into_a_buffer_anywhere(dut):
    """The bytes beside a frame stay, and the halves of a longword beside a descriptor's word."""
    card = await Dense.started(dut)
    await card.bring_up()
    fill = card.random.randbytes(200)
    card.put(RX_BUFFER - 32, fill)
    frame = card.random.randbytes(90)
    await card.send(frame)
    await card.wait_line(1)
    assert card.get(RX_BUFFER, 94) == frame + fcs(frame)
    assert card.get(RX_BUFFER - 32, 32) == fill[:32]
    assert card.get(RX_BUFFER + 94, 64) == fill[126:190], "not a byte beyond the frame"
    status = card.pieces(RX_RING + 6, 2) + card.pieces(RX_RING + 2, 2)
    assert card.written() == card.pieces(RX_BUFFER, 94) + status
    descriptor = [0x1003, 0x0305, 0x10000 - 1536, 94]
    assert card.get(RX_RING, 8) == b"".join(v.to_bytes(2, "little") for v in descriptor)


@timed
async def test_every_start_and_end_of_a_buffer_in_both_byte_orders(dut):
    """Byte i of a frame at address a goes to a + i; with BSWP to (a + i) ^ 1."""
    for swap in (0, 1):
        card = await Dense.started(dut)
        for start in range(4):
            for size in (64, 65, 66, 67):
                buffer = 0x1000 + start + 16 * card.random.randrange(2)
                await card.bring_up(buffer, swap)
                first = buffer - buffer % 4 - 4
                fill = card.random.randbytes(80)
                card.put(first, fill)
                frame = card.random.randbytes(size - 4)
                await card.send(frame)
                await card.wait_line(1)
                wanted = bytearray(fill)
                for i, byte in enumerate(frame + fcs(frame)):
                    wanted[(buffer + i ^ swap) - first] = byte
                assert card.get(first, 80) == bytes(wanted), (swap, start, size)
                assert await card.csr(0) & 0x0400


@timed
async def test_the_last_byte_of_sixteen_megabytes(dut):
    """Chip address FFFFFF is the last; a base beyond 16 MB is added to all 24 bits."""
    card = await Dense.started(dut)
    buffer = 0x1000000 - 96
    await card.bring_up(buffer)
    frame = card.random.randbytes(92)
    await card.send(frame)
    await card.wait_line(1)
    assert card.written()[:6] == [(BASE + 0xFFFFA0 + 16 * i, 0xFFFF) for i in range(6)]
    assert card.get(buffer, 96) == frame + fcs(frame)
