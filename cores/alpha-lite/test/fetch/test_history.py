# SPDX-License-Identifier: BSD-2-Clause
"""ev4 mode: conditional branches by sign and history bit (docs/explanation/core.md, Prediction)."""

import random

import cocotb
from core_support.prediction_bench import (
    ALL,
    BHE,
    BPE,
    DATA,
    ICCSR,
    JSE,
    NOP,
    PATTERN,
    bubble,
    costs,
    expected,
    iccsr,
    run,
    wrong,
)

from mcpi.cocotb.core import PAL
from mcpi.hdl.cocotb_run import run_cocotb
from mcpi.isa import encode


def test_history():
    run_cocotb(__file__, "AlphaLite")


@cocotb.test()
async def history_bits(dut):
    """Three branches of one block, 64 random outcomes each: every tick as the bits say."""
    rng = random.Random(3)
    for bits, near, far in (
        (ALL, 1, 4),
        (ALL, 1, 3),
        (ALL, 3, 7),
        (BPE, 1, 4),
        (BHE, 1, 4),
        (JSE, 2, 5),
    ):
        first, second = (rng.getrandbits(64) for _ in range(2))
        third = rng.getrandbits(64) & ~second  # reached only when the second is not taken
        start = PATTERN if bits == ALL else iccsr(bits) + PATTERN
        words = (first, second, third)
        b = await run(dut, start, data=words, predictedPenalty=near, mispredictPenalty=far)
        outcomes = [[word >> n & 1 == 1 for n in range(64)] for word in words]
        reached = [n for n in range(64) if not outcomes[1][n]]
        outcomes[2] = [outcomes[2][n] for n in reached]
        total = 0
        for offset, backward, taken in (
            (0xA0, False, outcomes[0]),
            (0xA8, False, outcomes[1]),
            (0xAC, True, outcomes[2]),
        ):
            got, want = costs(b, offset), expected(taken, backward, bits, near, far)
            assert got == want, (hex(offset), hex(bits), taken, got, want)
            total += sum(w["mispredict"] > 0 for w in want)
        loop = expected([True] * 63 + [False], True, bits, near, far)
        assert costs(b, 0xC0) == loop, costs(b, 0xC0)
        total += sum(w["mispredict"] > 0 for w in loop)
        assert b.events["mispredict"] == total


@cocotb.test()
async def refilled_history(dut):
    """A block that comes again has its signs again; a forward branch is then wrong every time."""
    body = """
    lda $29, 5($31)
    .org 0x40
loop: beq $31, over
    .org 0x60
over: subq $29, 1, $29
    {}
    .org 0x70
    bne $29, loop
    br $31, end
    .org 0x2048
other: ret $31, ($26)
    .org 0x2060
end:
"""
    b = await run(dut, body.format(NOP))
    assert costs(b, 0x40) == [wrong()] + [bubble()] * 4, costs(b, 0x40)
    # 0x2048 is another block of the same place in an I-cache of 8 KB.
    b = await run(dut, body.format("bsr $26, other"))
    assert costs(b, 0x40) == [wrong()] * 5, costs(b, 0x40)
    assert costs(b, 0x70) == [bubble()] * 4 + [wrong()]


def far_branch(ra: int, pc: int, target: int) -> str:
    """BEQ over a distance that the assembler knows nothing of."""
    return f".long {encode.branch('beq', ra, pc, target):#x}\n"


@cocotb.test()
async def far_apart(dut):
    """Displacements of 21 bits: 2.5 MB forward, predicted by its sign, and back."""
    there = PAL + 0x280020
    source = f"lda $29, 3($31)\n.org 0x40\nloop: {far_branch(31, PAL + 0x40, there)}"
    source += "subq $29, 1, $29\nbne $29, loop\n"

    def load(b):
        b.load(far_branch(31, there, PAL + 0x44), there)

    b = await run(dut, source, setup=load)
    assert costs(b, 0x40) == [wrong(), bubble(), bubble()], costs(b, 0x40)
    assert costs(b, 0x280020) == [bubble()] * 3, costs(b, 0x280020)


@cocotb.test()
async def tight_loop(dut):
    """A loop of two run again and again: its first round is wrong, with 3 ticks too."""
    source = f"""
    lda $29, 4($31)
    .org 0x40
again: lda $2, 6($31)
    .org 0x60
loop: subq $2, 1, $2
    bne $2, loop
    subq $29, 1, $29
    bne $29, again
    {NOP}
"""
    outcomes = [True] * 5 + [False]
    for far in (3, 4, 6):
        b = await run(dut, source, mispredictPenalty=far)
        assert costs(b, 0x64) == expected(outcomes * 4, True, far=far), costs(b, 0x64)


@cocotb.test()
async def bits_rest_while_signs_predict(dut):
    """Without BHE a wrong sign turns no bit: with BHE again, the bit is what the fill left."""
    rounds = [BPE, ALL, ALL]
    source = f"""
    ldah $30, {DATA >> 16}($31)
    lda $29, {len(rounds)}($31)
    .org 0x40
loop: ldq $1, 0($30)
    lda $30, 8($30)
    hw_mtpr $1, {ICCSR}
    {NOP * 3}
    .org 0x60
    beq $31, over
    .org 0x80
over: subq $29, 1, $29
    bne $29, loop
"""
    b = await run(dut, source, data=rounds)
    assert costs(b, 0x60) == [wrong(), wrong(), bubble()], costs(b, 0x60)


@cocotb.test()
async def learns_while_time_stands(dut):
    """Ideal memory fetches behind a branch that is in E1: its bit is turned all the same."""
    source = """
    lda $29, 4($31)
    .org 0x5c
loop: beq $31, over
    .org 0x80
over: subq $29, 1, $29
    bne $29, loop
"""
    for ideal in (0, 1):
        b = await run(dut, source, ideal=ideal)
        assert costs(b, 0x5C) == [wrong()] + [bubble()] * 3, (ideal, costs(b, 0x5C))
