# SPDX-License-Identifier: BSD-2-Clause
"""Counters are cleared and frozen between two ticks, behind what ideal memory does there: however
slow RAM is, they are those of the exact engine."""

import pytest
from sim_support import PAL_BASE, build, guest, machine_json, simulate

from mcpi.build import models
from mcpi.results import folders
from mcpi.verify.long_tests import sampled

SETTINGS = {"memory.ideal": "on", "icache.enable": "off"}
# A store in each tick, a fetch in every eighth. Each round clears the counters anew.
HEAD = """
	.set noat
	.set noreorder
	.text
	.globl _start
_start:	lda $12, -511($31)
	sll $12, 33, $12
	lda $13, 0x1010($12)
	lda $16, 1($31)
	sll $16, 21, $16
	lda $5, 20($31)
"""
LATER = "\taddq $16, 0, $16\n\tstq $31, 0($16)\n"  # by a tick more than by instructions
STORES = "".join(f"\tstq $5, {8 * n}($16)\n" for n in range(64))
TAIL = f"\tsubq $5, 1, $5\n\tbne $5, 1b\n2:\tstq $31, 0($16)\n{STORES}"
TAIL += "\tstq $31, 0($13)\n\tbr $31, .\n"
MARKERS = '\t.section .mcpi.markers, ""\n\t.quad 1b\n\t.long 6, 5\n\t.quad 2b\n\t.long 6, 6\n'


@pytest.mark.parametrize("later", sampled(range(8), lambda n: n == 3))
def test_it_acts_behind_the_last_tick(later, tmp_path):
    """Of 8 programs, each a tick later to fetch, some fetch and store in the very last tick."""
    source = tmp_path / "guest.S"
    source.write_text(f"{HEAD}{LATER * later}1:{STORES}{TAIL}{MARKERS}")
    items = (f"pal={guest('pal', tmp_path, PAL_BASE)}",)
    items += (f"image={guest('guest', tmp_path, source=source)}",)
    built, machine = build(), machine_json(tmp_path, SETTINGS)
    slow = ["--backing-latency", "300"]
    for name, program, options in (
        ("rtl", built.simulator, slow),
        ("exact", models.build("mcpi-exact"), []),
    ):
        done = simulate(built, tmp_path / name, machine, *options, items=items, program=program)
        assert done.returncode == 0, done.stderr
    assert not folders.differences(tmp_path / "rtl", tmp_path / "exact")
