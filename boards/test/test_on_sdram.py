# SPDX-License-Identifier: BSD-2-Clause
"""Firmware on the i9's RAM: page map, cache, and the SDRAM's controller below the governor, and
nothing of virtual time is another: every counter is that of the simulator's own RAM, in the same
ticks.
"""

import dataclasses
import json
import os
import random
from pathlib import Path

import pytest

from mcpi.base.errors import RunError
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.build import graph
from mcpi.engines.rtl import substitute
from mcpi.hdl import verilator
from mcpi.spec.run_spec import RTL, RunSpec
from verify.verilog_mutants import VARIABLE, Mutant, mutated

SEED = int(os.environ.get("MCPI_SEED", "1"))
RECORD = RunSpec(engine=RTL, round_trips=3, warmup=1, lockstep=False)
PROGRAM = dataclasses.replace(verilator.QUICK, place="sdram")
KINDS = ("rtl", "ours")
BROADCAST = "ffffffffffff"
STRANGER = "08002b0000990806"  # an address nobody has, ARP


# The bus is never as fast as this: DMA ends in the tick behind its beginning.
SHORTEST = {
    "bcache.dma_ticks": "1",
    "bcache.read_ticks": "3",
    "memory.read_ticks": "3",
    "write_buffer.write_ticks": "5",
}
MACHINES = {"real": {}, "ideal": {"memory.ideal": "on"}, "shortest": SHORTEST}


MUTANTS = [Mutant("MemorySystem", f"{who}Holds", "0") for who in ("core", "dma")]


@pytest.fixture(scope="module")
def binary() -> Path:
    """``mcpi-sim`` of the substitute, with all mutants."""
    whole = BUILD / "sdram" / "Node.v"
    text = substitute.verilog("NodeOnColorlightI9", RECORD.machine, {})
    graph.write(whole, mutated(text, MUTANTS, "Node"))
    with Bar() as bar:
        return substitute.program(whole, PROGRAM, bar)


def script(place: Path) -> list[str]:
    """Frames that nobody asked for, each in its tick, and some that come late or twice."""
    source = random.Random(SEED)
    words = []
    for node in (0, 1):
        lines = [f"frame {n} delay {source.randrange(1, 2000)}" for n in (1, 4, 6)]
        lines += ["frame 3 duplicate"]
        for _ in range(12):
            body = source.randbytes(source.randrange(46, 400)).hex()
            tick = source.randrange(1_000_000, 1_600_000)
            lines.append(f"inject {tick} {BROADCAST}{STRANGER}{body}")
        file = place / f"script.{node}"
        file.write_text("\n".join(lines) + "\n")
        words += ["--wire", f"{node}:script={file}"]
    return words


def compared(binary: Path, place: Path, name: str) -> substitute.Compared:
    """Both runs of one of ``MACHINES``."""
    record = dataclasses.replace(RECORD, settings=MACHINES[name])
    wire = script(place)
    with Bar() as bar:
        built = graph.build(record, record.check(), bar)
        return substitute.compare(
            record, built, binary, place / "run", ["--load-by-link"], bar, wire
        )


@pytest.mark.long
@pytest.mark.parametrize("name", MACHINES)
def test_every_counter_is_the_simulators(binary, tmp_path, name):
    found = compared(binary, tmp_path, name)
    assert not found.differences(), f"seed {SEED}"
    assert found.count > 200
    runs = [json.loads((tmp_path / "run" / kind / "run.json").read_text()) for kind in KINDS]
    faults = [run["wire"] for run in runs]
    assert faults[0] == faults[1] and all(f["injected"] for f in faults[0].values()), faults
    for rtl, ours in zip(found.rtl, found.ours, strict=True):
        assert rtl["path"]["invocations"] == RECORD.round_trips
        assert ours["all"]["withheld"] > rtl["all"]["withheld"], "the RAM took no time"


@pytest.mark.long
@pytest.mark.parametrize("number", range(1, len(MUTANTS) + 1))
def test_a_mistake_shows(binary, tmp_path, monkeypatch, number):
    """Where a transaction ends after one tick."""
    monkeypatch.setenv(VARIABLE, str(number))
    try:
        found = compared(binary, tmp_path, "shortest")
    except RunError:
        return  # it went wrong altogether
    assert found.differences(), f"survived: {MUTANTS[number - 1]}"
