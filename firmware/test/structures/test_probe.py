# SPDX-License-Identifier: BSD-2-Clause
"""Acceptance (a) and (c): the study's probe, on buffers whose state is made by hand, has the ticks
that TR 93-04's Table 1 gives: 18 for a line over a clean victim, 23 over a dirty one, a refill as
long as each system's; so it falls into the bins that the report's figures have letters at."""

import itertools
from pathlib import Path

import pytest
from firmware_support import simulated

from mcpi.firmware import images
from mcpi.machine import profile
from mcpi.studies.tr9304 import histograms, plan, probes, values
from mcpi.studies.tr9304.probes import Probe

LINES = {8: 46, 16: 47, 24: 47}  # by the place of the first byte in its line
TICKS = {"in the cache": 0, "clean": 18, "dirty": 23}  # of each line
FLOORS = {"mach": 170, "bsd": 91, "hpux": 88}


def measured(floor: int, folder: Path, **settings: str) -> list[Probe]:
    changed = {"tlb.refill_floor": str(floor)} | {
        k.replace("__", "."): settings[k] for k in settings
    }
    machine = profile.load("hp720", changed)
    made = images.build(images.plan(machine, "std", "probes-bsd"))
    options = ("--max-ticks", 60_000_000, "--passages", "--passages-of", plan.WINDOW)
    simulated.run(machine, (made, simulated.silent(machine)), folder, *options)
    assert "probes: done" in (folder / "console.0.txt").read_text()
    ideal = min(probes.again((folder / "stamps.csv").read_text()))
    return probes.read((folder / "passages.0.csv").read_text(), ideal)[1:]


def computed(floor: int) -> list[Probe]:
    found = []
    for lines, forgotten, state in itertools.product(LINES.values(), (0, 1), TICKS):
        clean, dirty = lines * (state == "clean"), lines * (state == "dirty")
        overhead = lines * TICKS[state] + forgotten * floor
        found.append(Probe(overhead, clean, dirty, forgotten, forgotten * floor, 0, 0, 0))
    return found


@pytest.mark.parametrize("system", FLOORS)
def test_hand_made_cases_are_where_they_are_computed(system: str, tmp_path: Path) -> None:
    found = measured(FLOORS[system], tmp_path)
    assert found == computed(FLOORS[system])
    bins = {probe.overhead // values.BIN for probe in found}
    letters = {
        letter: at // values.BIN
        for title, own in histograms.FIGURES.items()
        for c in own
        if c.structure == system
        for at, letter in histograms.letters(title, c)
    }
    assert letters and set(letters.values()) <= bins, letters


@pytest.mark.parametrize(
    "settings",
    [{"memory__read_ticks": "19"}, {"dcache__dirty_ticks": "4"}, {"dcache__size": "128KB"}],
)
def test_another_machine_is_seen(settings: dict[str, str], tmp_path: Path) -> None:
    assert measured(91, tmp_path, **settings) != computed(91)
