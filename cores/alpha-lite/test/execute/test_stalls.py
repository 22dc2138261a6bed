# SPDX-License-Identifier: BSD-2-Clause
"""Rarer rows of the stall table in core.md: stores, barriers, I/O, locks, traps, waiting."""

from collections import Counter

import cocotb
from core_support.stall_bench import run, twice

from mcpi.cocotb import core
from mcpi.cocotb.core import DATA, HALT, NOP, PAL, USER, Bench
from mcpi.hdl.cocotb_run import run_cocotb

IO = 0x1_E000_0000


def test_stalls():
    run_cocotb(__file__, "AlphaLite")


@cocotb.test()
async def overflow_checked(dut):
    """Behind a /V operate the next issues at once; behind a /V multiply nothing before its end."""
    for body, want in (
        ("addq/v $31, 1, $2\nsubl/v $31, 1, $3\naddq $31, 1, $4", Counter(issue=3)),
        ("mull/v $31, 3, $2\nlda $3, 1($31)", Counter(issue=2, multiply=21)),
        ("mulq/v $31, 3, $2\nlda $3, 1($31)", Counter(issue=2, multiply=23)),
    ):
        got = await twice(dut, body)
        assert got == want, (body, got)


MISS = "lda $20, 0x2000($30)\nldq $21, 0x100($20)\nmb"  # the block of 0x100($30) is out


@cocotb.test()
async def product_beside_a_load(dut):
    """A tick is lost if a load's value comes in the product's tick or in the one before: one of
    both waits to be written."""
    for gap in range(7, 13):
        other = "addq $31, 0, $5\n" * (gap - 1)
        body = f"mull $31, 3, $2\n{other}ldq $1, 0x100($30)\naddq $2, 1, $3"
        got = await twice(dut, body, before=MISS)
        # The load issues in tick `gap`; its value comes 11 ticks later, the product in tick 21.
        want = Counter(issue=gap + 2, multiply=20 - gap + (gap in (9, 10)))
        assert got == want, (gap, got)


@cocotb.test()
async def product_of_r31(dut):
    """It takes its turn at the port behind a load's value, but nobody waits to write r31."""
    other = "addq $31, 0, $31\n"
    body = f"mull $31, 3, $31\n{other * 9}ldq $1, 0x100($30)\n{other * 15}"
    got = await twice(dut, body, before=MISS)
    # Product and value come in tick 21, both wait in 22.
    assert got == Counter(issue=26, multiply=1), got


@cocotb.test()
async def product_waits_for_the_port(dut):
    """A product is written in the first tick in which the pipeline writes nothing; who writes its
    register waits for that, who reads it does not."""
    for between in (10, 16, 17, 18, 20, 25):
        other = "addq $31, 0, $5\n" * between
        got = await twice(dut, f"mull $31, 3, $2\n{other}lda $2, 1($31)")
        # The last of the others issues in tick `between` and writes three ticks later.
        wait = max(21, between + 4) - (between + 1)
        assert got == Counter(issue=between + 2, multiply=wait), (between, got)
        got = await twice(dut, f"mull $31, 3, $2\n{other}addq $2, 1, $3")
        assert got == +Counter(issue=between + 2, multiply=max(0, 20 - between)), (between, got)


@cocotb.test()
async def crowded_registers(dut):
    """Late values are written in ticks without a register write; two that wait make one."""
    for adds, waits in ((8, 0), (11, 0), (12, 4), (14, 4), (20, 4)):
        # Load in 10, its value in 21; product in 23. From 14 on, each tick writes a register.
        body = "mulq $31, 3, $2\n" + "addq $31, 0, $5\n" * 9 + "ldq $1, 0x100($30)\n"
        got = await twice(dut, body + "addq $31, 0, $6\n" * adds, before=MISS)
        assert got == +Counter(issue=11 + adds, multiply=waits), (adds, got)


@cocotb.test()
async def full_write_buffer(dut):
    """Stores to new blocks: the fifth and each after it waits until a write has ended."""
    for count in range(1, 9):
        got = await twice(dut, "\n".join(f"stq $31, {64 * n}($30)" for n in range(count)))
        # The first write goes out in tick 3 (two entries in use) and ends in 13; the fifth store
        # issues in 4 and has its entry in 14. From then on it is a write every 10 ticks.
        wait = 10 + 9 * (count - 5) if count >= 5 else 0
        assert got == +Counter(issue=count, write_buffer_full=wait), (count, got)


@cocotb.test()
async def stream_hit(dut):
    """A block that the stream buffer has costs the restart alone."""
    block = "mull $31, 3, $2\naddq $2, 1, $2\n" + "bis $31, $31, $31\n" * 6
    for restart in range(3, 8):
        b = await run(dut, block * 6, refillRestart=restart)
        issues, starts = b.issues(), range(PAL + 64, PAL + 192, 32)
        gaps = [b.between(x, y) for x, y in zip(issues, issues[1:]) if b.ticks[y].pc & ~3 in starts]
        assert gaps == [Counter(refill_restart=restart)] * 4, gaps


@cocotb.test()
async def barriers(dut):
    """MB and WMB wait for every write and every load under way; without any they cost nothing."""
    for line in ("mb", "wmb"):
        for before, ticks in (
            ("", 0),
            ("stq $31, 0x200($30)\n", 12),
            ("ldq $1, 0x2000($30)\n", 10),
        ):
            got = await twice(dut, f"{before}{line}", before="ldq $1, 0($30)\nldq $3, 0x2040($30)")
            want = +Counter(issue=1 + bool(before), barrier=ticks)
            assert got == want, (line, before, got)


