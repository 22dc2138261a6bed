# SPDX-License-Identifier: BSD-2-Clause
"""A translated node as it goes onto an FPGA, with second clocks: its Verilog, and its gates as
yosys makes them, count what the simulated node counts (docs/explanation/translation.md). It runs
random user programs on random page tables, and the probe of TR 93-04 on buffers made by hand."""

import dataclasses
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from sim_support.simulators import run
from sim_support.translated_cases import MACHINES, Case, built

from mcpi.base.progress import Bar
from mcpi.build import graph
from mcpi.engines.rtl import gate_level, substitute
from mcpi.firmware import images
from mcpi.hdl import cocotb_run, verilator
from mcpi.machine import profile
from verify.verilog_mutants import VARIABLE, Mutant, load, mutated

NAME = "dec3000-600"
SETTINGS = {"core.translation": "tlb"} | MACHINES["small"]
SHAPE = profile.load(NAME, SETTINGS).shape
FORM = dataclasses.replace(verilator.QUICK, place="netlist/form")
DTB_MISS = 0x108E0  # PALcode's entry
PROBES = ("PROBES_CACHE=8192", "PROBES_ENTRIES=16", "PROBES_OFFSETS=1")  # on this machine
MUTANTS = load(Path(__file__).with_name("translation_clocks_mutants.csv"))
MUTANT = 68, "pipeline_1.dtb.at"  # of the LUTs that count entries while a page is searched
QUICK = dataclasses.replace(gate_level.PROGRAM, unity=True, place="netlist/quick")


@dataclass(frozen=True)
class Measured:
    """Program that both nodes run. Counted is from the ``first`` to the ``last`` time at ``place``,
    where the path's window closes, and opens one instruction later."""

    machine: Path
    pal: Path
    image: Path
    place: int
    first: int
    last: int

    def counters(self, made: graph.Built, program: Path, mode: str) -> list[dict]:
        folder = self.machine.parent / mode
        markers = self.machine.with_name("markers")
        actions = [(self.place, 2), (self.place + 4, 5), (self.place + 4, 1)]
        markers.write_text("".join(f"{at:#x},{action},1\n" for at, action in actions))
        items = {"pal": self.pal, "image": self.image, "phase": 5000, "markers": markers}
        items |= {"register.measure_from": self.first, "register.measure_to": self.last}
        words = [w for n in (0, 1) for k, v in items.items() for w in ("--node", f"{n}:{k}={v}")]
        words += ["--machine", self.machine, "--node-json", made.node_json, "--out", folder]
        words += ["--max-ticks", 10_000_000, "--measure-by-registers", "--no-skip"]
        done = run(program, mode, *words, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        return json.loads((folder / "counters.json").read_text())["nodes"]

    def compared(self, program: Path) -> substitute.Compared:
        made = built("small")
        rtl = self.counters(made, made.simulator, "run")
        assert rtl[0]["all"]["dtb.misses"] >= 6 and rtl[0]["all"]["dtb.refill_ticks"] > 100
        both = substitute.Compared(rtl, self.counters(made, program, "gates"), 0, 0)
        assert both.count > 200
        return both


def random_programs(folder: Path, seed: int = 1, name: str = "small") -> Measured:
    case = Case(seed, name, folder)
    return Measured(case.json, case.pal, case.elf, DTB_MISS, 3, 60)


def probes(folder: Path) -> Measured:
    machine = profile.load(NAME, SETTINGS)
    (file := folder / "machine.json").write_text(machine.to_json())
    made = images.build(images.plan(machine, "std", "probes-bsd", PROBES))
    with (made.folder / "first_program.elf").open("rb") as elf:
        [symbol] = ELFFile(elf).get_section_by_name(".symtab").get_symbol_by_name("probe_load")
    return Measured(file, made.pal, made.image, symbol["st_value"], 1, 6)


def form(mutants: Sequence[Mutant] = ()) -> Path:
    """``mcpi-sim`` around the Verilog that yosys gets; with ``mutants``, one by ``VARIABLE``."""
    top = cocotb_run.elaborate(gate_level.TOP, NAME, SHAPE)
    inside = re.sub(r"\bNode\b", "NodeBelow", top.read_text())
    whole = top.with_name("mutants" if mutants else "form") / "Node.v"
    text = substitute.verilog(gate_level.SUBSTITUTE, NAME, SHAPE) + inside
    graph.write(whole, mutated(text, mutants, "Node") if mutants else text)
    return substitute.program(whole, FORM, Bar())


@pytest.mark.long
@pytest.mark.parametrize("made", [random_programs, probes])
def test_it_counts_the_same(made, tmp_path: Path) -> None:
    assert not made(tmp_path).compared(form()).differences()


@pytest.mark.long
@pytest.mark.parametrize("case", [(1, "floor"), (2, "floor"), (2, "no I-cache"), (4, "predicts")])
def test_other_programs_and_machines_count_the_same(case, tmp_path: Path) -> None:
    """Machines of one Verilog: a floor of refills, no I-cache, prediction."""
    assert not random_programs(tmp_path, *case).compared(form()).differences()


@pytest.mark.long
def test_mistakes_in_the_second_clocks_are_found(tmp_path: Path, monkeypatch) -> None:
    """By an assertion of the Verilog, by a run without an end, or by a counter."""
    made, program = random_programs(tmp_path, 1, "floor"), form(MUTANTS)
    survived = []
    for number in range(len(MUTANTS) + 1):
        monkeypatch.setenv(VARIABLE, str(number))
        try:
            found = made.compared(program).differences()
        except AssertionError as error:
            found = [str(error)]
        print(MUTANTS[number - 1].title if number else "no mistake", "-", found[:1] or "nobody")
        survived += [number] if bool(found) != (number > 0) else []
    assert not survived


@pytest.mark.long
@pytest.mark.parametrize("made", [random_programs, probes])
def test_gates_count_as_the_rtl_does(made, tmp_path: Path) -> None:
    """A quarter of an hour of yosys, some minutes of compiling, then 7,000 ticks a second."""
    gates = gate_level.synthesise(NAME, SHAPE)
    assert not made(tmp_path).compared(gate_level.program(gates, NAME, SHAPE, Bar())).differences()


@pytest.mark.long
def test_a_mutant_of_the_gates_is_found(tmp_path: Path) -> None:
    gates = gate_level.mutate(gate_level.synthesise(NAME, SHAPE), *MUTANT)
    program = gate_level.program(gates, NAME, SHAPE, Bar(), QUICK)
    try:
        found = random_programs(tmp_path).compared(program).differences()
    except AssertionError as error:  # it did not come to its end
        found = [str(error)]
    assert found, gates.changed
