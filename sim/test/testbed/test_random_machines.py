# SPDX-License-Identifier: BSD-2-Clause
"""Fifty random machines under the firmware's TCP: models and RTL agree on every count, and the
exact engine leaves the RTL's files."""

import dataclasses
import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from sim_support import oracle_bench as tables
from sim_support.oracle_bench import SEED, acting, check_agreement, check_exact
from sim_support.simulators import build, machine_json, simulate

from mcpi.firmware import images
from mcpi.hdl import cocotb_run, verilator
from mcpi.machine import profile
from mcpi.spec.run_spec import RunSpec
from verify.long_tests import sampled
from verify.random import inputs
from verify.random.inputs import stratified

NUMBER = 50
USUAL = 2  # of them in ./mcpi test; the others in ./mcpi test --all
TIMINGS = 4  # of each geometry: a run takes a second
BATCH = 10  # are elaborated with one start of Java


@pytest.fixture(scope="module")
def firmware():
    """PALcode and image: of the paper's machine for all, so that all run the same program; but one
    whose controller recognises frames runs PIN, which writes entries."""
    return build()


@cache
def recognising() -> Path:
    machine = profile.load(RunSpec.machine, {"lance.classifier": "on"})
    return images.build(images.plan(machine, "pin", "tcp")).image


def geometry(number: int) -> dict[str, str]:
    """Fifty are too few for chance to meet each bin, so the draws are stratified."""
    shape = stratified(tables.SHAPE, f"{SEED} shape", number)
    if number:
        shape |= stratified(tables.FURTHER, f"{SEED} further", number)
    caches, place = (tables.WAYS, number) if number % 3 else (tables.VICTIMS, number // 3)
    return shape | stratified(caches, f"{SEED} caches", place)


def timings(number: int) -> list[dict[str, str]]:
    """The settings of each run on geometry `number`; every second run sets devices too."""
    rng = random.Random(f"{SEED} timing {number}")
    settings = [acting(rng) for _ in range(TIMINGS)]
    for pair in range(TIMINGS // 2):
        place = TIMINGS // 2 * number + pair
        settings[2 * pair + 1] |= stratified(tables.DEVICES, f"{SEED} devices", place)
    return settings


def node(number: int) -> tuple[Path, Path]:
    """The simulator of geometry `number`, and its Node.json."""
    last = USUAL if number < USUAL else number + BATCH - (number - USUAL) % BATCH
    first = 0 if number < USUAL else number - (number - USUAL) % BATCH
    batch = range(first, min(last, NUMBER))
    machines = [profile.load(RunSpec.machine, geometry(n)) for n in batch]
    verilog = cocotb_run.elaborate_all("Node", machines)[number - first]
    return verilator.build(verilog, verilator.QUICK), verilog.with_name("Node.json")


@pytest.mark.slow
@pytest.mark.parametrize("number", sampled(range(NUMBER), lambda n: n == 0))
def test_a_random_machine(firmware, number, tmp_path):
    """A handshake, a round trip and the end, under `TIMINGS` sets of run-time parameters, the last
    on a backing memory of random speed; every counter of both nodes, both banks."""
    program, node_json = node(number)
    firmware = dataclasses.replace(firmware, node_json=node_json)
    for timing, settings in enumerate(timings(number)):
        settings = geometry(number) | settings
        words = ["--seed", 1 + timing]
        words += ["--backing-latency", "1-60"] if timing == TIMINGS - 1 else []
        items = ["boot.round_trips=1"]
        if settings.get("lance.classifier") == "on":
            items += [f"image={recognising()}"]
        machine = machine_json(tmp_path, settings)
        out = tmp_path / f"{timing}"
        done = simulate(firmware, out, machine, *words, items=items, program=program)
        check_agreement(done, (number, settings))
        check_exact(firmware, out, machine, *words, items=items)


def test_random_machines_fill_every_bin():
    """Each value, or part of a range, is drawn for one of them; how often is printed."""
    of_shape = (tables.SHAPE, tables.WAYS, tables.VICTIMS, tables.FURTHER)
    of_run, total = (tables.ACTING, tables.DEVICES), Counter()
    for number in range(NUMBER):
        total += inputs.met(geometry(number), *of_shape)
        for settings in timings(number):
            total += inputs.met(settings, *of_run)
    names = inputs.bins(*of_shape, *of_run)
    print(inputs.report(names, total))
    assert not inputs.holes(names, total)
