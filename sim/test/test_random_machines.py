# SPDX-License-Identifier: BSD-2-Clause
"""Fifty random geometries under the firmware's TCP: model and RTL agree on every count."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from oracle_bench import SEED, acting, check_agreement, shape

from mcpi import graph, machine, ninja, simulator, testing
from mcpi.progress import Bar
from mcpi.record import Record

NUMBER = 50
USUAL = 4  # of them in ./mcpi test; the others in ./mcpi test --all
TIMINGS = 4  # of each geometry: a run takes a second
BATCH = 10  # are elaborated with one start of Java


@pytest.fixture(scope="module")
def firmware():
    """PALcode and image: of the paper's machine for all, so that all run the same program."""
    record = Record()
    with Bar() as bar:
        return graph.build(record, record.check(), bar)


def geometry(number: int) -> dict[str, str]:
    return shape(random.Random(f"{SEED} shape {number}"))


def build(number: int, folder: Path) -> tuple[Path, Path]:
    """The simulator of geometry `number`, and its Node.json."""
    last = USUAL if number < USUAL else number + BATCH - (number - USUAL) % BATCH
    first = 0 if number < USUAL else number - (number - USUAL) % BATCH
    batch = range(first, min(last, NUMBER))
    machines = [machine.load(Record.machine, geometry(n)) for n in batch]
    verilog = testing.elaborate_all("Node", machines)[number - first]
    stages = (
        lambda: [simulator.verilate(verilog, simulator.QUICK)],
        lambda: simulator.compile_and_link(verilog, simulator.QUICK)[1],
    )
    for stage in stages:  # the second is known when the first is done
        ninja.write(folder / "build.ninja", stage())
        ninja.run(folder / "build.ninja", 2, lambda *_: None)
    program, _ = simulator.compile_and_link(verilog, simulator.QUICK)
    return program, verilog.with_name("Node.json")


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [n if n < USUAL else pytest.param(n, marks=pytest.mark.long) for n in range(NUMBER)]
)
def test_a_random_machine(firmware, number, tmp_path):
    """A handshake, a round trip and the end, under `TIMINGS` sets of run-time parameters, the last
    on a backing memory of random speed; every counter of both nodes, both banks."""
    program, node_json = build(number, tmp_path)
    rng = random.Random(f"{SEED} timing {number}")
    for timing in range(TIMINGS):
        settings = geometry(number) | acting(rng)
        description = tmp_path / "machine.json"
        description.write_text(machine.load(Record.machine, settings).to_json())
        words = [program, "--out", tmp_path / "out", "--machine", description]
        words += ["--node-json", node_json, "--seed", str(1 + timing)]
        words += ["--backing-latency", "1-60"] if timing == TIMINGS - 1 else []
        for node in (0, 1):
            for item in (f"pal={firmware.pal}", f"image={firmware.image}", "boot.round_trips=1"):
                words += ["--node", f"{node}:{item}"]
        words = [str(word) for word in words]
        done = subprocess.run(words, capture_output=True, text=True, timeout=1800)
        check_agreement(done, (number, settings))
