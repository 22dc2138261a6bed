# SPDX-License-Identifier: BSD-2-Clause
"""Two copies of a node, one with clocks withheld at random, do the same in every tick, for each
feature whose values come late: TCP's round trip, or random programs on random page tables. The
comparison finds each planted mistake of ``node_clocks_mutants.csv`` (core-fpga.md)."""

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from sim_support import translated_cases
from sim_support.simulators import build, machine_json, simulate
from sim_support.translated_cases import Case

from mcpi.build import graph
from mcpi.hdl import verilator
from mcpi.results import folders
from verify.long_tests import sampled
from verify.verilog_mutants import VARIABLE, Mutant, load, mutated

WITHHELD = 30  # percent of the clocks
SMALL = {"icache.size": "1KB", "dcache.size": "1KB", "cache.block": "16B"}  # blocks displace others
KINDS = {
    "plain": {},
    "ev4": {"core.prediction": "ev4"},
    "ideal": {"memory.ideal": "on"},
    "back": SMALL | {"dcache.policy": "back", "icache.victims": "2"},
    "ways": SMALL | {"icache.ways": "2", "dcache.ways": "2"},
    "four ways": SMALL | {"icache.ways": "4", "dcache.ways": "4"},
    "victims": SMALL | {"icache.victims": "2", "dcache.victims": "2"},
}
TRANSLATED = ("small", "floor", "no I-cache", "predicts")
USUAL = ("plain", "small")  # whose simulators other tests have too
MUTANTS = load(Path(__file__).with_name("node_clocks_mutants.csv"))


def case(kind: str, folder: Path) -> tuple[graph.Built, Path, Sequence[str], Sequence[str]]:
    """Simulator, machine, items of both nodes, and options of a run of ``kind``."""
    markers = folder / "markers"
    markers.write_text("0x10000,1,1\n")  # so each tick is logged from the first on
    items, options = [f"markers={markers}"], ["--tick-log", "0"]
    if kind in TRANSLATED:
        program = Case(1, kind, folder)
        items += [f"pal={program.pal}", f"image={program.elf}", "phase=5000"]
        options += ["--max-ticks", "500000"]
        return translated_cases.built(kind), program.json, items, options
    items += ["boot.round_trips=1"]
    return build(KINDS[kind]), machine_json(folder, KINDS[kind]), items, options


def difference(kind: str, folder: Path, program: Path | None = None, **more) -> str:
    """Difference between two copies, or what ended one; empty if they agree in every tick."""
    made, machine, items, options = case(kind, folder)
    out = [folder / "all", folder / "some"]
    for place, percent in zip(out, (0, WITHHELD), strict=True):
        words = [*options, "--withhold", str(percent)]
        done = simulate(made, place, machine, *words, items=items, program=program, **more)
        if done.returncode:
            return done.stderr.strip().splitlines()[-1]
    return "; ".join(f"{file}: {said[0]}" for file, said in folders.differences(*out).items())


@pytest.mark.parametrize("kind", sampled([*KINDS, *TRANSLATED], USUAL.__contains__))
def test_clocks_without_a_tick_change_nothing(kind: str, tmp_path: Path) -> None:
    assert not (found := difference(kind, tmp_path)), found


def of_kind(kind: str) -> list[Mutant]:
    """Mistakes in the Verilog of ``kind``."""
    return [mutant for mutant in MUTANTS if mutant.tests == (kind,)]


@cache
def faulty(kind: str, folder: Path) -> Path:
    """The simulator of ``kind`` with its mistakes."""
    made = translated_cases.built(kind) if kind in TRANSLATED else build(KINDS[kind])
    verilog = folder / "Node.v"
    text = made.node_json.with_name("Node.v").read_text()
    verilog.write_text(mutated(text, of_kind(kind), "Node"))
    return verilator.build(verilog, verilator.QUICK)


def test_the_mistakes_have_their_texts() -> None:
    """In the Verilog of the usual machine; whether each is found is a long test's."""
    text = build().node_json.with_name("Node.v").read_text()
    mutated(text, of_kind("plain"), "Node")
    assert {mutant.tests[0] for mutant in MUTANTS} <= {*KINDS, *TRANSLATED}


@pytest.mark.long
@pytest.mark.parametrize("kind", sorted({mutant.tests[0] for mutant in MUTANTS}))
def test_two_copies_find_a_mistake(kind: str, tmp_path: Path) -> None:
    """By a tick, by an assertion of the RTL or by lock-step; without a mistake nothing is found."""
    program, wrong = faulty(kind, tmp_path), []
    for number, title in enumerate(["no mistake", *(m.title for m in of_kind(kind))]):
        (place := tmp_path / str(number)).mkdir()
        env = os.environ | {VARIABLE: str(number)}
        found = difference(kind, place, program, env=env)
        print(f"{kind}: {title} - {found[:150] or 'nobody'}")
        wrong += [title] if bool(found) != (number > 0) else []
    assert not wrong
