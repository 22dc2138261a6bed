# SPDX-License-Identifier: BSD-2-Clause
"""Random PALcode that writes the registers of translation and makes accesses of every form.

HW_LD and HW_ST physical, virtual, ALT and with a check of the right to write; loads, stores and
locks; to pages that have entries or not, to KSEG and to addresses of no kind. Each trap's handler
reads VA, MM_CSR and EXC_ADDR and goes on after the instruction. Nothing here knows what is right:
RTL, model and engine are compared.
"""

import random
from pathlib import Path

from mcpi.isa import encode
from sim_support.simulators import PAL_BASE, guest

D_FAULT, DTB_MISS_PAL, UNALIGN = 0x01E0, 0x09E0, 0x11E0
IBOX, ABOX = 1 << 5, 1 << 6
TB_TAG, ITB_PTE, ICCSR, ITBZAP, ITBASM, ITBIS, PS = 0x00, 0x01, 0x02, 0x06, 0x07, 0x08, 0x09
TB_CTL, DTB_PTE, DTBZAP, DTBASM, DTBIS, ALT_MODE = 0x00, 0x02, 0x06, 0x07, 0x08, 0x0F
EXC_ADDR, MM_CSR, VA = 0x04, 0x04, 0x05
STEPS = 200  # within PALcode's 16 KB
FRAME = 0x400000 >> 13  # physical pages from here on
VALUE, ADDRESS, DATA = 1, 2, 3  # registers
ACCESSES = "ldq_u stq_u ldl ldq ldq ldl_l ldq_l stl stq stl_c stq_c".split()
KSEG = 0xFFFFFC0000000000


def mtpr(index: int, register: int) -> int:
    return encode.word("hw_mtpr", rb=register, disp=index)


def mfpr(register: int, index: int) -> int:
    return encode.word("hw_mfpr", ra=register, disp=index)


def memory(what: str, ra: int, rb: int, displacement: int) -> int:
    return encode.word(what, ra=ra, rb=rb, disp=displacement & 0xFFFF)


