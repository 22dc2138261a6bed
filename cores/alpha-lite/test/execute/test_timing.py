# SPDX-License-Identifier: BSD-2-Clause
"""Every row of the stall table in core.md, in ticks, with the owner that must have them.

Targets: sources/ev4.md 2.1, 4.1 and 7 (b).
"""

import random
from collections import Counter

import cocotb
from core_support.stall_bench import run, twice

from mcpi.cocotb.core import DATA, NOP, Bench
from mcpi.hdl.cocotb_run import run_cocotb


def test_timing():
    run_cocotb(__file__, "AlphaLite")


LATENCIES = [
    # producer, consumer, distance in ticks, owner of the wait
    ("addq $1, 1, $2", "addq $2, 1, $3", 1, None),
    ("addq $1, 1, $2", "sll $2, 1, $3", 1, None),
    ("addq $1, 1, $2", "cmpeq $2, 1, $3", 1, None),
    ("addq $1, 1, $2", "bne $31, .+4", 1, None),
    ("addq $31, 1, $2", "beq $2, .+4", 1, None),
    ("addq $31, 1, $2", "stq $2, 0($30)", 1, None),
    ("rpcc $2", "stq $2, 0($30)", 1, None),
    ("hw_mfpr $2, 0x22", "addq $2, 1, $3", 1, None),
    ("hw_mtpr $2, 0x80", "hw_mfpr $2, 0x80", 1, None),
    ("trapb", "excb", 1, None),
    ("addq $30, 0, $2", "ldq $3, 0($2)", 2, "agen"),
    ("lda $2, 0($30)", "stq $3, 0($2)", 2, "agen"),
    ("bis $30, $30, $2", "ldq_u $3, 0($2)", 2, "agen"),
    ("cmpeq $1, $1, $2", "beq $2, .+4", 1, None),
    ("cmpeq $1, $1, $2", "stq $2, 0($30)", 1, None),
    ("cmpeq $1, $1, $2", "addq $2, 1, $3", 2, "compare"),
    ("cmpult $1, $1, $2", "cmovne $2, $1, $3", 2, "compare"),
    ("sll $1, 1, $2", "addq $2, 1, $3", 2, "shift"),
    ("extbl $1, 1, $2", "bne $31, .+4", 1, None),
    ("extbl $30, 2, $2", "beq $2, .+4", 2, "shift"),
    ("zapnot $30, 15, $2", "ldq $3, 0($2)", 2, "shift"),
    ("sll $1, 1, $2", "stq $2, 0($30)", 1, None),
    ("cmoveq $31, 1, $2", "addq $2, 1, $3", 2, "shift"),
    ("ldq $2, 0($30)", "addq $2, 1, $3", 3, "load_use"),
    ("ldl $2, 0($30)", "stq $2, 8($30)", 3, "load_use"),
    ("ldq_u $31, 0($30)", "addq $2, 1, $3", 1, None),
    ("mull $1, 3, $2", "addq $2, 1, $3", 21, "multiply"),
    ("mulq $1, 3, $2", "addq $2, 1, $3", 23, "multiply"),
    ("umulh $1, 3, $2", "stq $2, 0($30)", 23, "multiply"),
    ("mull $1, 3, $2", "mull $1, 5, $3", 19, "multiply"),
    ("mulq $1, 3, $2", "mulq $1, 5, $3", 21, "multiply"),
    ("umulh $1, 3, $2", "mull $1, 5, $3", 21, "multiply"),
    ("mulq $1, 3, $2", "lda $2, 0($31)", 23, "multiply"),
]


@cocotb.test()
async def latencies(dut):
    """Distance from producer to consumer, everything in the caches."""
    wrong = []
    for producer, consumer, distance, owner in LATENCIES:
        got = await twice(dut, f"{producer}\n{consumer}", before="ldq $1, 0($30)")
        want = Counter({"issue": 2})
        if owner:
            want[owner] = distance - 1
        if got != want:
            wrong.append((producer, consumer, dict(got), dict(want)))
    assert not wrong, "\n".join(map(str, wrong))


@cocotb.test()
async def move_over_a_load(dut):
    """A store behind a move that may leave a load's register as it is: 2 from the move."""
    line = "ldq $2, 0($30)\n{} $29, $3, $2\nstq $2, 8($30)"
    for move in ("cmoveq", "cmovne"):
        got = await twice(dut, line.format(move), before="ldq $1, 0($30)")
        assert got == Counter({"issue": 3, "load_use": 1}), (move, got)


