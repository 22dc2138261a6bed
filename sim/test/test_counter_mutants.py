# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in the counters and the memory system: the oracles of an ordinary run find each."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from counter_mutants import COLD, CONFLICTS, MUTANTS, PLAIN, SLOW, Mutant
from sim_support import PAL_BASE, guest

from mcpi import graph, ninja, simulator
from mcpi.infect import VARIABLE, infect
from mcpi.paths import ROOT
from mcpi.progress import Bar
from mcpi.record import Record

PAGE = ROOT / "docs" / "counter-mutants.md"
HEAD = """# Mutants of the counters and the memory system

Written by `sim/test/test_counter_mutants.py` (`./mcpi test --all`) as it came out. Each mistake is
put into the Verilog of a node; then TCP makes one round trip, as in every test, with lock-step,
oracles and identities on (docs/counters.md): plain, on a slow memory, or with a cold invocation.
For victims, which TCP never has, it is `conflicts.S`. Left out: a cold start that leaves the stream
buffer, because the miss of the opening instruction itself replaces what is in it.

| mutant | module | run | what was said first |
|---|---|---|---|
"""
ABOUT = {PLAIN: "plain", SLOW: "slow memory", COLD: "cold", CONFLICTS: "`conflicts.S`"}
MOST_WITHHELD = 100  # clocks, on the fastest memory: test_driver.py


@pytest.fixture(scope="module")
def simulate(tmp_path_factory):
    """simulate(number of a mutant, options) -> the finished simulator."""
    record = Record()
    with Bar() as bar:
        built = graph.build(record, record.check(), bar)
    folder = tmp_path_factory.mktemp("mutants")
    verilog = folder / "Node.v"
    verilog.write_text(infect(built.node_json.with_name("Node.v").read_text(), MUTANTS, "Node"))
    (folder / "machine.json").write_text(record.check().to_json())
    program = simulator.QUICK
    for stage in (  # the second is known when the first is done
        lambda: [simulator.verilate(verilog, program)],
        lambda: simulator.compile_and_link(verilog, program)[1],
    ):
        ninja.write(folder / "build.ninja", stage())
        ninja.run(folder / "build.ninja", 2, lambda *_: None)
    binary, _ = simulator.compile_and_link(verilog, program)

    small = guest("pal", folder, PAL_BASE), guest("conflicts", folder)

    def one(number: int, options: tuple[str, ...]):
        pal, image = small if options == CONFLICTS else (built.pal, built.image)
        options = () if options == CONFLICTS else options
        words = [binary, "--out", folder / "out", "--machine", folder / "machine.json"]
        words += ["--node-json", built.node_json, "--max-ticks", "5000000", *options]
        for node in (0, 1):
            for item in (f"pal={pal}", f"image={image}", "boot.round_trips=1"):
                words += ["--node", f"{node}:{item}"]
        done = subprocess.run(
            [str(w) for w in words],
            env=os.environ | {VARIABLE: str(number)},
            capture_output=True,
            text=True,
            timeout=1800,
            check=False,
        )
        counters = folder / "out" / "counters.json"
        done.withheld = 0
        if not done.returncode:
            done.withheld = json.loads(counters.read_text())["nodes"][0]["all"]["withheld"]
        return done

    return one


def reason(stderr: str) -> str:
    """The line that says what is wrong; of a list of counters the first."""
    lines = [line.strip() for line in stderr.splitlines()]
    listed = [n for n, line in enumerate(lines) if line.endswith("are not what they should be:")]
    if listed:
        return lines[listed[0] + 1]
    return [line for line in lines if line.startswith("mcpi-sim: ")][-1].removeprefix("mcpi-sim: ")


def caught(simulate, number: int, mutant: Mutant) -> tuple[str, str] | None:
    """The run that found it and what it said."""
    for options in mutant.runs:
        done = simulate(number, options)
        if done.returncode:
            return ABOUT[options], reason(done.stderr)
        if options == PLAIN and done.withheld > MOST_WITHHELD:
            return ABOUT[options], f"test_driver: withheld (all): {done.withheld}, at most 100"
    return None


@pytest.mark.long
def test_without_a_mistake_nothing_is_found(simulate):
    for options in ABOUT:
        done = simulate(0, options)
        assert done.returncode == 0, done.stderr[-3000:]
        assert options != PLAIN or done.withheld <= MOST_WITHHELD


@pytest.mark.long
def test_every_mutant_of_the_counters_is_caught(simulate):
    rows, missed = [], []
    for number, mutant in enumerate(MUTANTS, 1):
        found = caught(simulate, number, mutant)
        run, said = found or ("", "**nobody**")
        missed += [] if found else [mutant.title]
        rows.append(f"| {mutant.title} | {mutant.module} | {run} | {said.replace('|', '/')} |\n")
    text = HEAD + "".join(rows)
    PAGE.write_text(f"{text}\n{len(MUTANTS) - len(missed)} of {len(MUTANTS)} caught.\n")
    assert not missed, missed
