# SPDX-License-Identifier: BSD-2-Clause
"""Random blocks of Alpha instructions, as assembly text with raw words in it.

A block may use r0 to r26 freely; r27 and r28 are its temporaries, r30 is the base of the data and
r29 lies 64 KB above it. What a block may contain is its ``Flavour``: under qemu's user mode a trap
would end the program, so those stay out there.
"""

import csv
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from mcpi.base.repo import ROOT

OPERATES = ROOT / "sim" / "test" / "alpha" / "operate.csv"
FREE = range(27)  # registers of a block
TEMP, COUNT, FAR, BASE, ZERO = 27, 28, 29, 30, 31
LINK = 26
AMASK, IMPLVER = (0x11, 0x61), (0x11, 0x6C)

# opcode, bytes, store
PLAIN = [(0x28, 4, False), (0x29, 8, False), (0x2C, 4, True), (0x2D, 8, True)]
UNALIGNED = [(0x0B, 8, False), (0x0F, 8, True)]
BRANCHES = range(0x38, 0x40)
MISC = [0x0000, 0x0400, 0x4000, 0x4400, 0x8000, 0xA000, 0xE000, 0xF000]
RPCC = 0xC000
HINTS = [function for function in MISC if function < RPCC]


@dataclass(frozen=True)
class Flavour:
    """Where blocks run: ``traps`` under PALcode of our own, else in qemu's user mode."""

    traps: bool
    near: int  # bytes above the base that the window of accesses has
    far: bool  # r29 is another 64 KB


USER = Flavour(traps=False, near=1024, far=False)


def operates(overflow: bool) -> dict[int, list[int]]:
    """Functions of every operate instruction by opcode; ``overflow``: the /V forms instead."""
    table: dict[int, list[int]] = {}
    with OPERATES.open() as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if row["mnemonic"].endswith("/v") == overflow:
                table.setdefault(int(row["opcode_hex"], 16), []).append(int(row["func_hex"], 16))
    return table


PLAIN_OPERATES, OVERFLOWS = operates(False), operates(True)


