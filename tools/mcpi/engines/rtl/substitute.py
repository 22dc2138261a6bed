# SPDX-License-Identifier: BSD-2-Clause
"""Another module in the place of ``Node`` in ``mcpi-sim``, and a run of it beside the RTL's own.

What stands in shows no more than a board does (``mcpi-sim gates``); what is loaded and the wire
are the same, so every counter must be, but those that count clocks.
"""

import json
import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.base.progress import Bar
from mcpi.build import graph, run_folder
from mcpi.engines import simulate
from mcpi.hdl import cocotb_run, verilator
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import RunSpec

# The packed counters and a board's RAM hold time now and then: these two, and nothing else, may
# differ.
IN_CLOCKS = ("clocks", "withheld")


def verilog(block: str, name: str, settings: dict[str, str]) -> str:
    """The Verilog of ``block`` with the name of a node; a node inside it gets another."""
    text = cocotb_run.elaborate(block, name, settings).read_text()
    return re.sub(r"\bNode\b", "NodeBelow", text).replace(f"module {block} ", "module Node ")


def program(whole: Path, of: verilator.Program, bar: Bar) -> Path:
    """``mcpi-sim`` around the module ``Node`` of ``whole``."""
    with bar.task(f"simulator in {of.place}") as update:
        return verilator.build(whole, of, os.cpu_count() or 1, update)


@dataclass(frozen=True)
class Compared:
    """Both runs: counters by node and bank, and how fast the substitute was simulated."""

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
    spec: RunSpec,
    built: graph.Built,
    binary: Path,
    place: Path,
    options: Sequence[str],
    bar: Bar,
    wire: Sequence[str] = (),
) -> Compared:
    """A run on the RTL, one on ``binary`` in mode ``gates`` with ``options``, both with ``wire``;
    their files are in ``place``. RunError if either fails."""
    runs = (("rtl", built.simulator, "run", []), ("ours", binary, "gates", options))
    found, seconds = [], 0.0
    for kind, program_, mode, more in runs:
        began = time.monotonic()
        words = [*wire, *more]
        found.append(run(spec, built, program_, place / kind, mode, words, bar))
        seconds = time.monotonic() - began
    ticks = json.loads((place / "rtl" / "run.json").read_text())["ticks"]
    return Compared(*found, ticks, seconds)


def run(
    spec: RunSpec,
    built: graph.Built,
    binary: Path,
    folder: Path,
    mode: str,
    options: Sequence[str],
    bar: Bar,
) -> list[dict]:
    """The counters of one run that begins and ends by host registers, by node; its files are in
    ``folder``."""
    machine = spec.check()
    phases = run_jobs.phases_of(spec.seed, 1, machine)
    limits = (("measure_from", spec.warmup), ("measure_to", spec.warmup + spec.round_trips))
    words = ["--measure-by-registers", "--no-skip", *options]
    for node in (0, 1):
        for name, value in limits:
            words += ["--node", f"{node}:register.{name}={value}"]
    run_folder.prepare(folder, spec, machine, built, [run_jobs.Job(1, run_jobs.REAL)])
    with bar.task(f"run of {folder.name}") as update:
        simulate.simulate(binary, folder, ".", spec, phases, words, update=update, mode=mode)
    return json.loads((folder / "counters.json").read_text())["nodes"]
