# SPDX-License-Identifier: BSD-2-Clause
"""Random blocks under PALcode of our own, for the core bench and for whole nodes: traps, PAL mode,
I/O, DMA, pauses."""

import random
from collections.abc import Callable

from mcpi.isa import encode, table
from verify.random.blocks import (
    BASE,
    BRANCHES,
    FAR,
    FREE,
    INTA,
    INTL,
    INTM,
    INTS,
    LINK,
    NO_RA,
    OVERFLOWS,
    PLAIN,
    PLAIN_OPERATES,
    TEMP,
    ZERO,
    Block,
    Flavour,
)

PAL_BLOCK, MACHINE_CHECKS = 0x84, (0x8B, 0x8C)  # entries of the test's PALcode
GOES, GOES_INTERRUPTED = 0x90, 0x91  # to r27
RAM, LAST = 0x4000000, 16  # bytes; words at its end (``last_words``)
FLOATING, RESERVED = table.opcodes("floating"), table.reserved()
PAL_ONLY = sorted(row.opcode for row in table.rows() if row.mode == "pal")
# Readable and writable internal registers that a PAL block may have (random-tests.md).
READABLE = [0x22, 0x24, 0x29, 0x2A, 0x2B, 0x2C, 0x30, 0x44, 0x45, 0x4E, 0x50, 0x52, 0x2F, 0x5F]
WRITABLE = [0x22, 0x24, 0x2A, 0x4E, 0x50, 0x52, 0x55]
TEMPS = range(12)  # PAL_TEMPs that the PALcode of the test does not use

CORE = Flavour(traps=True, window=0x8000, far=True)


