# SPDX-License-Identifier: BSD-2-Clause
"""TURBOchannel host: programmed I/O, DMA, arbitration, the rules of sources/lance.md 4."""

import cocotb
from rtl_support.tc_bench import CYCLE, TcBench, timed

from mcpi.hdl.cocotb_run import run_cocotb

SLOT6, SLOT7, SPARSE = 0x1_C000_0000, 0x1_E000_0000, 0x1000_0000


def test_turbochannel():
    run_cocotb(__file__, "TcHost")


@timed
async def test_beats_of_programmed_io(dut):
    bench = await TcBench.started(dut)
    seven = bench.options[1]
    cases = [  # address, quad, data, what the option sees
        (SLOT7 + 0x40, False, 0x11223344, [(0x40, 15, 0x11223344)]),
        (SLOT7 + 0x44, False, 0x55667788, [(0x44, 15, 0x55667788)]),
        (SLOT7 + 0x48, True, 0xAABBCCDD_11223344, [(0x48, 15, 0x11223344), (0x4C, 15, 0xAABBCCDD)]),
        (SLOT7 + SPARSE + 0x80, False, 0x1234, [(0x40, 15, 0x1234)]),
        (SLOT7 + SPARSE + 0x88, False, 0x1234, [(0x44, 15, 0x1234)]),
        (SLOT7 + SPARSE + 0x88, True, 0x6_89ABCDEF, [(0x44, 6, 0x89ABCDEF)]),
        (SLOT7 + SPARSE + 0xFFF_FFF8, False, 1, [(0x7FF_FFFC, 15, 1)]),
        (SLOT7 + 0xFFF_FFFC, False, 2, [(0xFFF_FFFC, 15, 2)]),
    ]
    for address, quad, data, seen in cases:
        seven.accesses.clear()
        _, error, _ = await bench.access(address, True, data, quad)
        assert not error
        assert seven.accesses == [(a, m, True, v) for a, m, v in seen]
    assert not bench.options[0].accesses


@timed
async def test_reads(dut):
    """A dense load always makes two bus reads, a sparse one makes one."""
    bench = await TcBench.started(dut)
    six = bench.options[0]
    six.registers = {0x10: 0x01020304, 0x14: 0x85868788}
    cases = [
        (SLOT6 + 0x10, False, 0x01020304, 2),
        (SLOT6 + 0x14, False, 0x85868788, 2),
        (SLOT6 + 0x10, True, 0x85868788_01020304, 2),
        (SLOT6 + SPARSE + 0x20, False, 0x01020304, 1),
        (SLOT6 + SPARSE + 0x28, False, 0x85868788, 1),
        (SLOT6 + SPARSE + 0x28, True, 0x85868788, 1),
    ]
    for address, quad, wanted, count in cases:
        six.accesses.clear()
        data, error, _ = await bench.access(address, False, quad=quad)
        assert (data, error) == (wanted, False), hex(data)
        assert len(six.accesses) == count


@timed
async def test_wait_states_cost_cycles(dut):
    """Address, data, answer: three cycles and the grid; each wait state is one cycle more."""
    bench = await TcBench.started(dut)
    times = []
    for states in range(5):
        bench.options[1].wait_states = states
        while bench.now % CYCLE:
            await bench.ticks(1)
        *_, ticks = await bench.access(SLOT7 + SPARSE, False)
        times.append(ticks)
    assert [b - a for a, b in zip(times, times[1:])] == [CYCLE] * 4, times
    assert 3 * CYCLE <= times[0] <= 4 * CYCLE + 2, times


@timed
async def test_timeout_and_empty_slot(dut):
    bench = await TcBench.started(dut)
    bench.options[1].wait_states = 600
    for address in (SLOT7 + SPARSE, 0x1_0000_0000, 0x1_A000_0008):
        _, error, ticks = await bench.access(address, True, 1)
        assert error
        assert abs(ticks - 512 * CYCLE) <= 2 * CYCLE, ticks


@timed
async def test_last_cycle_before_the_timeout(dut):
    bench = await TcBench.started(dut)
    bench.options[1].wait_states = 505
    _, error, _ = await bench.access(SLOT7 + SPARSE, True, 1)
    assert not error


@timed
async def test_conflict(dut):
    """The option wants its DMA first: the access is tried again after the burst."""
    bench = await TcBench.started(dut)
    seven = bench.options[1]
    seven.conflict_once = True
    seven.registers = {0x20: 77}
    task = cocotb.start_soon(bench.access(SLOT7 + SPARSE + 0x40, False))
    while not seven.accesses:
        await bench.ticks(1)
    assert await seven.dma(0x100, [1, 2, 3, 4]) == []
    result = await task
    assert result[:2] == (77, False)
    assert [a[2] for a in seven.accesses] == ["conflict", False]
    assert bench.pieces == [(0x100, True, 0xFFFF)]


@timed
async def test_a_conflict_gives_way_to_one_burst(dut):
    """Then the access goes, although the next request is up already: it does not wait for ever."""
    bench = await TcBench.started(dut)
    six, seven = bench.options
    seven.conflict_once = True
    seven.registers = {0x20: 77}

    async def bursts():
        for n in range(20):
            await six.dma(0x100 + 16 * n, 4)

    task = cocotb.start_soon(bench.access(SLOT7 + SPARSE + 0x40, False))
    while not seven.accesses:
        await bench.ticks(1)
    cocotb.start_soon(bursts())
    result = await task
    assert result[:2] == (77, False)
    assert len(six.grants) == 1, "one burst went ahead"


