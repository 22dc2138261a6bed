# SPDX-License-Identifier: BSD-2-Clause
"""Every mistake of ``mutants.csv`` is found by random programs, or by the directed tests that it
names; the run writes the record ``found.csv`` and counts in ``docs/verification/mutants.md``."""

import concurrent.futures
import os
import re
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from core_support.mutants import faulty

from mcpi.base.errors import UserError
from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.hdl import verilator
from verify import mutant_page
from verify.random import configurations
from verify.verilog_mutants import VARIABLE, Mutant, load

HERE = Path(__file__).parent
MUTANTS = load(HERE / "mutants.csv")
ONLY = os.environ.get(VARIABLE, "")  # part of a name: those alone; the record stays as it is
INSTRUCTIONS = 600_000  # a program, at most
PROGRAMS = 4
DIRECTED = """import sys, pathlib
from mcpi.hdl import cocotb_run
verilog, path, only = sys.argv[1:]
cocotb_run.simulate(pathlib.Path(verilog), pathlib.Path(path), only)
"""


def file_of(module: str) -> Path:
    """File of a directed test."""
    [path] = HERE.rglob(f"{module}.py")
    return path


def test_list():
    """Each mutant fits the Verilog, and the tests that it names exist."""
    faulty({}, MUTANTS)
    assert len({m.title for m in MUTANTS}) == len(MUTANTS)
    for mutant in MUTANTS:
        for name in mutant.tests:
            module, _, coroutine = name.partition(".")
            wanted = rf"^async def {coroutine}\(" if coroutine else r"^@cocotb\.test"
            assert re.search(wanted, file_of(module).read_text(), re.M), name


def by_programs(program: Path, folder: Path, number: int) -> Mapping[str, object]:
    """Record of the first random program that differs; empty if none does."""
    ticks = 0
    env = os.environ | {VARIABLE: str(number)}
    for run in configurations.draw(0).runs[:PROGRAMS]:
        done = configurations.execute(program, folder, run, INSTRUCTIONS, "", env=env)
        if done.returncode:
            lines = done.stderr.strip().splitlines()
            first = next((x for x in lines if "tick" in x or "assert" in x), "")
            at = re.search(r"tick (\d+): (.*)", first)
            said = re.sub(r"[0-9a-f]{16}", "…", at[2] if at else lines[0][:100])
            after = ticks + int(at[1]) if at else ""
            return {"found_by": "random programs", "after_ticks": after, "first_difference": said}
        ticks += int(re.search(r'"ticks":(\d+)', done.stdout)[1])
    return {}


def by_tests(verilog: Path, mutant: Mutant, number: int) -> Mapping[str, object]:
    """Record of the first directed test that fails; empty if none does."""
    for name in mutant.tests:
        module, _, coroutine = name.partition(".")
        env = os.environ | {"PYTHONPATH": str(ROOT / "tools"), VARIABLE: str(number)}
        words = [sys.executable, "-c", DIRECTED, verilog, file_of(module), coroutine]
        done = heard(words, env=env)
        if done.returncode:
            said = done.stdout + done.stderr
            # cocotb's table of results: only a test that failed counts, not one that did not run.
            if not (failed := re.findall(r"\*\* (\S+)\s+FAIL", said)):
                raise UserError(f"'{mutant.title}': {name} did not run:\n{said[-2000:]}")
            found = re.search(r"AssertionError: (.*)", said)
            first = found[1][:100] if found else ""
            test = ", ".join(failed)
            return {"found_by": "directed tests", "test": test, "first_difference": first}
    return {}


@pytest.mark.long
def test_every_mutant_is_caught(tmp_path):
    verilog = faulty({}, MUTANTS)
    program = verilator.build(verilog, verilator.CORE)
    assert not by_programs(program, tmp_path, 0), "without a mistake"

    def hunt(mutant: Mutant) -> dict[str, object]:
        began, number = time.monotonic(), 1 + MUTANTS.index(mutant)
        folder = tmp_path / str(number)
        folder.mkdir()
        found = by_programs(program, folder, number) or by_tests(verilog, mutant, number)
        row = {"mutant": mutant.title, "place": mutant.module.split()[0], "found_by": ""}
        row |= {"test": "", "after_ticks": "", "first_difference": ""} | found
        return row | {"seconds": f"{time.monotonic() - began:.0f}"}

    wanted = [mutant for mutant in MUTANTS if ONLY in mutant.title]
    assert wanted, f"no mutant has '{ONLY}' in its name"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(hunt, wanted))
    print(*rows, sep="\n")
    if not ONLY:
        mutant_page.write("core", rows)
    survivors = [row["mutant"] for row in rows if not row["found_by"]]
    again = f"{VARIABLE}='part of the name' ./mcpi test --all -k mutants"
    assert not survivors, f"nobody noticed: {survivors}; again: {again}"
