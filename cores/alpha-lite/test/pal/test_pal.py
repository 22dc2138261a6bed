# SPDX-License-Identifier: BSD-2-Clause
"""PAL state, traps, interrupts, machine checks: entries and EXC_ADDR as ev4.md 1.2 to 1.4."""

import cocotb
from core_support.palcode import ENTER, ENTRIES, palcode

from mcpi.cocotb.core import DATA, HALT, PAL, USER, Bench, run
from mcpi.hdl.cocotb_run import run_cocotb


def test_pal():
    run_cocotb(__file__, "AlphaLite")


@cocotb.test()
async def palmode_and_call_pal(dut):
    """HW_REI leaves PAL mode; CALL_PAL enters at 2000 + 40 f or 3000 + 40 (f - 80)."""
    handlers = {
        0x2000 + 0x40 * 0x35: "addq $10, 1, $10\nhw_rei",
        0x3000 + 0x40 * 0x06: "addq $10, 16, $10\nhw_rei",
        0x3000 + 0x40 * 0x2A: HALT,
        0x2000 + 0x40 * 0x3F: "addq $10, 64, $10\nhw_rei",
    }
    b = await run(
        dut,
        palcode("lda $10, 0($31)\n" + ENTER, handlers),
        """
        call_pal 0x35
        call_pal 0x86
        call_pal 0x3f
        call_pal 0xaa
    """,
    )
    assert b.registers()[10] == 81
    pcs = [r.pc for r in b.retired]
    for n, entry in enumerate((0x2D40, 0x3180, 0x2FC0, 0x3A80)):
        at = pcs.index(USER + 4 * n)
        assert pcs[at + 1] == PAL + entry + 1, f"{pcs[at + 1]:x}"
    assert not any(r.trap for r in b.retired)
    gap = owners_after(b, USER + 4)
    assert gap == {"exception": 4}, gap


def owners_after(b: Bench, pc: int) -> dict:
    """Owners of the ticks between the issue at ``pc`` and the next issue, warm or not."""
    issues = b.issues()
    x, y = next((x, y) for x, y in zip(issues, issues[1:]) if b.ticks[x].pc == pc)
    fetching = ("i_demand", "i_stream", "refill_restart")
    return {owner: n for owner, n in b.between(x, y).items() if owner not in fetching}


@cocotb.test()
async def registers(dut):
    """PAL_TEMPs, PAL_BASE and the other registers read back what was written."""
    lines, want = [], {}
    for n in range(32):
        lines += [f"lda $1, {3 * n + 1}($31)", f"hw_mtpr $1, {0x80 + n}"]
    for n in (0, 1, 15, 31):
        lines.append(f"hw_mfpr ${n % 8 + 2}, {0x80 + n}")
        want[n % 8 + 2] = 3 * n + 1
    lines += [
        "ldah $1, 2($31)",
        "lda $1, 0x1234($1)",
        "hw_mtpr $1, 0x2b",
        "hw_mfpr $12, 0x2b",
        "hw_mtpr $1, 0x22",
        "hw_mfpr $13, 0x22",
        "lda $1, 5($31)",
        "hw_mtpr $1, 0x30",
        "hw_mfpr $14, 0x30",
        "hw_mfpr $15, 0x2c",
    ]
    want |= {12: 0x20000, 13: 0x21234, 14: 5, 15: 0b010}
    b = await run(dut, "\n".join(lines) + "\n" + HALT, interrupts=0b010)
    got = b.registers()
    assert {n: got[n] for n in want} == want, got