class Program:
    """``text``: assembly at PAL_BASE, in which nothing but lengths decides what happens."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.pages = [self.random.randrange(1 << 21) for _ in range(6)]
        self.pages += [self.pages[0] ^ 1 << n for n in (0, 2, 4, 8, 9)]
        lines = [line for _ in range(STEPS) for line in self.step()]
        handlers = [(D_FAULT, 20), (DTB_MISS_PAL, 24), (UNALIGN, 20)]
        self.text = "\t.set noat\n\t.text\n\t.globl _start\n_start:\n\tbr $31, main\n"
        for vector, first in handlers:
            self.text += f"\t.org {vector:#x}\n" + self.handler(first)
        self.text += "\t.org 0x1220\nmain:\n" + "".join(f"\t{line}\n" for line in lines)
        self.text += self.end()

    def handler(self, first: int) -> str:
        words = [
            mfpr(first, ABOX | VA),
            mfpr(first + 1, ABOX | MM_CSR),
            mfpr(first + 2, IBOX | EXC_ADDR),
        ]
        text = "".join(f"\t.long {word:#x}\n" for word in words)
        text += f"\taddq ${first + 2}, 4, ${first + 2}\n"
        text += f"\t.long {mtpr(IBOX | EXC_ADDR, first + 2):#x}\n\tnop\n"
        return text + f"\t.long {encode.word('hw_rei'):#x}\n"

    def end(self) -> str:
        """Exit code 0, written to the console's register."""
        return """\
	lda	$1, -1022($31)
	sll	$1, 32, $1
	lda	$1, 0x1010($1)
	stq	$31, 0($1)
	mb
1:	br	$31, 1b
"""

    def constant(self, register: int, value: int) -> list[str]:
        """Four halves, each with what the sign of the one below takes away."""
        value &= (1 << 64) - 1
        low = ((value & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000
        high = (value - low) >> 32 & 0xFFFFFFFF
        return [
            *self.half(register, high),
            f"sll ${register}, 32, ${register}",
            *self.half(9, low & 0xFFFFFFFF),
            f"addq ${register}, $9, ${register}",
        ]

    @staticmethod
    def half(register: int, value: int) -> list[str]:
        """A longword, sign-extended."""
        low = ((value & 0xFFFF) ^ 0x8000) - 0x8000
        high = (((value - low) >> 16 & 0xFFFF) ^ 0x8000) - 0x8000
        lines = [f"ldah ${register}, {high}($31)", f"lda ${register}, {low}(${register})"]
        return [*lines, f"addl ${register}, 0, ${register}"]

    def address(self) -> int:
        r = self.random
        kind = r.random()
        offset = r.randrange(0, 1 << 13, 8) + (r.random() < 0.2) * r.randrange(8)
        if kind < 0.75:
            return r.choice(self.pages) << 13 | offset
        if kind < 0.88:
            return KSEG | r.randrange(FRAME, FRAME + 16) << 13 | offset
        return r.choice(self.pages) << 13 | offset | 1 << r.randrange(34, 64)

    def pte(self) -> int:
        r = self.random
        frame = r.randrange(FRAME, FRAME + 16)
        bits = sum(1 << n for n in (8, 9, 12, 13) if r.random() < 0.8)
        bits |= sum(1 << n for n in (1, 2, 4) if r.random() < 0.15)
        return frame << 32 | bits | 1

    def step(self) -> list[str]:
        r = self.random
        kind = r.random()
        if kind < 0.22:
            side = r.choice((ABOX | DTB_PTE, ABOX | DTB_PTE, IBOX | ITB_PTE))
            page = r.choice(self.pages) << 13
            return [
                *self.constant(VALUE, page),
                f".long {mtpr(IBOX | TB_TAG, VALUE):#x}",
                *self.constant(VALUE, r.choice((0, 0, 0, 1, 2, 3)) << 5),
                f".long {mtpr(ABOX | TB_CTL, VALUE):#x}",
                *self.constant(VALUE, self.pte()),
                f".long {mtpr(side, VALUE):#x}",
                *(self.access() if r.random() < 0.5 else []),
            ]
        if kind < 0.30:
            index = r.choice(
                (
                    *(ABOX | n for n in (DTBZAP, DTBASM, DTBIS, DTBIS)),
                    *(IBOX | n for n in (ITBZAP, ITBASM, ITBIS)),
                    *(IBOX | ABOX | n for n in (DTBASM, DTBIS)),
                )
            )
            lines = [*self.constant(VALUE, self.address()), f".long {mtpr(index, VALUE):#x}"]
            return lines + (self.access(VALUE) if r.random() < 0.5 else [])
        if kind < 0.36:
            space = self.constant(VALUE, 7 << 36 | r.randrange(3) << 47)
            return [*space, f".long {mtpr(IBOX | ICCSR, VALUE):#x}", *self.access(ADDRESS)]
        if kind < 0.42:
            index = r.choice((ABOX | ALT_MODE, IBOX | PS))
            mode = self.constant(VALUE, r.randrange(4) << 3)
            return [*mode, f".long {mtpr(index, VALUE):#x}", *self.access(ADDRESS)]
        return [*self.constant(ADDRESS, self.address()), *self.access()]

    def access(self, base: int = ADDRESS) -> list[str]:
        r = self.random
        ra = r.choice((DATA, 4, 5, 31))
        if r.random() < 0.5:
            flags = r.choice((0, 1, 2, 3, 4, 5, 6, 7)) << 12  # quadword, write check, ALT
            word = memory(
                r.choice(("hw_ld", "hw_ld", "hw_st")), ra, base, r.randrange(0, 64) | flags
            )
        else:
            what = r.choice(ACCESSES)
            word = memory(what, ra, base, r.choice((0, 0, 0, 8, -8, 4, 0x2000)))
        return [f".long {word:#x}", f"addq ${DATA}, 7, ${DATA}"]

    def build(self, folder: Path) -> Path:
        return guest("pal", folder, PAL_BASE, self.text)
