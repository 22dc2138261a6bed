# SPDX-License-Identifier: BSD-2-Clause
"""ev4 mode, in ticks and owners: bubbles, misses, PAL calls, ICCSR (core.md, Prediction)."""

import random
from collections import Counter

import cocotb
from core_support.prediction_bench import (
    ALL,
    BPE,
    DATA,
    FETCHING,
    ICCSR,
    JSE,
    NOP,
    PATTERN,
    after,
    bubble,
    costs,
    iccsr,
    run,
    wrong,
)

from mcpi.cocotb.core import BLOCK, PAL
from mcpi.hdl.cocotb_run import run_cocotb


def test_prediction():
    run_cocotb(__file__, "AlphaLite")


@cocotb.test()
async def unconditional(dut):
    """BR and BSR: the bubble, whatever ICCSR says; nothing in paper mode is predicted."""
    source = """
    lda $29, 4($31)
    .org 0x80
loop: br $31, over
    .org 0xa0
over: bsr $26, sub
    subq $29, 1, $29
    bne $29, loop
    br $31, end
    .org 0xc4
sub: br $31, loop + 0x24
end:
"""
    for bits in (ALL, 0, JSE, BPE):
        for near in range(1, 8):
            b = await run(dut, iccsr(bits) + source, predictedPenalty=near)
            for offset in (0x80, 0xA0, 0xC4):
                assert costs(b, offset) == [bubble(near)] * 4, (offset, costs(b, offset))
    b = await run(dut, source, ev4=0)
    assert costs(b, 0x80) == [bubble(4)] * 4
    assert b.owners()["mispredict"] == b.events["mispredict"] == 0


@cocotb.test()
async def waiting_branch(dut):
    """A branch that waits in D is followed meanwhile: the bubble hides behind its wait."""
    source = f"""
    ldah $30, {DATA >> 16}($31)
    lda $29, 3($31)
    .org 0x40
loop: ldq $1, 0($30)
    beq $1, over
    .org 0x60
over: ldq $1, 8($30)
    beq $1, loop
    subq $29, 1, $29
    bne $29, loop
"""
    for near in (1, 2, 3, 4, 7):
        b = await run(dut, source, data=[0, 1], predictedPenalty=near)
        assert costs(b, 0x40)[1:] == [Counter(load_use=2)] * 2
        rest = bubble(near - 2) if near > 2 else Counter()
        assert costs(b, 0x44) == [wrong(), rest, rest], (near, costs(b, 0x44))
        # Wrong by its sign the first time only, and then not taken.
        assert costs(b, 0x64) == [wrong(), Counter(), Counter()]


@cocotb.test()
async def only_the_path_is_fetched(dut):
    """A wrongly predicted target is never demanded, a right one costs bubble, miss and restart."""
    source = f"""
    ldah $30, {DATA >> 16}($31)
    br $31, start
    .org 0x80
never: {NOP}
    .org 0x100
start: {NOP}
    bne $31, never
    {NOP}
    ldq $1, 0($30)
    ldq $1, 0($30)
    bne $1, never
    {NOP}
    br $31, behind
    .org 0x180
behind: ldq $1, 8($30)
    br $31, 1f
1:  blbs $1, past
    .org 0x1c0
past:
"""
    for prefetch in (0, 1):
        b = await run(dut, source, data=[0, 1], prefetch=prefetch)
        assert costs(b, 0x104) == [wrong()]
        assert (PAL + 0x80) not in {a for _, kind, a in b.transactions if kind == "fetch"}
        want = Counter(taken_bubble=1, refill_restart=3, i_demand=10)
        got = after(b, 0x11C)[0][1]
        assert got == want, got
    blocks = [a for _, kind, a in b.transactions if kind == "fetch"]
    path = {r.pc & -BLOCK for r in b.retired}
    assert set(blocks) <= path, (set(map(hex, blocks)), set(map(hex, path)))