class SystemBlock(Block):
    """A block of the core bench; ``pal``: it runs in PAL mode."""

    pal_blocks = 64  # a program has; their addresses lie 800 hex above the variables

    def __init__(self, rng: random.Random, name: str, pal: bool = False) -> None:
        super().__init__(rng, CORE, name)
        self.pal = pal

    def between(self) -> None:
        """Add a piece that breaks the lock or takes time, so that DMA may come in between."""
        if self.rng.random() < 0.4:
            self.rng.choice([self.trap, self.access, self.forward, self.pause])()

    def pause(self) -> None:
        """Up to 200 ticks."""
        top = self.label()
        self.text(f"lda $28, {self.rng.randrange(1, 30)}($31)")
        self.at(top)
        self.text("subq $28, 1, $28")
        self.text(f"bne $28, {top}")

    def trap(self) -> None:
        """Something the PALcode skips: unaligned, reserved, floating."""
        rng = self.rng
        kind = rng.randrange(4)
        if kind == 0:
            locks = (table.named(name) for name in ("ldl_l", "ldq_l", "stl_c"))
            row = rng.choice([*PLAIN, *locks])
            base, offset = self.place(8)
            offset += rng.randrange(1, row.bytes)
            self.memory(row, self.target(), base, offset)
        elif kind == 1:
            reserved = RESERVED if self.pal else [*RESERVED, *PAL_ONLY]
            self.word(rng.choice(reserved) << 26 | rng.getrandbits(26))
        elif kind == 2:
            self.word(rng.choice(FLOATING) << 26 | rng.getrandbits(26))
        else:
            opcode = rng.choice([INTA, INTL, INTS, INTM])
            rows = [*PLAIN_OPERATES[opcode], *OVERFLOWS.get(opcode, [])]
            known = {row.function for row in rows}
            function = rng.choice([f for f in range(128) if f not in known])
            operands = rng.getrandbits(5) << 21 | rng.getrandbits(5) << 16 | self.target()
            self.word(opcode << 26 | operands | function << 5)

    def beyond_memory(self) -> None:
        """A fetch fails: from beyond RAM, perhaps while an interrupt is due; or after RAM's last
        words, where r28 overflows, or not."""
        rng = self.rng
        follows, overflows = rng.random() < 0.5, False
        if follows:
            words = rng.randrange(1, LAST + 1)
            overflows = words % 2 == 1
            self.text(f"lda $27, {-4 * words}($31)")
        else:
            self.text(f"lda $27, {4 * rng.choice([0, 0, rng.randrange(0x2000)])}($31)")
        self.text("lda $28, 1($31)")
        self.text("sll $28, 26, $28")
        self.text("addq $27, $28, $27")
        if rng.random() < 0.5:
            self.text("bis $27, $30, $27")  # in the kernel's segment
        self.text("lda $28, -1($31)")
        self.text(f"srl $28, {1 if overflows else 63}, $28")
        self.word(GOES_INTERRUPTED if not follows and rng.random() < 0.5 else GOES)

    def overflow(self) -> None:
        rng = self.rng
        row = rng.choice(OVERFLOWS[rng.choice([INTA, INTM])])
        ra, rb, rc = self.source(), self.source(), self.target()
        wanted = rng.choice(self.registers)
        under_a_load = rng.random() < 0.3
        if under_a_load:
            self.memory("ldq", wanted, FAR, rng.randrange(-0x8000, 0x8000, 8))
            row = rng.choice(OVERFLOWS[INTM])
            ra, rb, rc = BASE, BASE, ZERO
        self.word(encode.word(row, ra=ra, rb=rb, rc=rc))
        if under_a_load:
            self.text(f"addq ${wanted}, 1, ${wanted}")
        self.some(0, 2)

    def call_pal(self) -> None:
        """An entry of the test's PALcode, or none: OPCDEC."""
        rng = self.rng
        known = [0x85, 0x85, 0x87, 0x87, 0x87, 0x88, 0x8A, 0x8B, 0x8C, 0x8D]
        privileged = [rng.randrange(1, 0x40)] * 5
        function = rng.choice(
            [*known, *known, *privileged, rng.randrange(0x40, 0x80), rng.randrange(0xC0, 1 << 26)]
        )
        if self.pal and function in MACHINE_CHECKS:  # they have but one place to return to
            function = 0x85
        self.word(function)

    def pal_block(self) -> None:
        """A block of instructions in PAL mode."""
        self.text("ldah $27, 2($30)")
        self.text(f"ldq $27, 0x800 + {8 * self.rng.randrange(self.pal_blocks)}($27)")
        self.word(PAL_BLOCK)

    def direct_memory(self) -> None:
        """Loads from the window that DMA writes, most often at its beginning; now and then again
        and again, as a driver polls."""
        rng = self.rng
        top, polls = self.label(), rng.random() < 0.5
        self.text("ldah $27, 2($31)")
        if polls:
            self.text(f"lda $28, {rng.randrange(2, 20)}($31)")
            self.at(top)
        for _ in range(rng.randrange(1, 5)):
            what = rng.choice(["ldl", "ldq", "ldq_u"])
            offset = rng.randrange(rng.choice([8, 128])) * 8
            self.memory(what, rng.choice(self.registers), TEMP, offset)
            if rng.random() < 0.3:
                self.operate()
        if polls:
            self.text("subq $28, 1, $28")
            self.text(f"bne $28, {top}")

    def pair(self) -> None:
        """A result and who wants it, up to four instructions apart: each producer with each
        consumer (random-tests.md, Coverage)."""
        rng = self.rng
        consumers = [self._operates, self._multiplies, self._moves, self._is_stored]
        consumers += [self._addresses, self._addresses, self._branches, self._is_target]
        if self.pal:
            consumers += [self._into_internal] * 5
        use = rng.choice(consumers)
        x, y = rng.sample([r for r in FREE if r != LINK], 2)
        after = self.label()
        if use == self._is_target:
            here = self.label()
            self.text(f"br ${y}, {here}")
            self.at(here)
            self.text(f"lda ${y}, {after} - {here}(${y})")
        else:
            self.text(f"lda ${y}, {8 * rng.randrange(512)}($30)")
        base = self._produce(x, y, use == self._is_target)
        for _ in range(rng.randrange(5) if base != "code" else rng.choice([0, 0, 0, 1, 2])):
            z = rng.choice([r for r in FREE if r not in (x, y)])
            self.text(f"lda ${z}, {rng.randrange(256)}($31)")
        use(x, base, after)
        self.at(after)

    def _produce(self, x: int, y: int, code: bool) -> str:
        """Something writes x: what y has, an address; or (not of ``code``) 0 or 1, or an address of
        code. Returns which: address, small, code."""
        rng = self.rng
        keep = [
            f"bis ${y}, ${y}, ${x}", f"lda ${x}, 0(${y})", f"sll ${y}, 0, ${x}",
            f"cmoveq $31, ${y}, ${x}", f"mulq ${y}, 1, ${x}", f"mull ${y}, 1, ${x}",
        ]  # fmt: skip
        small = ["cmpult", "conditional", "flag", "io"]
        loads, links = ["load", "load"], ["link", "jump", "jump", "jump"]
        internal = ["internal"] * 6 if self.pal else []
        how = rng.choice([*keep, *loads, *internal, *([] if code else [*small, *links])])
        if how == "load":
            base, offset = self.place(8)
            self.text(f"stq ${y}, {offset}(${base})")
            for _ in range(rng.randrange(2)):
                self.memory("ldq", self.target(), *self.place(8))
            self.text(f"ldq ${x}, {offset}(${base})")
        elif how == "internal":
            temp = 0x80 | rng.choice(TEMPS)
            self.word(encode.word("hw_mtpr", ra=y, rb=y, disp=temp))
            self.word(encode.word("hw_mfpr", ra=x, disp=temp))
        elif how == "cmpult":
            self.text(f"{rng.choice(['cmpult', 'cmpeq'])} ${y}, {rng.randrange(256)}, ${x}")
        elif how == "conditional":
            base, offset = self.place(8)
            self.memory("ldq_l", x, base, offset)
            self.memory("stq_c", x, base, offset)
        elif how == "flag":
            self.word(encode.word(rng.choice(["rc", "rs"]), ra=x))
        elif how == "io":  # whether to go on: 0 or 1
            self.text("lda $27, 1($31)")
            self.text("sll $27, 33, $27")
            self.text(f"ldq ${x}, 0x1008($27)")
        elif how in ("link", "jump"):
            there = self.label()
            if how == "jump":  # it waits for its address, and is predicted rightly
                here = self.label()
                self.text(f"br $27, {here}")
                self.at(here)
                self.text(f"lda $27, {there} - {here}($27)")
                word = encode.word("jmp", ra=x, rb=TEMP)
                self.text(f".long {word:#x} + (({there} - . - 4) >> 2 & 0x3fff)")
            else:
                self.text(f"br ${x}, {there}")
            for _ in range(rng.randrange(2)):
                self.operate()
            self.at(there)
            return "code"
        else:
            self.text(how)
        return "small" if how in small else "address"

    # ---------------------------------------------------------------- who wants x
    def _operates(self, x: int, kind: str, after: str) -> None:
        rng = self.rng
        row = rng.choice(PLAIN_OPERATES[rng.choice([INTA, INTL, INTS])])
        a, b = rng.choice([(x, self.source()), (self.source(), x)])
        what = "bis" if row.name in NO_RA else row
        self.word(encode.word(what, ra=a, rb=b, rc=self.target()))

    def _multiplies(self, x: int, kind: str, after: str) -> None:
        row = self.rng.choice(PLAIN_OPERATES[INTM])
        self.word(encode.word(row, ra=x, rb=self.source(), rc=self.target()))

    def _moves(self, x: int, kind: str, after: str) -> None:
        """Over x, or not."""
        condition = self.rng.choice(["cmovlbs", "cmovlt", "cmoveq"])
        self.text(f"{condition} ${self.source()}, ${self.source()}, ${x}")

    def _is_stored(self, x: int, kind: str, after: str) -> None:
        what, size = self.rng.choice([("stl", 4), ("stq", 8), ("stq_u", 8)])
        self.memory(what, x, *self.place(size))

    def _addresses(self, x: int, kind: str, after: str) -> None:
        rng = self.rng
        if kind == "address":
            offset = 8 * rng.randrange(64) + (rng.randrange(8) if rng.random() < 0.25 else 0)
            self.memory(rng.choice(["ldq", "stq", "ldl"]), rng.choice(self.registers), x, offset)
        else:  # the first bytes of RAM, or code
            offset = 8 * rng.randrange(64) if kind == "small" else 0
            odd = rng.random() < 0.25
            self.memory("ldq" if odd else "ldq_u", rng.choice(self.registers), x, offset + 4 * odd)

    def _branches(self, x: int, kind: str, after: str) -> None:
        self.branch(self.rng.choice(BRANCHES), x, after)
        self.some(0, 2)

    def _is_target(self, x: int, kind: str, after: str) -> None:
        hint = f"(({after} - . - 4) >> 2 & 0x3fff)" if self.rng.random() < 0.5 else "0"
        self.text(f".long {encode.word('jmp', ra=self.target(), rb=x):#x} + {hint}")
        self.some(0, 2)

    def _into_internal(self, x: int, kind: str, after: str) -> None:
        self.word(encode.word("hw_mtpr", ra=x, rb=x, disp=0x80 | self.rng.choice(TEMPS)))

    def near_trap(self) -> None:
        """In PAL mode: a trap whose PALcode is the next block, so it is being prefetched."""
        rng = self.rng
        self.text(f"lda $26, {8 * rng.randrange(-0x1000, 0x1000)}($29)")
        if rng.random() < 0.5:
            self.memory("stq", self.target(), LINK, 8 * rng.randrange(16))
        if rng.random() < 0.4:
            self.text(f"bis $31, $31, ${LINK}")
        self.text("ldah $28, 1($31)")
        stub = rng.choice([0x11C0, 0x13C0, 0x3120]) + rng.choice([0, 0, 8])
        self.text(f"lda $28, {stub}($28)")
        self.text("jsr $27, ($28), 0")

    def late_trap(self) -> None:
        """A trap behind what it may have to wait for."""
        self.rng.choice([self.overflow, self.input_output, self.lock, self.hazard, self.access])()
        self.trap()

    def input_output(self) -> None:
        rng = self.rng
        self.text("lda $27, 1($31)")
        self.text("sll $27, 33, $27")
        for _ in range(rng.randrange(1, 3)):
            row = rng.choice(PLAIN)
            self.memory(row, self.target(), TEMP, rng.randrange(0, 0x1000, row.bytes))

    def long_shadow(self) -> None:
        """A load that probably misses, and a long loop that does not want it."""
        top = self.label()
        registers = self.registers
        wanted = self.rng.choice(registers)
        self.memory("ldq", wanted, FAR, self.rng.randrange(-0x8000, 0x8000, 8))
        self.registers = [r for r in FREE if r != wanted]
        self.text(f"lda $28, {self.rng.randrange(10, 40)}($31)")
        self.at(top)
        self.text("subq $28, 1, $28")
        for _ in range(self.rng.randrange(1, 4)):
            a, b, c = (self.rng.choice(self.registers) for _ in range(3))
            self.text(f"{self.rng.choice(['addq', 'xor', 'cmplt', 'sll'])} ${a}, ${b}, ${c}")
        self.text(f"bne $28, {top}")
        self.registers = registers

    def patch_ahead(self) -> None:
        """In PAL mode: patches the block behind this one, which the stream buffer has by then."""
        rng = self.rng
        log = rng.randrange(4, 8)  # of a block's bytes
        words = (1 << log) // 4
        here, table, there, over = (self.label() for _ in range(4))
        x = rng.choice(range(26))
        self.text(f".p2align {log}")
        for _ in range(-6 % words):
            self.operate()
        self.text(f"br $27, {here}")
        self.at(here)
        self.text(f"and ${self.source()}, 3, ${x}")
        self.text(f"s4addq ${x}, $27, ${x}")
        self.text(f"ldl ${x}, {table} - {here}(${x})")
        self.text(f"lda $28, {there} - {here} + 1($27)")
        self.text("hw_mtpr $28, 0x24")
        # A block begins here, and the next is prefetched before the store is on the bus.
        self.text(f"stl ${x}, {there} - {here}($27)")
        self.text("mb")
        self.text("hw_mtpr $31, 0x55")
        self.text("hw_rei")
        for _ in range(-4 % words):
            self.operate()
        self.at(there)
        self.operate()
        self.text(f"br $31, {over}")
        self.at(table)
        for _ in range(4):
            self.operate()
        self.at(over)

    def privileged(self) -> None:
        """In PAL mode: internal registers and physical accesses."""
        rng = self.rng
        kind = rng.randrange(5)
        if kind == 0:
            index = rng.choice([rng.choice(READABLE), 0x80 | rng.randrange(32)])
            ra, rb = self.target(), self.target()
            self.word(encode.word("hw_mfpr", ra=ra, rb=rb, disp=index))
        elif kind == 1:
            index = rng.choice([*WRITABLE, *(0x80 | t for t in TEMPS), *(0x80 | t for t in TEMPS)])
            r = self.source()
            self.word(encode.word("hw_mtpr", ra=r, rb=r, disp=index))
            if rng.random() < 0.5:
                self.word(encode.word("hw_mfpr", ra=self.target(), disp=index))
        else:
            what = rng.choice(["hw_ld", "hw_st"])
            quad = rng.randrange(2)
            fields = rng.randrange(8) << 13 | quad << 12 | rng.randrange(4096)
            ra, rb = self.target(), rng.choice([BASE, FAR])
            self.word(encode.word(what, ra=ra, rb=rb, disp=fields))

    # ---------------------------------------------------------------- the whole
    def leave(self, end: str) -> list[str]:
        """On to the runner's ``end``."""
        return [f"\tbr $31, {end}"]

    @staticmethod
    def address(_rng: random.Random, name: str) -> str:
        """Where the runner jumps to."""
        return name

    def segments(self) -> list[tuple[Callable[[], None], int]]:
        """Pieces of a block, with weights."""
        rows = [
            *super().segments(),
            (self.trap, 1), (self.overflow, 1), (self.call_pal, 1), (self.direct_memory, 2),
            (self.input_output, 1), (self.long_shadow, 0.3), (self.pair, 6), (self.late_trap, 1),
        ]  # fmt: skip
        if self.pal:
            own = [(self.privileged, 30), (self.patch_ahead, 5), (self.call_pal, 3)]
            return [*rows, *own, (self.pair, 60), (self.near_trap, 12)]
        return [*rows, (self.pal_block, 3), (self.beyond_memory, 0.7)]


