# SPDX-License-Identifier: BSD-2-Clause
"""Programs of several cores, drawn at random, on machines drawn at random."""

import random

HEAD = """
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start
_start:	lda $12, -511($31)
	sll $12, 33, $12
	lda $13, 0x4000($12)
	ldq $14, 0x18($13)	// which core
	ldq $15, 0($13)
	lda $9, 1($31)
	sll $9, 21, $9
	lda $10, -4($31)
	sll $10, 40, $10
	addq $9, $10, $9	// all share 2 MB and what follows
	lda $10, 1($31)
	sll $10, 16, $10
	addq $9, $10, $10	// as far as the smallest b-cache is long
	lda $11, 0x2000($9)	// who is done
"""
END = """
end:	mb
	cmpeq $14, 0, $1
	bne $1, first
	sll $14, 7, $1
	addq $11, $1, $11
	lda $1, 1($31)
	stq $1, 0($11)
	mb
	br $31, .
first:	lda $2, 1($31)
wait:	cmpeq $2, $15, $1
	bne $1, all
	lda $11, 0x2000($9)
	sll $2, 7, $1
	addq $11, $1, $11
1:	ldq $1, 0($11)
	beq $1, 1b
	addq $2, 1, $2
	br $31, wait
all:	lda $13, 0x1010($12)
	stq $31, 0($13)
	br $31, .
"""
FUNCTIONS = 2  # whose code changes
ADDRESS = """	br $16, 3f
	lda $7, {}($31)
3:	ldl $8, 0($16)
	lda $16, f{}-3b+4($16)
"""
LOSES = """	lda $17, 32($31)
	sll $17, 16, $17
	addq $16, $17, $17
	ldq $8, 0($17)
"""
CALL = """	bsr $26, f{}
2:	subq $7, 1, $7
	bgt $7, 2b
"""
WAIT = """	lda $8, 300($31)
2:	subq $8, 1, $8
	bne $8, 2b
"""
# Core 1 has a function in its I-cache alone; core 0 has its block, and changes it.
HANDS_OVER = [
    f"""{ADDRESS.format(40, 0)}
1:	ldq $17, 0x1000($9)
	beq $17, 1b
	ldl $17, 0($16)
	stl $8, 0($16)
{WAIT}
	mb
	stq $31, 0x1000($9)
	mb
""",
    f"""{CALL.format(0)}{ADDRESS.format(1, 0)}{LOSES}
	lda $7, 1($31)
	stq $7, 0x1000($9)
	mb
{WAIT}
1:	ldq $17, 0x1000($9)
	bne $17, 1b
{CALL.format(0)}
""",
]
BLOCKS = 6  # of 32 bytes that all use, at two places of one line of the b-cache


def _place(draw: random.Random) -> str:
    base = draw.choice(("$9", "$9", "$10"))
    return f"{32 * draw.randrange(BLOCKS) + 8 * draw.randrange(4)}({base})"


def _step(draw: random.Random, label: str) -> list[str]:
    """A few instructions; registers 1 to 8 are free, 16 holds an address."""
    kind = draw.choices(
        ("load", "store", "long", "add", "barrier", "wait", "pair", "far", "multiply", "device"),
        (6, 6, 2, 3, 2, 2, 2, 1, 3, 1),
    )[0]
    reg = draw.randrange(1, 7)
    at = _place(draw)
    if kind == "load":
        return [f"ldq ${reg}, {at}"]
    if kind == "store":
        return [f"stq ${reg}, {at}"]
    if kind == "long":
        return [f"ldl ${reg}, {at}", f"addl ${reg}, {draw.randrange(256)}, $7", f"stl $7, {at}"]
    if kind == "add":
        retry = ["beq $7, 1b", "nop"] if draw.random() < 0.7 else []
        return [f"1:\tldq_l $7, {at}", "addq $7, 1, $7", f"stq_c $7, {at}", *retry]
    if kind == "barrier":
        return [draw.choice(("mb", "wmb"))]
    if kind == "wait":
        return [f"lda $8, {draw.randrange(1, 40)}($31)", "2:\tsubq $8, 1, $8", "bne $8, 2b"]
    if kind == "multiply":
        names = draw.choices(("mulq", "mull", "umulh"), k=draw.randrange(1, 4))
        return [f"{name} ${reg}, {draw.randrange(256)}, ${draw.randrange(1, 7)}" for name in names]
    if kind == "device":
        return [f"ldq ${reg}, {draw.choice(('0x18($13)', '0x18($12)'))}"]
    if kind == "pair":
        return [f"ldq_l $7, {at}", *["nop"] * draw.randrange(30), f"stq_c $7, {_place(draw)}"]
    return [f"br $31, {label}", "\t.balign 128", "\t.skip 256", f"{label}:"]