@cocotb.test()
async def waits_and_misses(dut):
    """A waiting branch whose target is not there: no bubble, and the miss begins at its issue."""
    source = f"""
    ldah $30, {DATA >> 16}($31)
    ldq $1, 0($30)
    mulq $31, $1, $1
    beq $31, 1f
1:  br $31, start
    .org 0x40
past: br $31, end
    .org 0x200
start: {NOP}
    mull $31, 3, $1
    beq $1, past
    .org 0x240
end:
"""
    b = await run(dut, source, prefetch=0)
    assert after(b, 0x204)[-1][1] == Counter(multiply=20), after(b, 0x204)
    assert after(b, 0x208) == [(0x40, Counter(i_demand=10, refill_restart=3))], after(b, 0x208)


@cocotb.test()
async def pal_entry(dut):
    """CALL_PAL, HW_REI: takenPenalty or mispredictPenalty, of exception; not a mispredict."""
    source = f"""
    lda $29, 3($31)
    ldah $1, {PAL >> 16}($31)
    lda $1, 0x100($1)
    hw_mtpr $1, 0x24
    hw_rei
    .org 0x100
loop: call_pal 0x35
    subq $29, 1, $29
    bne $29, loop
    call_pal 0x3f
    .org {0x2000 + 0x40 * 0x35}
    hw_rei
    .org {0x2000 + 0x40 * 0x3F}
"""
    for ev4 in (0, 1):
        for ticks in range(3, 8):
            switches = {"mispredictPenalty" if ev4 else "takenPenalty": ticks}
            b = await run(dut, source, ev4=ev4, **switches)
            assert costs(b, 0x100) == costs(b, 0x2D40) == [Counter(exception=ticks)] * 3
            assert b.events["mispredict"] == ev4  # the loop's end


@cocotb.test()
async def control_register(dut):
    """ICCSR has BPE, JSE and BHE set at reset; a write acts from the third instruction on."""
    b = await run(dut, f"hw_mfpr $3, {ICCSR}\n")
    assert b.registers()[3] == ALL
    rounds = [1, 1, 0, 1, 1]  # what ICCSR is written with: all its bits, or none
    for between in range(4):
        b = await run(
            dut,
            f"""
    lda $3, {ALL >> 36}($31)
    sll $3, 36, $3
    lda $2, {sum(on << n for n, on in enumerate(rounds))}($31)
    lda $29, {len(rounds)}($31)
    .org 0x40
loop: and $2, 1, $4
    srl $2, 1, $2
    subq $31, $4, $4
    and $4, $3, $4
    .org {0x7C - 4 * between}
    hw_mtpr $4, {ICCSR}
    {NOP * between}
    beq $31, over
    .org 0xa0
over: subq $29, 1, $29
    bne $29, loop
""",
        )
        # Its bit says taken from the first round on, while bits are looked at.
        acting = rounds if between >= 2 else [1, *rounds[:-1]]
        want = [wrong()] + [bubble() if on else wrong() for on in acting[1:]]
        assert costs(b, 0x80) == want, (between, costs(b, 0x80))


@cocotb.test()
async def control_under_a_waiting_branch(dut):
    """ICCSR changes while a branch waits in D: it stays as it was predicted, and is put right."""
    source = f"""
    br $31, start
    .org 0x40
back: {NOP} br $31, back
    .org 0x80
start: mull $31, 3, $5
    hw_mtpr $31, {ICCSR}
    bne $5, back
    {NOP}
"""
    b = await run(dut, source)
    assert after(b, 0x84)[0][1]["multiply"] > 10
    assert after(b, 0x88) == [(0x8C, wrong())], after(b, 0x88)


@cocotb.test()
async def same_in_any_memory(dut):
    """Ideal memory and a stuttering clock: the same instructions, and the same branch ticks."""
    rng = random.Random(11)
    data = [rng.getrandbits(64), rng.getrandbits(64), 0]
    plain = await run(dut, PATTERN, data=data)
    ideal = await run(dut, PATTERN, data=data, ideal=1)
    halting = await run(dut, PATTERN, data=data, stutter=random.Random(5))
    assert [t.owner for t in halting.ticks] == [t.owner for t in plain.ticks]
    assert halting.transactions == plain.transactions
    assert [(r.pc, r.value) for r in ideal.retired] == [(r.pc, r.value) for r in plain.retired]
    assert not FETCHING & set(ideal.owners()), ideal.owners()
    for owner in ("taken_bubble", "mispredict", "issue"):
        assert ideal.owners()[owner] == plain.owners()[owner], owner
