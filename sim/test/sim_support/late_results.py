# SPDX-License-Identifier: BSD-2-Clause
"""Programs at random whose instructions want each other's results."""

import random

from sim_support.simulators import START

LENGTH = 1500
HEAD = f"""{START}
	.set nomacro
	.arch ev4
	lda $16, 1($31)
	sll $16, 21, $16
	lda $17, 0x2000($16)
	lda $9, 77($31)
"""


# The load misses. Its value waits for the port until a younger instruction writes its register;
# then the product comes. Moves that do not move leave the port to the next product.
OTHER = "\taddq $31, 0, $7\n"
MOVE = "\tcmovne $31, $31, $7\n"
PORT = f"""
	ldq $20, 0($16)
	lda $5, 2($31)
1:	ldq $20, 0x2000($16)
	mb
	mulq $9, 3, $8
{OTHER * 7}	ldq $1, 0($16)
{OTHER * 10}	lda $1, 1($31)
{OTHER * 12}	mull $9, 3, $8
{MOVE * 18}	lda $8, 1($31)
	subq $5, 1, $5
	bne $5, 1b
"""


TAIL = "\tbis $31, $31, $31\n\tlda $17, 0($31)\n\tstq $17, 0($13)\n\tbr $31, .\n"
KINDS = {  # how often: d is written, a and b are read, n is a multiple of 8
    "mulq {a}, {b}, {d}": 3,
    "mull {a}, {b}, {d}": 3,
    "umulh {a}, {b}, $31": 1,
    "mull/v $9, 5, {d}": 1,
    "addq {a}, {b}, {d}": 10,
    "addq/v $9, 5, {d}": 1,
    "sll {a}, 3, {d}": 2,
    "cmplt {a}, {b}, {d}": 2,
    "cmovlt {a}, {b}, {d}": 2,
    "cmovge {a}, {b}, {d}": 2,
    "ldq {d}, {n}($16)": 4,
    "ldl {d}, {n}($17)": 2,
    "lda $17, 32($17)": 2,
    "stq {a}, {n}($16)": 3,
    "ldq_l {d}, {n}($16)": 1,
    "stq_c {d}, {n}($16)": 1,
    "stq_c $31, {n}($16)": 1,
    "ldq_l {d}, 0x1000($13)\n\tstq_c {d}, 0x1000($13)": 1,
    "ldq {d}, 0x1000($13)": 1,
    "stq {a}, -0x10($13)": 1,
    "rpcc {d}": 1,
    "mb": 1,
    "beq {a}, .+8": 2,
    "br $31, .+4": 1,
}


def program(draw: random.Random) -> str:
    registers = [f"${n}" for n in draw.sample(range(1, 9), draw.randrange(2, 8))]
    lines = []
    for kind in draw.choices(list(KINDS), KINDS.values(), k=LENGTH):
        a, b, d = (draw.choice(registers) for _ in range(3))
        lines.append(f"\t{kind.format(a=a, b=b, d=d, n=8 * draw.randrange(64))}\n")
    return HEAD + PORT + "".join(lines) + TAIL