@cocotb.test()
async def opcdec_and_fen(dut):
    """Instructions that EV4 lacks: entry, EXC_ADDR of the instruction itself, nothing retired of
    it."""
    cases = {
        "OPCDEC": [
            ".long 0x28230000",
            ".long 0x30230000",
            ".long 0x73ff1001",  # LDBU LDWU SEXTB
            ".long 0x40220ff3",
            "hw_mfpr $1, 0x24",
            "hw_rei",
            ".long 0x04000000",
            "call_pal 0x40",
            "call_pal 0xc0",
            ".long 0x00010083",
        ],
        "FEN": [".long 0x8c230000", ".long 0x5be30402", ".long 0xc4200001", ".long 0x98230000"],
    }
    for entry, words in cases.items():
        for word in words:
            b = await run(dut, palcode(ENTER), f"addq $31, 1, $5\n{word}\n{HALT}")
            r = b.registers()
            assert (r[20], r[21]) == (ENTRIES[entry], USER + 4), (entry, word, r)
            trap = [x for x in b.retired if x.trap]
            assert [(x.trap, x.pc) for x in trap] == [(ENTRIES[entry], USER + 4)]
            # The trap stands in program order: behind the add, before the handler.
            at = b.retired.index(trap[0])
            assert b.retired[at - 1].pc == USER and b.retired[at + 1].pc == PAL + trap[0].trap + 1


@cocotb.test()
async def user_mode(dut):
    """PS 4:3 not zero: privileged calls take OPCDEC; unprivileged ones and kernel mode do not."""
    for ps, word, trap in (
        (0x08, "call_pal 0x35", True),
        (0x10, "call_pal 0x00", True),
        (0x18, "call_pal 0x3f", True),
        (0x18, "call_pal 0x80", False),
        (0x18, "call_pal 0xbf", False),
        (0x07, "call_pal 0x35", False),
        (0x18, "hw_rei", True),
    ):
        entries = {0x2000 + 0x40 * f: HALT for f in (0x00, 0x35, 0x3F)}
        entries |= {0x3000: HALT, 0x3FC0: HALT}
        start = f"lda $1, {ps}($31)\nhw_mtpr $1, 0x29\nhw_mfpr $5, 0x29\n{ENTER}"
        text = palcode(start, entries).replace(".org 0x3f00", ".org 0x3e00")
        last = text.index(".org 16320")  # start stands before the last entry
        tail = text[text.index(".org 0x3e00") :]
        text = text[:last] + tail + text[last : text.index(".org 0x3e00")]
        b = await run(dut, text, word)
        assert b.registers()[5] == ps
        assert [r.trap for r in b.retired if r.trap] == ([0x13E0] if trap else []), (ps, word)


@cocotb.test()
async def user_mode_in_pal_mode(dut):
    """PS does not count in PAL mode: PALcode has every privilege (docs/explanation/core.md)."""
    note = f"hw_mfpr $22, 0x24\n{HALT}"
    for word, entry in (
        ("call_pal 0x00", 0x2000),
        ("call_pal 0x3f", 0x2FC0),
        ("call_pal 0x80", 0x3000),
        ("call_pal 0x40", None),
        ("call_pal 0xc0", None),
    ):
        start = f"lda $1, 0x18($31)\nhw_mtpr $1, 0x29\nhw_mfpr $5, 0x29\n{word}\n"
        b = await run(dut, palcode(start, {entry: note} if entry else {}))
        assert b.registers()[5] == 0x18
        behind = PAL + 0x3F00 + 16 + 1
        if entry:
            assert b.registers()[22] == behind, (word, hex(b.registers()[22]))
            assert b.retired[-2].pc == PAL + entry + 1
        assert [(r.trap, r.pc) for r in b.retired if r.trap] == (
            [] if entry else [(0x13E0, behind - 4)]
        ), word


