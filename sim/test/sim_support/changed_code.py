# SPDX-License-Identifier: BSD-2-Clause
"""Programs that change their code and run it."""

import random

FUNCTIONS = 8  # two in each set of the I-cache
STEPS = 250
PALCODE = "\n\t.org 0x3180\t// CALL_PAL IMB\n\t.long 0x77ff0055\n\t.long 0x7bff8000\n"
MACHINES = {
    "usual": {},
    "ideal": {"memory.ideal": "on"},
    "one block": {"icache.enable": "off"},
    "ideal, one block": {"memory.ideal": "on", "icache.enable": "off"},
    "ideal, one block, no buffer": {
        "memory.ideal": "on",
        "icache.enable": "off",
        "write_buffer.enable": "off",
    },
    "no prefetch": {"icache.prefetch": "off", "write_buffer.idle_ticks": "1"},
    "ev4": {"core.prediction": "ev4"},
    "ideal ev4": {"memory.ideal": "on", "core.prediction": "ev4"},
}
TABLE, WORDS = 0x7004, 0x7104  # of the functions and the new words: behind label 1, 4 bytes in
HEAD = """
	.set noat
	.set noreorder
	.set nomacro
	.arch ev4
	.text
	.globl _start
_start:	br $28, 1f
1:	lda $12, -511($31)
	sll $12, 33, $12
	lda $13, 0x1010($12) // exit
	lda $0, 0($31)
"""


TAIL = """
	lda $5, 8($31)
2:	stq $0, -0x10($13) // console
	srl $0, 8, $0
	subq $5, 1, $5
	bne $5, 2b
	stq $31, 0($13)
	br $31, .
"""


NEW = "".join(f"\taddq $0, {n}, $0\n" for n in (1, 3, 64, 200))


class Program:
    """Stores of other words into functions, calls of them, flushes; $0 tells which words ran."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"changed code {seed}")
        self.lengths = [self.rng.randrange(4, 40) for _ in range(FUNCTIONS)]

    def steps(self) -> str:
        return "".join(self.rng.choice(KINDS)(self) for _ in range(STEPS))

    def address(self) -> tuple[str, int]:
        number = self.rng.randrange(FUNCTIONS)
        return f"\tldq $1, {TABLE + 8 * number}($28)\n", self.lengths[number]

    def call(self) -> str:
        return f"{self.address()[0]}\tjsr $26, ($1)\n"

    def change(self) -> str:
        """A word or two; at once, or behind what is in the write buffer."""
        load, length = self.address()
        at = self.rng.randrange(length)
        new = self.rng.randrange(4)
        store = f"\tldl $2, {WORDS + 4 * new}($28)\n\tstl $2, {4 * at}($1)\n"
        return load + store + self.rng.choice(["", "\tmb\n"])

    def ahead(self) -> str:
        """Code within a few words of a store, which is out before it, or is not."""
        rng, new = self.rng, self.rng.randrange(4)
        over = "".join(f"\taddq $0, {rng.randrange(9)}, $0\n" for _ in range(rng.randrange(12)))
        middle = rng.choice(["", "\tmb\n", "\tcall_pal 0x86\n", "\tmb\n\tcall_pal 0x86\n"])
        change = f"\tldl $2, {WORDS + 4 * new}($28)\n\tstl $2, 3f - 4b($1)\n"
        return f"\tbr $1, 4f\n4:{change}{middle}{over}3:\taddq $0, 7, $0\n"

    def flush(self) -> str:
        return "\tcall_pal 0x86\n"

    def text(self) -> str:
        lines = [HEAD, self.steps(), TAIL, f"\t.org {TABLE + 4}\n"]
        lines += [f"\t.quad f{n}\n" for n in range(FUNCTIONS)]
        lines += [f"\t.org {WORDS + 4}\n", NEW]
        for n in (*range(0, FUNCTIONS, 2), *range(1, FUNCTIONS, 2)):
            place = 0x8000 + n // 2 * 0x400 + n % 2 * 0x2000 + 4 * self.rng.randrange(8)
            lines.append(f"\t.org {place:#x}\nf{n}:\n")
            lines.append("\taddq $0, 1, $0\n" * self.lengths[n] + "\tret $31, ($26), 1\n")
        return "".join(lines)


KINDS = [Program.call] * 6 + [Program.change] * 5 + [Program.ahead] * 2 + [Program.flush]