@cocotb.test()
async def taken_penalty(dut):
    """A taken branch or jump costs takenPenalty; one not taken, nothing."""
    for penalty in range(3, 8):
        for line, owner in (
            ("br $31, 1f\n1:", "taken_bubble"),
            ("bsr $26, 1f\n1:", "taken_bubble"),
            ("bne $29, 1f\n1:", "taken_bubble"),
            ("beq $29, 1f\n1:", None),
            ("jmp $31, ($27), 0", "taken_bubble"),
            ("jsr $26, ($27), 0", "taken_bubble"),
            ("bis $27, $27, $27\njmp $31, ($27), 0", "taken_bubble"),
        ):
            before, body = "", line
            if "$27" in line:
                # $27 is the address behind the jump.
                before = "br $27, 3f\n3: lda $27, (2f - 3b)($27)"
                body = f"{line}\n2:"
            got = await twice(dut, body, before=before, takenPenalty=penalty)
            want = Counter(issue=len(line.splitlines()) - line.endswith(":"))
            if owner:
                want[owner] = penalty
            if line.startswith("bis"):
                want["agen"] = 1
            assert got == want, (penalty, line, got)


def chase(b: Bench, base: int, span: int, stride: int) -> None:
    """A ring of pointers in random order."""
    places = list(range(base, base + span, stride))
    random.Random(7).shuffle(places)
    for here, there in zip(places, places[1:] + places[:1]):
        b.put(here, there)
    b.put(DATA, places[0])


async def chased(dut, span: int, read_ticks: int) -> float:
    loads = 64
    body = "ldq $1, 0($1)\n" * loads
    source = f"""
        ldah $30, {DATA >> 16}($31)
        ldq $1, 0($30)
        lda $29, 8($31)
again:  {body}
        bis $31, $31, $31
        subq $29, 1, $29
        bne $29, again
    """

    def setup(b: Bench) -> None:
        b.read_ticks = read_ticks
        chase(b, 0x400000, span, 32)

    b = await run(dut, source, setup=setup, limit=120000)
    # From the first chased load to the nop behind them, in the last round.
    issues = b.issues()
    index = [n for n, r in enumerate(b.retired) if r.instruction == NOP][-1]
    return (issues[index - 1] - issues[index - loads]) / (loads - 1)


@cocotb.test()
async def pointer_chase(dut):
    """3 ticks a load in the D-cache, 11 from the b-cache, 49 from memory (sources/ev4.md 2.1)."""
    found = [await chased(dut, *case) for case in ((2048, 10), (65536, 10), (65536, 48))]
    dut._log.info(f"pointer chase: {found}")
    assert found == [3.0, 11.0, 49.0], found


@cocotb.test()
async def straight_line(dut):
    """Sequential code from the b-cache: 13 ticks per 8 instructions, 21 without prefetch."""
    code = "bis $31, $31, $31\n" * 1600
    for prefetch, restart, want in ((1, 3, 13.0), (0, 3, 21.0), (1, 5, 15.0), (0, 7, 25.0)):
        b = await run(dut, code, prefetch=prefetch, refillRestart=restart)
        issues = b.issues()
        got = (issues[1600 - 1 - 200] - issues[200 - 1]) / 1200 * 8
        dut._log.info(f"straight line: prefetch {prefetch} restart {restart}: {got} per 8")
        # A page's first block is not prefetched, so one demand miss per 8 KB is in it.
        assert abs(got - want) <= 0.1, (prefetch, restart, got)


@cocotb.test()
async def caches_off(dut):
    """No D-cache: a load again of the same longword takes 11 ticks, not 3. An I-cache of one block:
    of a loop over two, both miss each time; of a loop in one, neither. No write buffer: stores to
    one block go one by one."""
    base = f"ldah $30, {DATA >> 16}($31)\n"
    again = base + "ldq $1, 0($30)\naddq $1, 0, $2\n" * 8
    stores = base + "stq $31, 0($30)\nstq $31, 8($30)\n" * 8
    two = "bis $31, 4, $1\nbr $31, 1f\n.align 5\n1: subq $1, 1, $1\nbr $31, 2f\n"
    two += ".align 5\n2: bne $1, 1b\n"
    for code, kind, off, on_count, off_count in (
        (again, "load", {"dCacheOn": 0}, 1, 8),
        (stores, "write", {"writeBufferOn": 0}, None, 16),
        (two, "fetch", {"iCacheOn": 0, "prefetch": 0}, 3, 9),
    ):
        for switches, count in (({}, on_count), (off, off_count)):
            b = await run(dut, code, **({"prefetch": 0} | switches))
            got = sum(k == kind for _, k, _ in b.transactions)
            assert count is None or got == count, (kind, switches, got)
            assert count or got < off_count, (kind, got)
    b = await run(dut, again, dCacheOn=0)
    issues = b.issues()[1:-1]
    uses = [y - x for x, y in zip(issues[::2], issues[1::2])][1:]
    assert set(uses) <= {11, 19} and uses.count(19) <= 1, uses  # 19: behind a prefetch


