# SPDX-License-Identifier: BSD-2-Clause
"""Counters are cleared, frozen and copied between two ticks, behind what ideal memory does there:
however slow RAM is, they are those of the exact engine."""

from pathlib import Path

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
COPIED, ASKED = 0, 1
STORES = "".join(f"\tstq $5, {8 * n}($16)\n" for n in range(64))
TAIL = f"\tsubq $5, 1, $5\n\tbne $5, 1b\n2:\tstq $31, 0($16)\n{STORES}"
TAIL += "\tstq $31, 0($13)\n\tbr $31, .\n"
MARKERS = '\t.section .mcpi.markers, ""\n\t.quad 1b\n\t.long 6, 5\n\t.quad 2b\n\t.long 6, 6\n'


# The path's invocations, the fourth cold; where it closes, the counters are copied.
CALL = "\tbsr $26, 1f\n"
WAIT = "\taddq $16, 0, $16\n" * 80
PATH = f"{CALL * 3}\tstq $31, 0($13)\n\tbr $31, .\n1:{STORES}2:{STORES}\tret $31, ($26), 1\n"
COLD = '\t.section .mcpi.markers, ""\n\t.quad 1b\n\t.long 1, 1\n\t.quad 2b\n\t.long 2, 1\n'
COLD += "\t.quad 1b\n\t.long 5, 1\n\t.quad 3b\n\t.long 6, 5\n"


def both(text: str, folder: Path, *options: str) -> list[tuple[int, str]]:
    """Status and last words of the RTL with slow RAM, and of the exact engine."""
    source = folder / "guest.S"
    source.write_text(HEAD + text)
    items = (f"pal={guest('pal', folder, PAL_BASE)}",)
    items += (f"image={guest('guest', folder, source=source)}",)
    built, machine = build(), machine_json(folder, SETTINGS)
    ended = []
    for name, program, more in (
        ("rtl", built.simulator, ["--backing-latency", "300"]),
        ("exact", models.build("mcpi-exact"), []),
    ):
        given = [*options, *more]
        done = simulate(built, folder / name, machine, *given, items=items, program=program)
        ended.append((done.returncode, done.stderr.splitlines()[-1].partition(": ")[2]))
    return ended


def differs(text: str, folder: Path, *options: str) -> dict:
    """Their files, where they are not the same."""
    assert [status for status, _ in both(text, folder, *options)] == [0, 0]
    return folders.differences(folder / "rtl", folder / "exact")


@pytest.mark.parametrize("later", sampled(range(8), lambda n: n == 3))
def test_it_acts_behind_the_last_tick(later, tmp_path):
    """Of 8 programs, each a tick later to fetch, some fetch and store in the very last tick."""
    assert not differs(f"{LATER * later}1:{STORES}{TAIL}{MARKERS}", tmp_path)


@pytest.mark.parametrize("later", sampled(range(8), lambda n: n == COPIED))
def test_the_cold_copy_is_behind_the_last_tick(later, tmp_path):
    """The same of the copy that the hardware makes where the path closes."""
    text = f"{LATER * later}{CALL * 3}3:{WAIT}{PATH}{COLD}"
    assert not differs(text, tmp_path, "--cold")


@pytest.mark.parametrize("later", sampled(range(16), lambda n: n == ASKED))
def test_a_cold_start_is_asked_for_behind_the_last_tick(later, tmp_path):
    """It comes too late for an instruction that ideal memory still fetches."""
    text = f"{LATER * later}{CALL * 3}3:{PATH}{COLD}"
    rtl, exact = both(text, tmp_path, "--cold")
    assert rtl[0] == exact[0]
    assert rtl[0] == 0 or rtl == exact
    assert rtl[0] or not folders.differences(tmp_path / "rtl", tmp_path / "exact")
