# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the counters and the memory system: the oracles of an ordinary run find each."""

import os
from pathlib import Path

import pytest
from sim_support.simulators import build, counters, guests, machine_json, simulate

from mcpi.hdl import verilator
from verify import mutant_page
from verify.verilog_mutants import VARIABLE, Mutant, load, mutated

PLAIN, CONFLICTS = "plain", "conflicts.S"  # that guest in the place of TCP
RUNS = {PLAIN: (), "slow memory": ("--backing-latency", "1-60"), "cold": ("--cold",)}
RUNS |= {CONFLICTS: ()}
MUTANTS = load(Path(__file__).with_name("counter_mutants.csv"))
MOST_WITHHELD = 100  # clocks more than without a mistake, on the fastest memory


@pytest.fixture(scope="module")
def consult(tmp_path_factory):
    """consult(number of a mutant, name of a run) -> the finished simulator."""
    built, folder = build(), tmp_path_factory.mktemp("mutants")
    verilog = folder / "Node.v"
    verilog.write_text(mutated(built.node_json.with_name("Node.v").read_text(), MUTANTS, "Node"))
    program = verilator.build(verilog, verilator.QUICK)
    machine, small = machine_json(folder), guests("conflicts", folder)

    def one(number: int, run: str):
        items = ("boot.round_trips=1", *(small if run == CONFLICTS else ()))
        words = ("--max-ticks", "5000000", *RUNS[run])
        env = os.environ | {VARIABLE: str(number)}
        more = {"items": items, "program": program, "env": env}
        done = simulate(built, folder / "out", machine, *words, **more)
        ended = not done.returncode
        done.withheld = counters(folder / "out")[0]["all"]["withheld"] if ended else 0
        return done

    return one


def reason(stderr: str) -> str:
    """The line that says what is wrong; of a list of counters the first."""
    lines = [line.strip() for line in stderr.splitlines()]
    listed = [n for n, line in enumerate(lines) if line.endswith("are not what they should be:")]
    if listed:
        return lines[listed[0] + 1]
    return [line for line in lines if line.startswith("mcpi-sim: ")][-1].removeprefix("mcpi-sim: ")


def caught(consult, number: int, mutant: Mutant, usual: int) -> tuple[str, str] | None:
    """The run that found it and what it said; ``usual``: clocks withheld without a mistake."""
    for run in mutant.tests or (PLAIN,):
        done = consult(number, run)
        if done.returncode:
            return run, reason(done.stderr)
        if run == PLAIN and done.withheld > usual + MOST_WITHHELD:
            return run, f"withheld (all): {done.withheld}, at most {usual} and 100"
    return None


@pytest.mark.long
def test_without_a_mistake_nothing_is_found(consult):
    for run in RUNS:
        done = consult(0, run)
        assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.long
def test_every_mutant_of_the_counters_is_caught(consult):
    rows, missed, usual = [], [], consult(0, PLAIN).withheld
    for number, mutant in enumerate(MUTANTS, 1):
        found = caught(consult, number, mutant, usual)
        run, said = found or ("", "")
        missed += [] if found else [mutant.title]
        row = {"mutant": mutant.title, "place": mutant.module, "found_by": run, "said": said}
        rows.append(row)
    mutant_page.write("counters", rows)
    assert not missed, missed
