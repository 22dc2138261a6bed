# SPDX-License-Identifier: BSD-2-Clause
"""Random blocks of Alpha instructions, as assembly text with raw words in it.

A block may use r0 to r26 freely; r27 and r28 are its temporaries, r30 is the base of the data and
r29 lies 64 KB above it. What a block may contain is its ``Flavour``: under qemu's user mode a trap
would end the program, so those stay out there.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from mcpi.isa import encode, table
from mcpi.isa.table import Instruction

FREE = range(27)  # registers of a block
TEMP, COUNT, FAR, BASE, ZERO = 27, 28, 29, 30, 31
LINK = 26
INTA, INTL, INTS, INTM = (table.opcodes(name)[0] for name in ("inta", "intl", "ints", "intm"))
NO_RA = ("amask", "implver")  # ra is r31

_ACCESSES = [row for row in table.of_group("load", "store") if row.format == "memory"]
PLAIN = [row for row in _ACCESSES if not row.any_alignment]
UNALIGNED = [row for row in _ACCESSES if row.any_alignment]
BRANCHES = table.of_group("conditional_branch")
UNCONDITIONAL = table.of_group("branch")
HINTS = table.of_group("hint", "barrier")
JUMPS = table.of_group("jump")  # by function
MISC = [*HINTS, *table.of_group("flag")]


@dataclass(frozen=True)
class Flavour:
    """Where blocks run: ``traps`` under PALcode of our own, else in qemu's user mode."""

    traps: bool
    window: int  # bytes above the base that the window of accesses has
    far: bool  # r29 is another 64 KB


USER = Flavour(traps=False, window=1024, far=False)


def operates(overflow: bool, ours: bool = True) -> dict[int, list[Instruction]]:
    """The operate instructions by opcode, with or without ours; ``overflow``: the /V forms
    instead."""
    found: dict[int, list[Instruction]] = {}
    for row in table.rows():
        if row.format == "operate" and row.overflow == overflow and ours >= row.ours:
            found.setdefault(row.opcode, []).append(row)
    return found


PLAIN_OPERATES, OVERFLOWS = operates(False), operates(True)
QEMU_OPERATES = operates(False, ours=False)


