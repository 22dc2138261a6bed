# SPDX-License-Identifier: BSD-2-Clause
"""Programs: branches, calls, random loads and stores, self-modifying code, DMA, locks."""

import os
import random

import cocotb

from mcpi.cocotb.core import DATA, HALT, PAL, Bench, run
from mcpi.hdl.cocotb_run import run_cocotb

SEED = int(os.environ.get("MCPI_SEED", "1996"))


def test_program():
    run_cocotb(__file__, "AlphaLite")


@cocotb.test()
async def branches(dut):
    """Every conditional branch on negative, zero, positive, even and odd: taken as it should."""
    want = {
        "beq": (0,),
        "bne": (-3, -2, 2, 3),
        "blt": (-3, -2),
        "ble": (-3, -2, 0),
        "bgt": (2, 3),
        "bge": (0, 2, 3),
        "blbc": (-2, 0, 2),
        "blbs": (-3, 3),
    }
    lines, expected = [], 0
    for name, taken in want.items():
        for v in (-3, -2, 0, 2, 3):
            lines += [f"lda $1, {v}($31)", f"{name} $1, 1f", "addq $2, 1, $2", "1:"]
            expected += v not in taken
    b = await run(dut, "lda $2, 0($31)\n" + "\n".join(lines) + "\n" + HALT)
    assert b.registers()[2] == expected
    assert b.events["takenBranch"] == sum(map(len, want.values()))


@cocotb.test()
async def store_behind_a_cmov_that_does_not_move(dut):
    """Its data is the load's before: the store waits for it as it would without the CMOV."""
    value = 0x1122334455667788
    b = await run(
        dut,
        f"""
        ldah $30, {DATA >> 16}($31)
        lda $9, 3($31)
1:      lda $1, 77($31)
        stq $31, 8($30)
        mb
        ldq $1, 0($30)
        cmovne $31, $30, $1
        stq $1, 8($30)
        mb
        ldq $4, 8($30)
        subq $9, 1, $9
        bne $9, 1b
        {HALT}""",
        setup=lambda b: b.put(DATA, value),
    )
    assert [r.value for r in b.retired if r.register == 4] == [value] * 3


@cocotb.test()
async def slots_of_the_retire_queue_come_round(dut):
    """A multiply to r31 leaves no value behind for a load a whole turn of the queue later."""
    turn, loads = 1024, 3
    between = "bis $31, $31, $31\n" * (turn - 2)
    block = "\n".join(f"ldq ${n + 1}, {64 * n}($30)" for n in range(loads))  # all miss
    b = await run(
        dut,
        f"ldah $30, {DATA >> 16}($31)\nlda $29, 7($31)\nmulq $29, $29, $31\n"
        f"{between}{block}\n{HALT}",
        setup=lambda b: [b.put(DATA + 64 * n, 1000 + n) for n in range(loads)],
    )
    assert [b.registers()[n + 1] for n in range(loads)] == [1000 + n for n in range(loads)]


@cocotb.test()
async def calls(dut):
    """Recursion through BSR, RET, JSR, JMP and JSR_COROUTINE, with a stack: 10! and links."""
    b = await run(
        dut,
        f"""
        ldah $30, 3($31)
        lda $16, 10($31)
        bsr $26, factorial
        mov $0, $10
        br $27, 1f
1:      lda $27, (leaf - 1b)($27)
        jsr $26, ($27), leaf
2:      mov $26, $11
        lda $27, (3f - leaf)($27)
        jmp $31, ($27), 3f
        lda $10, 0($31)
3:      lda $28, 12($27)
        jsr_coroutine $26, ($28)
        lda $10, 0($31)
        {HALT}
leaf:   addq $31, 42, $12
        ret $31, ($26), 1
factorial:
        lda $30, -16($30)
        stq $26, 0($30)
        stq $16, 8($30)
        lda $0, 1($31)
        beq $16, 9f
        subq $16, 1, $16
        bsr $26, factorial
        ldq $16, 8($30)
        mulq $0, $16, $0
9:      ldq $26, 0($30)
        lda $30, 16($30)
        ret $31, ($26), 1
    """,
    )
    r = b.registers()
    assert r[10] == 3628800 and r[12] == 42
    assert r[30] == 0x30000
    assert r[11] % 4 == 0 and r[26] % 4 == 0, "links carry no PAL bit"