@cocotb.test()
async def unaligned(dut):
    """LDL, LDQ, STL, STQ and the locked forms; never LDQ_U and STQ_U. VA and MM_CSR tell."""
    notes = "hw_mfpr $21, 0x24\nhw_mfpr $22, 0x45\nhw_mfpr $23, 0x44\nlda $20, 0x11e0($31)\n"
    handler = {0x11E0: notes + HALT}
    for line, bad in (
        ("ldl $7, 2($30)", 1),
        ("ldl $7, 4($30)", 0),
        ("ldq $7, 4($30)", 1),
        ("stl $7, 1($30)", 1),
        ("stq $7, 12($30)", 1),
        ("stq $7, 16($30)", 0),
        ("ldl_l $7, 2($30)", 1),
        ("ldl_l $7, 4($30)", 0),
        ("ldq_l $7, 4($30)", 1),
        ("stq_c $7, 4($30)", 1),
        ("stq_c $7, 8($30)", 0),
        ("stl_c $7, 3($30)", 1),
        ("ldq_u $7, 3($30)", 0),
        ("stq_u $7, 5($30)", 0),
        ("ldq $31, 5($30)", 0),
        ("ldl_l $31, 1($30)", 0),
    ):
        b = await run(
            dut,
            palcode(f"ldah $30, {DATA >> 16}($31)\nlda $7, 0($31)\n{ENTER}", handler),
            f"{line}\naddq $31, 1, $8\n.long 0x04000000",
        )
        r = b.registers()
        assert (r[20] == 0x11E0) == bool(bad), (line, r)
        if bad:
            word = int.from_bytes(b.memory[USER : USER + 4], "little")
            disp = word & 0xFFFF
            store = line.startswith("st")
            assert r[21] == USER and r[22] == DATA + disp, (line, r)
            assert r[23] == (word >> 26) << 9 | 7 << 4 | store, (line, hex(r[23]))
            assert not [x for x in b.retired if x.pc == USER and x.trap is None]
        else:
            assert r[8] == 1


@cocotb.test()
async def interrupts(dut):
    """Taken outside PAL mode when HIRR & HIER is not zero; EXC_ADDR resumes exactly there."""
    handler = {0xE0: "addq $10, 1, $10\nhw_mfpr $11, 0x2c\nhw_mtpr $31, 0x30\nhw_rei"}
    b = Bench(dut)
    b.load(palcode(f"lda $10, 0($31)\nlda $1, 6($31)\nhw_mtpr $1, 0x30\n{ENTER}", handler))
    b.load(
        f"lda $2, 30($31)\nlda $3, 0($31)\n1: subq $2, 1, $2\naddq $3, 1, $3\nbne $2, 1b\n{HALT}\n",
        USER,
    )
    b.memory[USER + 20 : USER + 24] = (0x04000000).to_bytes(4, "little")  # OPCDEC ends it
    await b.start(interrupts=0b001)  # not enabled
    await b.steps(140)
    assert not any(r.trap for r in b.retired)
    dut.interrupts.value = 0b011
    await b.run(4000)
    b.check_owners()
    traps = [r for r in b.retired if r.trap == 0xE0]
    r = b.registers()
    assert len(traps) == 1 and r[10] == 1 and r[11] == 0b011
    assert r[2] == 0 and r[3] == 30, "the interrupted loop lost or repeated an instruction"
    at = b.retired.index(traps[0])
    resumed = next(x for x in b.retired[at + 1 :] if not x.pc & 1)
    assert resumed.pc == traps[0].pc


@cocotb.test()
async def wait_and_halt(dut):
    """Wait register: idle until HIRR & mask; halt: idle for good. Neither costs another owner."""
    b = Bench(dut)
    b.load(f"lda $1, 4($31)\nhw_mtpr $1, 0x3f\nlda $2, 1($31)\n{HALT}\n")
    await b.start(interrupts=0b011)
    await b.steps(120)
    assert b.ticks[-1].owner == "idle" and not int(dut.halted.value)
    assert 2 not in b.registers()
    dut.interrupts.value = 0b100
    await b.run(200)
    b.check_owners()
    assert b.registers()[2] == 1
    first = next(n for n, t in enumerate(b.ticks) if t.owner == "idle")
    assert b.ticks[first - 1].owner == "issue", "idle begins in the tick after the write"
    await b.steps(20)
    assert all(t.owner == "idle" for t in b.ticks[-20:]) and int(dut.halted.value)