@timed
async def test_dma_writes(dut):
    bench = await TcBench.started(dut)
    six = bench.options[0]
    for start, count in ((0, 1), (0x24, 3), (0x3C, 2), (0x104, 9), (0x800, 128), (0x200C, 125)):
        words = [bench.random.getrandbits(32) for _ in range(count)]
        shadow = bytearray(bench.memory)
        shadow[start : start + 4 * count] = b"".join(w.to_bytes(4, "little") for w in words)
        bench.dma_log.clear()
        assert await six.dma(start, words) == []
        await bench.ticks(CYCLE * 140)
        assert bench.memory == shadow, (start, count)
        first, last = start // 16, (start + 4 * count - 1) // 16
        assert [p[0] for p in bench.pieces] == [16 * i for i in range(first, last + 1)]


@timed
async def test_dma_reads(dut):
    bench = await TcBench.started(dut)
    bench.memory[:] = bench.random.randbytes(len(bench.memory))
    seven = bench.options[1]
    for start, count in ((0, 1), (0x24, 3), (0x3C, 2), (0x104, 9), (0x800, 128), (0x7F0, 4)):
        bench.dma_log.clear()
        words = await seven.dma(start, count)
        assert b"".join(w.to_bytes(4, "little") for w in words) == bytes(
            bench.memory[start : start + 4 * count]
        )
        first, last = start // 16, (start + 4 * count - 1) // 16
        assert [p[0] for p in bench.pieces] == [16 * i for i in range(first, last + 1)], (
            "no piece that nobody asked for"
        )


@timed
async def test_dma_reads_one_after_another(dut):
    """A request that was low for a single cycle is a new one, wherever the last burst ended."""
    bench = await TcBench.started(dut)
    bench.memory[:] = bench.random.randbytes(len(bench.memory))
    seven = bench.options[1]
    for start in range(0, 0x80, 4):
        (word,) = await seven.dma(start, 1)
        assert word == int.from_bytes(bench.memory[start : start + 4], "little")
    assert [p[0] for p in bench.pieces] == [a & ~15 for a in range(0, 0x80, 4)]


@timed
async def test_dma_address_has_34_bits(dut):
    bench = await TcBench.started(dut)
    await bench.options[0].dma(0x2_4000_0010, [5])
    await bench.ticks(50)
    assert bench.pieces == [(0x2_4000_0010, True, 0x000F)]


@timed
async def test_bursts_that_are_too_long(dut):
    """Over 128 longwords, or across 2 KB: err, and the bus is free again."""
    bench = await TcBench.started(dut)
    six = bench.options[0]
    assert await six.dma(0x7FC, [1, 2, 3]) is None
    await bench.ticks(100)
    assert await six.dma(0x7F8, 4) is None
    await bench.ticks(100)
    assert await six.dma(0x1000, list(range(130))) is None
    await bench.ticks(1000)
    assert await six.dma(0x1000, 130) is None
    await bench.ticks(100)
    assert await six.dma(0x40, [9]) == []
    await bench.ticks(100)
    assert bench.memory[0x40] == 9


@timed
async def test_memory_errors(dut):
    bench = await TcBench.started(dut)
    bench.dma_error = True
    assert await bench.options[0].dma(0, 4) is None
    six = bench.options[0]
    await six.dma(0, [1])
    for _ in range(10):
        await six.cycle()
        if six.seen["err"]:
            break
    assert six.seen["err"], "a write's error comes when the burst is over"


@timed
async def test_round_robin(dut):
    """Both options always want: they take turns, and the core is not starved."""
    bench = await TcBench.started(dut)

    async def greedy(option, base):
        for i in range(10):
            await option.dma(base + 16 * i, [i] * 4)

    tasks = [cocotb.start_soon(greedy(o, 0x100 * (1 + o.index))) for o in bench.options]
    await tasks[0]
    await tasks[1]
    order = sorted((t, o.index) for o in bench.options for t in o.grants)
    turns = [index for _, index in order]
    assert turns[:16] in ([0, 1] * 8, [1, 0] * 8), turns


@timed
async def test_interrupt_comes_after_the_data(dut):
    """A level that rises behind a posted write reaches the core when memory has the data."""
    bench = await TcBench.started(dut)
    bench.dma_latency = 300
    seven = bench.options[1]
    await seven.dma(0x40, [0xAB])
    seven.pin("int").value = 1
    while dut.io_interrupts.value != 2:
        await bench.ticks(1)
    assert bench.memory[0x40] == 0xAB
    seven.pin("int").value = 0
    await bench.ticks(2 * CYCLE)
    assert dut.io_interrupts.value == 0


@timed
async def test_access_is_answered_after_the_data(dut):
    """Polling a status register never overtakes the write it announces."""
    bench = await TcBench.started(dut)
    bench.dma_latency = 300
    await bench.options[1].dma(0x40, [0xCD])
    await bench.access(SLOT7 + SPARSE, False)
    assert bench.memory[0x40] == 0xCD
