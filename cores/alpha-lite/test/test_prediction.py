# SPDX-License-Identifier: BSD-2-Clause
"""ev4 mode, in ticks and owners: history bits, return stack, hints (docs/core.md, Prediction).

Every program runs in PAL mode at PAL; branches stand at known offsets (`.org`), and what is
checked is what happened between each issue of a branch and the next issue.
"""

import random
import re
from collections import Counter

import cocotb
from core_bench import BLOCK, HALT, PAL, Bench

from mcpi.testing import run_cocotb

DATA = 0x20000
ICCSR = 0x22
BPE, JSE, BHE = 1 << 36, 1 << 37, 1 << 38
ALL = BPE | JSE | BHE
FETCHING = {"iDemand", "iStream", "refillRestart"}


def test_prediction():
    run_cocotb(__file__, "AlphaLite")


def iccsr(bits: int) -> str:
    """Instructions that write ICCSR, and enough behind them for it to act."""
    return f"lda $1, {bits >> 36}($31)\nsll $1, 36, $1\nhw_mtpr $1, {ICCSR}\n" + NOP * 3


NOP = "bis $31, $31, $31\n"


async def run(dut, source: str, stutter=None, setup=None, **switches) -> Bench:
    b = Bench(dut, stutter=stutter)
    # What `.org` skips is filled with no-operations, since some programs run through it.
    b.load(re.sub(r"\.org (\w+)", rf".rept (\1 - (. - _start)) / 4\n{NOP}.endr", source + HALT))
    if setup:
        setup(b)
    await b.start(**{"ev4": 1} | switches)
    await b.run(8000)
    b.check_owners()
    return b


def after(b: Bench, offset: int) -> list[tuple[int, Counter]]:
    """For each issue at PAL + ``offset``: offset of the next issue, owners of the ticks between."""
    found = []
    issues = [n for n, t in enumerate(b.ticks) if t.owner == "issue"]
    for x, y in zip(issues, issues[1:]):
        if b.ticks[x].pc & ~3 == PAL + offset:
            to = (b.ticks[y].pc & ~3) - PAL
            found.append((to, Counter(t.owner for t in b.ticks[x + 1 : y])))
    return found


def costs(b: Bench, offset: int) -> list[Counter]:
    """Owners behind each issue at ``offset``, without those of a fetch that missed."""
    return [
        Counter({k: v for k, v in owners.items() if k not in FETCHING})
        for _, owners in after(b, offset)
    ]


def bubble(ticks: int = 1) -> Counter:
    return Counter(takenBubble=ticks)


def wrong(ticks: int = 4) -> Counter:
    return Counter(mispredict=ticks)


def expected(outcomes, backward: bool, bits: int = ALL, near: int = 1, far: int = 4) -> list:
    """What a conditional branch costs each time: a model of facts/ev4.md 2.1 in six lines."""
    history, found = backward, []
    for taken in outcomes:
        guess = bool(bits & BPE) and (history if bits & BHE else backward)
        found.append(wrong(far) if guess != taken else bubble(near) if taken else Counter())
        history = taken
    return found


PATTERN = f"""
    ldah $30, {DATA >> 16}($31)
    ldq $1, 0($30)
    ldq $2, 8($30)
    ldq $3, 16($30)
    lda $29, 64($31)
    br $31, loop
    .org 0x80
back: br $31, behind
    .org 0xa0
loop: blbs $1, over
    {NOP}
over: blbs $2, far
    .org 0xac
    blbs $3, back
behind: srl $1, 1, $1
    srl $2, 1, $2
    srl $3, 1, $3
    subq $29, 1, $29
    bne $29, loop
    br $31, end
    .org 0x200
far: br $31, behind
end:
"""


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

        def setup(b, first=first, second=second, third=third):
            for n, value in enumerate((first, second, third)):
                b.put(DATA + 8 * n, value)

        b = await run(dut, start, setup=setup, predictedPenalty=near, mispredictPenalty=far)
        outcomes = [[word >> n & 1 == 1 for n in range(64)] for word in (first, second, third)]
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
    return f".long {0x39 << 26 | ra << 21 | (target - pc - 4) // 4 & 0x1FFFFF:#x}\n"


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