@cocotb.test()
async def fetch_owners(dut):
    """A demand miss is 10 i_demand and 3 refill_restart; an awaited one i_stream and 3."""
    b = await run(dut, "bis $31, $31, $31\n" * 64)
    gaps = b.gaps()
    assert gaps[1:-1] and all(g == Counter(i_stream=2, refill_restart=3) for g in gaps[1:-1]), gaps
    b = await run(dut, "bis $31, $31, $31\n" * 64, prefetch=0)
    gaps = b.gaps()
    assert all(g == Counter(i_demand=10, refill_restart=3) for g in gaps), gaps
    assert not any(kind == "prefetch" for _, kind, _ in b.transactions)


@cocotb.test()
async def taken_and_missed(dut):
    """A taken branch into a block that misses costs its penalty, then the miss: they add up."""
    for penalty in (3, 4, 7):
        text = "br $31, 1f\n.align 6\n1: bis $31, $31, $31\n"
        b = await run(dut, text, takenPenalty=penalty)
        gap = b.between(*b.issues()[:2])
        # The first block's prefetch (10 ticks, from its restart on) is in the way of the demand.
        wait = gap.pop("i_demand")
        assert gap == Counter(taken_bubble=penalty, refill_restart=3), gap
        assert wait == 10 + 10 - (penalty + 1), (penalty, wait)
        b = await run(dut, text, takenPenalty=penalty, prefetch=0)
        gap = b.between(*b.issues()[:2])
        assert gap == Counter(taken_bubble=penalty, i_demand=10, refill_restart=3), gap


@cocotb.test()
async def store_stream(dut):
    """Quadword stores to new blocks: one 10-tick write per four stores, 2.5 ticks a store."""
    body = "\n".join(f"stq $31, {8 * n}($30)" for n in range(1024))
    warm = (
        f"ldah $30, {DATA >> 16}($31)\nlda $29, 2($31)\nagain: {body}\n"
        "subq $29, 1, $29\nbne $29, again\n"
    )
    b = await run(dut, warm)
    second = b.issues()[2 + 1024 + 2 :]  # the code is 4 KB: in the I-cache now
    got = (second[900] - second[100]) / 800
    dut._log.info(f"store stream: {got} ticks a store")
    assert abs(got - 2.5) <= 0.02, got
    assert b.owners()["write_buffer_full"] > 0
    assert b.events["writeMerge"] == 3 * 512 and b.events["writeAccess"] == 2048


@cocotb.test()
async def memory_port(dut):
    """Under a load miss, operates go on, a second load waits and owns it as memory_port."""
    flush = "lda $20, 0x2000($30)\nldq $21, 0x100($20)"
    got = await twice(
        dut,
        "ldq $1, 0x100($30)\naddq $2, 1, $3\naddq $2, 1, $4\nldq $5, 0($30)",
        before=f"ldq $5, 0($30)\n{flush}\nmb",
    )
    # Miss issues in 0; operates 1, 2; the response is in tick 11, and the load issues then.
    assert got == Counter(issue=4, memory_port=8), got
    got = await twice(dut, "ldq $1, 0x100($30)\naddq $2, 1, $3\naddq $1, 1, $4", before=flush)
    assert got == Counter(issue=3, d_miss=9), got
    # An older register write may not be overtaken by the late result.
    got = await twice(dut, "ldq $1, 0x100($30)\nlda $1, 1($31)", before=flush)
    assert got == Counter(issue=2, d_miss=10), got


