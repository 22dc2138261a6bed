# SPDX-License-Identifier: BSD-2-Clause
"""Both machines of a stack in GDB, at one tick; two programs."""

import dataclasses
import re
import shlex
import subprocess

import pytest
from sim_support.debugging import checks, gdb, prepared

from mcpi.api import single_run
from mcpi.base.repo import ROOT
from mcpi.spec.program_spec import ProgramSpec

PINGPONG = str(ROOT / "firmware/test/programs/pingpong.c")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return prepared(checks.STACK, tmp_path_factory.mktemp("debug") / "run")


@pytest.mark.parametrize("check", checks.OF_STACK, ids=lambda check: check.__name__)
def test_both_machines(check, run):
    check(run)


@pytest.mark.parametrize("check", checks.OF_TWO, ids=lambda check: check.__name__)
def test_two_programs(check, tmp_path):
    check(prepared(checks.spec_of(check), tmp_path / "run"))


def test_a_debugged_stack_leaves_the_same_counters(run, tmp_path):
    gdb(run, checks.TO_CLIENT + "reverse-continue\nreverse-stepi\ndelete\ncontinue")
    place, _ = single_run.perform(checks.STACK, tmp_path / "plain")
    for name in ("counters.json", "stamps.csv", "wire.pcap"):
        assert (run.place / name).read_bytes() == (place / name).read_bytes(), name


def test_debug_behind_the_line_of_a_failed_run_opens_at_its_failure(tmp_path):
    """All frames are lost, and the client gives up; a run of two samples opens the second."""
    how = {"cwd": ROOT, "capture_output": True, "text": True}
    words = ["--round-trips", "2", "--loss", "1", "--out", str(tmp_path / "run")]
    failed = subprocess.run(["./mcpi", "run", *words], **how)
    line = re.search(r"again: (\./mcpi run .*)", failed.stderr)[1]
    again = [*shlex.split(line), "--debug", "--out", str(tmp_path / "again")]
    said = subprocess.run(again, **how, input="backtrace\n").stdout
    assert re.search(r"plat_exit .*\n.*console_fail .*", said) and "open a connection" in said
    words = [
        prepared(dataclasses.replace(checks.STACK, samples=n), tmp_path / str(n)).words
        for n in (1, 2)
    ]
    phases = [[word for word in one if ":phase=" in word] for one in words]
    assert len(phases[0]) == 2 and not set(phases[0]) & set(phases[1])


def test_a_program_and_its_peer(tmp_path):
    """Both stop at main; then each at its own place."""
    run = prepared(ProgramSpec((PINGPONG,), peer=(PINGPONG,)), tmp_path / "run")
    said = gdb(
        run,
        "print mcpi_node\nbreak mcpi_udp_receive thread 2.1\ncontinue\n"
        "break mcpi_udp_send thread 1.1\ncontinue\nprint bytes\ninferior 2\nbacktrace",
    )
    assert "Thread 2.1 hit" in said[2] and "Thread 1.1 hit" in said[4]
    assert said[5] == "$2 = 101" and "mcpi_" in said[7]
