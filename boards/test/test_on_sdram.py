# SPDX-License-Identifier: BSD-2-Clause
"""Firmware on the i9's RAM: page map, SDRAM and its controller below the governor, and nothing of
virtual time is another: every counter is that of the simulator's own RAM, in the same ticks.
"""

import dataclasses
import json
import os
import random
from pathlib import Path

import pytest

from mcpi import graph, simulator, stand_in
from mcpi.paths import BUILD
from mcpi.progress import Bar
from mcpi.record import Record

SEED = int(os.environ.get("MCPI_SEED", "1"))
RECORD = Record(round_trips=3, warmup=1, lockstep=False)
PROGRAM = dataclasses.replace(simulator.QUICK, place="sdram")
KINDS = ("rtl", "ours")
BROADCAST = "ffffffffffff"
STRANGER = "08002b0000990806"  # an address nobody has, ARP


def on_sdram(text: str, name: str, bar: Bar) -> Path:
    """``mcpi-sim`` of a stand-in's Verilog, perhaps a changed one."""
    whole = BUILD / "sdram" / name / "Node.v"
    graph.write(whole, text)
    return stand_in.program(whole, PROGRAM, bar)


@pytest.fixture(scope="module")
def verilog() -> str:
    return stand_in.verilog("NodeOnSdram", RECORD.machine, {})


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


@pytest.mark.slow
@pytest.mark.parametrize("ideal", ["off", "on"])
def test_every_counter_is_the_simulators(verilog, tmp_path, ideal):
    record = dataclasses.replace(RECORD, settings={"memory.ideal": ideal})
    wire, place = script(tmp_path), tmp_path / "run"
    with Bar() as bar:
        built = graph.build(record, record.check(), bar)
        binary = on_sdram(verilog, "as-it-is", bar)
        found = stand_in.compare(record, built, binary, place, ["--load-by-link"], bar, wire)
    assert not found.differences(), f"seed {SEED}"
    assert found.count > 200
    faults = [json.loads((place / kind / "run.json").read_text())["wire"] for kind in KINDS]
    assert faults[0] == faults[1] and all(f["injected"] for f in faults[0].values()), faults
    for rtl, ours in zip(found.rtl, found.ours, strict=True):
        assert rtl["path"]["invocations"] == RECORD.round_trips
        assert ours["all"]["withheld"] > 4 * rtl["all"]["withheld"], "the RAM took no time"