def last_words(rng: random.Random) -> list[str]:
    """RAM's last words: what overflows, waits or does neither; r28 is the largest number, or 1. The
    last of them overflows if it is the largest number."""
    overflows = ["addq/v $28, $28, $27", "addl/v $28, $28, $27", "subq/v $31, $27, $27"]
    overflows += ["mulq/v $28, $28, $27", "mull/v $27, $28, $27"]
    others = ["addq $28, $27, $27", f"ldq $27, {8 * rng.randrange(512)}($30)", "mulq $28, 3, $27"]
    others += ["stq $28, 0($30)", "mb", "bis $31, $31, $31"]
    words = [rng.choice(overflows if rng.random() < 0.4 else others) for _ in range(LAST)]
    words[-1] = overflows[0]
    return ['\t.section .last, "ax"', *(f"\t{word}" for word in words)]


class NodeBlock(SystemBlock):
    """A block for a node of ``mcpi-sim``: without I/O, whose registers there do something; with far
    more lock pairs."""

    pal_blocks = 16

    def segments(self) -> list[tuple[Callable[[], None], int]]:
        of_bench = (self.input_output, self.late_trap, self.pair, self.near_trap)
        rows = [(make, n) for make, n in super().segments() if make not in of_bench]
        return [*rows, (self.lock, 8)]