@cocotb.test()
async def memory_random(dut):
    """Loads and stores of all sizes over a few blocks that collide, against a byte array."""
    rng = random.Random(SEED)
    shadow = bytearray(rng.randbytes(1 << 16))
    initial = bytes(shadow)
    lines, expected = [f"ldah $30, {DATA >> 16}($31)"], []
    state = dict.fromkeys(range(1, 20), 0)
    for n in state:
        state[n] = rng.getrandbits(64)
        shadow[0x4000 + 8 * n : 0x4008 + 8 * n] = state[n].to_bytes(8, "little")
        lines.append(f"ldq ${n}, {0x4000 + 8 * n}($30)")
    initial = bytes(shadow)
    for _ in range(900):
        block = rng.choice([0, 32, 64, 0x2000, 0x2020, 0x4400, 0x6000])
        offset, n = block + rng.randrange(32), rng.randrange(1, 20)
        kind = rng.choice(
            ["ldq", "ldl", "ldq_u", "stq", "stl", "stq_u", "stq", "stl", "add", "sll"]
        )
        if kind in ("add", "sll"):
            m = rng.randrange(1, 20)
            lines.append(f"{'addq' if kind == 'add' else 'sll'} ${n}, 3, ${m}")
            state[m] = (state[n] + 3 if kind == "add" else state[n] << 3) % (1 << 64)
            expected.append((m, state[m]))
            continue
        size = 4 if kind.endswith("l") else 8
        if not kind.endswith("_u"):
            offset -= offset % size
        lines.append(f"{kind} ${n}, {offset}($30)")
        at = offset - offset % size
        if kind.startswith("st"):
            shadow[at : at + size] = (state[n] % (1 << 8 * size)).to_bytes(8, "little")[:size]
        else:
            v = int.from_bytes(shadow[at : at + size], "little", signed=True) % (1 << 64)
            state[n] = v
            expected.append((n, v))

    def setup(b: Bench) -> None:
        b.memory[DATA : DATA + len(initial)] = initial

    for switches in ({}, {"ideal": 1}, {"drainAt": 4, "takenPenalty": 7}, {"prefetch": 0}):
        b = await run(dut, "\n".join(lines) + "\nmb\n" + HALT, setup=setup, **switches)
        got = [(r.register, r.value) for r in b.retired if r.register][-len(expected) :]
        for n, (g, e) in enumerate(zip(got, expected)):
            assert g == e, f"{switches} write {n}: got {g}, expected {e}; seed {SEED}"
        assert b.memory[DATA : DATA + 0x7000] == shadow[:0x7000], "memory differs after MB"
        dut._log.info(f"{switches}: {b.events['dMiss']} misses, {b.events['writeMerge']} merges")
        assert switches or b.events["dMiss"] > 100


@cocotb.test()
async def retire_port(dut):
    """Program order across a load miss and a multiply; addresses and store data as computed."""
    b = await run(
        dut,
        f"""
        ldah $30, {DATA >> 16}($31)
        mulq $30, 3, $1
        ldq $2, 0x100($30)
        addq $31, 5, $3
        sll $3, 60, $4
        stl $4, 0x20c($30)
        stq_u $3, 0x305($30)
        ldq_u $31, 0x333($30)
        addq $2, 0, $5
        cmovne $31, 9, $3
        mb
        {HALT}
    """,
        setup=lambda b: b.put(DATA + 0x100, 0xFEED),
    )
    assert [r.pc & ~3 for r in b.retired] == [PAL + 4 * n for n in range(12)]
    assert all(r.pc & 1 for r in b.retired), "PAL mode"
    load, stl, stq_u, unop = (b.retired[n] for n in (2, 5, 6, 7))
    assert (load.register, load.value, load.store, load.address) == (2, 0xFEED, False, DATA + 0x100)
    assert load.d_miss and b.retired[0].i_miss and not b.retired[1].i_miss
    assert (stl.store, stl.address, stl.store_data) == (True, DATA + 0x20C, 5 << 60)
    assert (stq_u.store, stq_u.address, stq_u.store_data) == (True, DATA + 0x305, 5)
    assert unop.store is None and unop.register is None, "a load to r31 is no access"
    assert b.retired[9].register is None, "a conditional move that does not move writes nothing"
    assert b.events["dAccess"] == 1
    assert b.quad(DATA + 0x300) == 5 and b.quad(DATA + 0x208) == 0


