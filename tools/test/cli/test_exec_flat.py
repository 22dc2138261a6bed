# SPDX-License-Identifier: BSD-2-Clause
"""A program that goes on for long takes no more memory than one that ends soon."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from mcpi.api import single_run as api
from mcpi.spec.program_spec import ProgramSpec

#: The loop's branch leads to the first instruction of main, where what is measured begins.
FOREVER = "int main(void) { for (;;) ; }\n"
OFTEN = '#include <mcpi.h>\nint main(void) { for (;;) MCPI_MEASURE __asm__ volatile(""); }\n'
CALL = "void work(long n);\nint main(void) { work(200000); return 0; }\n"
WORK = """\
	.text
	.globl	work
	.ent	work
work:
	subq	$16, 1, $16
	bne	$16, work
	ret
	.end	work
"""


def _kilobytes(folder: Path, ticks: int) -> int:
    """The most that the simulator of this run takes when it ends after so many ticks."""
    words = shlex.split((folder / "command.txt").read_text())
    words[words.index("--max-ticks") + 1] = str(ticks)
    child = subprocess.Popen(words, cwd=folder, stderr=subprocess.DEVNULL)
    return os.wait4(child.pid, 0)[2].ru_maxrss


@pytest.mark.parametrize("text", [FOREVER, OFTEN], ids=["entry", "mark"])
def test_exec_of_an_endless_loop_is_flat(text, tmp_path):
    source = tmp_path / "forever.c"
    source.write_text(text)
    with pytest.raises(api.Failed, match=r"gave up at tick 2000\d\d .*forever\.c:\d+: main"):
        api.perform(ProgramSpec((str(source),), max_ticks=200_000), tmp_path / "run")
    folder = tmp_path / "run.incomplete"
    soon, late = (_kilobytes(folder, ticks) for ticks in (1_000_000, 31_000_000))
    assert late - soon < 60_000, f"{soon} kB after 1 M ticks, {late} kB after 31 M"
    if text == FOREVER:
        assert late - soon < 2_000
        assert (folder / "stamps.csv").read_text().count("window_open") == 1


def test_exec_of_a_loop_at_a_functions_start_is_one_passage(tmp_path):
    for name, text in (("use.c", CALL), ("work.S", WORK)):
        (tmp_path / name).write_text(text)
    sources = tuple(str(tmp_path / name) for name in ("use.c", "work.S"))
    place, result = api.perform(ProgramSpec(sources, measure=("work",)), tmp_path / "run")
    (work,) = result.regions.client.values()
    assert work.invocations == 1 and work.instructions == 400_000
    rows = (place / "stamps.csv").read_text().splitlines()
    assert [row.split(",")[2] for row in rows[1:]] == ["window_open", "window_close"]
