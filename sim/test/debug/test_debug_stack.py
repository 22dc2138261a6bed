# SPDX-License-Identifier: BSD-2-Clause
"""Both machines of a stack in GDB, at one tick; two programs."""

import dataclasses
import json
import re
import shlex
import subprocess

import pytest
from sim_support.debugging import checks, gdb, number, prepared

from mcpi.api import single_run
from mcpi.base.repo import ROOT
from mcpi.engines import base as engines
from mcpi.spec import run_jobs
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec

WINDOW = 79  # ticks: a run gives up between windows (simulator.md)
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
    """All frames are lost, and the client gives up."""
    how = {"cwd": ROOT, "capture_output": True, "text": True}
    words = ["--round-trips", "2", "--loss", "1", "--out", str(tmp_path / "run")]
    failed = subprocess.run(["./mcpi", "run", *words], **how)
    line = re.search(r"again: (\./mcpi run .*)", failed.stderr)[1]
    again = [*shlex.split(line), "--debug", "--out", str(tmp_path / "again")]
    said = subprocess.run(again, **how, input="backtrace\n").stdout
    assert re.search(r"plat_exit .*\n.*console_fail .*", said) and "open a connection" in said


def test_of_several_samples_the_first_that_fails_is_shown(tmp_path, monkeypatch):
    """The longest of four samples alone is over the limit of ticks."""
    spec = dataclasses.replace(checks.STACK, samples=4)
    place, _ = single_run.perform(spec, tmp_path / "plain")
    folders = engines.sample_folders(spec, place)
    ticks = [json.loads((folder / "run.json").read_text())["ticks"] for folder in folders]
    longest = ticks.index(max(ticks))
    assert sorted(ticks)[-2] < max(ticks)
    monkeypatch.setattr(RunSpec, "longest", property(lambda _: max(ticks) - WINDOW))
    run = prepared(spec, tmp_path / "run", at_failure=True)
    said = gdb(run, "monitor tick\nreverse-stepi\nmonitor tick")
    assert f"gave up at tick {max(ticks) - WINDOW}" in (run.place / "gdb.txt").read_text()
    assert number(said[2]) < number(said[0]) == max(ticks) - WINDOW
    phases = run_jobs.phases_of(spec.seed, longest + 1, spec.check())
    assert [word for word in run.words if ":phase=" in word] == [
        f"{node}:phase={phase}" for node, phase in enumerate(phases)
    ]
    assert longest > 0 or phases != run_jobs.phases_of(spec.seed, 2, spec.check())


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
