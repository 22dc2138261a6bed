# SPDX-License-Identifier: BSD-2-Clause
"""Planted mistakes in what the RTL has for coherent cores: each makes a file of a random program
differ from the exact engine's."""

import os
from pathlib import Path

import pytest
from sim_support import coherent_programs, coherent_rtl
from sim_support.coherent_machines import MACHINES, run_settings
from sim_support.simulators import guest

from mcpi.base.progress import Bar
from mcpi.build import graph
from mcpi.hdl import verilator
from mcpi.hdl.cocotb_run import elaborate
from mcpi.machine import profile
from mcpi.spec.run_spec import RTL
from verify.verilog_mutants import VARIABLE, load, mutated

MUTANTS = load(Path(__file__).with_name("cores_mutants.csv"))
PROGRAMS = [(0, 60), (1, 60), (2, 60), (3, 60), (100, 400), (101, 400), (108, 400)]  # seed, steps
TOP = "CoherentNode"


def test_the_mistakes_have_their_texts():
    """Apply the mistakes only; a long test checks that each is found."""
    mutated(elaborate(TOP, *MACHINES["three"]).read_text(), MUTANTS, TOP)


@pytest.mark.long
def test_every_mistake_is_found(tmp_path):
    name, settings = MACHINES["three"]
    count = int(settings["core.count"])
    _, described = graph.simulator(RTL, profile.load(name, settings), Bar())
    verilog = tmp_path / f"{TOP}.v"
    verilog.write_text(mutated(described.with_name(f"{TOP}.v").read_text(), MUTANTS, TOP))
    program = verilator.build(verilog, verilator.CORES)
    runs = []
    for seed, steps in PROGRAMS:
        (folder := tmp_path / str(seed)).mkdir()
        image = guest("guest", folder, text=coherent_programs.program(seed, count, steps))
        runs.append((folder, settings | (run_settings(seed) if seed else {}), image))
    wrong = []
    for number in range(len(MUTANTS) + 1):
        title = MUTANTS[number - 1].title if number else "no mistake"
        environment = os.environ | {VARIABLE: str(number)}
        said = ""
        for folder, more, image in runs:
            if not (said and number):
                said = coherent_rtl.wrong(
                    folder, name, more, image, faulty=program, env=environment
                )
        print(title, "-", said[:150] or "nobody")
        wrong += [title] if bool(said) != (number > 0) else []
    assert not wrong
