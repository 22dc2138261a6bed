# SPDX-License-Identifier: BSD-2-Clause
"""Translated machines in the RTL: random user programs on random page tables leave the files that
the exact engine leaves, tick logs and counters too, in lock-step with the model and beside the
oracle; planted mistakes do not. Without translation there is nothing of it in the Verilog
(docs/explanation/translation.md).
"""

import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from sim_support.simulators import counters, guest, run
from sim_support.translated_cases import MACHINES, SMALL, Case, built
from sim_support.translated_pal import Program as PalProgram
from sim_support.translated_programs import ASM, FUNCTIONS, URE, Program, V

from mcpi.build import graph, models
from mcpi.hdl import cocotb_run, verilator
from mcpi.machine import profile
from mcpi.results import folders
from verify.long_tests import sampled
from verify.verilog_mutants import VARIABLE, load, mutated

MUTANTS = load(Path(__file__).with_name("translation_rtl_mutants.csv"))
CASES = [(seed, name) for name in MACHINES for seed in (1, 2, 3)]
USUAL = {(1, "small"), (1, "floor"), (2, "no I-cache"), (3, "predicts")}  # of one Verilog
USUAL |= {(1, "large I-cache")}  # whose ways are larger than a page


class SharedProgram(Program):
    """The first function is in both spaces by ASM."""

    def _table(self, number: int, shared: dict[int, int]) -> dict[int, int]:
        frame = 0x320000 >> self.shift
        return super()._table(number, shared) | {FUNCTIONS[0]: frame << 32 | V | ASM | URE}


class SharedCase(Case):
    written_by = SharedProgram


@dataclass
class PalCase:
    """A case like ``Case``, with random PALcode; the image is never reached."""

    seed: int
    name: str
    folder: Path

    def __post_init__(self) -> None:
        machine = profile.load("dec3000-600", {"core.translation": "tlb"} | MACHINES[self.name])
        self.json = self.folder / "machine.json"
        self.json.write_text(machine.to_json())
        self.pal = PalProgram(self.seed).build(self.folder)
        self.elf = guest("hello", self.folder)


def words(case: Case | PalCase, folder: Path) -> list[object]:
    """A run of both nodes, each with the program; node 0's ticks are logged from the first on."""
    markers = case.folder / "markers"
    markers.write_text("0x10000,1,1\n")
    items = {"pal": case.pal, "image": case.elf, "phase": 5000, "markers": markers}
    both = [w for n in (0, 1) for k, v in items.items() for w in ("--node", f"{n}:{k}={v}")]
    more = ["--tick-log", "0", "--max-ticks", "500000", "--out", folder]
    return ["run", "--machine", case.json, *both, *more]


def on_rtl(
    case: Case | PalCase, made: graph.Built, *more_words: str, program: Path | None = None, **more
):
    """The finished simulator, lock-step and oracle on."""
    options = [*words(case, case.folder / "rtl"), "--node-json", made.node_json, *more_words]
    return run(program or made.simulator, *options, text=True, check=False, **more)


def on_exact(case: Case | PalCase) -> Path:
    run(models.build("mcpi-exact"), *words(case, case.folder / "exact"))
    return case.folder / "exact"


def found(done: subprocess.CompletedProcess, case: Case | PalCase, right: Path) -> str:
    """Fault of a run of the RTL; empty if there is none."""
    if done.returncode:
        return done.stderr.splitlines()[-1]
    return str(folders.differences(case.folder / "rtl", right) or "")


@pytest.mark.parametrize("case", sampled(CASES, USUAL.__contains__), ids=str)
def test_rtl_and_engine_leave_the_same_files(case, tmp_path):
    case = Case(*case, tmp_path)
    done = on_rtl(case, built(case.name))
    assert not (wrong := found(done, case, on_exact(case))), wrong + done.stderr[-3000:]


@pytest.mark.parametrize("option", [("--no-skip",), ("--backing-latency", "1-60")], ids="".join)
def test_clocks_change_no_file(option, tmp_path):
    """Idle ticks simulated one by one, memory that is slow outside virtual time."""
    case = Case(1, "small", tmp_path)
    done = on_rtl(case, built("small"), *option)
    assert not (wrong := found(done, case, on_exact(case))), wrong + done.stderr[-3000:]


@pytest.mark.parametrize("seed", sampled(range(1, 5), lambda seed: seed == 1))
def test_ideal_memory_may_have_mapped_code(seed, tmp_path, monkeypatch):
    """In lock-step; the exact engine does not take it yet."""
    monkeypatch.setitem(MACHINES, "ideal", SMALL | {"memory.ideal": "on"})
    case = Case(seed, "ideal", tmp_path)
    done = on_rtl(case, built("small"))
    assert done.returncode == 0, done.stderr[-3000:]
    assert not case.different((tmp_path / "rtl" / "console.0.txt").read_text().split())