class Block:
    """A block in the making; ``lines`` is its text, ``name`` its label."""

    def __init__(self, rng: random.Random, flavour: Flavour, name: str) -> None:
        self.rng, self.flavour, self.name = rng, flavour, name
        self.lines: list[str] = []
        self.labels = 0
        self.made: Counter[str] = Counter()  # pieces, by name
        self.registers = rng.sample(FREE, rng.choice([4, 6, 8, 12, 20]))
        line = rng.randrange(0, min(4096, flavour.window) - 64, 8)
        steps = [0, 0, 8, 16, 32, 64, 128, *(1024 << n for n in range(5))]
        self.hot = [line + s for s in steps if line + s + 64 <= flavour.window]

    # ---------------------------------------------------------------- text
    def word(self, value: int) -> None:
        self.lines.append(f"\t.long {value:#010x}")

    def text(self, line: str) -> None:
        self.lines.append(f"\t{line}")

    def label(self) -> str:
        """A new label's name; ``at`` puts it."""
        self.labels += 1
        return f"{self.name}_{self.labels}"

    def at(self, label: str) -> None:
        self.lines.append(f"{label}:")

    # ---------------------------------------------------------------- operands
    def source(self) -> int:
        r = self.rng.random()
        if r < 0.85:
            return self.rng.choice(self.registers)
        return ZERO if r < 0.92 else self.rng.choice(range(31))

    def target(self) -> int:
        return ZERO if self.rng.random() < 0.02 else self.rng.choice(self.registers)

    def place(self, size: int) -> tuple[int, int]:
        """Base register and displacement of an access in the window, aligned to ``size``."""
        rng, window = self.rng, self.flavour.window
        r = rng.random()
        if r < 0.6:
            offset = rng.choice(self.hot) + rng.randrange(64)
        elif r < 0.85:
            offset = rng.randrange(min(window, 4096))
        else:
            offset = rng.randrange(window)
        offset = min(offset, window - 8) // size * size
        if self.flavour.far and rng.random() < 0.2:
            return FAR, offset - (0x8000 if r >= 0.85 and rng.random() < 0.5 else 0)
        return BASE, offset

    def memory(self, what: str | Instruction, ra: int, rb: int, displacement: int) -> None:
        self.word(encode.word(what, ra=ra, rb=rb, disp=displacement & 0xFFFF))

    def plain_operates(self, opcode: int) -> list[Instruction]:
        return (PLAIN_OPERATES if self.flavour.traps else QEMU_OPERATES)[opcode]

    # ---------------------------------------------------------------- one instruction
    def operate(self) -> None:
        rng = self.rng
        overflow = self.flavour.traps and rng.random() < 0.015
        opcodes = [INTA, INTA] if overflow else [INTA, INTA, INTL, INTS, INTS]
        opcode = INTM if rng.random() < 0.03 else rng.choice(opcodes)
        row = rng.choice(OVERFLOWS[opcode] if overflow else self.plain_operates(opcode))
        rc = self.target()
        ra = ZERO if row.name in NO_RA else self.source()
        if row.name == "implver":
            self.word(encode.word(row, ra=ra, literal=1, rc=rc))
        elif rng.random() < 0.3:
            literal = rng.choice([rng.randrange(256), rng.randrange(9)])
            self.word(encode.word(row, ra=ra, literal=literal, rc=rc))
        else:
            self.word(encode.word(row, ra=ra, rb=self.source(), rc=rc))

    def load_address(self) -> None:
        what = self.rng.choice(["lda", "ldah"])
        self.memory(what, self.target(), self.source(), self.rng.getrandbits(16))

    def access(self) -> None:
        """A load or store; now and then to r31."""
        row = self.rng.choice([*PLAIN, *PLAIN, *UNALIGNED])
        base, offset = self.place(1 if row.any_alignment else row.bytes)
        self.memory(row, self.target(), base, offset)

    def hazard(self) -> None:
        """Stores and loads of one place, whole and in parts, close together."""
        rng = self.rng
        base, offset = self.place(8)
        for _ in range(rng.randrange(2, 6)):
            row = rng.choice([*PLAIN, *UNALIGNED])
            part = rng.choice([0, 4]) if row.bytes == 4 else 0
            step = rng.choice([0, 0, 0, 8])
            limit = offset + part + step
            self.memory(row, self.target(), base, limit)
            if rng.random() < 0.4:
                self.operate()

    def computed(self) -> None:
        """An address from arithmetic at once: masked index plus base."""
        rng = self.rng
        t = rng.choice(self.registers)
        self.text(f"and ${self.source()}, {rng.choice([0x78, 0xF8, 0x38])}, ${t}")
        self.text(rng.choice([f"addq $30, ${t}, ${t}", f"s4addq ${t}, $30, ${t}"]))
        what = rng.choice(["ldq", "stq"])
        self.memory(what, self.target(), t, rng.randrange(0, 256, 8))

    def simple(self) -> None:
        """Add a piece that may stand anywhere, also in loops."""
        r = self.rng.random()
        if r < 0.55:
            self.operate()
        elif r < 0.62:
            self.load_address()
        elif r < 0.85:
            self.access()
        elif r < 0.93:
            self.hazard()
        else:
            self.computed()

    def some(self, low: int, high: int) -> None:
        for _ in range(self.rng.randrange(low, high)):
            self.simple()

    # ---------------------------------------------------------------- idioms
    def unaligned_quad(self) -> None:
        """The sequences compilers emit for quadwords anywhere, bytes and words."""
        rng = self.rng
        p, x, y, z = rng.sample(list(FREE), 4)
        base, offset = self.place(1)
        size = rng.choice("wlq")
        self.text(f"lda ${p}, {offset}(${base})")
        self.text(f"ldq_u ${x}, 0(${p})")
        last = {"w": 1, "l": 3, "q": 7}[size]
        self.text(f"ldq_u ${y}, {last}(${p})")
        if rng.random() < 0.5:
            self.text(f"ext{size}l ${x}, ${p}, ${x}")
            self.text(f"ext{size}h ${y}, ${p}, ${y}")
            self.text(f"bis ${x}, ${y}, ${z}")
            return
        v = self.source()
        w = rng.choice([r for r in FREE if r not in (p, x, y, z)])
        self.text(f"ins{size}h ${v}, ${p}, ${w}")
        self.text(f"ins{size}l ${v}, ${p}, ${z}")
        self.text(f"msk{size}h ${y}, ${p}, ${y}")
        self.text(f"msk{size}l ${x}, ${p}, ${x}")
        self.text(f"bis ${y}, ${w}, ${y}")
        self.text(f"bis ${x}, ${z}, ${x}")
        self.text(f"stq_u ${y}, {last}(${p})")
        self.text(f"stq_u ${x}, 0(${p})")

    def byte(self) -> None:
        rng = self.rng
        p, x, y = rng.sample(list(FREE), 3)
        base, offset = self.place(1)
        self.text(f"lda ${p}, {offset}(${base})")
        self.text(f"ldq_u ${x}, 0(${p})")
        if rng.random() < 0.5:
            self.text(f"extbl ${x}, ${p}, ${y}")
            return
        self.text(f"insbl ${self.source()}, ${p}, ${y}")
        self.text(f"mskbl ${x}, ${p}, ${x}")
        self.text(f"bis ${x}, ${y}, ${x}")
        self.text(f"stq_u ${x}, 0(${p})")

    def forward(self) -> None:
        """A branch over a few instructions, taken or not."""
        over = self.label()
        row = self.rng.choice([*UNCONDITIONAL, *BRANCHES, *BRANCHES])
        ra = self.target() if row in UNCONDITIONAL else self.source()
        if self.rng.random() < 0.3:
            self.text(f"cmp{self.rng.choice(['eq', 'lt', 'ule'])} ${self.source()}, 7, ${LINK}")
            ra = LINK
        self.branch(row, ra, over)
        self.some(0, 5)
        self.at(over)

    def branch(self, row: Instruction, ra: int, to: str) -> None:
        word = encode.word(row, ra=ra)
        self.text(f".long {word:#x} + (({to} - . - 4) >> 2 & 0x1fffff)")

    def loop(self) -> None:
        top = self.label()
        rounds = self.rng.choice([1, 2, 3, 5, 9])
        self.text(f"lda $28, {rounds}($31)")
        self.at(top)
        for _ in range(self.rng.randrange(1, 5)):
            self.rng.choice([self.simple, self.simple, self.forward, self.byte])()
        self.text("subq $28, 1, $28")
        self.text(f"{self.rng.choice(['bne', 'bgt'])} $28, {top}")

    def jump(self) -> None:
        """Computed: one of four words to enter at."""
        rng = self.rng
        here, entry = self.label(), self.label()
        c = rng.choice(self.registers)
        self.text(f"br $27, {here}")
        self.at(here)
        self.text(f"and ${self.source()}, 3, ${c}")
        self.text(f"s4addq ${c}, $27, $27")
        self.text(f"lda $27, {entry} - {here}($27)")
        if rng.random() < 0.3:
            self.text("bis $27, 3, $27")  # the low bits of a target are dropped
        self.jump_to(self.target(), TEMP, rng.randrange(4), rng.randrange(1 << 14))
        self.some(0, 3)
        self.at(entry)
        for _ in range(4):
            self.operate()

    def jump_to(self, ra: int, rb: int, kind: int, hint: int) -> None:
        self.word(encode.word(JUMPS[kind], ra=ra, rb=rb, disp=hint))

    def call(self) -> None:
        """BSR or JSR to a leaf in this block, RET or JSR_COROUTINE back."""
        rng = self.rng
        leaf, over = self.label(), self.label()
        if rng.random() < 0.5:
            self.text(f"bsr $26, {leaf}")
        else:
            here = self.label()
            self.text(f"br $27, {here}")
            self.at(here)
            self.text(f"lda $27, {leaf} - {here}($27)")
            if rng.random() < 0.5:
                self.operate()
            self.text("jsr $26, ($27), 0")
        self.some(0, 3)
        self.text(f"br $31, {over}")
        self.at(leaf)
        kept = self.registers
        self.registers = [r for r in kept if r != LINK] or [0]
        for _ in range(rng.randrange(0, 4)):
            self.operate()
        self.registers = kept
        back = rng.choice(["ret $31, ($26), 1", "ret $31, ($26), 1", "jsr_coroutine $26, ($26), 0"])
        self.text(back)
        self.at(over)

    def lock(self) -> None:
        """LDx_L and STx_C of one place; with traps allowed, also of two."""
        rng = self.rng
        size = rng.choice([4, 8])
        load, store = ("ldl_l", "stl_c") if size == 4 else ("ldq_l", "stq_c")
        base, offset = self.place(size)
        if not self.flavour.traps or rng.random() < 0.9:
            self.memory(load, rng.choice(self.registers), base, offset)
        for _ in range(rng.randrange(0, 3)):
            self.operate()
        self.between()
        if self.flavour.traps and rng.random() < 0.15:
            base, offset = self.place(size)
        self.memory(store, rng.choice(self.registers), base, offset)
        if self.flavour.traps and rng.random() < 0.2:
            self.memory(store, rng.choice(self.registers), base, offset)

    def between(self) -> None:
        """Add a piece to a lock pair; a subclass may have some."""

    def multiply_shadow(self) -> None:
        """Long multiplies and dependent work under a load that probably misses."""
        rng = self.rng
        a, b, c = (rng.choice(self.registers) for _ in range(3))
        base, offset = self.place(8)
        self.memory("ldq", a, base, offset)
        for _ in range(rng.randrange(1, 4)):
            row = rng.choice(self.plain_operates(INTM))
            ra, rb = self.source(), self.source()
            self.word(encode.word(row, ra=ra, rb=rb, rc=rng.choice([b, c, a])))
            for _ in range(rng.randrange(0, 8)):
                self.operate()
        self.text(f"addq ${a}, ${b}, ${c}")

    def barrier(self) -> None:
        """Barriers, hints and flags."""
        rng = self.rng
        # qemu clears the flag itself.
        row = rng.choice([*MISC, table.named("rpcc")] if self.flavour.traps else HINTS)
        ra = rng.choice([0, 31]) if row in HINTS else self.target()
        self.word(encode.word(row, ra=ra, rb=rng.choice([BASE, ZERO])))

    def nowhere(self) -> None:
        """Loads to r31 do nothing, whatever their address."""
        rng = self.rng
        what = rng.choice(["ldq_u", "ldl", "ldq"])
        base, offset = self.place(1 if what == "ldq_u" else 8)
        if self.flavour.traps and rng.random() < 0.5:
            base, offset = self.source(), rng.getrandbits(16)
        self.memory(what, ZERO, base, offset)

    def patch(self) -> None:
        """Self-modifying: one of four words is stored into what follows, IMB, executed."""
        rng = self.rng
        here, table, there, over = (self.label() for _ in range(4))
        x = rng.choice([r for r in FREE if r != LINK])
        self.text(f"br $27, {here}")
        self.at(here)
        self.text(f"and ${self.source()}, 3, ${x}")
        self.text(f"s4addq ${x}, $27, ${x}")
        self.text(f"ldl ${x}, {table} - {here}(${x})")
        self.text(f"stl ${x}, {there} - {here}($27)")
        self.text("call_pal 0x86")
        if not self.flavour.traps:  # qemu goes on in what it has translated, up to a real branch
            self.text("br $31, .+8")
            self.operate()
        for _ in range(rng.randrange(0, 10)):
            self.operate()
        self.at(there)
        self.operate()
        self.text(f"br $31, {over}")
        self.at(table)
        for _ in range(4):
            self.operate()
        self.at(over)

    # ---------------------------------------------------------------- the whole
    def segments(self) -> list[tuple[Callable[[], None], int]]:
        """Pieces of a block, with weights."""
        return [
            (self.simple, 40), (self.hazard, 6), (self.unaligned_quad, 5), (self.byte, 4),
            (self.forward, 9), (self.loop, 3), (self.jump, 3), (self.call, 3), (self.lock, 3),
            (self.multiply_shadow, 2), (self.barrier, 2), (self.nowhere, 2), (self.patch, 1),
        ]  # fmt: skip

    def fill(self, words: int) -> list[str]:
        """About ``words`` instructions; returns the text, label first."""
        calls, weights = zip(*self.segments(), strict=True)
        self.lines = []
        while len(self.lines) < words:
            piece = self.rng.choices(calls, weights)[0]
            self.made[piece.__name__] += 1
            piece()
        return [f"{self.name}:", *self.lines]
