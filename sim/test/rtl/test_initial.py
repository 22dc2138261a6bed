# SPDX-License-Identifier: BSD-2-Clause
"""Tests that the initial values of registers and memories decide nothing: core, controller, memory
and a pair of nodes that begin with random values make the ticks of those that begin with zeros
(docs/verification/random-tests.md, Initial values)."""

import json
import os
from pathlib import Path

import pytest
from sim_support.simulators import build, machine_json, simulate

from mcpi.base.process import heard
from mcpi.base.repo import BUILD, ROOT
from mcpi.build import models
from mcpi.hdl import cocotb_run, verilator
from mcpi.results import folders
from verify.random import configurations as machines

SEEDS = (1, 2, 3)
INSTRUCTIONS = 20_000
MUTANT = BUILD / "initial"
RESET = "demandBusy <= 1'b0;\n      demandStale <= 1'b0;\n      missedBefore"  # of the fetch unit


def begun(seed: int) -> dict[str, str]:
    """The environment in which a program begins with values of this seed."""
    return os.environ | {"MCPI_INITIAL": str(seed)}


def core(program: Path, folder: Path, number: int, **more) -> dict | str:
    """Report of ``mcpi-core`` on a run of configuration 0 without its time, or why it fails."""
    run = machines.draw(0).runs[number]
    done = machines.execute(program, folder, run, INSTRUCTIONS, "again", **more)
    if done.returncode:
        return done.stderr
    said = json.loads(done.stdout)
    del said["wall_seconds"]
    return said


def alike(one: dict | str, other: dict | str) -> bool:
    """Clocks may differ by 1 %: the core withholds now and then one in vain, for a word that
    nothing has written."""
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    fewer, more = sorted((one["clocks"], other["clocks"]))
    return one | {"clocks": 0} == other | {"clocks": 0} and more <= 1.01 * fewer


def core_of(verilog: Path) -> Path:
    return verilator.build(verilog, verilator.initial(verilator.CORE), 1)


@pytest.mark.slow
def test_core(tmp_path):
    """Paper mode, ev4 mode and ideal memory, in all that the bench tells of every tick."""
    program = core_of(cocotb_run.elaborate("AlphaLite"))
    for number in range(machines.RUNS):
        zeros = core(program, tmp_path, number)
        assert zeros["ticks"] > INSTRUCTIONS
        for seed in SEEDS:
            other = core(program, tmp_path, number, env=begun(seed))
            assert alike(other, zeros), f"seed {seed}: {other}\n{zeros}"


@pytest.mark.long
def test_register_that_lost_its_reset_is_found(tmp_path):
    """With zeros nobody sees it."""
    sound = cocotb_run.elaborate("AlphaLite")
    text = sound.read_text()
    assert text.count(RESET) == 1
    MUTANT.mkdir(parents=True, exist_ok=True)
    faulty = MUTANT / "AlphaLite.v"
    faulty.write_text(text.replace(RESET, RESET.partition("\n")[2]))
    programs = core_of(sound), core_of(faulty)
    zeros, same = (core(program, tmp_path, 0) for program in programs)
    assert zeros == same
    assert not all(alike(core(programs[1], tmp_path, 0, env=begun(seed)), zeros) for seed in SEEDS)


def _story(said: str) -> list[str]:
    """Parts of the histories, without the first line, which has the time that they took."""
    return said.splitlines()[1:]


@pytest.mark.slow
def test_controller():
    """Random histories of the LANCE: no difference to the exact card, and the same story."""
    verilog = cocotb_run.elaborate("LanceOnTc")
    program = verilator.build(verilog, verilator.initial(verilator.LANCE_BENCH), 1)
    words = [program, "histories", "--machine", verilog.with_name("machine.json")]
    words += ["--exact", models.build("liblance-exact.so"), "--first", "0", "--count", "60"]
    zeros = heard(words)
    assert not zeros.returncode and ", 0 differences" in zeros.stdout, zeros.stdout + zeros.stderr
    for seed in SEEDS:
        done = heard(words, env=begun(seed))
        assert not done.returncode, f"seed {seed}\n{done.stdout}{done.stderr}"
        assert _story(done.stdout) == _story(zeros.stdout), f"seed {seed}"


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS[:2])
def test_memory(seed):
    """The memory system's own tests, which assert ticks."""
    verilog = cocotb_run.elaborate("MemoryBench")
    cocotb_run.of_machine("dec3000-600", None)
    tests = ROOT / "rtl" / "memory" / "test" / "test_memory_system.py"
    cocotb_run.simulate(verilog, tests, initial=seed)


@pytest.mark.long
def test_pair(tmp_path):
    """Two nodes, a ping-pong of TCP: every file of the run, byte by byte."""
    built = build()
    node = built.node_json.with_name("Node.v")
    program = verilator.build(node, verilator.initial(verilator.QUICK), 1)
    machine, items = machine_json(tmp_path), ("boot.round_trips=2", "boot.warmup=1")
    zeros = tmp_path / "zeros"
    assert not simulate(built, zeros, machine, items=items, program=program).returncode
    for seed in SEEDS[:2]:
        other = tmp_path / str(seed)
        more = {"items": items, "program": program, "env": begun(seed)}
        done = simulate(built, other, machine, **more)
        assert not done.returncode, done.stderr
        found = folders.differences(zeros, other)
        assert not found, f"seed {seed}: {found}"
