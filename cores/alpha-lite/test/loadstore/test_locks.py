# SPDX-License-Identifier: BSD-2-Clause
"""LDx_L and STx_C, RS and RC (sources/ev4.md 1.5): what keeps the flag, what takes it."""

import cocotb
import pytest

from mcpi.cocotb import core
from mcpi.cocotb.core import BLOCK, DATA, HALT, PAL, USER, Bench
from mcpi.hdl.cocotb_run import run_cocotb

REI = "br $20, 1f\n1: lda $20, 12($20)\nhw_mtpr $20, 0x24\nhw_rei\n"
PAL_REI = REI.replace("12(", "13(")  # bit 0: stays in PAL mode
HEAD = f"""
    ldah $30, {DATA >> 16}($31)
    lda $1, 5($31)
    stq $1, 0($30)
    lda $9, 77($31)
"""


def test_locks():
    run_cocotb(__file__, "AlphaLite")


@pytest.mark.long
def test_locks_in_large_blocks():
    run_cocotb(__file__, "AlphaLite", settings={"cache.block": "128B"})


@pytest.mark.long
def test_locks_in_small_blocks():
    run_cocotb(__file__, "AlphaLite", settings={"cache.block": "16B"})


async def run(dut, text: str, **options) -> Bench:
    return await core.run(dut, HEAD + text + "mb\n" + HALT, **options)


CASES = [  # what stands before the STQ_C of $9 to `at`($30); its result
    ("ldq_l $2, 0($30)", 0, 1),
    ("ldl_l $2, 4($30)", 0, 1),
    ("", 0, 0),
    ("ldq $2, 0($30)", 0, 0),
    ("ldq_l $31, 0($30)", 0, 0),  # a load to r31 does nothing
    ("ldq_l $2, 24($30)", 0, 1),  # the same 32 bytes
    ("ldq_l $2, 32($30)", 0, 0),
    ("ldq_l $2, 0($30)\nldq_l $2, 64($30)", 0, 0),  # the youngest counts
    ("ldq_l $2, 64($30)\nldq_l $2, 0($30)", 0, 1),
    ("ldq_l $2, 0($30)\nstq $1, 0($30)", 0, 1),  # its own stores take nothing
    ("ldq_l $2, 0($30)\nlda $3, 1($31)\nstq_c $3, 8($30)", 0, 0),  # STx_C clears the flag
    ("ldq_l $2, 0($30)\nlda $3, 1($31)\nstq_c $3, 64($30)", 0, 0),  # also one that fails
    ("ldq_l $2, 0($30)\n" + PAL_REI, 0, 0),
]


@cocotb.test()
async def pairs(dut):
    """Success stores and gives 1, failure gives 0 and leaves memory and bus alone."""
    for ideal in (0, 1):
        for before, at, good in CASES:
            b = await run(dut, f"{before}\nstq_c $9, {at}($30)\naddq $9, 0, $10\n", ideal=ideal)
            assert b.registers()[9] == b.registers()[10] == good, (before, ideal, b.registers())
            assert b.quad(DATA + at) == (77 if good else 5), (before, ideal)


@cocotb.test()
async def longwords(dut):
    """STL_C writes its longword only; the D-cache does not keep what it had."""
    b = await run(
        dut, "ldq $3, 0($30)\nldl_l $2, 4($30)\nstl_c $9, 4($30)\nldq $4, 0($30)\nldq $5, 8($30)\n"
    )
    assert b.quad(DATA) == 77 << 32 | 5 == b.registers()[4] and b.registers()[9] == 1


@cocotb.test()
async def results_stay_in_order(dut):
    """An older write of STx_C's register does not come behind the flag; r31 takes none."""
    for gap in range(6):
        filler = "addq $31, 0, $12\n" * gap
        b = await run(
            dut,
            f"addq $31, 9, $1\nstq_c $1, 0($30)\n{filler}addq $1, 0, $3\nldq_l $2, 0($30)\n"
            f"mulq $9, 2, $4\nstq_c $4, 0($30)\n{filler}addq $4, 3, $5\nstq_c $31, 8($30)\n"
            "addq $31, 3, $6\naddq $1, 0, $7\naddq $4, 0, $8\n",
        )
        r = b.registers()
        assert (r[1], r[3], r[7], r[4], r[8], r[5], r[6]) == (0, 0, 0, 1, 1, 4, 3), r
        assert b.quad(DATA) == 154


