# SPDX-License-Identifier: BSD-2-Clause
"""Two things at once: HW_MTPR and HW_MFPR back to back, two traps in one tick (core.md)."""

import cocotb
import pytest
from core_support.palcode import ENTER, palcode

from mcpi.cocotb.core import DATA, HALT, PAL, USER, Bench, run
from mcpi.hdl.cocotb_run import run_cocotb

ICCSR, EXC_ADDR, PS, EXC_SUM, PAL_BASE, HIRR, HIER = 0x22, 0x24, 0x29, 0x2A, 0x2B, 0x2C, 0x30
MM_CSR, VA, ABOX_CTL, CC, CC_CTL, BIU_CTL = 0x44, 0x45, 0x4E, 0x50, 0x51, 0x52
LINES = 0b101  # interrupt lines that are up
X = 0x0123_4567_89AB_CDE5 | 1 << 63  # what is written
ENABLE = 1 << 32  # of CC_CTL
WRITTEN = {  # register: what it reads after X was written; None: nothing can be read there
    ICCSR: X,
    EXC_ADDR: (1 << 64) - (1 << 42) | X & (1 << 34) - 1 & ~2,
    PS: X,
    EXC_SUM: 0,
    PAL_BASE: X & (1 << 34) - (1 << 14),
    HIER: X & 7,
    ABOX_CTL: X,
    BIU_CTL: X,
    CC: None,
    CC_CTL: None,
    **{0x80 | n: X for n in (0, 1, 2, 9, 14, 15, 16, 31)},
}
READ = [*(r for r in WRITTEN if r != CC_CTL), HIRR, MM_CSR, VA]


@pytest.mark.long
def test_pal_pairs():
    run_cocotb(__file__, "AlphaLite")


def constant(r: int, value: int) -> str:
    """Any 64 bits into a register."""
    lines = [f"bis $31, $31, ${r}"]
    for byte in value.to_bytes(8, "big"):
        lines += [f"sll ${r}, 8, ${r}", f"bis ${r}, {byte}, ${r}"]
    return "\n".join(lines) + "\n"


@cocotb.test()
async def back_to_back(dut):
    """Whatever HW_MTPR writes, the HW_MFPR behind it reads any register as one much later does."""
    rows = [(w, r) for w in WRITTEN for r in READ if CC not in (w, r) or w == r]
    rows = [(w, r) for w, r in rows if w != CC_CTL]
    text = f"ldah $30, {DATA >> 16}($31)\n" + constant(1, X)
    for n, (w, r) in enumerate(rows):
        # Another value first, so that an old one shows.
        text += f"hw_mtpr $31, {w}\nhw_mfpr $4, {r}\n" + "addq $31, 0, $4\n" * 4
        text += f"hw_mtpr $1, {w}\nhw_mfpr $2, {r}\n" + "addq $31, 0, $4\n" * 4
        text += f"hw_mfpr $3, {r}\nlda $5, {16 * n % 0x4000}($30)\n"
        text += "stq $2, 0($5)\nstq $3, 8($5)\n"
    b = await run(dut, text + "mb\n" + HALT, interrupts=LINES)
    told = {HIRR: LINES, MM_CSR: 0, VA: 0}
    for n, (w, r) in enumerate(rows):
        first, later = b.quad(DATA + 16 * n), b.quad(DATA + 16 * n + 8)
        if r == CC:
            assert first >> 32 == later >> 32 == X >> 32, (hex(w), hex(first), hex(later))
            continue
        assert first == later, (hex(w), hex(r), hex(first), hex(later))
        if r == w or r in told:
            wanted = told[r] if r in told else WRITTEN[r]
            assert first == wanted, (hex(w), hex(r), hex(first), hex(wanted))


@cocotb.test()
async def cycle_counter(dut):
    """CC_CTL sets the count, which then goes on or stands; CC reads it in E1, RPCC at issue."""
    for enable in (ENABLE, 0):
        text = (
            constant(1, enable | 1000) + constant(2, enable | 5000) + "br $31, 1f\n.align 5\n1:\n"
        )
        text += f"hw_mtpr $1, {CC_CTL}\nhw_mfpr $3, {CC}\nhw_mfpr $4, {CC}\naddq $31, 0, $5\n"
        text += f"hw_mfpr $6, {CC}\nrpcc $7\nhw_mtpr $2, {CC_CTL}\nhw_mfpr $8, {CC}\n"
        text += f"br $31, 1f\n.align 5\n1:\nhw_mtpr $1, {CC_CTL}\nrpcc $9\nrpcc $10\nrpcc $11\n"
        r = (await run(dut, text + HALT)).registers()
        t = 1 if enable else 0
        # The first read comes a tick behind the write: the count itself.
        wanted = [1000, 1000 + t, 1000 + 3 * t, 1000 + 3 * t, 5000]
        assert [r[n] for n in (3, 4, 6, 7, 8)] == wanted, (enable, [r[n] for n in (3, 4, 6, 7, 8)])
        # RPCC tells the count of the tick in which it issued: behind the write, still the old one.
        assert 5000 <= r[9] < 5300 and [r[10], r[11]] == [1000, 1000 + t], (enable, r)