@cocotb.test()
async def locked_accesses(dut):
    """LDx_L costs what LDx costs; behind STx_C nothing issues before it is decided."""
    for body, want in (
        ("ldq_l $2, 0($30)\naddq $2, 1, $2", Counter(issue=2, load_use=2)),
        ("ldq_l $2, 0($30)\nldl_l $3, 0($30)", Counter(issue=2)),
        ("stq_c $2, 0($30)\nlda $4, 1($31)", Counter(issue=2, barrier=4)),
        ("stq_c $2, 0($30)\naddq $2, 1, $3", Counter(issue=2, barrier=4)),
        ("ldl_l $2, 0($30)\nstl_c $3, 0($30)\nbeq $3, .+4", Counter(issue=3, barrier=5)),
        ("ldq_l $2, 0($30)\nstq_c $3, 0($30)\nldq $4, 0x48($30)", Counter(issue=3, barrier=5)),
        # An earlier store goes out first, 10 ticks of the bus; addresses are compared meanwhile.
        (
            "ldq_l $2, 0($30)\nstq $3, 64($30)\nstq_c $3, 0($30)\nlda $4, 1($31)",
            Counter(issue=4, barrier=15),
        ),
    ):
        got = await twice(dut, body, before="ldq $1, 0($30)")
        assert got == want, (body, got)


@cocotb.test()
async def io_accesses(dut):
    """The next instruction waits for the end of an access, and the access for the write buffer."""
    for line in ("stl $2, 0($1)", "ldq $2, 0($1)"):
        for before in ("", "stq $2, 0($30)\n"):
            b = await run(
                dut,
                f"""
        ldah $30, {DATA >> 16}($31)
        lda $1, 0x1e($31)
        sll $1, 28, $1
        lda $29, 2($31)
        br $31, again
        .align 5
again:  mb
        bis $31, $31, $31
        {before}
        {line}
        lda $4, 1($31)
        bis $31, $31, $31
        subq $29, 1, $29
        bne $29, again
""",
                setup=lambda b: b.io_values.update({IO: 5}),
            )
            marks = [n for n, r in zip(b.issues(), b.retired) if r.instruction == NOP][-2:]
            got = b.between(*marks)
            # The bus takes 6; before them E1 and the request, or the write of 10 and a tick.
            want = Counter(issue=2 + bool(before), io=19 if before else 8)
            assert got == want, (line, before, got)


TRAPS = {  # name: entry, instructions, owners from the issue of the last one to the handler's first
    "OPCDEC": (0x13E0, "bis $31, 1, $7\n.long 0x04000000", Counter(exception=3)),
    "FEN": (0x17E0, "bis $31, 1, $7\n.long 0x8c230000", Counter(exception=3)),
    "UNALIGN": (0x11E0, "bis $31, 1, $7\nldq $7, 1($31)", Counter(exception=3)),
    "ARITH, add": (0x60, "addq/v $6, $6, $7", Counter(exception=3)),
    "ARITH, multiply": (0x60, "mulq/v $6, 4, $7", Counter(multiply=23, exception=3)),
    "MCHK, load": (0x20, "ldq $7, 0($5)\nbis $7, $7, $7", Counter(exception=3)),
    "INTERRUPT": (0xE0, "", Counter(exception=4 + 3)),
}


@cocotb.test()
async def traps(dut):
    """Every kind takes 3 ticks from where the instruction would have issued, in both modes."""
    for ev4 in (0, 1):
        for name, (entry, lines, want) in TRAPS.items():
            got = await trapped(dut, entry, lines, ev4, 2 * (name == "INTERRUPT"))
            assert got == want, (name, ev4, got)


async def trapped(dut, entry: int, lines: str, ev4: int, interrupts: int) -> Counter:
    """Owners of the ticks before the handler's first issue, the third time it is entered."""
    pal = f"""
    br $31, start
    .org {entry}
    subq $29, 1, $29
    hw_mtpr $1, 0x24
    beq $29, 1f
    hw_rei
1:  {HALT}
    .org 0x3f00
start: ldah $1, {USER >> 16}($31)
    ldah $5, 0x2000($31)
    lda $6, 1($31)
    sll $6, 62, $6
    lda $29, 3($31)
    lda $2, 2($31)
    hw_mtpr $2, 0x30
    hw_mtpr $1, 0x24
    hw_rei
"""
    user = f"{lines}\n" + "bis $31, $31, $31\n" * 8
    b = await core.run(dut, pal, user, limit=4000, ev4=ev4, interrupts=interrupts)
    issues = b.issues()
    at = [n for n in issues if b.ticks[n].pc == PAL + entry + 1][2]
    return b.between(issues[issues.index(at) - 1], at)


@cocotb.test()
async def waiting(dut):
    """Idle from the tick after the write until the tick of the interrupt pin, inclusive."""
    b = Bench(dut)
    b.load(f"lda $1, 4($31)\nhw_mtpr $1, 0x3f\nlda $2, 1($31)\n{HALT}\n")
    await b.start(interrupts=0b011)
    await b.steps(60)
    assert b.ticks[-1].owner == "idle"
    dut.interrupts.value = 0b100
    before = len(b.ticks)
    await b.run(200)
    assert [t.owner for t in b.ticks[before:]] == ["idle", "issue", "issue", "idle"]
    written = [n for n in b.issues() if b.ticks[n].pc & ~3 == PAL + 4]
    assert {t.owner for t in b.ticks[written[0] + 1 : before]} == {"idle"}