@cocotb.test()
async def traps_and_interrupts(dut):
    """A trap, an interrupt and CALL_PAL's HW_REI take the flag; nothing of the kind leaves it."""
    pair = "ldq_l $2, 0($30)\n{}\nstq_c $9, 0($30)\ncall_pal 0x3f\n"
    skip = "hw_mfpr $21, 0x24\naddq $21, 4, $21\nhw_mtpr $21, 0x24\nhw_rei\n"
    enter = f"ldah $1, {USER >> 16}($31)\nhw_mtpr $1, 0x24\nhw_rei\n"
    pal = f"br $31, start\n.org 0xe0\nhw_mtpr $31, 0x30\nhw_rei\n.org 0x11e0\n{skip}"
    pal += f".org 0x13e0\n{skip}.org 0x17e0\n{skip}.org 0x2d40\nhw_rei\n.org 0x2fc0\nmb\n{HALT}"
    pal += f".org 0x3f00\nstart: {HEAD}lda $5, 7($31)\nhw_mtpr $5, 0x30\n{enter}"
    slow = "lda $3, 20($31)\n1: subq $3, 1, $3\nbne $3, 1b"
    cases = [("nop", 0, 1), (".long 0x04000000", 0, 0), ("ldq $3, 1($30)", 0, 0)]
    cases += [(".long 0x8c230000", 0, 0), ("call_pal 0x35", 0, 0), (slow, 0, 1), (slow, 1, 0)]
    for between, interrupt, good in cases:
        b = Bench(dut)
        b.load(pal)
        b.load(pair.format(between), USER)
        await b.start()
        locked = lambda b: any(r.pc == USER for r in b.retired)  # noqa: E731
        await b.run(until=locked)
        dut.interrupts.value = interrupt
        await b.run()
        assert b.registers()[9] == good, (between, interrupt)
        assert bool([r for r in b.retired if r.trap == 0xE0]) == bool(interrupt)


@cocotb.test()
async def read_and_set(dut):
    """RS and RC give the flag as it was, then set and clear it; HW_REI clears it."""
    b = await run(dut, "rc $1\nrs $2\nrs $3\nrc $4\nrc $5\nrs $6\n" + PAL_REI + "rc $7\n")
    assert [b.registers()[n] for n in range(1, 8)] == [0, 0, 1, 1, 0, 0, 0]


@cocotb.test()
async def input_output(dut):
    """STx_C to I/O obeys the flag too."""
    for before, good in (("ldq_l $2, 0($8)", 1), ("ldq_l $2, 0($30)", 0), ("", 0)):
        text = f"lda $8, 1($31)\nsll $8, 33, $8\n{before}\nstq_c $9, 0($8)\n"
        b = await run(dut, text, setup=lambda b: b.io_values.update({1 << 33: 3}))
        writes = [x[2:] for x in b.io_log if x[1]]
        assert (b.registers()[9], writes) == (good, [(1 << 33, 77)] * good), (before, b.io_log)


async def with_dma(dut, text: str, at: int, block: int) -> Bench:
    """DMA writes 1000 to DATA when the bus is free, at least `at` clocks after LDQ_L has issued."""
    b = Bench(dut)
    b.load(text)
    await b.start()
    await b.run(
        until=lambda b: (
            b.ticks[-1:] and b.ticks[-1].owner == "issue" and b.ticks[-1].pc & ~3 == LOCK
        )
    )
    await b.steps(at)
    while b.bus is not None:
        await b.step()
    b.put(DATA, 1000)
    await b.step(invalidate=block)
    await b.run()
    return b


LOCK = PAL + 32  # where its LDQ_L is


@cocotb.test()
async def dma_takes_the_flag(dut):
    """Wherever DMA's write falls, the pair is before it or behind it, never around it."""
    text = HEAD + "mb\nldq $3, 0($30)\nbr $31, 1f\n.align 5\n1: ldq_l $2, 0($30)\naddq $2, 1, $2\n"
    text += "stq $9, 256($30)\nstq $9, 512($30)\nstq_c $2, 0($30)\nmb\n" + HALT
    seen = set()
    for at in range(100):
        b = await with_dma(dut, text, at, DATA)
        done = b.registers()[2]
        seen.add((done, b.quad(DATA)))
    assert seen == {(0, 1000), (1, 1000)}, seen
    other = {(await with_dma(dut, text, at, DATA + 4 * BLOCK)).registers()[2] for at in range(40)}
    assert other == {1}, "DMA elsewhere takes nothing"