@pytest.mark.parametrize("name", ["small", "no I-cache"])
@pytest.mark.parametrize("seed", sampled(range(4, 9), lambda seed: seed == 4))
def test_spaces_that_share_code_leave_the_same_files(seed, name, tmp_path):
    case = SharedCase(seed, name, tmp_path)
    done = on_rtl(case, built(name))
    assert not (wrong := found(done, case, on_exact(case))), wrong + done.stderr[-3000:]


@pytest.mark.parametrize("seed", sampled(range(1, 41), range(1, 4).__contains__))
def test_random_palcode_leaves_the_same_files(seed, tmp_path):
    """Registers, forms of accesses and traps that the programs above do not have."""
    case = PalCase(seed, "small", tmp_path)
    done = on_rtl(case, built(case.name))
    assert not (wrong := found(done, case, on_exact(case))), wrong + done.stderr[-3000:]
    counted = counters(tmp_path / "rtl")[0]["all"]
    assert counted["dtb.misses"] > 5 and counted["translation.faults"] > 5


@pytest.mark.parametrize(
    ("register", "value", "said"),
    [
        ("tlb.refill_floor", 171, "this HW_REI ends a refill sooner or later"),
        ("tlb.refill_floor", 169, "this HW_REI ends a refill sooner or later"),
        ("bcache.read_ticks", 11, r"\n  (bus|bcache)\S+ \(all\): \d+, predicted"),
    ],
)
def test_a_machine_that_is_not_what_it_says_is_found(register, value, said, tmp_path):
    """The oracle predicts runs with mapped code and data: it must contradict the hardware."""
    done = on_rtl(
        Case(1, "floor", tmp_path), built("floor"), "--node", f"0:register.{register}={value}"
    )
    assert done.returncode == 1
    assert re.search(rf"oracle: node 0.*{said}", done.stderr, re.S), done.stderr


def test_the_mistakes_have_their_texts():
    """In the Verilog of today; whether each is found is a long test's."""
    mutated(built("small").node_json.with_name("Node.v").read_text(), MUTANTS, "Node")


@pytest.mark.long
def test_every_mistake_in_the_rtls_translation_is_found(tmp_path):
    """By lock-step, or by files that are not the exact engine's."""
    made = built("small")
    verilog = tmp_path / "Node.v"
    verilog.write_text(mutated(made.node_json.with_name("Node.v").read_text(), MUTANTS, "Node"))
    program = verilator.build(verilog, verilator.QUICK)
    cases = []
    kinds = [(PalCase, "small", seed) for seed in (1, 2, 3)] + [(Case, "floor", 1)]
    kinds += [(SharedCase, "small", 4), (SharedCase, "small", 8), (SharedCase, "no I-cache", 5)]
    for kind, name, seed in kinds:
        (folder := tmp_path / f"{name}-{seed}").mkdir()
        case = kind(seed, name, folder)
        cases.append((case, on_exact(case)))
    wrong = []
    for number in range(len(MUTANTS) + 1):
        title = MUTANTS[number - 1].title if number else "no mistake"
        environment = os.environ | {VARIABLE: str(number)}
        said = ""
        for case, right in cases:
            done = on_rtl(case, made, program=program, env=environment)
            said = said or found(done, case, right)
        print(title, "-", said[:150] or "nobody")
        wrong += [title] if bool(said) != (number > 0) else []
    assert not wrong


OF_TRANSLATION = re.compile(
    r"\b(\w*_)?(itb|dtb|[tT]lb\w*|refusal|refills|refillFloor|flushLocal|awaitsFloor|spaces)"
    r"(_\w*)?\b"
)


def test_without_translation_there_is_nothing_of_it():
    """Neither a name nor, whatever the TLBs' parameters are, anything else."""
    others = SMALL | {"tlb.page": "4KB", "tlb.asn": "off", "tlb.granularity": "off"}
    others |= {"tlb.replacement": "round_robin", "tlb.refill_floor": "88"}
    machines = [profile.load("dec3000-600", settings) for settings in ({}, others)]
    registers = [json.loads(machine.to_json())["run_parameters"] for machine in machines]
    assert registers[0] == registers[1] and "tlb.refill_floor" not in registers[0]
    for block in ("Node", "AlphaLite"):
        paths = cocotb_run.elaborate_all(block, machines)
        texts = [but_digests(*pair) for pair in zip(paths, machines, strict=True)]
        assert texts[0] == texts[1]
        assert not (found := OF_TRANSLATION.search(texts[0])), found[0]


def but_digests(verilog: Path, machine: profile.Machine) -> str:
    """Its text without the digests of machine and RTL."""
    text, description = verilog.read_text(), verilog.with_name("Node.json")
    if description.exists():
        text = text.replace(json.loads(description.read_text())["rtl_digest"], "")
    return text.replace(machine.elaborate_digest, "")
