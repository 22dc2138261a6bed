# SPDX-License-Identifier: BSD-2-Clause
"""Another module in the place of ``Node`` in ``mcpi-sim``, and a run of it beside the RTL's own.

What stands in shows no more than a board does (``mcpi-sim --netlist``); what is loaded and the wire
are the same, so every counter must be, but those that count clocks.
"""

import json
import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mcpi import graph, ninja, run, simulate, simulator, testing
from mcpi.errors import RunError
from mcpi.lock import hold
from mcpi.paths import BUILD
from mcpi.progress import Bar
from mcpi.record import Record

# The packed counters and a board's RAM hold time now and then: these two, and nothing else, may
# differ.
IN_CLOCKS = ("clocks", "withheld")


def verilog(block: str, name: str, settings: dict[str, str]) -> str:
    """The Verilog of ``block`` with the name of a node; a node inside it gets another."""
    text = testing.elaborate(block, name, settings).read_text()
    return re.sub(r"\bNode\b", "NodeBelow", text).replace(f"module {block} ", "module Node ")


def program(whole: Path, of: simulator.Program, bar: Bar) -> Path:
    """``mcpi-sim`` around the module ``Node`` of ``whole``."""
    place = BUILD / of.place
    with hold(place / "build.lock", "builds a simulator"):
        edges = [simulator.verilate(whole, of)]
        for _ in range(2):  # what there is to compile is known when it has been verilated
            ninja.write(place / "build.ninja", edges)
            with bar.task(f"simulator in {of.place}") as update:
                ninja.run(place / "build.ninja", os.cpu_count() or 1, update)
            binary, edges = simulator.compile_and_link(whole, of)
    return binary


@dataclass(frozen=True)
class Compared:
    """Both runs: counters by node and bank, and how fast the stand-in was simulated."""

    rtl: list[dict]
    ours: list[dict]
    ticks: int
    seconds: float

    def differences(self) -> list[str]:
        """Node, bank, counter, both values; of all but those that count clocks."""
        found = []
        for number, (rtl, ours) in enumerate(zip(self.rtl, self.ours, strict=True)):
            for bank in ("all", "path"):
                if set(rtl[bank]) != set(ours[bank]):
                    raise RunError(f"node {number}: the counters have not the same names.")
                for name, value in rtl[bank].items():
                    if name not in IN_CLOCKS and ours[bank][name] != value:
                        found.append(f"node {number} {bank}.{name}: {value} and {ours[bank][name]}")
        return found

    @property
    def count(self) -> int:
        return sum(
            name not in IN_CLOCKS
            for node in self.rtl
            for bank in ("all", "path")
            for name in node[bank]
        )


def compare(
    record: Record,
    built: graph.Built,
    binary: Path,
    place: Path,
    options: Sequence[str],
    bar: Bar,
    wire: Sequence[str] = (),
) -> Compared:
    """A run on the RTL, one on ``binary`` with ``--netlist`` and ``options``, both with ``wire``;
    their files are in ``place``. RunError if either fails."""
    phases = run.phases_of(record.seed, 1, record.check())
    limits = (("measure_from", record.warmup), ("measure_to", record.warmup + record.round_trips))
    words = ["--measure-by-registers", "--no-skip", *wire]
    for node in (0, 1):
        for name, value in limits:
            words += ["--node", f"{node}:register.{name}={value}"]
    ours = (*words, "--netlist", *options)
    found, seconds = [], 0.0
    for kind, program_, given in (("rtl", built.simulator, words), ("ours", binary, ours)):
        folder = place / kind
        run.prepare(folder, record, built, [run.Job(1, run.REAL)])
        began = time.monotonic()
        with bar.task(f"run of {kind}") as update:
            _simulate(program_, folder, record, phases, list(given), update)
        seconds = time.monotonic() - began
        found.append(json.loads((folder / "counters.json").read_text())["nodes"])
    ticks = json.loads((place / "rtl" / "run.json").read_text())["ticks"]
    return Compared(*found, ticks, seconds)


def _simulate(binary: Path, folder: Path, record: Record, phases: list[int], words, update) -> None:
    stop = simulate.Stop()
    try:
        simulate.simulate(binary, folder, ".", record, phases, words, stop, update)
    except BaseException:
        stop.now()
        raise
