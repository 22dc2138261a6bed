# SPDX-License-Identifier: BSD-2-Clause
"""Host registers (contracts.md 5): what each keeps, what it drives, what a run forbids."""

import dataclasses
import json
import os
import random
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from mcpi.cocotb.bus import Started
from mcpi.hdl import cocotb_run
from mcpi.machine import profile

WHENEVER = {"cold_address", "cold_number"}
NO_SETTINGS = {"run", "status", "magic", "rtl_digest", "machine_digest", "counters_control"}
REFUSED = 1 << 6  # of status
ONES = (1 << 64) - 1


def test_host_registers():
    cocotb_run.run_cocotb(__file__, "HostRegisters")


@pytest.mark.parametrize(
    ("key", "most", "bits"),
    [("write_buffer.write_ticks", 64, 6), ("lance.transmit_threshold", 64, 6)],
)
def test_a_range_that_does_not_fit_what_it_drives_is_no_node(key, most, bits):
    """A range that is widened in parameters.toml alone is refused when the node is made."""
    plain = profile.load("dec3000-600")
    wide = dataclasses.replace(plain, ranges=plain.ranges | {key: (5, most)})
    with pytest.raises(RuntimeError, match=f"{key} goes up to {most}, which {bits} bits do not"):
        cocotb_run.elaborate_all("Node", [wide])


class Bench(Started):
    """Bench with one access at a time; ``names``: numbers of the registers; ``settings``: what a
    host sets."""

    def __init__(self, dut):
        self.dut = dut
        folder = Path(os.environ["MCPI_MACHINE_JSON"]).parent
        self.names = json.loads((folder / "Node.json").read_text())["registers"]
        self.machine = json.loads((folder / "machine.json").read_text())
        others = ("snapshot.", "board.", "invocations")
        self.settings = {
            name: number
            for name, number in self.names.items()
            if name not in NO_SETTINGS and not name.startswith(others)
        }

    async def start(self):
        dut = self.dut
        for pin in ("bus_write", "bus_read", "exit_valid", "begun", "ended", "halted"):
            getattr(dut, pin).value = 0
        dut.ownersError.value = dut.countersBusy.value = dut.invocations.value = 0
        dut.reset.value = 1
        cocotb.start_soon(Clock(dut.clk, 2, "ns").start())
        await FallingEdge(dut.clk)
        await FallingEdge(dut.clk)
        dut.reset.value = 0

    async def write(self, name, value):
        self.dut.bus_number.value, self.dut.bus_data.value = self.names[name], value
        self.dut.bus_write.value = 1
        await FallingEdge(self.dut.clk)
        self.dut.bus_write.value = 0

    async def read(self, name):
        self.dut.bus_number.value, self.dut.bus_read.value = self.names[name], 1
        await FallingEdge(self.dut.clk)
        self.dut.bus_read.value = 0
        await FallingEdge(self.dut.clk)
        return int(self.dut.bus_value.value)


@cocotb.test()
async def both_ends_of_each_range(dut):
    """A run-time parameter's register holds them, drives them, and no more than it drives."""
    bench = await Bench.started(dut)
    for n, key in enumerate(bench.machine["run_parameters"]):
        driven = getattr(dut, f"parameters_values_{n}")
        for value in bench.machine["register_ranges"][key]:
            await bench.write(key, value)
            assert await bench.read(key) == int(driven.value) == value, key
        await bench.write(key, ONES)
        most = bench.machine["register_ranges"][key][1]
        assert await bench.read(key) == int(driven.value) == (1 << max(most.bit_length(), 1)) - 1


@cocotb.test()
async def every_setting_is_its_own(dut):
    """All of them written, in any order, then all read."""
    seed = int(os.environ.get("MCPI_SEED", "21"))
    rng = random.Random(seed)
    bench = await Bench.started(dut)
    held = {}
    for name in rng.sample(sorted(bench.settings), len(bench.settings)):
        if is_action(name):
            held[name] = rng.randrange(1, 5) << 8 | rng.randrange(1, 6)
            await bench.write(name, held[name])
            continue
        await bench.write(name, ONES)
        width = (await bench.read(name)).bit_length()
        assert width and await bench.read(name) == (1 << width) - 1, name
        held[name] = rng.randrange(1 << width)
        await bench.write(name, held[name])
    for name, value in held.items():
        assert await bench.read(name) == value, f"{name}; again: MCPI_SEED={seed}"


def is_action(name):
    return name.startswith("comparator.") and name.endswith(".action")


@cocotb.test()
async def a_comparator_acts_as_its_register_says(dut):
    """Each of 24; what is no action or no window is 0, and so is off."""
    bench = await Bench.started(dut)
    assert sum(map(is_action, bench.settings)) == 24
    good = (0x101, 0x205, 0x403, 0x304, 0x100, 0x005)
    for n in range(24):
        for what in (*good, 0x106, 0x501, 0x801, 0x901, 0xF1, ONES):
            await bench.write(f"comparator.{n}.action", what)
            acts = what if what in good else 0
            assert await bench.read(f"comparator.{n}.action") == acts, hex(what)
            kinds = (("window", 4), ("action", 5))
            pins = ([getattr(dut, f"comparators_{k}_{i}") for i in range(m)] for k, m in kinds)
            window, action = ([int(pin.value) >> n & 1 for pin in one] for one in pins)
            assert window == [acts >> 8 == i for i in range(1, 5)], hex(what)
            assert action == [acts & 0xFF == i for i in range(1, 6)], hex(what)


@cocotb.test()
async def a_run_forbids_settings(dut):
    """A write during a run is dropped, and status says so until `run` is 0; a cold start may be
    asked for at any time."""
    bench = await Bench.started(dut)
    before = {name: await bench.read(name) for name in bench.settings}
    await bench.write("run", 1)
    for name, value in before.items():
        await bench.write(name, value ^ 1)
        allowed = name in WHENEVER
        assert await bench.read(name) == value ^ allowed, name
        assert await bench.read("status") == (0 if allowed else REFUSED), name
        await bench.write("run", 1)
        assert await bench.read("status") == (0 if allowed else REFUSED), "it sticks"
        await bench.write("run", 0)
        assert await bench.read("status") == 0
        await bench.write(name, value ^ 1)
        assert await bench.read(name) == value ^ 1 and await bench.read("status") == 0
        await bench.write("run", 1)
