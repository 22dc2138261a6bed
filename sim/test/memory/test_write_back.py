# SPDX-License-Identifier: BSD-2-Clause
"""The write-back D-cache (memory.md): each load and store of random programs against a cache of a
few lines, its ticks, on the exact engine and the RTL; and mistakes planted in the engine."""

import csv
import os
import random
from pathlib import Path

import pytest
from sim_support import planted
from sim_support.simulators import guest, run, ticks_on_rtl
from sim_support.tick_logs import difference

from mcpi.base.errors import UserError
from mcpi.build import models
from mcpi.firmware import images
from mcpi.machine import profile
from mcpi.spec.run_spec import RTL, RunSpec

MISTAKES = planted.mistakes("write_back_mutants")
DATA, BLOCK = 0x400000, 32
SETS, TAGS, ACCESSES = 4, 3, 400
HEAD = """\
	.set noat
	.set noreorder
	.arch ev4
	.text
	.globl _start
_start:	lda	$9, -4($31)
	sll	$9, 40, $9
	ldah	$9, 0x40($9)
"""
END = """\
	lda	$16, 2($31)		// CSERVE: exit code 0
	bis	$31, $31, $17
	call_pal 9
"""


class Case:
    """A program of ``ldq`` and ``stq`` with a barrier after each, on ``hp720``."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.folder = folder
        self.machine = profile.load("hp720")
        self.size = self.machine.parameters["dcache.size"]
        draw = random.Random(seed)
        self.accesses = [
            (draw.random() < 0.5, draw.randrange(TAGS), draw.randrange(SETS))
            for _ in range(ACCESSES)
        ]
        (folder / "machine.json").write_text(self.machine.to_json())
        self.pal = images.build(images.plan(self.machine, "std", "hello")).pal

    @property
    def log(self) -> Path:
        """Log of every tick of the exact engine."""
        return self.folder / "back.csv"

    def run(self, program: Path, **more) -> list[tuple[int, set[str]]]:
        """On the exact engine: the tick of each access, and what happened up to the next one."""
        words = ["--machine", self.folder / "machine.json", "--pal", self.pal]
        run(program, *words, "--image", self.image(), "--tick-log", self.log, **more)
        return self.read(self.log)

    def run_on_rtl(self) -> Path:
        """The RTL's log of every tick."""
        spec = RunSpec(machine=self.machine.name, engine=RTL)
        return ticks_on_rtl(spec, self.pal, self.image(), self.folder)

    def image(self) -> Path:
        lines = [
            f"\tldah\t$10, {tag * self.size >> 16}($9)\n"
            f"\t{'stq' if store else 'ldq'}\t$11, {place * BLOCK}($10)\n\tmb\n"
            for store, tag, place in self.accesses
        ]
        return guest("back", self.folder, text=HEAD + "".join(lines) + END)

    def read(self, log: Path) -> list[tuple[int, set[str]]]:
        first = 0x100000 + 4 * 4
        at = {first + 12 * n: n for n in range(ACCESSES)}
        found: list[tuple[int, set[str]]] = []
        with log.open() as file:
            for row in csv.DictReader(file):
                pc = int(row["pc"], 16) if row["pc"] else 0
                if row["owner"] == "issue" and pc in at and at[pc] == len(found):
                    found.append((int(row["tick"]), set()))
                elif found:
                    found[-1][1].update(row["events"].split())
        return found

    def wanted(self) -> list[tuple[bool, bool, bool]]:
        """Three flags of each access: it misses, is a store that misses, displaces a dirty
        block."""
        held: dict[int, tuple[int, bool]] = {}
        rows = []
        for store, tag, place in self.accesses:
            there, dirty = held.get(place, (None, False))
            hits = there == tag
            rows.append((not hits, not hits and store, not hits and dirty))
            held[place] = (tag, store or (hits and dirty))
        return rows

    def different(self, found: list[tuple[int, set[str]]]) -> str:
        names = ("dcache.misses", "dcache.store_misses", "dcache.dirty_misses")
        rows = [tuple(name in events for name in names) for _, events in found]
        if rows != self.wanted():
            return "another block misses"
        ticks: dict[tuple[bool, bool], set[int]] = {}
        # The I-cache's own misses are left out: the code lies in blocks of its own.
        for (begin, events), (end, _), row in zip(found, found[1:], rows):
            if "icache.misses" not in events:
                ticks.setdefault((row[0], row[2]), set()).add(end - begin)
        [hit], [clean], [dirty] = (ticks[k] for k in ((False, False), (True, False), (True, True)))
        p = self.machine.parameters
        read = p["memory.read_ticks"]
        if (clean - hit, dirty - hit) != (read, read + p["dcache.dirty_ticks"]):
            return f"a hit takes {hit} ticks, a clean fill {clean}, a dirty one {dirty}"
        return ""


@pytest.mark.parametrize("seed", range(4))
def test_random_accesses(seed: int, tmp_path: Path) -> None:
    case = Case(seed, tmp_path)
    assert not case.different(case.run(models.build("mcpi-exact")))


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: m.title)
def test_a_mistake_is_found(mistake: planted.Mistake, tmp_path: Path) -> None:
    case, program = Case(1, tmp_path), planted.program("mcpi-exact")
    assert case.different(case.run(program, env=os.environ | mistake.environment))


@pytest.mark.parametrize("settings", [{"memory.ideal": "on"}, {"bcache.enable": "perhaps"}])
def test_what_does_not_fit_is_refused(settings: dict[str, str]) -> None:
    with pytest.raises(UserError, match=next(iter(settings))):
        profile.load("hp720", settings)


def test_the_rtl_does_the_same_in_every_tick(tmp_path: Path) -> None:
    case = Case(1, tmp_path)
    engine = case.run(models.build("mcpi-exact"))
    log = case.run_on_rtl()
    assert not case.different(case.read(log))
    assert not (found := difference(log, case.log)), found
    assert len(engine) == ACCESSES
