# SPDX-License-Identifier: BSD-2-Clause
"""ev4 mode: return stack and hints (docs/explanation/core.md, Prediction)."""

import cocotb
from core_support.prediction_bench import (
    ALL,
    BHE,
    BPE,
    NOP,
    after,
    bubble,
    costs,
    iccsr,
    run,
    wrong,
)

from mcpi.hdl.cocotb_run import run_cocotb


def test_jumps():
    run_cocotb(__file__, "AlphaLite")


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
async def killed_behind_a_branch(dut):
    """A call or a return that leaves D in the tick its branch proves wrong leaves no trace."""
    for shadow in ("bsr $26, end", "ret $31, ($20)", "jsr_coroutine $26, ($20)"):
        b = await run(
            dut,
            f"""
    bsr $20, main
    br $31, end
    .org 0x40
main: {NOP}
    beq $31, over
    {shadow}
    .org 0x60
over: {NOP}
    ret $31, ($20)
    .org 0x80
end:
""",
        )
        assert costs(b, 0x44) == [wrong()], shadow
        assert costs(b, 0x64) == [bubble()], shadow
        assert [to for to, _ in after(b, 0x64)] == [4], shadow


@cocotb.test()
async def forgets_by_reset(dut):
    """Entries that an earlier run left in the stack predict nothing: the same run twice is the
    same."""
    pushes = "lda $29, 6($31)\n.org 0x40\nloop: bsr $26, 1f\n1: subq $29, 1, $29\nbne $29, loop\n"
    returns = "br $27, 1f\n1: lda $27, 0x40($27)\n.org 0x20\nret $31, ($27)\n.org 0x44\n"
    for program in (returns, pushes, returns):
        b = await run(dut, program)
    assert costs(b, 0x20) == [wrong()] and after(b, 0x20)[0][0] == 0x44
