# SPDX-License-Identifier: BSD-2-Clause
"""The example option, two of it on one TURBOchannel: registers, ROM, DMA, interrupts, errors."""

from rtl_support.scratch_bench import (
    CONTROL,
    FAILED,
    INTERRUPT,
    INTO,
    OUT_OF,
    ROM,
    SLOTS,
    ScratchBench,
)
from rtl_support.tc_bench import timed

from mcpi.hdl.cocotb_run import run_cocotb


def test_scratch():
    run_cocotb(__file__, "TcScratchOnTc")


@timed
async def test_registers_of_two_cards_are_their_own(dut):
    bench = await ScratchBench.started(dut)
    values = {(card, 4 * i): bench.random.getrandbits(32) for card in (0, 1) for i in range(4)}
    for (card, offset), value in values.items():
        await bench.write(card, offset, value)
    for (card, offset), value in values.items():
        assert await bench.read(card, offset) == value, (card, offset)


@timed
async def test_a_byte_mask_writes_only_its_bytes(dut):
    """A sparse quadword carries the mask in bits 35:32 (sources/lance.md 4)."""
    bench = await ScratchBench.started(dut)
    await bench.write(0, 4, 0x11223344)
    await bench.access(SLOTS[0] + 0x1000_0008, True, 0x6_AABBCCDD, quad=True)
    assert await bench.read(0, 4) == 0x11BBCC44


@timed
async def test_option_rom_header(dut):
    """Width, stride, sizes, test bytes 55 00 AA FF, names (NetBSD tcreg.h; sources/lance.md 4)."""
    bench = await ScratchBench.started(dut)
    header = [await bench.read(1, ROM + 4 * i) for i in range(8)]
    assert header == [1, 4, 1, 1, 0x55, 0x00, 0xAA, 0xFF]
    texts = [bytes([await bench.read(1, at + 4 * i) for i in range(8)]) for at in (0x420, 0x440)]
    assert texts == [b"mCPI    ", b"SCRATCH "]


@timed
async def test_dma_into_memory_and_back(dut):
    """Every number of longwords; nothing beside them is touched; the interrupt is the card's."""
    bench = await ScratchBench.started(dut)
    bench.memory[:] = bench.random.randbytes(len(bench.memory))
    for count in (1, 2, 3, 4):
        words = [bench.random.getrandbits(32) for _ in range(4)]
        for i, word in enumerate(words):
            await bench.write(0, 4 * i, word)
        shadow = bytearray(bench.memory)
        at = 0x1234 + 64 * count
        shadow[at : at + 4 * count] = b"".join(w.to_bytes(4, "little") for w in words[:count])
        await bench.burst(0, at, count, INTO)
        assert await bench.over(0) == count - 1
        assert bench.memory == shadow, count
        assert dut.io_interrupts.value == 1, "slot 0's line, and not slot 7's"
        await bench.write(0, INTERRUPT, 0)
        await bench.ticks(20)
        assert dut.io_interrupts.value == 0

        await bench.burst(1, at, count, OUT_OF)
        assert await bench.over(1) == count - 1
        got = [await bench.read(1, 4 * i) for i in range(count)]
        assert got == words[:count]
        assert dut.io_interrupts.value == 2
        await bench.write(1, INTERRUPT, 0)


@timed
async def test_memory_that_fails_is_told_by_err(dut):
    bench = await ScratchBench.started(dut)
    bench.dma_error = True
    await bench.burst(0, 0x2000, 2, OUT_OF)
    assert await bench.over(0) & FAILED
    assert dut.io_fault_memory.value == 1 and dut.io_fault_slot.value == 0
    assert dut.io_fault_timeout.value == 0


@timed
async def test_a_burst_across_2_kb_is_told_by_err_and_by_its_cause(dut):
    """sources/lance.md 4: not crossing 2 KB. The first longword was written, the second was not."""
    bench = await ScratchBench.started(dut)
    before = bytes(bench.memory[0x800:0x804])
    await bench.write(1, 0, 0x01020304)
    await bench.write(1, 4, 0x05060708)
    await bench.burst(1, 0x7FC, 2, INTO)
    assert await bench.over(1) & FAILED
    assert bench.memory[0x7FC:0x800] == bytes.fromhex("04030201")
    assert bench.memory[0x800:0x804] == before
    assert dut.io_fault_crossed.value == 1 and dut.io_fault_slot.value == 7
    assert dut.io_fault_address.value == 0x800


@timed
async def test_the_first_fault_stays_until_it_is_taken(dut):
    """Cause, slot and address of an access that nobody answers, and not those of the next one."""
    bench = await ScratchBench.started(dut)
    for address in (0x1_4000_0008, 0x1_6000_0010):
        *_, error, _ = await bench.access(address, False)
        assert error
    assert dut.io_fault_timeout.value == 1 and dut.io_fault_slot.value == 2
    assert dut.io_fault_address.value == 0x1_4000_0008
    dut.io_faultTaken.value = 1
    await bench.ticks(2)
    dut.io_faultTaken.value = 0
    assert dut.io_fault_timeout.value == 0
    assert not await bench.read(0, CONTROL) & FAILED
