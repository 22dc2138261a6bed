# SPDX-License-Identifier: BSD-2-Clause
"""``icache.victims`` and ``dcache.victims``: conflicts that go away, and what results say."""

import json
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from command import mcpi

from mcpi.api import program as api
from mcpi.api.sweeping import grid
from mcpi.base.repo import ROOT
from mcpi.build import models
from mcpi.results import measure
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT

CONFLICT = str(ROOT / "examples" / "conflict.c")
VICTIMS = (0, 4, 16)
CACHES = {"icache": "icache", "dcache": "dcache_write_buffer"}  # parameter, part of a result


def both(victims: int) -> dict[str, str]:
    return {f"{cache}.victims": str(victims) for cache in CACHES}


def ran(victims: int, out: Path, *more: str) -> dict:
    """The result of a short run on the exact engine."""
    words = [word for key, value in both(victims).items() for word in ("--set", f"{key}={value}")]
    words += ["--round-trips", "4", "--warmup", "4", "--json", "--out", str(out), *more]
    done = mcpi("run", "--engine", EXACT, *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_conflicts_of_bad_go_away(tmp_path: Path) -> None:
    """BAD is laid out so that what is used together meets in the caches. The results name what
    comes back; without victim caches they name nothing."""
    runs = [ran(victims, tmp_path / f"{victims}", "--variant", "bad") for victims in VICTIMS]
    ends = [run["steady"]["client"] for run in runs]
    for cache in CACHES.values():
        replaced = [end[cache]["replacement_misses"] for end in ends]
        assert all(more > fewer for more, fewer in pairwise(replaced)), f"{cache}: {replaced}"
        hits = [end[cache].get("victim_hits") for end in ends]
        assert hits[0] is None and 0 < hits[1] < hits[2], f"{cache}: {hits}"
    assert all(more["ticks"] > fewer["ticks"] for more, fewer in pairwise(ends))
    assert len({end["icpi"] for end in ends}) == 1  # ideal memory has none


@pytest.fixture(scope="module")
def of_a_program(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Folders of runs, in which two arrays of the cache's size take turns."""
    found = {}
    for victims in VICTIMS[:2]:
        spec = ProgramSpec((CONFLICT,), settings={"dcache.victims": str(victims)})
        found[victims] = api.perform(spec, tmp_path_factory.mktemp("program"))[0]
    return found


def test_conflicts_of_a_program_go_away(of_a_program: dict[int, Path]) -> None:
    paths = [measure.counters(of_a_program[n] / "counters.json")[0]["path"] for n in VICTIMS[:2]]
    before, after = (path["dcache.misses"] for path in paths)
    assert after < before / 3
    assert ["dcache.victim_hits" in path for path in paths] == [False, True]
    assert not any("icache.victim_hits" in path for path in paths)


def test_they_are_an_axis_of_a_sweep() -> None:
    found = grid.of({"engine": EXACT, "icache_victims": VICTIMS, "set": {"dcache.victims": ["1"]}})
    assert "3 icache_victims" in str(found) and len(found.specs) == 3


def test_evictions_are_of_a_cache_without_victims(of_a_program: dict[int, Path]) -> None:
    place = of_a_program[VICTIMS[1]]
    words = ["run", "--out", place, "--machine", place / "machine.json"]
    for item in (f"{n}:{name}={place / name}.elf" for n in (0, 1) for name in ("pal", "image")):
        words += ["--node", item]
    command = [models.build("mcpi-exact"), *map(str, words), "--passages", "--evictions"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and "--evictions: dcache.victims = 4" in done.stderr


def test_the_study_maps_caches_without_victims(tmp_path: Path) -> None:
    """It says so before it builds anything."""
    done = mcpi("paper", "--quick", "--set", "icache.victims=4", "--out", str(tmp_path / "study"))
    assert done.returncode == 2 and "icache.victims = 4: the map of the caches" in done.stderr
