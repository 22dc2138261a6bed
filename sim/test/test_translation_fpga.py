# SPDX-License-Identifier: BSD-2-Clause
"""A core with TLBs as it goes onto an FPGA, where an access's sum goes into a register first
(docs/explanation/translation.md): a random program of two address spaces counts as it does in the
simulated core, on the node's Verilog and on the gates that yosys makes of it."""

import dataclasses
import re
from pathlib import Path

import pytest
from sim_support import counters, run
from test_translation import MACHINES, Case
from test_translation_rtl import built, on_rtl

from mcpi.base.progress import Silent
from mcpi.engines.rtl import substitute
from mcpi.engines.rtl.substitute import Compared
from mcpi.hdl import cocotb_run, verilator
from mcpi.verify import gate_level

NAME, MACHINE = "small", "dec3000-600"
SETTINGS = {"core.translation": "tlb"} | MACHINES[NAME]
FPGA = dataclasses.replace(verilator.QUICK, place="fpga/sim")


def inside() -> str:
    """The node as a board has it, as Verilog; its own ``Node`` gets another name."""
    text = cocotb_run.elaborate(gate_level.TOP, MACHINE, SETTINGS).read_text()
    return re.sub(r"\bNode\b", "NodeBelow", text)


def compared(binary: Path, folder: Path) -> Compared:
    """A run of it, and of the simulated core."""
    case = Case(1, NAME, folder)
    done = on_rtl(case, made := built(NAME))
    assert done.returncode == 0, done.stderr[-3000:]
    items = {"pal": case.pal, "image": case.elf, "phase": 5000, "markers": folder / "markers"}
    words = [w for n in (0, 1) for k, v in items.items() for w in ("--node", f"{n}:{k}={v}")]
    place = folder / "fpga"
    run(binary, "gates", "--machine", case.json, *words, "--node-json", made.node_json,
        "--max-ticks", "500000", "--out", place)  # fmt: skip
    assert not case.different((place / "console.0.txt").read_text().split())
    return Compared(counters(folder / "rtl"), counters(place), 0, 0.0)


@pytest.mark.long
@pytest.mark.parametrize("what", ["Verilog", "gates"])
def test_it_counts_as_the_simulated_core(what: str, tmp_path: Path) -> None:
    """Some minutes of compiling; for the gates, of yosys too."""
    stand_in = substitute.verilog(gate_level.SUBSTITUTE, MACHINE, SETTINGS)
    if what == "gates":
        gates = gate_level.synthesise(MACHINE, SETTINGS)
        own, program = f"{gates.verilog.read_text()}\n{gate_level.models()}", gate_level.PROGRAM
    else:
        own, program = inside(), FPGA
    whole = tmp_path / "Node.v"
    whole.write_text(f"{stand_in}\n{own}")
    both = compared(substitute.program(whole, program, Silent()), tmp_path)
    found = both.rtl[0]["all"]
    assert found["dtb.misses"] > 10 and found["translation.faults"] > 5
    assert not both.differences(), both.differences()
    assert found["clocks"] < both.ours[0]["all"]["clocks"]  # the register costs clocks, no tick
