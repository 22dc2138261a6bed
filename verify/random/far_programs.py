# SPDX-License-Identifier: BSD-2-Clause
"""Random programs whose blocks lie in all of RAM: most addresses of others have few bits.

They have more of what predictions are made of, too: calls deeper than the return stack, returns
from nowhere, branches that alternate, modes of the predictor; in PAL mode, flushes while the block
behind is being prefetched. A fetch from nowhere has any address beyond RAM.
"""

import random
from collections.abc import Callable

from mcpi.isa import encode
from verify.random.blocks import FREE, TEMP
from verify.random.system import RAM, SystemBlock

SECTIONS = 12
PLACE = 0x10000  # bytes; a section has a place, and so has the second PALcode
FIRST = 0x30  # the first place above the data
KERNEL = 0xFFFFFC0000000000
BEYOND, PREDICTS = 0x8C, 0x95  # entries of the test's PALcode


def other_pal(seed: int) -> int:
    """How many places the second copy of the PALcode is away from the first, which has place 1."""
    return _places(seed)[0] ^ 1


def layout(seed: int) -> dict[str, int]:
    """Sections and their addresses; one is where RAM ends."""
    pal, *others = (PLACE * place for place in _places(seed))
    return {"pal2": pal} | {f"far{n}": at for n, at in enumerate(others)}


def _places(seed: int) -> list[int]:
    last = RAM // PLACE - 1
    return [*random.Random(f"{seed} places").sample(range(FIRST, last), SECTIONS), last]


class FarBlock(SystemBlock):
    """A block in a section of its own program's."""

    def fill(self, words: int) -> list[str]:
        section = self.rng.randrange(SECTIONS)
        return [f'\t.section .far{section}, "ax"', *super().fill(words)]

    def leave(self, end: str) -> list[str]:
        """The runner is too far away for a branch."""
        self.lines = []
        self.text("ldah $27, 0x10($31)")
        self.text(f"lda $27, {end} - _start($27)")
        if self.rng.random() < 0.5:
            self.text("lda $28, -1($31)")
            self.text("sll $28, 42, $28")
            self.text("bis $27, $28, $27")
        fields = self.rng.getrandbits(16)
        self.jump_to(31, TEMP, fields >> 14, fields & 0x3FFF)
        return self.lines

    @staticmethod
    def address(rng: random.Random, name: str) -> str:
        """By its physical address, or in the kernel's segment."""
        return rng.choice([name, f"{name} + {KERNEL:#x}"])

    # ---------------------------------------------------------------- predictions
    def deep(self) -> None:
        """Calls in calls, up to twice as deep as the return stack."""
        rng = self.rng
        depth = rng.randrange(2, 9)
        links = rng.sample(FREE, depth)
        exits = [self.label() for _ in links]
        over, kept = self.label(), self.registers
        self.registers = rng.sample([r for r in FREE if r not in links], 6)
        self._enter(links[0], exits[0])
        self.text(f"br $31, {over}")
        for n, (link, leaf) in enumerate(zip(links, exits, strict=True)):
            self.at(leaf)
            self._operates_some()
            for _ in range(rng.choice([1, 1, 2]) if n + 1 < depth else 0):
                self._enter(links[n + 1], exits[n + 1])
                self._operates_some()
            back = [f"ret $31, (${link}), 1"] * 3 + [f"jsr_coroutine ${link}, (${link}), 0"]
            self.text(rng.choice(back))
        self.at(over)
        self.registers = kept

    def _operates_some(self) -> None:
        for _ in range(self.rng.randrange(3)):
            self.operate()

    def _enter(self, link: int, leaf: str) -> None:
        """BSR, or JSR with a right hint or a wrong one."""
        rng = self.rng
        if rng.random() < 0.6:
            self.text(f"bsr ${link}, {leaf}")
            return
        here = self.label()
        self.text(f"br $27, {here}")
        self.at(here)
        self.text(f"lda $27, {leaf} - {here}($27)")
        hint = f"(({leaf} - . - 4) >> 2 & 0x3fff)" if rng.random() < 0.7 else "0"
        self.text(f".long {encode.word('jsr', ra=link, rb=TEMP):#x} + {hint}")

    def back(self) -> None:
        """RET or JSR_COROUTINE that nobody called."""
        rng = self.rng
        here, entry = self.label(), self.label()
        self.text(f"br $27, {here}")
        self.at(here)
        self.text(f"lda $27, {entry} - {here}($27)")
        self.jump_to(self.target(), TEMP, rng.choice([2, 2, 3]), rng.getrandbits(14))
        self.some(0, 3)
        self.at(entry)

    def alternate(self) -> None:
        """A loop with branches that go another way in each round, or each second one."""
        rng = self.rng
        top, x = self.label(), rng.choice(self.registers)
        self.text(f"lda $28, {rng.randrange(4, 16)}($31)")
        self.at(top)
        for _ in range(rng.randrange(1, 5)):
            over, turns = self.label(), rng.choice(["blbs", "blbc"])
            by = 28
            if rng.random() < 0.4:
                self.text(f"srl $28, 1, ${x}")
                by = x
            self.text(f"{turns} ${by}, {over}")
            self._operates_some()
            self.at(over)
        self.text("subq $28, 1, $28")
        self.text(f"bne $28, {top}")

    def predicts(self) -> None:
        """ICCSR: BPE, JSE, BHE, most often all."""
        self.text(f"lda $27, {self.rng.choice([7] * 6 + list(range(7)))}($31)")
        self.text("sll $27, 36, $27")
        self.word(PREDICTS)

    def beyond(self) -> None:
        """A fetch from an address that r0 makes."""
        self.word(BEYOND)

    def flush_ahead(self) -> None:
        """In PAL mode: FLUSH_IC at any time after a miss, while the next block is prefetched."""
        rng = self.rng
        self.text(".p2align 5")
        for _ in range(rng.randrange(8)):
            self.operate()
        self.text("hw_mtpr $31, 0x55")
        for _ in range(rng.randrange(8, 20)):
            self.operate()

    def segments(self) -> list[tuple[Callable[[], None], int]]:
        rows = [
            *super().segments(),
            (self.deep, 4), (self.back, 2), (self.alternate, 5), (self.forward, 10),
        ]  # fmt: skip
        native = [(self.predicts, 1.5), (self.beyond, 1.5)]
        return [*rows, *([(self.flush_ahead, 20)] if self.pal else native)]