def calls(depth: int) -> str:
    """Subroutines that call each other ``depth`` deep, three times; level n at 0x200 + 0x40 n."""
    text = "lda $29, 3($31)\n.org 0x100\nloop: bsr $20, level0\nsubq $29, 1, $29\nbne $29, loop\n"
    text += "br $31, end\n"
    for n in range(depth):
        text += f".org {0x200 + 0x40 * n}\nlevel{n}: {NOP}"
        if n < depth - 1:
            text += f"bsr ${21 + n}, level{n + 1}\n"
        text += f".org {0x210 + 0x40 * n}\nret $31, (${20 + n})\n"
    return text + f".org {0x200 + 0x40 * depth}\nend:\n"


@cocotb.test()
async def return_stack(dut):
    """Four levels return with the bubble; of a fifth, the outermost is wrong; JSE turns it off."""
    for depth in (1, 4, 5, 6):
        b = await run(dut, calls(depth))
        for n in range(depth):
            want = bubble() if n >= depth - 4 else wrong()
            assert costs(b, 0x210 + 0x40 * n) == [want] * 3, (depth, n)
            assert [to for to, _ in after(b, 0x210 + 0x40 * n)] == [
                0x208 + 0x40 * (n - 1) if n else 0x104
            ] * 3
    b = await run(dut, iccsr(BPE | BHE) + calls(2))
    assert costs(b, 0x210) == costs(b, 0x250) == [wrong()] * 3
    # Switched on again in the loop, the stack has nothing: JSE off pushes nothing.
    source = iccsr(0) + "bsr $26, 1f\n1:" + iccsr(ALL) + "br $27, 2f\n2: lda $27, 16($27)\n"
    source += ".org 0x80\nbr $27, 3f\n3: lda $27, 12($27)\nret $31, ($27)\n" + NOP * 3
    b = await run(dut, source)
    assert costs(b, 0x88) == [wrong()], costs(b, 0x88)


@cocotb.test()
async def jump_hints(dut):
    """JMP and JSR: the bubble if the hint is right; JSR pushes, JMP neither pushes nor pops."""
    source = f"""
    br $27, 1f
1:  lda $27, sub - 1b($27)
    lda $25, part - sub($27)
    lda $24, end - sub($27)
    .org 0x100
    jsr $26, ($27), sub
    jsr $26, ($27), end
    jmp $31, ($24), end
    .org 0x140
sub: {NOP} jmp $31, ($25), part
    .org 0x180
part: {NOP} ret $31, ($26)
    .org 0x1c0
end:
"""
    b = await run(dut, source)
    assert [costs(b, n) for n in (0x100, 0x104, 0x108)] == [[bubble()], [wrong()], [bubble()]]
    assert costs(b, 0x144) == [bubble()] * 2
    assert costs(b, 0x184) == [bubble()] * 2
    assert [to for to, _ in after(b, 0x184)] == [0x104, 0x108]
    b = await run(dut, iccsr(BPE | BHE) + source)
    for offset in (0x100, 0x104, 0x108, 0x144, 0x184):
        assert set(map(str, costs(b, offset))) == {str(wrong())}, hex(offset)


@cocotb.test()
async def return_elsewhere(dut):
    """A RET that goes elsewhere is wrong, and has popped; an unwritten stack predicts nothing."""
    source = f"""
    br $27, 1f
1:  lda $27, 0x40 - 4($27)
    {NOP} ret $31, ($27)
    .org 0x40
    bsr $26, outer
    br $31, end
    .org 0x80
outer: {NOP} bsr $25, inner
    {NOP} ret $31, ($26)
    .org 0xc0
inner: lda $25, 4($25)
    {NOP} ret $31, ($25)
    .org 0x100
end:
"""
    b = await run(dut, source)
    assert costs(b, 0x0C) == [wrong()], "nothing was pushed yet"
    assert costs(b, 0xC8) == [wrong()] and after(b, 0xC8)[0][0] == 0x8C
    assert costs(b, 0x8C) == [bubble()] and after(b, 0x8C)[0][0] == 0x44


