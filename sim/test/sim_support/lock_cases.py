# SPDX-License-Identifier: BSD-2-Clause
"""Programs with LDx_L and STx_C for a node, each with a window around it."""

from pathlib import Path

from sim_support.simulators import guests, window

# r16 to r18: three blocks of one page; r19: 8 KB on; r20: the timer's control register; r1 and r2
# are free. What stands before STQ_C or STL_C to 0(r16), and whether that stores.
LOCK = "ldq_l $1, 0($16)\naddq $1, 0, $1\n"
WAIT = "lda $5, 20($31)\n7: subq $5, 1, $5\nbne $5, 7b\n"  # until the buffer is empty
CASES = {
    "empty": (LOCK, 1),
    "longword": ("ldl_l $1, 0($16)\naddq $1, 0, $1\n", 1),
    "later": (LOCK + WAIT, 1),
    "one_entry": (LOCK + "stq $1, 0($17)\n", 1),
    "two_entries": (LOCK + "stq $1, 0($17)\nstq $1, 0($18)\n", 1),
    "full": (LOCK + "".join(f"stq $1, {0x40 * n}($18)\n" for n in range(6)), 1),
    "same_block": (LOCK + "stq $1, 8($16)\n", 1),
    "merged": (LOCK + "stq $1, 8($17)\nstq $1, 16($17)\n", 1),
    "miss_pending": (LOCK + "ldq $2, 0($19)\n", 1),
    "ldq_l_misses": ("ldq $2, 0($19)\n" + LOCK, 1),
    "fetch_at_once": (LOCK + "br $31, .+4\n" + "bis $31, $31, $31\n" * 6, 1),
    "no_flag": ("bis $31, $31, $31\n", 0),
    "no_flag_one_entry": ("stq $1, 0($17)\n", 0),
    "no_flag_two_entries": ("stq $1, 0($17)\nstq $1, 0($18)\n", 0),
    "another_range": ("ldq_l $1, 0($17)\nstq $1, 0($18)\n", 0),
    "another_range_empty": ("ldq_l $1, 0($17)\n" + WAIT, 0),
    "second": (LOCK + "bis $1, $1, $2\nstq_c $2, 0($16)\nstq $1, 0($18)\n", 0),
    "trap": (LOCK + "ldq $2, 1($16)\nstq $1, 0($18)\n", 0),
    "return": (LOCK + "lda $16, 0($16)\ncall_pal 0x35\nstq $1, 0($18)\n", 0),
    "to_r31": (LOCK + "stq_c $31, 0($16)\n", 0),
    "to_r31_no_flag": ("stq_c $31, 0($16)\nstq $1, 0($18)\n", 0),
    "to_io": ("stq $1, 0($18)\nldq_l $2, 0($20)\nstq_c $31, 0($20)\n", 0),
    "to_io_no_flag": ("stq $1, 0($18)\nstq_c $31, 0($20)\nstq $1, 0($17)\n", 0),
}
HEAD = """
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start, open, close
_start:	lda $16, 1($31)
	sll $16, 33, $20
	sll $16, 21, $16
	lda $2, -4($31)
	sll $2, 40, $2
	addq $16, $2, $16
	addq $20, $2, $20
	lda $20, 0x2010($20)
	lda $17, 0x100($16)
	lda $18, 0x200($16)
	lda $19, 0x2000($16)
	lda $21, 2($31) // rounds: the first fills the caches
	lda $22, 0($31) // what STx_C gave
	br $31, open
	.balign 128
open:
"""
TAIL = """
	subq $21, 1, $21
	lda $5, 300($31)
1:	subq $5, 1, $5
	bne $5, 1b
	bge $21, open
	lda $13, 0x1010-0x2010($20)
	stq $22, 0($13)
	br $31, .
"""


def program(name: str) -> str:
    """A guest that runs this case; it exits with 1 when the result is wrong."""
    before, good = CASES[name]
    size = "l" if name == "longword" else "q"
    text = f"{HEAD}{before}st{size}_c $1, 0($16)\nbis $31, $31, $3\n"
    return f"{text}close:\nxor $1, {good}, $1\nbis $22, $1, $22\n{TAIL}"


def items(name: str, folder: Path) -> tuple[str, ...]:
    """PALcode, the case's program and its window, for both nodes."""
    pal, image = guests("locks", folder, program(name))
    return pal, image, window(folder / "locks.elf", folder)
