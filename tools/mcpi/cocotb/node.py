# SPDX-License-Identifier: BSD-2-Clause
"""A complete machine (top Node): RAM in Python, a program, host link, counters, frames at its MII.

node = await Node.started(dut)
await node.load("echo.c")
await node.run()
await node.mii.send(frame)
counters = await node.counters()
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from cocotb.utils import get_sim_time

from mcpi.cocotb.backing import Backing
from mcpi.cocotb.bus import PERIOD, Started
from mcpi.cocotb.host_link import HostLink
from mcpi.cocotb.mii import Mii
from mcpi.firmware import elf, images, program
from mcpi.machine import profile
from mcpi.spec import node_image
from mcpi.spec.run_spec import RunSpec

CLEAR, FREEZE, ARM, SNAPSHOT = 1, 2, 4, 8  # of counters_control
EXITED, BUSY = 2, 8  # of status
INPUTS = "io_pause io_skip io_host_fromHost_payload io_board_value io_backing_rsp_payload".split()


@dataclass(frozen=True)
class Counters:
    """Since the run began, by the names of docs/reference/counters.md: of everything, and of what
    the program marks with MCPI_MEASURE. ``counters["ticks"]`` is ``counters.all["ticks"]``."""

    all: dict[str, int]
    path: dict[str, int]

    def __getitem__(self, name: str) -> int:
        return self.all[name]


class Node(Started):
    """``ram``: its RAM; ``link``: the host's end of the host link; ``mii``: the wire's end of the
    MII; ``machine``: what was elaborated; ``names``: numbers of host registers by name."""

    def __init__(self, dut):
        self.dut = dut
        settings = json.loads(os.environ.get("MCPI_SETTINGS", "{}"))
        self.machine = profile.load(os.environ["MCPI_MACHINE"], settings)
        elaborated = Path(os.environ["MCPI_MACHINE_JSON"]).parent
        self.about = json.loads((elaborated / "Node.json").read_text())
        self.names: dict[str, int] = self.about["registers"]
        for name in INPUTS:
            getattr(dut, name).value = 0
        block = len(dut.io_backing_cmd_payload_mask)
        self.ram = Backing(dut, dut.clk, block, prefix="io_backing", blank=lambda _: 0)
        self.link = HostLink(dut)
        self.mii = Mii(dut)

    async def start(self) -> None:
        """Out of reset; virtual time does not run yet."""
        self.dut.reset.value = 1
        cocotb.start_soon(Clock(self.dut.clk, PERIOD, "ns").start())
        for _ in range(3):
            await FallingEdge(self.dut.clk)
        self.dut.reset.value = 0
        cocotb.start_soon(self.ram.run())
        self.link.start()
        await self.link.ping()

    async def load(self, *sources: str | Path, phase: int = 1000) -> None:
        """A program: C and assembly files, compiled as by ./mcpi exec, with PALcode and boot block;
        then every host register. ``phase``: the tick of the first timer interrupt."""
        paths = tuple(Path(source).resolve() for source in sources)
        built = images.build(program.plan(self.machine, program.Wanted(paths, wire=True)))
        spec = RunSpec(warmup=0, round_trips=1)
        own = elf.read(built.image, self.machine)
        pal = elf.read(built.pal, self.machine, "pal")
        what = node_image.of_images(self.machine, self.names, spec, 0, phase, own, pal)
        for address, data in [*what.images, what.boot]:
            self.ram.place(address, data)
        for number, value in what.registers.items():
            await self.link.write(number, value)
        for name in ("measure_from", "measure_to"):  # the test says when, not a count
            await self.link.write(self.names[name], 0)

    async def run(self) -> None:
        """Virtual time runs, from tick 0 on, and the counters count."""
        await self.link.write(self.names["counters_control"], CLEAR | ARM)
        await self.link.write(self.names["run"], 1)

    async def counters(self) -> Counters:
        """A copy of all of them, of one tick; they count on."""
        await self.link.write(self.names["counters_control"], SNAPSHOT)
        while await self.link.read(self.names["status"]) & BUSY:
            pass
        names = self.about["counters"]
        banks = [
            {name: await self.link.read(self.names[f"snapshot.{b}.{name}"]) for name in names}
            for b in ("all", "path")
        ]
        return Counters(*banks)

    async def until_exit(self, us: float = 10_000) -> int:
        """Its exit code, when the program has ended; AssertionError after so many us."""
        end = get_sim_time("ns") + us * self.machine.parameters["clock.ticks_per_us"] * PERIOD
        while not (status := await self.link.read(self.names["status"])) & EXITED:
            assert get_sim_time("ns") < end, f"not within {us} us; it printed: {self.printed}"
            await Timer(1000 * PERIOD, "ns")
        return status >> 8 & 0xFF

    async def until_printed(self, text: str, us: float = 10_000) -> None:
        """AssertionError if the program has not printed ``text`` after so many us."""
        end = get_sim_time("ns") + us * self.machine.parameters["clock.ticks_per_us"] * PERIOD
        while text not in self.printed:
            assert get_sim_time("ns") < end, f"not within {us} us; it printed: {self.printed}"
            await Timer(1000 * PERIOD, "ns")

    @property
    def printed(self) -> str:
        """Text that the program has printed so far."""
        return self.link.console.decode(errors="replace")