@cocotb.test()
async def coroutines(dut):
    """JSR_COROUTINE takes the top and leaves its own return there: each switch is foreseen."""
    b = await run(
        dut,
        f"""
    bsr $20, main
    br $31, end
    .org 0x40
main: bsr $26, other
    {NOP}
    jsr_coroutine $26, ($26)
    {NOP}
    jsr_coroutine $26, ($26)
    {NOP}
    ret $31, ($20)
    .org 0x80
other: {NOP}
    jsr_coroutine $26, ($26)
    {NOP}
    jsr_coroutine $26, ($26)
    {NOP}
    ret $31, ($26)
    .org 0xc0
end:
""",
    )
    assert costs(b, 0x84) == costs(b, 0x48) == costs(b, 0x8C) == costs(b, 0x50) == [bubble()]
    assert costs(b, 0x94) == [bubble()] and costs(b, 0x58) == [bubble()]
    assert [to for to, _ in after(b, 0x58)] == [4]


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

    def setup(b):
        b.put(DATA + 8, 1)

    for near in (1, 2, 3, 4, 7):
        b = await run(dut, source, setup=setup, predictedPenalty=near)
        assert costs(b, 0x40)[1:] == [Counter(loadUse=2)] * 2
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

    def setup(b):
        b.put(DATA + 8, 1)

    for prefetch in (0, 1):
        b = await run(dut, source, setup=setup, prefetch=prefetch)
        assert costs(b, 0x104) == [wrong()]
        assert (PAL + 0x80) not in {a for _, kind, a in b.transactions if kind == "fetch"}
        want = Counter(takenBubble=1, refillRestart=3, iDemand=10)
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
    assert after(b, 0x208) == [(0x40, Counter(iDemand=10, refillRestart=3))], after(b, 0x208)


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

    def setup(b):
        for n, bits in enumerate(rounds):
            b.put(DATA + 8 * n, bits)

    b = await run(dut, source, setup=setup)
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


@cocotb.test()
async def forgets_by_reset(dut):
    """What an earlier run left in the stack predicts nothing: the same run twice is the same."""
    pushes = "lda $29, 6($31)\n.org 0x40\nloop: bsr $26, 1f\n1: subq $29, 1, $29\nbne $29, loop\n"
    returns = "br $27, 1f\n1: lda $27, 0x40($27)\n.org 0x20\nret $31, ($27)\n.org 0x44\n"
    for program in (returns, pushes, returns):
        b = await run(dut, program)
    assert costs(b, 0x20) == [wrong()] and after(b, 0x20)[0][0] == 0x44


@cocotb.test()
async def same_in_any_memory(dut):
    """Ideal memory and a stuttering clock: the same instructions, and the same branch ticks."""

    def setup(b):
        rng = random.Random(11)
        for n in range(3):
            b.put(DATA + 8 * n, rng.getrandbits(64) & (~0 if n < 2 else 0))

    plain = await run(dut, PATTERN, setup=setup)
    ideal = await run(dut, PATTERN, setup=setup, ideal=1)
    halting = await run(dut, PATTERN, setup=setup, stutter=random.Random(5))
    assert [t.owner for t in halting.ticks] == [t.owner for t in plain.ticks]
    assert halting.transactions == plain.transactions
    assert [(r.pc, r.value) for r in ideal.retired] == [(r.pc, r.value) for r in plain.retired]
    assert not FETCHING & set(ideal.owners()), ideal.owners()
    for owner in ("takenBubble", "mispredict", "issue"):
        assert ideal.owners()[owner] == plain.owners()[owner], owner
