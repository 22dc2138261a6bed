# SPDX-License-Identifier: BSD-2-Clause
"""A program that reads an interrupt line tick by tick."""

from pathlib import Path

from sim_support.simulators import guests

# a2 is what bit a1 of HIRR shall be. v0 adds up what each tick of the loop has read.
READS = range(1, 9)
HIRR = "".join(f"\t.long {0x6400002C | n << 21 | n << 16:#x}\t// HW_MFPR\n" for n in READS)
PALCODE = (
    "\n\t.org 0x3180\n\tbis $31, $31, $0\n1:"
    + HIRR
    + "".join(f"\tand ${n}, $17, ${n}\n\taddq $0, ${n}, $0\n" for n in READS)
    + "\taddq $0, 16, $0\n\tsubq $8, $18, $8\n\tbne $8, 1b\n\t.long 0x7bff8000\n"
)


def items(folder: Path) -> tuple[str, ...]:
    """PALcode and guest."""
    return guests("lines", folder, palcode=PALCODE)