def handlers() -> dict[int, str]:
    """Each notes EXC_ADDR and EXC_SUM at $30, in the order of their coming, and goes on."""
    skip = "addq $20, 4, $20\nhw_mtpr $20, 0x24\n"
    kinds = {0x20: "", 0x60: "", 0xE0: f"hw_mtpr $31, {HIER}\n"}
    kinds |= dict.fromkeys((4576, 5088, 6112), skip)
    return {
        offset: f"hw_mfpr $20, {EXC_ADDR}\nhw_mfpr $21, {EXC_SUM}\nhw_mtpr $31, {EXC_SUM}\n"
        f"lda $22, {offset}($31)\nstq $22, 0($30)\nstq $20, 8($30)\nstq $21, 16($30)\n"
        f"lda $30, 24($30)\n{body}hw_rei"
        for offset, body in kinds.items()
    }


OTHERS = {  # what traps, the trap, instructions behind which it is
    "addq/v $2, $2, $3": 0x60,
    "mull/v $2, $2, $3": 0x60,
    "mulq/v $2, $2, $3": 0x60,
    "ldq $3, 1($31)": 0x11E0,
    ".long 0x04000000": 0x13E0,
    ".long 0x8c230000": 0x17E0,
    "": 0xE0,
}


@cocotb.test()
async def machine_check_and_another(dut):
    """A load's error in each tick around every other trap: both come, each once, and after a
    machine check the other one waits until its PALcode has ended. The other way round the machine
    check comes at once, PAL mode or not, and nothing can be said of what follows.
    """
    for other, trap in OTHERS.items():
        orders = set()
        for gap in range(40 if "mul" in other else 22):
            filler = "addq $31, 7, $5\n" * gap
            pal = palcode(f"ldah $30, {DATA >> 16}($31)\n{ENTER}", handlers())
            start = f"{constant(2, 1 << 62 | 1 << 30)}lda $9, 7($31)\nhw_mtpr $9, {HIER}\n"
            b = Bench(dut)
            b.load(pal.replace("start:\n", "start:\n" + start))
            b.load(
                f"ldah $1, 0x2000($31)\nlda $7, 1($31)\nbr $31, 1f\n.align 5\n"
                f"1: ldq $4, 0($1)\n{filler}{other}\naddq $31, 1, $6\naddq $6, 1, $6\n"
                f"lda $8, 40($31)\n2: subq $8, 1, $8\nbne $8, 2b\n"
                f"subq $7, 1, $7\nbne $7, 1b\nmb\n3: br $31, 3b",
                USER,
            )
            await b.start(interrupts=0)
            seen = 0
            for _ in range(900):
                await b.step()
                if trap == 0xE0 and not seen and any(x.pc == USER + 32 for x in b.retired):
                    seen += 1
                    await b.steps(gap)
                    dut.interrupts.value = 1
            dut.interrupts.value = 0
            traps = [(x.trap, x.pc) for x in b.retired if x.trap]
            kinds = [t for t, _ in traps]
            about = (other, gap, [(hex(t), hex(p)) for t, p in traps])
            if any(t == 0x20 and p & 1 for t, p in traps):
                continue
            assert sorted(kinds) == sorted([0x20, trap]), about
            assert not any(p & 1 for _, p in traps), about
            notes = [
                tuple(b.quad(DATA + 24 * n + 8 * m) for m in range(3)) for n in range(len(traps))
            ]
            assert [n[:2] for n in notes] == traps, (about, notes)
            overflowed = [n[0] for n in notes if n[2]]
            assert overflowed == [0x60] * (trap == 0x60), (about, notes)
            assert b.registers()[6] == 2 and b.registers()[7] == 0, about
            orders.add(tuple(kinds))
        assert (0x20, trap) in orders, (other, orders)


@cocotb.test()
async def overflow_in_pal_mode(dut):
    """PALcode's own overflow traps at once, in PAL mode."""
    for operate in ("addq/v", "mulq/v"):
        text = f"lda $9, 1($31)\nsll $9, 62, $2\n{operate} $2, $2, $3\nlda $6, 1($31)\n" + HALT
        b = await run(dut, palcode(text))
        assert b.registers()[20] == 0x60 and 6 not in b.registers()
        assert b.registers()[21] == PAL + 0x3F00 + 12 + 1