@cocotb.test()
async def barrier_and_io(dut):
    """MB waits for the write buffer; I/O drains it and blocks everything."""
    got = await twice(dut, "stq $1, 0x200($30)\nmb")
    # Store 0, its E1 is 1, its write goes out in 2 and is answered in 12.
    assert got["issue"] == 2 and set(got) == {"issue", "barrier"} and got["barrier"] == 12, got
    source = f"""
        ldah $30, {DATA >> 16}($31)
        lda $1, 0x1e($31)
        sll $1, 28, $1
        stq $1, 0($30)
        stl $30, 0($1)
        ldq $2, 0($1)
        ldl $3, 0($1)
        addq $31, 1, $4
    """
    value = 0x1122334455667788
    b = await run(dut, source, setup=lambda b: b.io_values.update({0x1_E000_0000: value}))
    assert [x[1:] for x in b.io_log] == [
        (True, 0x1E0000000, 0x20000),
        (False, 0x1E0000000, 0),
        (False, 0x1E0000000, 0),
    ]
    write = next(n for n, kind, _ in b.transactions if kind == "write")
    assert b.io_log[0][0] >= write + 10, "I/O before the write buffer was empty"
    assert b.registers()[2] == value and b.registers()[3] == 0x55667788
    assert b.owners()["io"] >= 3 * 6


@cocotb.test()
async def write_buffer_idle(dut):
    """A lone entry is sent idleTicks after the last store; two are sent at once (drainAt 2)."""
    for idle in (40, 90):
        b = await run(
            dut,
            f"ldah $30, {DATA >> 16}($31)\nstq $30, 0($30)\n" + "lda $29, 60($31)\n"
            "1: subq $29, 1, $29\nbne $29, 1b\n",
            idleTicks=idle,
        )
        writes = [n for n, kind, _ in b.transactions if kind == "write"]
        # Issue in 0, entry from tick 2 on, `idle` ticks later.
        assert writes == [b.issues()[1] + 2 + idle], (writes, b.issues()[1], idle)
    b = await run(
        dut,
        f"ldah $30, {DATA >> 16}($31)\nstq $30, 0($30)\nstq $30, 64($30)\n"
        "lda $29, 60($31)\n1: subq $29, 1, $29\nbne $29, 1b\n",
        idleTicks=1000,
    )
    assert [a for _, kind, a in b.transactions if kind == "write"] == [DATA]


@cocotb.test()
async def ideal_memory(dut):
    """Ideal memory: no tick belongs to the memory, whatever misses; results are the same."""
    source = (
        f"""
        ldah $30, {DATA >> 16}($31)
        lda $29, 40($31)
again:  ldq $1, 0($30)
        addq $1, $29, $1
        stq $1, 0($30)
        stq $29, 0x2008($30)
        ldq $2, 0x2000($30)
        ldq $3, 0x2008($30)
        subq $3, $29, $4
        bne $4, fail
        mb
        lda $30, 8($30)
        subq $29, 1, $29
        bne $29, again
fail:   bis $31, $31, $31
    """
        + "addq $31, 1, $5\n" * 100
    )
    ideal = await run(dut, source, ideal=1)
    real = await run(dut, source)
    memory = set(
        "i_demand i_stream refill_restart d_miss memory_port write_buffer_full barrier".split()
    )
    assert not memory & set(ideal.owners()), ideal.owners()
    assert memory & set(real.owners())
    assert [(r.pc, r.value) for r in ideal.retired] == [(r.pc, r.value) for r in real.retired]
    assert ideal.registers()[4] == 0 and ideal.registers()[29] == 0
    # Per round: 12 issues, load-use 2, 2 and 1 (the subtract waits for $3), agen 1, bubble 4.
    dut._log.info(f"ideal owners {dict(ideal.owners())}")
    assert ideal.owners()["taken_bubble"] == 39 * 4


@cocotb.test()
async def stuttering_clock(dut):
    """Ticks withheld at random change nothing that is counted in ticks."""
    source = (
        f"ldah $30, {DATA >> 16}($31)\n"
        + "".join(
            f"ldq $1, {64 * n}($30)\naddq $1, {n}, $1\nstq $1, {64 * n + 8}($30)\n"
            for n in range(40)
        )
        + "mulq $1, 3, $2\naddq $2, 1, $3\nmb\n"
    )
    plain = await run(dut, source)
    b = await run(dut, source, stutter=random.Random(5))
    assert [t.owner for t in b.ticks] == [t.owner for t in plain.ticks]
    assert b.transactions == plain.transactions and b.clocks > len(b.ticks) * 1.2
    assert [(r.pc, r.value) for r in b.retired] == [(r.pc, r.value) for r in plain.retired]