@cocotb.test()
async def machine_check(dut):
    """Error responses of a load, a fetch, an I/O access, a write: MCHK, after which all goes on.
    With ideal memory the answer comes between two ticks and must not be lost."""
    for ideal in (0, 1):
        for user in (
            "ldah $1, 0x2000($31)\nldq $2, 0($1)\naddq $2, 1, $3\n1: br $31, 1b",
            "ldah $1, 0x2000($31)\njmp $31, ($1)",
            "lda $1, 1($31)\nsll $1, 33, $1\nldq $2, 0($1)\n1: br $31, 1b",
            "ldah $1, 0x2000($31)\nstq $2, 0($1)\nmb\n1: br $31, 1b",
            "ldah $1, 0x2000($31)\nldq_l $2, 0($1)\nstq_c $2, 0($1)\nmb\n1: br $31, 1b",
        ):
            b = await run(dut, palcode(ENTER), user, ideal=ideal)
            assert b.registers()[20] == 0x20, (user, ideal, b.registers())
            traps = [r.trap for r in b.retired if r.trap]
            # STQ_C may have issued before the trap of LDQ_L: then its write fails too.
            assert traps in ([0x20], [0x20] * (2 if "stq_c" in user else 1)), user
            if "jmp" in user:
                assert b.registers()[21] == 0x20000000


@cocotb.test()
async def cycle_counter(dut):
    """RPCC is sampled at issue: two of them n ticks apart differ by n; CC sets the upper half."""
    b = await run(
        dut,
        """
        lda $9, 77($31)
        sll $9, 32, $9
        hw_mtpr $9, 0x50
        br $31, 1f
        .align 5
1:      rpcc $1
        addq $31, 1, $3
        sll $3, 1, $4
        addq $4, 1, $4
        rpcc $2
    """
        + HALT,
    )
    r = b.registers()
    assert r[1] >> 32 == 77 and r[2] - r[1] == 5
    at = [n for n in b.issues() if b.ticks[n].pc & ~3 == PAL + 32][0]
    assert r[1] & 0xFFFFFFFF == at, (r[1], at)


@cocotb.test()
async def physical_access(dut):
    """HW_LD and HW_ST, long and quad, in PAL mode; KSEG bits of an address are dropped."""
    b = await run(
        dut,
        f"""
        ldah $30, {DATA >> 16}($31)
        lda $1, -2($31)
        hw_stq/p $1, 8($30)
        hw_stl/p $30, 16($30)
        hw_ldq/p $2, 8($30)
        hw_ldl/p $3, 8($30)
        lda $4, -1($31)
        sll $4, 42, $4
        bis $4, $30, $4
        ldq $5, 8($4)
        hw_ldl/p $6, 16($30)
        mb
    """
        + HALT,
    )
    r = b.registers()
    q = (1 << 64) - 2
    assert (r[2], r[3], r[5], r[6]) == (q, q, q, DATA)
    assert b.quad(DATA + 8) == q and b.quad(DATA + 16) == DATA


@cocotb.test()
async def trap_cost(dut):
    """A trap takes 3 ticks from where the instruction would have issued, handler in the I-cache."""
    # The first OPCDEC brings the handler into the cache, the second is measured.
    handler = {0x13E0: "hw_mfpr $21, 0x24\naddq $21, 4, $21\nhw_mtpr $21, 0x24\nhw_rei"}
    b = await run(
        dut,
        palcode(f"lda $10, 0($31)\n{ENTER}", handler | {0x2000 + 0x40 * 0x3F: HALT}),
        """
        addq $31, 1, $1
        .long 0x04000000
        addq $31, 2, $1
        .long 0x04000000
        call_pal 0x3f
    """,
    )
    at = [n for n in b.issues() if b.ticks[n].pc == USER + 8][-1]
    owners = [t.owner for t in b.ticks[at + 1 : at + 5]]
    assert owners == ["exception"] * 3 + ["issue"], owners
    assert b.ticks[at + 4].pc == PAL + 0x13E0 + 1
