# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the core's Verilog, all in one program, and random programs in lock-step with it."""

import os
import shutil
from pathlib import Path

from mcpi.hdl import cocotb_run
from mcpi.verify.random import configurations
from mcpi.verify.verilog_mutants import VARIABLE, Mutant, mutated

WEATHER = {"seed": 7, "interrupt-every": 200, "dma-every": 20, "slow-read-in": 8, "withhold": 0}


def faulty(settings: dict[str, str], mutants: list[Mutant]) -> Path:
    """The core's Verilog with all mistakes in it; machine.json lies beside it."""
    source = cocotb_run.elaborate("AlphaLite", settings=settings)
    folder = source.parent / "mutants"
    folder.mkdir(exist_ok=True)
    shutil.copy(source.with_name("machine.json"), folder)
    path = folder / source.name
    path.write_text(mutated(source.read_text(), mutants, "AlphaLite"))
    return path


def said(
    program: Path, folder: Path, number: int, settings: dict[str, str], instructions: int
) -> str:
    """What lock-step, or an assertion, says of mistake ``number``; empty if nothing is seen."""
    wanted = configurations.Run(96, settings, WEATHER)
    env = os.environ | {VARIABLE: str(number)}
    done = configurations.execute(program, folder, wanted, instructions, "", env=env)
    return done.stderr if done.returncode else ""