def program(seed: int, cores: int, steps: int = 60) -> str:
    """Assembly: each core has a way of its own through the same few blocks."""
    draw = random.Random(seed)
    lines = [HEAD]
    for core in range(cores):
        lines += [f"\tcmpeq $14, {core}, $1", f"\tbne $1, way{core}"]
    for core in range(cores):
        lines += ["\t.balign 32", f"way{core}:"]
        for reg in range(1, 7):
            lines.append(f"\tlda ${reg}, {draw.randrange(1 << 15)}($31)")
        for n in range(steps):
            lines += ["\t" + s if ":" not in s else s for s in _step(draw, f"far{core}_{n}")]
        lines.append("\tbr $31, end")
    return "\n".join([*lines, END])


def codes(seed: int, cores: int, steps: int = 40) -> str:
    """Assembly: cores call and change the same functions, whose values they then wait for. Other
    functions take their places in the I-cache, and loads those in the b-cache."""
    draw = random.Random(f"codes {seed}")
    lines = [HEAD]
    for core in range(cores):
        lines += [f"\tcmpeq $14, {core}, $1", f"\tbne $1, way{core}"]
    for core in range(cores):
        lines += [f"way{core}:", *HANDS_OVER[core : core + 1]]
        for _ in range(steps):
            name = draw.randrange(FUNCTIONS)
            kind = draw.choices(("call", "evict", "lose", "change", "barrier"), (6, 1, 3, 3, 3))[0]
            if kind == "call":
                lines.append(CALL.format(name))
            elif kind == "evict":
                lines.append(f"\tbsr $26, g{name}")
            elif kind == "barrier":
                lines.append("\tmb")
            else:
                lines.append(ADDRESS.format(draw.randrange(1, 60), name))
                lines.append("\tstl $8, 0($16)" if kind == "change" else LOSES)
        lines.append("\tbr $31, end")
    body = ["\t.balign 64", "f{}:\tlda $7, 5($31)", "\tret $31, ($26), 1"]
    made = [line.format(n) for n in range(FUNCTIONS) for line in body]
    apart = [f"\t.balign 64\n\t.skip {8192 - 64 * FUNCTIONS}"]
    return "\n".join([*lines, END, *made, *apart, *(one.replace("f", "g") for one in made)])


def settings(seed: int) -> dict[str, str]:
    """Settings of a random machine that extends dec3000-mp."""
    draw = random.Random(f"machine {seed}")
    block = draw.choice((16, 32, 64))
    data = draw.randrange(1, 20)
    return {
        "core.count": str(draw.choice((2, 3, 4, 8, 8, 8))),
        "cache.block": f"{block}B",
        "bcache.block": f"{draw.choice([b for b in (32, 64, 128) if b >= block])}B",
        "bcache.size": draw.choice(("64KB", "128KB", "2MB")),
        "bcache.read_ticks": str(draw.randrange(5, 20)),
        "write_buffer.write_ticks": str(draw.randrange(5, 14)),
        "write_buffer.entries": str(draw.choice((2, 4, 4, 8))),
        "write_buffer.idle_ticks": str(draw.choice((1, 20, 256))),
        "icache.prefetch": draw.choice(("on", "off")),
        "dcache.enable": draw.choice(("on", "on", "on", "off")),
        "bus.outstanding": str(draw.randrange(1, 9)),
        "bus.request_ticks": str(draw.randrange(3, 14)),
        "bus.data_ticks": str(data),
        "bus.miss_ticks": str(data + draw.randrange(7, 150)),
        "bus.remote_ticks": str(data + draw.randrange(7, 150)),
        "bus.upgrade_ticks": str(draw.randrange(4, 60)),
        "bus.arbiter_first": str(draw.randrange(8)),
    }
