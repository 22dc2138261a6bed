# SPDX-License-Identifier: BSD-2-Clause
"""Counters are cleared, frozen and copied between two ticks, behind what ideal memory does there:
however slow RAM is, they are those of the exact engine."""

from pathlib import Path

import pytest
from sim_support.simulators import START, both, build, guests, machine_json

from mcpi.results import folders
from verify.long_tests import sampled

SETTINGS = {"memory.ideal": "on", "icache.enable": "off"}
# A store in each tick, a fetch in every eighth. Each round clears the counters anew.
HEAD = f"{START}\tlda $16, 1($31)\n\tsll $16, 21, $16\n\tlda $5, 20($31)\n"
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


def ends(text: str, folder: Path, *options: str) -> list[tuple[int, str]]:
    """Status and last words of the RTL with slow RAM, and of the exact engine."""
    items, machine = guests("guest", folder, HEAD + text), machine_json(folder, SETTINGS)
    slow = ["--backing-latency", "300"]
    done = both(build(), folder, machine, *options, of_rtl=slow, items=items)
    return [(one.returncode, one.stderr.splitlines()[-1].partition(": ")[2]) for one in done]


def differs(text: str, folder: Path, *options: str) -> dict:
    """Their files, where they are not the same."""
    assert [status for status, _ in ends(text, folder, *options)] == [0, 0]
    return folders.differences(folder / "rtl", folder / "exact")


@pytest.mark.parametrize("later", sampled(range(8), lambda n: n == 3))
def test_it_acts_behind_the_last_tick(later, tmp_path):
    """Some of 8 programs, each a tick later to fetch, fetch and store in the very last tick."""
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
    rtl, exact = ends(text, tmp_path, "--cold")
    assert rtl[0] == exact[0]
    assert rtl[0] == 0 or rtl == exact
    assert rtl[0] or not folders.differences(tmp_path / "rtl", tmp_path / "exact")
