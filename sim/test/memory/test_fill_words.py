# SPDX-License-Identifier: BSD-2-Clause
"""`fetch.fill_words` of mapped code where a way of the I-cache is larger than a page: hp720 as it
is. RTL, its oracle and the exact engine agree, and where code is mapped changes no count."""

from pathlib import Path

import pytest
from sim_support.simulators import PAL_BASE, both, counters, guest

from mcpi.build import graph
from mcpi.results import folders
from mcpi.spec.run_spec import RunSpec

# ITB_MISS fills the ITB with the PTE in $23. CALL_PAL 82 empties the I-cache.
PAL = """
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start
_start:	br $31, reset
	.org 0x20
	.long 0x77ff003e	// MCHK: halt
	.org 0x3e0
	.long 0x66d60024	// hw_mfpr $22, EXC_ADDR
	.long 0x76d60020	// hw_mtpr $22, TB_TAG
	.long 0x77ff0040	// hw_mtpr $31, TB_CTL
	.long 0x76f70021	// hw_mtpr $23, ITB_PTE
	.long 0x7bff8000	// hw_rei
	.org 0x1800
reset:	lda $1, 1($31)
	sll $1, 16, $3
	.long 0x7463002b	// hw_mtpr $3, PAL_BASE
	sll $1, 20, $1
	lda $2, -4($31)
	sll $2, 40, $2		// KSEG
	addq $1, $2, $1
	.long 0x74210024	// hw_mtpr $1, EXC_ADDR
	bis $31, $31, $31
	.long 0x7bff8000
	.org 0x3080
	.long 0x77ff0055	// FLUSH_IC
	.long 0x7bff8000
"""
# Two words are copied to physical 2010000 and called at the virtual page, `calls` times with a
# flush before each but the first.
GUEST = """
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start
_start:	ldah $18, 0x201($2)
	br $26, 1f
	lda $1, 3($31)
	ret $31, ($26), 1
1:	ldl $3, 0($26)
	ldl $4, 4($26)
	stl $3, 0($18)
	stl $4, 4($18)
	mb
	ldah $23, 0x201($31)
	srl $23, 12, $23	// pages of 4 KB
	sll $23, 32, $23
	lda $3, 0x3301($31)
	bis $23, $3, $23	// PTE: valid, all rights
	ldah $27, {page}($31)
	jsr $26, ($27)
	.rept {calls} - 1
	call_pal 0x82
	jsr $26, ($27)
	.endr
	lda $12, -511($31)
	sll $12, 33, $12
	lda $13, 0x1010($12)
	stq $31, 0($13)
	br $31, .
"""
PAGES = {"same": 1, "other": 2}  # of 64 KB: its index in 128 KB is that of 2010000, or is not


def counted(page: str, calls: int, folder: Path) -> int:
    """The counter, as both engines have it."""
    spec = RunSpec(machine="hp720")
    folder.mkdir()
    machine = folder / "machine.json"
    machine.write_text(spec.check().to_json())
    text = GUEST.format(page=PAGES[page], calls=calls)
    elf = guest("guest", folder, text=text)
    items = [f"pal={guest('pal', folder, PAL_BASE, PAL)}", f"image={elf}"]
    done = both(graph.build(spec), folder, machine, "--max-ticks", 100_000, items=items)
    for one in done:
        assert one.returncode == 0, one.stderr[-3000:]
    assert not (found := folders.differences(folder / "rtl", folder / "exact")), found
    return counters(folder / "rtl")[0]["all"]["fetch.fill_words"]


@pytest.mark.parametrize("page", PAGES)
def test_fill_words_of_mapped_code(page, tmp_path):
    """A flush and a call more: the function's two words, and what lies around the call."""
    once, twice, thrice = (counted(page, n, tmp_path / f"{n}") for n in (1, 2, 3))
    assert once < twice < thrice
    same = [counted("same", n, tmp_path / f"same-{n}") for n in (1, 2, 3)]
    assert [once, twice, thrice] == same
