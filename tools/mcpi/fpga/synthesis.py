# SPDX-License-Identifier: BSD-2-Clause
"""The core alone through yosys and nextpnr: elaborated between two pins, synthesised, placed and
routed once for each device and seed.

Everything is kept in ``build/synthesis/<digest of Verilog and yosys>/``, so only what is new is
done: a second call reads files.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mcpi.base import reuse, staging, yosys
from mcpi.base.errors import RunError
from mcpi.base.file_lock import hold
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.fpga import nextpnr
from mcpi.fpga.nextpnr import Longest
from mcpi.hdl import cocotb_run
from mcpi.machine import profile

BLOCK = "AlphaLiteInRegisters"
WITH_COUNTERS = "CoreWithCounters"
FREQUENCY = 150  # MHz asked of nextpnr; more than can be had
# docs/sources/boards.md: the two parts the peers were measured on.
DEVICES = {
    "u6": ("LFE5U-45F speed 6", ("--45k", "--speed", "6")),
    "g8": ("LFE5UM5G-45F speed 8", ("--um5g-45k", "--speed", "8")),
}
# Neither a latch nor a loop; yosys sees loops only before it has made LUTs of them.
_CHECK = (
    "read_verilog core.v; hierarchy -top {block}; proc; flatten; opt_clean; "
    "select -assert-none t:$dlatch*; check -assert"
)
# Depth asked of abc9, in its own picoseconds (0.24 ns a LUT, 0.3 ns a wire): as deep as it finds
# anyway, at the cost of a tenth more LUTs, if none is asked (docs/explanation/synthesis.md).
_DEPTH = 5000
# Blocks that are measured for their clock: the core, and LANCE-IP (rtl/node/NodeParts.scala).
_DEPTHS = {BLOCK: 4000, "LanceChipAlone": 4000, "LanceAlone": 4000}
# Registers of the wrapper (cores/alpha-lite/RegisterWrapper.scala), by their names in the netlist.
_WRAPPER = re.compile(r"(chain|sampled)_TRELLIS_FF_Q(_\d+)?$")


@dataclass(frozen=True)
class Routed:
    """Figures of nextpnr for a device and a seed."""

    device: str
    seed: int
    mhz: float
    comb: int  # LUT, carry and distributed RAM cells, the wrapper's included
    ff: int
    ebr: int
    dsp: int
    path: Longest


@dataclass(frozen=True)
class Netlist:
    """Netlist that yosys made; ``folder`` keeps it."""

    folder: Path
    cells: dict[str, int]
    wrapper_ff: int


def elaborate(name: str, settings: dict[str, str], block: str = BLOCK) -> Path:
    """The Verilog of the core between pins, without its retire port, or of another such block."""
    profile.load(name, settings)  # a user's slip ends here
    try:
        return cocotb_run.elaborate(block, name, settings)
    except RuntimeError as error:
        raise RunError(str(error)) from None


def synthesise(verilog: Path, block: str = BLOCK, untuned: bool = False) -> Netlist:
    """``synth_ecp5`` of ``verilog``; half a minute, or nothing if it was done before.

    ``untuned``: with yosys's own settings.
    A RunError if yosys finds a combinational loop or a latch.
    """
    synthesis = _script(block, untuned)
    how = f"{_CHECK} {synthesis} {yosys.version(yosys.YOSYS)}"
    how += "" if verilog.stem == block else f" {block}"  # another module of this Verilog
    key = hashlib.sha256(verilog.read_bytes() + how.encode())
    folder = BUILD / "synthesis" / key.hexdigest()[:16]
    with hold(folder.with_suffix(".lock"), "synthesises the core"):
        reuse.note("syntheses", (folder / "cells.json").exists())
        if not (folder / "cells.json").exists():
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(verilog, folder / "core.v")
            script = f"{_CHECK}; design -reset; {synthesis}".format(block=block)
            yosys.run(yosys.YOSYS, ["-q", "-l", "yosys.log", "-p", script], folder, "yosys.out")
            cells = count_cells(json.loads((folder / "netlist.new").read_text()), block)
            (folder / "netlist.new").rename(folder / "netlist.json")
            staging.write(folder / "cells.json", json.dumps(cells, indent=1))
    found = json.loads((folder / "cells.json").read_text())
    return Netlist(folder, found["cells"], found["wrapper_ff"])


def _script(block: str, untuned: bool) -> str:
    """Verilog to a netlist, for yosys; the block's name is still to be filled in."""
    if untuned:
        return "read_verilog core.v; synth_ecp5 -top {block} -json netlist.new"
    depth = _DEPTHS.get(block, _DEPTH)
    synthesis = "synth_ecp5 -top {block} -json netlist.new"
    read = "read_verilog core.v; hierarchy -top {block}; proc -norom"
    return f"{read}; scratchpad -set abc9.D {depth}; {synthesis}"


def count_cells(netlist: dict, block: str = BLOCK) -> dict:
    """Cells by type of a yosys netlist of one module, and the wrapper's flip-flops among them."""
    module = netlist["modules"][block]
    cells: dict[str, int] = {}
    wrapper = 0
    for name, cell in module["cells"].items():
        cells[cell["type"]] = cells.get(cell["type"], 0) + 1
        wrapper += bool(_WRAPPER.match(name))
    return {"cells": cells, "wrapper_ff": wrapper}


def route(netlist: Netlist, devices: Sequence[str], seeds: int, jobs: int, bar: Bar) -> list:
    """Place and route for every device and seed, ``jobs`` at a time; ``Routed`` in that order."""
    wanted = [(device, seed) for device in devices for seed in range(1, seeds + 1)]
    missing = nextpnr.place_and_route(
        netlist.folder, "the core", wanted, lambda run: _report(netlist, *run), _words, jobs, bar
    )
    for run in wanted:
        reuse.note("routed designs", run not in missing)
    return [
        parse(device, seed, json.loads(_report(netlist, device, seed).read_text()))
        for device, seed in wanted
    ]


def _report(netlist: Netlist, device: str, seed: int) -> Path:
    version = yosys.version(yosys.NEXTPNR)
    return netlist.folder / f"{device}-seed{seed}-nextpnr-{version}.json"


def _words(run: tuple[str, int]) -> list[str]:
    device, seed = run
    words = [*DEVICES[device][1], "--package", "CABGA381", "--lpf-allow-unconstrained"]
    return [*words, "--freq", str(FREQUENCY), "--seed", str(seed)]


def parse(device: str, seed: int, report: dict) -> Routed:
    """A nextpnr report (``--report``) as figures; a RunError if it has no clock."""
    if len(report["fmax"]) != 1:
        raise RunError(f"nextpnr reports {len(report['fmax'])} clocks, expected one")
    (clock, fmax) = next(iter(report["fmax"].items()))
    used = {name: row["used"] for name, row in report["utilization"].items()}
    path = nextpnr.longest(report, clock)
    if not path:
        raise RunError("nextpnr reports no path from register to register")
    return Routed(
        device=device,
        seed=seed,
        mhz=fmax["achieved"],
        comb=used["TRELLIS_COMB"],
        ff=used["TRELLIS_FF"],
        ebr=used["DP16KD"],
        dsp=used["MULT18X18D"],
        path=path,
    )
