# SPDX-License-Identifier: BSD-2-Clause
"""Engine ``board``: every job of a spec on two boards, one after the other.

Boards in exact time record markers and frames, so they have a round trip in ticks. With a live
cable the round trip is in wall time. What only a simulator sees is absent.
"""

import dataclasses
import json
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.build import run_folder
from mcpi.build.graph import Built
from mcpi.engines.base import Compared, counted, sample_folders, speed
from mcpi.engines.board import against_exact, session
from mcpi.engines.board import record as board_record
from mcpi.hardware import ethernet_phy, serial_port
from mcpi.hdl import blocks
from mcpi.machine import boards
from mcpi.machine.profile import Machine
from mcpi.results import measure, pcap, record
from mcpi.results.types import Result
from mcpi.spec import numbers, run_jobs
from mcpi.spec.run_spec import BOARD, EXACT, RunSpec
from mcpi.spec.spec import Spec


class Board:
    """Two boards at serial ports."""

    name = BOARD

    def check(self, spec: Spec, machine: Machine) -> None:
        if not isinstance(spec, RunSpec):
            raise UserError(f"{spec.title}: boards run stacks; use engine exact or rtl.")
        if why := blocks.missing(blocks.BOARD, machine):
            raise UserError(why + _instead(machine))
        if spec.is_faulty:
            raise UserError("--engine board: its wire has no faults yet; use --engine exact.")
        if len(spec.ports) != 2:
            raise UserError(
                "--engine board: give the client's serial port, then the server's: --port A "
                "--port B. " + serial_port.there()
            )
        if spec.ports[0] == spec.ports[1]:
            raise UserError(f"--port {spec.ports[0]} twice: client and server are two boards.")
        ethernet_phy.Mode.of(machine)
        for port in spec.ports:
            serial_port.check(port)

    def prepare(self, spec: RunSpec, machine: Machine, place: Path, bar: Bar) -> Built:
        return run_folder.build(place, spec, machine, bar)

    def run(self, spec: RunSpec, machine: Machine, place: Path, built: Built, bar: Bar) -> int:
        for job in run_jobs.jobs(spec):
            phases = run_jobs.phases_of(spec.seed, job.sample, machine)
            with bar.task(f"boards, {job.memory} memory") as update:
                session.run(place, job.folder, spec, phases, update)
        return speed(place)

    def result(self, spec: RunSpec, machine: Machine, place: Path) -> Result:
        about = json.loads((place / "boards.json").read_text())["boards"]
        found = counted(spec, machine, place)
        found["provenance"]["rtl_digest"] = about[0]["rtl_digest"]
        found["round_trip"] = {
            "samples": spec.samples,
            "round_trips": spec.round_trips,
            "ticks_per_us": machine.parameters["clock.ticks_per_us"],
        }
        samples = sample_folders(spec, place)
        if all((s / file).is_file() for s in samples for file in board_record.FILES):
            windows = [measure.measured(s / "events.csv") for s in samples]
            per_us, stamps = machine.ticks_per_us, samples[0] / "stamps.csv"
            found |= measure.times(windows, spec.round_trips, per_us, stamps)
            found["wire"] = pcap.summary(samples[0] / "wire.pcap")
        counts = measure.counters(place / "counters.json")
        for side, number in numbers.SIDES.items():
            board, clock = about[number], about[number]["clock_khz"]
            real = board["board"] != boards.SIMULATED  # which takes no real time
            waits = board.get("waits"), board.get("host_waits", 0)
            pace = measure.pace(counts[number], clock if real else None, *waits)
            found["nodes"][side]["pace"] = pace
            if real and number == numbers.CLIENT and "live" in board:
                clocks = counts[number]["all"]["clocks"]
                mbps = machine.parameters["link.mbps"]
                found["round_trip"] |= measure.wall(about, clocks, spec.round_trips, mbps)
        return record.of(found)

    def again(self, spec: RunSpec) -> RunSpec:
        if not spec.warmup:
            raise UserError(
                "--check: a board without warm-up counts from its first tick, and engine exact "
                "from the first round trip; give --warmup 1 or more."
            )
        return dataclasses.replace(spec, engine=EXACT, ports=(), baud=0)

    def compare(self, one: Path, other: Path) -> Compared:
        return len(against_exact.compared(one)), against_exact.differences(one, other)


def _instead(machine: Machine) -> str:
    """Advice for a node that no board has: the engines that simulate it."""
    if machine.coherent:
        return " Or ./mcpi paper osdi94, which simulates such nodes."
    return " Use --engine exact or --engine rtl."


ENGINE = Board()