@cocotb.test()
async def self_modifying(dut):
    """New code is seen after MB and FLUSH_IC, even where prefetch had run ahead."""
    b = await run(
        dut,
        f"""
        br $27, 1f
1:      lda $29, 3($31)
        lda $3, 0($31)
loop:   br $26, patch
back:   ldl $1, (new - 1b)($27)
        addl $1, 0, $1
        stl $1, (patch - 1b)($27)
        sll $1, 0, $2
        mb
        hw_mtpr $31, 0x55
        subq $29, 1, $29
        bne $29, loop
        {HALT}
        .align 5
patch:  addq $3, 1, $3
        br $31, back
        .align 5
new:    addq $3, 16, $3
    """,
    )
    assert b.registers()[3] == 1 + 16 + 16, b.registers()[3]


@cocotb.test()
async def dma_invalidates(dut):
    """A block named on `invalidate` is fetched anew; another of the same set stays."""
    b = Bench(dut)
    b.load(f"""
        ldah $30, {DATA >> 16}($31)
        ldq $1, 0x40($30)
1:      ldq $1, 0x40($30)
        ldq $2, 0x60($30)
        beq $1, 1b
        {HALT}
    """)
    await b.start()
    await b.steps(150)
    loads = [a for _, kind, a in b.transactions if kind == "load"]
    assert loads == [DATA + 0x40, DATA + 0x60]
    b.put(DATA + 0x40, 77)
    await b.step(invalidate=DATA + 0x2040)  # same set, other block: nothing happens
    await b.steps(60)
    assert not int(dut.halted.value)
    while b.ticks[-1].owner != "taken_bubble":  # no load is under way
        await b.step()
    await b.step(invalidate=DATA + 0x40)
    await b.run(400)
    assert b.registers()[1] == 77
    loads = [a for _, kind, a in b.transactions if kind == "load"]
    assert loads == [DATA + 0x40, DATA + 0x60, DATA + 0x40]


@cocotb.test()
async def dma_is_seen_at_once(dut):
    """A load that issues in the tick of a DMA write, or later, has what DMA wrote."""
    seen = set()
    for at in range(24):
        b = Bench(dut)
        b.load(
            f"ldah $30, {DATA >> 16}($31)\n.align 5\n1: " + "ldq $1, 0($30)\n" * 6 + "br $31, 1b\n"
        )
        await b.start()
        await b.steps(100 + at)
        assert b.bus is None, "DMA has the bus for itself"
        b.put(DATA, 77)
        written = len(b.ticks)
        await b.step(invalidate=DATA)
        await b.steps(60)
        loads = [(n, r.value) for n, r in zip(b.issues(), b.retired) if r.store is False]
        late = [n - written for n, value in loads if n >= written and value != 77]
        assert not late, f"a load of {late[0]} ticks after DMA's write has what was there before"
        seen |= {n - written for n, _ in loads}
    assert {-1, 0, 1} <= seen


@cocotb.test()
async def locks(dut):
    """STx_C stores and answers 1 after LDx_L, answers 0 and does not store without."""
    b = await run(
        dut,
        f"""
        ldah $30, {DATA >> 16}($31)
        ldq_l $1, 0($30)
        addq $1, 1, $1
        stq_c $1, 0($30)
        mov $1, $10
        lda $2, 9($31)
        stq_c $2, 0($30)
        mov $2, $11
        ldl_l $3, 8($30)
        lda $4, 7($31)
        stl_c $4, 8($30)
        ldq $5, 0($30)
        ldq $6, 8($30)
        mb
        {HALT}
    """,
        setup=lambda b: b.put(DATA, 41),
    )
    r = b.registers()
    assert (r[10], r[11], r[4], r[5], r[6]) == (1, 0, 1, 42, 7)
    assert b.quad(DATA) == 42 and b.quad(DATA + 8) == 7


@cocotb.test()
async def flush_empties_the_stream(dut):
    """The next block, prefetched before its code was changed, is not used after FLUSH_IC."""
    b = await run(
        dut,
        f"""
        br $27, 1f
1:      ldl $1, (new - 1b)($27)
        lda $20, (old - 1b)($27)
        lda $3, 0($31)
        br $31, change
new:    addq $3, 16, $3
        .align 6
change: stl $1, 0($20)
        mb
        addq $31, 1, $4
        addq $31, 1, $4
        addq $31, 1, $4
        addq $31, 1, $4
        hw_mtpr $31, 0x55  # the last word of this block is in D when the caches are flushed
        addq $31, 1, $4
old:    addq $3, 1, $3
        {HALT}
    """,
    )
    old = (b.retired[-1].pc & ~3) - 4
    order = [kind for _, kind, address in b.transactions if address == old]
    assert order[:3] == ["prefetch", "write", "fetch"], order
    assert b.registers()[3] == 16
