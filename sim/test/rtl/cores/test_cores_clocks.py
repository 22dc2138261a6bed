# SPDX-License-Identifier: BSD-2-Clause
"""A node of several cores says what the exact engine says, on each file, with clocks withheld at
random too: two copies of it agree in every tick. Its second clocks have planted mistakes."""

import csv
import itertools
import json
import os
import random
from pathlib import Path

import pytest
from sim_support import coherent_programs, coherent_rtl
from sim_support.coherent_machines import MACHINES, run_settings
from sim_support.simulators import guest

from mcpi.base.progress import Bar
from mcpi.build import graph
from mcpi.hdl import verilator
from mcpi.machine import profile
from mcpi.spec.run_spec import RTL
from verify.long_tests import sampled
from verify.verilog_mutants import VARIABLE, load, mutated

MUTANTS = load(Path(__file__).with_name("cores_clocks_mutants.csv"))
SLOW = 60  # clocks
BLOCK = "CoherentNode"
WITHHELD = 30  # percent of the clocks
CASES = [(name, seed) for name in MACHINES for seed in range(8)]


def run_cores(folder: Path, name: str, text: str, more: dict[str, str], **of_rtl) -> str:
    """Difference between engine and RTL; empty if there is none."""
    machine, settings = MACHINES[name]
    image = guest("guest", folder, text=text)
    coherent_rtl.run_both(folder, machine, settings | more, image, **of_rtl)
    counters = json.loads((folder / "rtl" / "counters.json").read_text())["cores"][0]["all"]
    print(f"{counters['clocks'] / counters['ticks']:.2f} clocks a tick")
    return coherent_rtl.difference(folder, int(settings["core.count"]))


@pytest.mark.parametrize("case", sampled(CASES, lambda case: case == ("two", 1)))
def test_clocks_without_a_tick_change_nothing(tmp_path, case):
    name, seed = case
    text = coherent_programs.program(seed, int(MACHINES[name][1]["core.count"]))
    more = run_settings(seed) if seed else {}
    assert not (found := run_cores(tmp_path, name, text, more, withhold=WITHHELD)), found


def rivals(seed: int, steps: int = 120) -> str:
    """Core 0 has pairs of LDx_L and STx_C on a block that core 1 writes. What core 0 stores in
    between goes out first, so the order of core 1 is next to one of another block."""
    draw = random.Random(seed)
    lines = [coherent_programs.HEAD, "\tbne $14, way1", "\t.balign 32"]
    for _ in range(steps):
        waits = ["\tnop"] * draw.randrange(12)
        lines += ["\tldq_l $7, 0($9)", "\tstq $7, 64($9)", *waits, "\tstq_c $7, 0($9)"]
    lines += ["\tbr $31, end", "\t.balign 32", "way1:"]
    for _ in range(steps):
        waits = ["\tnop"] * draw.randrange(24)
        lines += ["\tldq $2, 64($9)", *waits, "\tstq $2, 8($9)", "\tmb"]
    return "\n".join([*lines, "\tbr $31, end", coherent_programs.END])


@pytest.mark.parametrize("seed", sampled(range(4), lambda seed: seed == 0))
def test_rivals_for_a_lock(tmp_path, seed):
    assert not (found := run_cores(tmp_path, "two", rivals(seed), {"bus.request_ticks": "3"})), (
        found
    )


# Each core writes its quadword of one block, at a pace of its own.
NEIGHBOURS = f"""{coherent_programs.HEAD}
	sll $14, 3, $3
	addq $9, $3, $3
	lda $4, 400($31)
	mulq $14, 5, $5
1:	stq $4, 0($3)
	and $4, 15, $6
	addq $6, $5, $6
2:	subq $6, 1, $6
	bge $6, 2b
	subq $4, 1, $4
	bne $4, 1b
{coherent_programs.END}"""


def follow(history: Path) -> int:
    """How often a core writes to a block a tick after another one."""
    with history.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["what"] == "write"]
    return sum(
        int(b["tick"]) - int(a["tick"]) == 1 and a["at"] == b["at"] and a["place"] != b["place"]
        for a, b in itertools.pairwise(rows)
    )


def test_what_a_core_wrote_is_told_without_the_next_ones(tmp_path):
    """A tick is told in the clock after it, when RAM has what was written in the tick."""
    quick = {"bus.request_ticks": "3", "write_buffer.idle_ticks": "1"}
    found = run_cores(tmp_path, "two", NEIGHBOURS, quick)
    assert follow(tmp_path / "engine" / "history.csv")
    assert not found, found


@pytest.fixture(scope="module")
def faulty(tmp_path_factory) -> Path:
    """The program with all mistakes in it."""
    described = graph.simulator(RTL, profile.load(*MACHINES["two"]), Bar())[1]
    verilog = tmp_path_factory.mktemp("mutants") / f"{BLOCK}.v"
    text = described.with_name(verilog.name).read_text()
    verilog.write_text(mutated(text, MUTANTS, BLOCK))
    return verilator.build(verilog, verilator.CORES)


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(MUTANTS) + 1))
def test_a_mistake_is_found(tmp_path, faulty, number):
    """By a random program, on RAM of any speed; without one (0) nothing is."""
    environment = os.environ | {VARIABLE: str(number)}
    of_rtl = {"faulty": faulty, "env": environment, "latency": SLOW}
    for seed in range(2):
        text = coherent_programs.program(seed, 2)
        try:
            found = run_cores(tmp_path, "two", text, {}, **of_rtl)
        except AssertionError as ended:  # it hangs, or an assertion of the RTL fails
            found = str(ended)
        if found:
            assert number, found
            return
    assert not number, f"nobody finds: {MUTANTS[number - 1].title}"
