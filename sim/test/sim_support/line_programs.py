# SPDX-License-Identifier: BSD-2-Clause
"""Programs that read an interrupt line tick by tick, and that branch after the wait register."""

from pathlib import Path

from mcpi.isa import encode
from sim_support.simulators import PAL_BASE, guest, guests

# a2 is what bit a1 of HIRR shall be. v0 adds up what each tick of the loop has read.
READS = range(1, 9)
HIRR = "".join(f"\t.long {0x6400002C | n << 21 | n << 16:#x}\t// HW_MFPR\n" for n in READS)
PALCODE = (
    "\n\t.org 0x3180\n\tbis $31, $31, $0\n1:"
    + HIRR
    + "".join(f"\tand ${n}, $17, ${n}\n\taddq $0, ${n}, $0\n" for n in READS)
    + "\taddq $0, 16, $0\n\tsubq $8, $18, $8\n\tbne $8, 1b\n\t.long 0x7bff8000\n"
)


def lines(folder: Path) -> tuple[str, ...]:
    """PALcode and guest."""
    return guests("lines", folder, palcode=PALCODE)


WAIT = encode.word("hw_mtpr", ra=1, rb=1, disp=0x3F)
AFTER = ("br $31, {there}", "bne $1, {there}", "beq $1, {there}", "jmp $31, ($4), {there}")


def wait_text() -> str:
    """PALcode that sleeps once before each of them; its target is in another block, or the next."""
    lines = ["lda $1, 7($31)", "lda $3, 1($31)", "lda $12, -511($31)", "sll $12, 33, $12"]
    lines += ["lda $14, 0x2000($12)", "stq $3, 0x10($14)"]
    for n, (after, gap) in enumerate((after, gap) for gap in (0, 12) for after in AFTER):
        here, there = f"here{n}", f"there{n}"
        lines += [f"br $4, {here}\n{here}:", f"lda $4, {there} - {here}($4)", f".long {WAIT:#x}"]
        lines += [after.format(there=there), *["addq $5, 1, $5"] * gap, f"\n{there}:"]
        lines.append("stq $31, 8($14)")  # the timer is acknowledged
    lines += ["lda $13, 0x1010($12)", "stq $31, 0($13)", "br $31, ."]
    head = "\t.set noat\n\t.set noreorder\n\t.arch ev4\n\t.text\n\t.globl _start\n_start:"
    return head + "".join(f"\t{line}\n" for line in lines)


def waits(folder: Path) -> tuple[str, ...]:
    """PALcode that sleeps, and a guest."""
    pal = guest("waits", folder, PAL_BASE, wait_text())
    return f"pal={pal}", guests("hello", folder)[1]
