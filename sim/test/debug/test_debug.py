# SPDX-License-Identifier: BSD-2-Clause
"""A program in the real GDB, forward and backward: places, values, ticks, who evicted whom."""

import csv
import dataclasses
import re

import pytest
from sim_support.debugging import checks, gdb, number, prepared

from mcpi.api import single_run
from mcpi.base.errors import UserError
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RTL

PROGRAM = checks.PROGRAM


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return prepared(ProgramSpec((str(PROGRAM),)), tmp_path_factory.mktemp("debug") / "run")


@pytest.mark.parametrize("check", checks.ALL, ids=lambda check: check.__name__)
def test_the_debugger(check, run, tmp_path):
    program = checks.PROGRAMS.get(check)
    check(prepared(ProgramSpec((str(program),)), tmp_path / "run") if program else run)


def test_instructions_are_those_of_the_tick_log(run, tmp_path):
    """GDB steps as many times as the log has rows in which an instruction issued."""
    spec = ProgramSpec((str(PROGRAM),), tick_log="client")
    place, _ = single_run.perform(spec, tmp_path / "logged")
    with (place / "ticks.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["owner"] == "issue"][:40]
    said = gdb(run, "stepi\nprint/x $pc\nmonitor tick\n" * 30)
    pcs = [int(answer.split()[-1], 16) & (1 << 34) - 1 for answer in said[1::3]]
    ticks = [number(answer) for answer in said[2::3]]
    first = next(n for n, row in enumerate(rows) if int(row["tick"]) + 1 == ticks[0])
    assert ticks == [int(row["tick"]) + 1 for row in rows[first : first + 30]]
    assert pcs == [int(row["pc"], 16) for row in rows[first + 1 : first + 31]]


def test_a_run_that_was_debugged_leaves_the_same_bytes(run, tmp_path):
    """It was stopped, and went back and forth, before it ended."""
    place, _ = single_run.perform(ProgramSpec((str(PROGRAM),)), tmp_path / "plain")
    gdb(run, "break spoil\ncontinue\nreverse-stepi\nmonitor goto 70001\ncontinue\ncontinue")
    for name in ("counters.json", "events.csv", "stamps.csv", "wire.pcap", "console.0.txt"):
        assert (run.place / name).read_bytes() == (place / name).read_bytes(), name


def test_what_goes_out_of_bounds_stops_there_and_goes_back(tmp_path):
    source = tmp_path / "wild.c"
    source.write_text("int main(void)\n{\n\t*(volatile int *)8 = 1;\n\treturn 0;\n}\n")
    said = gdb(
        prepared(ProgramSpec((str(source),)), tmp_path / "run"),
        "continue\nreverse-stepi\nx/i $pc\ncontinue",
    )
    assert "out of bounds: write at pc" in said[0] and "SIGSEGV" in said[0]
    assert "stl\t" in said[2] and "SIGSEGV" in said[3]


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("#include <assert.h>\nint main(int n, char **v) { assert(n == 5); (void)v; return 0; }",
         "main (n=<optimized out>, v=<optimized out>) at"),
        ("int main(int n, char **v) { (void)v; return 5 / (n - 1); }", "__divl () at"),
        ("int main(void) { return 3; }", "_start () at"),
        ("int main(void) { return *(volatile int *)8; }", "main () at"),
        ("int main(void) { return 0; }", ""),
    ],
)  # fmt: skip
def test_it_opens_where_a_program_fails(text, there, tmp_path):
    source = tmp_path / "fails.c"
    source.write_text(text + "\n")
    run = prepared(ProgramSpec((str(source),)), tmp_path / "run", at_failure=True)
    said = gdb(run, "backtrace\nreverse-stepi\nmonitor tick")
    printed = (run.place / "gdb.txt").read_text()
    assert there in said[0] and "Hit beginning" not in printed.partition(">>>")[0]
    assert ("mcpi: nothing has failed." in printed) == (not there)
    assert 1000 < number(said[2]) < 12000


def test_ctrl_c_stops_a_loop_without_end(tmp_path):
    source = tmp_path / "loop.c"
    source.write_text("int main(void)\n{\n\tfor (;;)\n\t\t;\n}\n")
    run = prepared(ProgramSpec((str(source),), max_ticks=10**11), tmp_path / "run")
    said = gdb(
        run,
        "python import os, signal, threading\n"
        "python threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "continue\nmonitor tick",
    )
    assert "SIGINT" in said[2] and number(said[3]) > 100_000


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"engine": RTL}, "--engine rtl: ./mcpi debug has the exact engine alone"),
        ({"machine": "nowhere"}, "nowhere"),
    ],
)
def test_what_it_has_not_is_refused_before_anything_is_built(more, words, tmp_path):
    spec = dataclasses.replace(ProgramSpec((str(PROGRAM),)), **more)
    with pytest.raises(UserError, match=re.escape(words)):
        prepared(spec, tmp_path / "run")
    assert not (tmp_path / "run").exists()
