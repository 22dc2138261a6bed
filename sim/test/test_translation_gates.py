# SPDX-License-Identifier: BSD-2-Clause
"""A translated node as it goes onto an FPGA, two clocks a tick: its Verilog, and its gates as yosys
makes them, count what the simulated node counts. Random user programs on random page tables run on
both, between two misses of the data TLB (docs/explanation/translation.md)."""

import dataclasses
import json
import re
from pathlib import Path

import pytest
from sim_support import run
from test_translation import MACHINES, Case
from test_translation_rtl import built

from mcpi.base.progress import Bar
from mcpi.build import graph
from mcpi.engines.rtl import substitute
from mcpi.hdl import cocotb_run, verilator
from mcpi.machine import profile
from mcpi.verify import gate_level

NAME = "dec3000-600"
FORM = dataclasses.replace(verilator.QUICK, place="netlist/form")
DTB_MISS = 0x108E0  # PALcode's entry: the window closes there and opens behind it
MARKERS = f"{DTB_MISS:#x},2,1\n{DTB_MISS + 4:#x},5,1\n{DTB_MISS + 4:#x},1,1\n"
FROM, TO = 3, 60  # misses
MUTANT = 3


def shaping(name: str) -> dict[str, str]:
    settings = {"core.translation": "tlb"} | MACHINES[name]
    return profile.load(NAME, settings).shaping(settings)


def form(name: str) -> Path:
    """``mcpi-sim`` around the Verilog that yosys gets."""
    top = cocotb_run.elaborate(gate_level.TOP, NAME, shaping(name))
    inside = re.sub(r"\bNode\b", "NodeBelow", top.read_text())
    whole = top.with_name("form") / "Node.v"
    graph.write(whole, substitute.verilog(gate_level.SUBSTITUTE, NAME, shaping(name)) + inside)
    return substitute.program(whole, FORM, Bar())


def counted(case: Case, made: graph.Built, program: Path, mode: str) -> list[dict]:
    """The counters of both nodes."""
    (markers := case.folder / "markers").write_text(MARKERS)
    items = {"pal": case.pal, "image": case.elf, "phase": 5000, "markers": markers}
    items |= {"register.measure_from": FROM, "register.measure_to": TO}
    words = [w for n in (0, 1) for k, v in items.items() for w in ("--node", f"{n}:{k}={v}")]
    folder = case.folder / mode
    words += ["--machine", case.json, "--node-json", made.node_json, "--out", folder]
    words += ["--max-ticks", 1_000_000, "--measure-by-registers", "--no-skip"]
    done = run(program, mode, *words, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads((folder / "counters.json").read_text())["nodes"]


def compared(case: Case, made: graph.Built, program: Path) -> substitute.Compared:
    rtl = counted(case, made, made.simulator, "run")
    assert rtl[0]["all"]["dtb.misses"] == TO - FROM and rtl[0]["all"]["itb.refill_ticks"]
    assert rtl[0]["all"]["translation.faults"] and rtl[0]["all"]["context_switches"]
    return substitute.Compared(rtl, counted(case, made, program, "gates"), 0, 0)


@pytest.mark.long
def test_two_clocks_a_tick_count_the_same(tmp_path: Path) -> None:
    both = compared(Case(1, "small", tmp_path), built("small"), form("small"))
    assert both.count > 200 and not both.differences()


@pytest.mark.long
def test_gates_count_as_the_rtl_does(tmp_path: Path) -> None:
    """Some minutes of yosys, some of compiling. A mutant of them does not."""
    gates = gate_level.synthesise(NAME, shaping("small"))
    case = Case(1, "small", tmp_path)
    program = gate_level.program(gates, NAME, shaping("small"), Bar())
    both = compared(case, built("small"), program)
    assert both.count > 200 and not both.differences()
    mutant = gate_level.mutate(gates, MUTANT)
    program = gate_level.program(mutant, NAME, shaping("small"), Bar())
    try:
        found = compared(case, built("small"), program).differences()
    except AssertionError as error:  # it did not come to its end
        found = [str(error)]
    assert found, mutant.changed
