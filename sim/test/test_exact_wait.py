# SPDX-License-Identifier: BSD-2-Clause
"""A branch or jump directly after the wait register is written waits in stage D while the core
sleeps: it is predicted there, and its bubble is hidden (core.md, Prediction)."""

from pathlib import Path

import pytest
from sim_support import PAL_BASE, both, build, guest, guests, logged_from_reset, machine_json

from mcpi.isa import encode
from mcpi.results import folders

WAIT = encode.word("hw_mtpr", ra=1, rb=1, disp=0x3F)
AFTER = ("br $31, {there}", "bne $1, {there}", "beq $1, {there}", "jmp $31, ($4), {there}")


def text() -> str:
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


def items(folder: Path) -> tuple[str, ...]:
    pal = guest("pal", folder, PAL_BASE, text())
    return f"pal={pal}", guests("hello", folder)[1]


@pytest.mark.parametrize("penalty", [1, 2, 7])
def test_a_branch_that_waits_asleep_is_predicted(penalty, tmp_path):
    settings = {"core.prediction": "ev4", "core.predicted_penalty": str(penalty)}
    options = [*logged_from_reset(tmp_path), "--max-ticks", 5_000_000]
    machine, own = machine_json(tmp_path, settings), items(tmp_path)
    for done in both(build(), tmp_path, machine, *options, items=own):
        assert done.returncode == 0, done.stderr[-3000:]
    assert not (found := folders.differences(tmp_path / "rtl", tmp_path / "exact")), found