class Block:
    """A block in the making; ``lines`` is its text, ``name`` its label."""

    def __init__(self, rng: random.Random, flavour: Flavour, name: str) -> None:
        self.rng, self.flavour, self.name = rng, flavour, name
        self.lines: list[str] = []
        self.labels = 0
        self.made: Counter[str] = Counter()  # pieces, by name
        self.registers = rng.sample(FREE, rng.choice([4, 6, 8, 12, 20]))
        line = rng.randrange(0, min(4096, flavour.near) - 64, 8)
        steps = [0, 0, 8, 16, 32, 64, 128, *(1024 << n for n in range(5))]
        self.hot = [line + s for s in steps if line + s + 64 <= flavour.near]

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
        rng, near = self.rng, self.flavour.near
        r = rng.random()
        if r < 0.6:
            offset = rng.choice(self.hot) + rng.randrange(64)
        elif r < 0.85:
            offset = rng.randrange(min(near, 4096))
        else:
            offset = rng.randrange(near)
        offset = min(offset, near - 8) // size * size
        if self.flavour.far and rng.random() < 0.2:
            return FAR, offset - (0x8000 if r >= 0.85 and rng.random() < 0.5 else 0)
        return BASE, offset

    def memory(self, opcode: int, ra: int, rb: int, displacement: int) -> None:
        self.word(opcode << 26 | ra << 21 | rb << 16 | displacement & 0xFFFF)

    # ---------------------------------------------------------------- one instruction
    def operate(self) -> None:
        rng = self.rng
        table = PLAIN_OPERATES
        if self.flavour.traps and rng.random() < 0.015:
            table = OVERFLOWS
        opcodes = [c for c in (0x10, 0x10, 0x11, 0x12, 0x12) if c in table]
        opcode = 0x13 if rng.random() < 0.03 else rng.choice(opcodes)
        function = rng.choice(table[opcode])
        word = opcode << 26 | function << 5 | self.target()
        # AMASK and IMPLVER have ra = r31.
        ra = ZERO if (opcode, function) in (AMASK, IMPLVER) else self.source()
        word |= ra << 21
        if (opcode, function) == IMPLVER:
            self.word(word | 1 << 13 | 1 << 12)
        elif rng.random() < 0.3:
            self.word(word | rng.choice([rng.randrange(256), rng.randrange(9)]) << 13 | 1 << 12)
        else:
            self.word(word | self.source() << 16)

    def load_address(self) -> None:
        opcode = self.rng.choice([0x08, 0x09])
        self.memory(opcode, self.target(), self.source(), self.rng.getrandbits(16))

    def access(self) -> None:
        """A load or store; now and then to r31."""
        opcode, size, _ = self.rng.choice([*PLAIN, *PLAIN, *UNALIGNED])
        base, offset = self.place(1 if opcode in (0x0B, 0x0F) else size)
        self.memory(opcode, self.target(), base, offset)

    def hazard(self) -> None:
        """Stores and loads of one place, whole and in parts, close together."""
        rng = self.rng
        base, offset = self.place(8)
        for _ in range(rng.randrange(2, 6)):
            opcode, size, _ = rng.choice([*PLAIN, *UNALIGNED])
            part = rng.choice([0, 4]) if size == 4 else 0
            step = rng.choice([0, 0, 0, 8])
            limit = offset + part + step
            self.memory(opcode, self.target(), base, limit)
            if rng.random() < 0.4:
                self.operate()

    def computed(self) -> None:
        """An address from arithmetic at once: masked index plus base."""
        rng = self.rng
        t = rng.choice(self.registers)
        self.text(f"and ${self.source()}, {rng.choice([0x78, 0xF8, 0x38])}, ${t}")
        self.text(rng.choice([f"addq $30, ${t}, ${t}", f"s4addq ${t}, $30, ${t}"]))
        opcode, _, _ = rng.choice([PLAIN[1], PLAIN[3]])
        self.memory(opcode, self.target(), t, rng.randrange(0, 256, 8))

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
        opcode = self.rng.choice([0x30, 0x34, *BRANCHES, *BRANCHES])
        ra = self.target() if opcode in (0x30, 0x34) else self.source()
        if self.rng.random() < 0.3:
            self.text(f"cmp{self.rng.choice(['eq', 'lt', 'ule'])} ${self.source()}, 7, ${LINK}")
            ra = LINK
        self.text(f".long {opcode << 26 | ra << 21:#x} + (({over} - . - 4) >> 2 & 0x1fffff)")
        self.some(0, 5)
        self.at(over)

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
        self.memory(0x1A, self.target(), TEMP, rng.randrange(4) << 14 | rng.randrange(1 << 14))
        self.some(0, 3)
        self.at(entry)
        for _ in range(4):
            self.operate()

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
        load, store = (0x2A, 0x2E) if size == 4 else (0x2B, 0x2F)
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
        self.memory(0x29, a, base, offset)
        for _ in range(rng.randrange(1, 4)):
            function = rng.choice(PLAIN_OPERATES[0x13])
            sources = self.source() << 21 | self.source() << 16
            self.word(0x13 << 26 | function << 5 | sources | rng.choice([b, c, a]))
            for _ in range(rng.randrange(0, 8)):
                self.operate()
        self.text(f"addq ${a}, ${b}, ${c}")

    def barrier(self) -> None:
        """Barriers, hints and flags."""
        rng = self.rng
        functions = [*MISC, RPCC] if self.flavour.traps else HINTS  # qemu clears the flag itself
        function = rng.choice(functions)
        ra = self.target() if function >= 0xC000 else rng.choice([0, 31])
        self.word(0x18 << 26 | ra << 21 | rng.choice([BASE, ZERO]) << 16 | function)

    def nowhere(self) -> None:
        """Loads to r31 do nothing, whatever their address."""
        rng = self.rng
        opcode = rng.choice([0x0B, 0x28, 0x29])
        base, offset = self.place(1 if opcode == 0x0B else 8)
        if self.flavour.traps and rng.random() < 0.5:
            base, offset = self.source(), rng.getrandbits(16)
        self.memory(opcode, ZERO, base, offset)

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
