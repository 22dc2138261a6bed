# SPDX-License-Identifier: BSD-2-Clause
"""Both machines of a stack in GDB, at one tick; two programs."""

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
    check(prepared(checks.TWO, tmp_path / "run"))


def test_a_debugged_stack_leaves_the_same_counters(run, tmp_path):
    gdb(run, checks.TO_CLIENT + "reverse-continue\nreverse-stepi\ndelete\ncontinue")
    place, _ = single_run.perform(checks.STACK, tmp_path / "plain")
    for name in ("counters.json", "stamps.csv", "wire.pcap"):
        assert (run.place / name).read_bytes() == (place / name).read_bytes(), name


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
