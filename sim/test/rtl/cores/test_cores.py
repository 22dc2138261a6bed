# SPDX-License-Identifier: BSD-2-Clause
"""The RTL of a node of several cores says what the exact engine says, on every file."""

import os
from pathlib import Path

import pytest
from sim_support import coherent_programs, coherent_rtl
from sim_support.coherent_machines import (
    IO_CASES,
    MACHINES,
    interrupted_program,
    io_program,
    run_settings,
)
from sim_support.simulators import guest

from mcpi.base.progress import Bar
from mcpi.build import graph
from mcpi.hdl import verilator
from mcpi.machine import profile
from mcpi.spec.run_spec import RTL
from verify.long_tests import sampled
from verify.verilog_mutants import VARIABLE, load, mutated

MUTANTS = {
    name: load(Path(__file__).with_name(f"cores_{file}_mutants.csv"))
    for name, file in (("two", "rtl"), ("three", "order"))
}
CASES = [(name, seed) for name in MACHINES for seed in range(8)]


@pytest.mark.parametrize("case", sampled(CASES, lambda c: c[0] == "two" and c[1] < 4))
def test_a_random_program_lives_as_in_the_engine(tmp_path, case):
    name, seed = case
    machine, settings = MACHINES[name]
    settings = settings | (run_settings(seed) if seed else {})
    count = int(settings["core.count"])
    image = guest("guest", tmp_path, text=coherent_programs.program(seed, count))
    coherent_rtl.run_both(tmp_path, machine, settings, image)
    assert not (found := coherent_rtl.difference(tmp_path, count)), found


def io_lives(folder: Path, name: str, seed: int, **more) -> str:
    """Difference between engine and RTL; empty if there is none."""
    machine, settings = MACHINES[name]
    count = int(settings["core.count"])
    image = guest("guest", folder, text=io_program(seed, count))
    coherent_rtl.run_both(folder, machine, settings, image, most=200_000, **more)
    return coherent_rtl.difference(folder, count)


@pytest.mark.parametrize("case", sampled(IO_CASES, lambda case: case == ("two", 0)))
def test_system_registers_of_several_cores(tmp_path, case):
    assert not (found := io_lives(tmp_path, *case)), found


@pytest.mark.parametrize("phase", sampled(range(2000, 4000, 50), lambda phase: phase % 250 == 0))
def test_the_timer_interrupts_a_core_that_waits(tmp_path, phase):
    """In the tick after the line has risen, also where a core of the engine lags behind it."""
    machine, settings = MACHINES["two"]
    image = guest("guest", tmp_path, text=interrupted_program(2))
    coherent_rtl.run_both(tmp_path, machine, settings, image, "--phase", phase)
    assert not (found := coherent_rtl.difference(tmp_path, 2)), found
    first = (tmp_path / "rtl" / "ticks.0.csv").read_text().split(f"\n{phase + 200},")[0]
    assert ",exception," in first.split(f"\n{phase},")[1], "it came in these ticks"


@pytest.fixture(scope="module", params=MUTANTS)
def faulty(request, tmp_path_factory) -> tuple[str, Path]:
    """A machine, and its program with all mistakes in it."""
    described = graph.simulator(RTL, profile.load(*MACHINES[request.param]), Bar())[1]
    folder = tmp_path_factory.mktemp("mutants")
    verilog = folder / "CoherentNode.v"
    text = described.with_name(verilog.name).read_text()
    verilog.write_text(mutated(text, MUTANTS[request.param], "CoherentNode"))
    return request.param, verilator.build(verilog, verilator.CORES)


@pytest.mark.long
def test_mistakes_are_found(tmp_path, faulty):
    """By a program that reads and writes system registers; without one (0) nothing is."""
    name, program = faulty
    for number in range(len(MUTANTS[name]) + 1):
        environment = os.environ | {VARIABLE: str(number)}
        found = ""
        for seed in range(6):
            folder = tmp_path / f"{number}-{seed}"
            folder.mkdir()
            try:
                found = io_lives(folder, name, seed, faulty=program, env=environment)
            except AssertionError as ended:  # it hangs, or an assertion of the RTL fails
                found = str(ended)
            if found:
                break
        assert bool(found) == bool(number), found or MUTANTS[name][number - 1].title


@pytest.mark.long
def test_locks_of_the_sync_bus(tmp_path):
    """All take locks at once; sync.S counts how often one was free."""
    image = guest("sync", tmp_path)
    coherent_rtl.run_both(tmp_path, "power-series-33", {"core.count": "4"}, image)
    assert not (found := coherent_rtl.difference(tmp_path, 4)), found


@pytest.mark.parametrize("name", sampled(MACHINES, lambda name: name == "two"))
def test_cores_count_together_and_call_core_0(tmp_path, name):
    """By LDQ_L and STQ_C; then by an interprocessor interrupt."""
    machine, settings = MACHINES[name]
    coherent_rtl.run_both(tmp_path, machine, settings, guest("cores", tmp_path))
    count = int(settings["core.count"])
    assert not (found := coherent_rtl.difference(tmp_path, count)), found
