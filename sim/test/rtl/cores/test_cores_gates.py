# SPDX-License-Identifier: BSD-2-Clause
"""A node of two cores through yosys: its gates count what the exact engine counts, each counter of
each core and of the bus (docs/explanation/multiprocessor.md)."""

import json
import re
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from sim_support import coherent_programs, coherent_rtl
from sim_support.simulators import guest

from mcpi.base.repo import ROOT
from mcpi.engines.rtl import gate_level
from mcpi.fpga.report import cost
from mcpi.fpga.synthesis import Netlist
from mcpi.hdl import cocotb_run
from mcpi.results import folders

MACHINE, SETTINGS = "dec3000-mp", {"core.count": "2", "bcache.size": "64KB"}
SEED = 3
PLACES = ("way0", "way1", "end")


def differences(folder: Path, gates: gate_level.Gates, **more) -> list[str]:
    """Differences between the counts of engine and gates in a random program, with pairs of LDx_L
    and STx_C on both cores. The path's window is open between each core's own first and last
    instruction, the next one on core 1."""
    image = guest("guest", folder, text=coherent_programs.program(SEED, 2))
    with image.open("rb") as elf:
        table = ELFFile(elf).get_section_by_name(".symtab")
        first, second, end = (table.get_symbol_by_name(n)[0]["st_value"] for n in PLACES)
    marked = ((first, 1, 1), (second, 1, 1), (end, 2, 1), (second, 1, 2), (end, 2, 2))
    markers = folder / "markers"
    markers.write_text("".join(f"{at:#x},{action},{window}\n" for at, action, window in marked))
    described = cocotb_run.elaborate("CoherentNode", MACHINE, SETTINGS).with_name("Node.json")
    program = gate_level.cores(gates, MACHINE, SETTINGS)
    words = ("--markers", markers)
    coherent_rtl.run_both(
        *(folder, MACHINE, SETTINGS, image, *words), faulty=program, described=described, **more
    )
    engine, ours = (counted(folder / name / "counters.json") for name in ("engine", "rtl"))
    assert len(engine) > 500 and engine.keys() == ours.keys()
    assert engine["cores.1.path.ticks"] and engine["cores.1.all.locks.failed"]
    return [f"{k}: {value} and {ours[k]}" for k, value in engine.items() if value != ours[k]]


def counted(file: Path) -> dict[str, int]:
    """All that counts, by where it stands."""

    def flat(value, name: str) -> dict[str, int]:
        if isinstance(value, int):
            return {name: value}
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return {k: v for key, inner in items for k, v in flat(inner, f"{name}.{key}").items()}

    said = folders.counted(json.loads(file.read_text()), {})
    return {name[1:]: value for name, value in flat(said, "").items()}


@pytest.mark.long
def test_two_cores_gates_count_as_the_engine_does(tmp_path: Path) -> None:
    """Some minutes of yosys, some of compiling."""
    gates = gate_level.synthesise(MACHINE, SETTINGS, gate_level.CORES_TOP)
    assert not differences(tmp_path, gates)


@pytest.mark.long
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_page_has_the_sizes(count: int) -> None:
    """Four cores are some ten minutes of yosys."""
    settings = SETTINGS | {"core.count": str(count)}
    gates = gate_level.synthesise(MACHINE, settings, gate_level.CORES_TOP)
    page = (ROOT / "docs" / "explanation" / "synthesis.md").read_text()
    row = re.search(rf"^\| {count} \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|", page, re.M)
    said = [int(figure.replace(",", "")) for figure in row.groups()]
    found = cost(Netlist(gates.verilog.parent, gates.cells, 0))
    assert [found.comb, found.ff, found.ebr] == pytest.approx(said, rel=0.02)


@pytest.mark.long
def test_a_tick_too_many_is_found(tmp_path: Path) -> None:
    """Gates whose host has written one tick too many for an Upgrade."""
    gates = gate_level.synthesise(MACHINE, SETTINGS, gate_level.CORES_TOP)
    found = differences(tmp_path, gates, wrong={"bus.upgrade_ticks": "16"})
    assert any("cause.barrier.upgrade" in line for line in found), found
