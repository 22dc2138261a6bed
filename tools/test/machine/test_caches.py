# SPDX-License-Identifier: BSD-2-Clause
"""``ways`` and ``victims`` of both caches: conflicts that go away, what results say, and who does
not know them."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from tools_support.command import mcpi, refused
from typer.testing import CliRunner

from mcpi.analysis.profile import Profile
from mcpi.api import single_run as api
from mcpi.api.sweeping import grid
from mcpi.base.errors import UserError
from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.build import models
from mcpi.cli import main
from mcpi.results import measure
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RunSpec
from mcpi.tuning import placing

CONFLICT = str(ROOT / "examples" / "conflict.c")
BLOCK, BLOCKS = 32, 256  # of each cache
VALUES = {"ways": (1, 2, 4), "victims": (0, 4, 16)}
CACHES = {"icache": "icache", "dcache": "dcache_write_buffer"}  # parameter, part of a result


def both(key: str, value: int) -> dict[str, str]:
    return {f"{cache}.{key}": str(value) for cache in CACHES}


def ran(settings: dict[str, str], out: Path, *more: str) -> dict:
    """The result of a short run on the exact engine."""
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    words += ["--round-trips", "4", "--warmup", "4", "--json", "--out", str(out), *more]
    done = mcpi("run", "--engine", EXACT, *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("key", VALUES)
def test_conflicts_of_bad_go_away(key: str, tmp_path: Path) -> None:
    """BAD is laid out so that what is used together meets in the caches. The results name what
    comes back; without victim caches they name nothing."""
    runs = [ran(both(key, n), tmp_path / f"{n}", "--variant", "bad") for n in VALUES[key]]
    ends = [run["steady"]["client"] for run in runs]
    for cache in CACHES.values():
        replaced = [end[cache]["replacement_misses"] for end in ends]
        assert all(more > fewer for more, fewer in pairwise(replaced)), f"{cache}: {replaced}"
        hits = [end[cache].get("victim_hits") for end in ends]
        assert hits[0] is None, f"{cache}: {hits}"
        assert hits[1] is None if key == "ways" else 0 < hits[1] < hits[2], f"{cache}: {hits}"
    assert all(more["ticks"] > fewer["ticks"] for more, fewer in pairwise(ends))
    assert key == "ways" or len({end["icpi"] for end in ends}) == 1  # ideal memory has no victims


@pytest.fixture(scope="module", params=VALUES)
def of_a_program(request, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[Path]]:
    """Runs with a D-cache without and with one of the two, in which two arrays of the cache's size
    take turns."""
    found = []
    for value in VALUES[request.param][:2]:
        spec = ProgramSpec((CONFLICT,), settings={f"dcache.{request.param}": str(value)})
        found.append(api.perform(spec, tmp_path_factory.mktemp("program"))[0])
    return request.param, found


def test_conflicts_of_a_program_go_away(of_a_program: tuple[str, list[Path]]) -> None:
    key, places = of_a_program
    paths = [measure.counters(place / "counters.json")[0]["path"] for place in places]
    before, after = (path["dcache.misses"] for path in paths)
    assert after < before / 3
    assert ["dcache.victim_hits" in path for path in paths] == [False, key == "victims"]
    assert not any("icache.victim_hits" in path for path in paths)


def test_evictions_are_of_a_direct_mapped_cache(of_a_program: tuple[str, list[Path]]) -> None:
    key, (_, place) = of_a_program
    words = [models.build("mcpi-exact"), "run", "--out", place, "--machine", place / "machine.json"]
    for item in (f"{n}:{name}={place / name}.elf" for n in (0, 1) for name in ("pal", "image")):
        words += ["--node", item]
    done = heard([*words, "--passages", "--evictions"])
    assert done.returncode == 2
    assert f"--evictions: dcache.{key} = {VALUES[key][1]}" in done.stderr


@pytest.mark.parametrize("key", VALUES)
def test_they_are_an_axis_of_a_sweep(key: str) -> None:
    values = {f"icache_{key}": VALUES[key], "set": {f"dcache.{key}": ["1", "2"]}}
    found = grid.of({"engine": EXACT, **values})
    assert f"3 icache_{key}" in str(found) and len(found.specs) == 6


def least_recently_used(blocks: list[int], stored: set[int], ways: int) -> int:
    """Misses from empty; what is ``stored``, by its place, is used and does not come."""
    sets: dict[int, list[int]] = {}
    misses = 0
    for n, block in enumerate(blocks):
        there = sets.setdefault(block % (BLOCKS // ways), [])
        hits = block in there
        if hits:
            there.remove(block)
        elif n in stored:
            continue
        elif len(there) == ways:
            there.pop(0)
        there.append(block)
        misses += not hits
    return misses


@pytest.mark.parametrize("ways", VALUES["ways"][1:])
def test_a_cold_invocation_counted_once_more(ways: int, tmp_path: Path) -> None:
    """The model's replay of the trace, and the trace through a cache of a few lines."""
    out = tmp_path / "run"
    ran(both("ways", ways), out, "--cold")
    rows = (out / "cold" / "cold_trace.csv").read_text().splitlines()[1:]
    steps = [row.split(",") for row in rows]
    fetched = [int(pc, 16) // BLOCK for pc, _, _ in steps]
    data = [(kind, int(at, 16) // BLOCK) for _, kind, at in steps[:-1] if kind in ("load", "store")]
    stored = {n for n, (kind, _) in enumerate(data) if kind == "store"}
    counts = json.loads((out / "cold" / "replay.json").read_text())
    assert counts["icache.misses"] == least_recently_used(fetched, set(), ways)
    assert counts["dcache.misses"] == least_recently_used([at for _, at in data], stored, ways)


def test_a_set_of_a_profile_is_one_of_a_way(tmp_path: Path) -> None:
    """Their numbers are below 256 / 4; the sums are the counters."""
    spec = ProgramSpec((CONFLICT,), settings=both("ways", 4), tick_log="client")
    profile = Profile(api.perform(spec, tmp_path / "run")[0], "client")
    numbers = {int(row.name.split()[1]) for row in profile.rows("set") if row.name[:3] == "set"}
    assert 4 < max(numbers) < BLOCKS / 4


@pytest.mark.parametrize("key", VALUES)
def test_who_knows_no_such_cache_says_so(key: str, tmp_path: Path) -> None:
    said = f"icache.{key} = 2: the search of layouts is for direct"
    with pytest.raises(UserError, match=said):
        placing.check(RunSpec(variant="all", engine=EXACT, settings={f"icache.{key}": "2"}))
    mine = tmp_path / "mine.toml"
    mine.write_text(f'extends = "dec3000-600"\n[icache]\n{key} = 2\n')
    content = CliRunner().invoke(main.app, ["layout", "micro", "--machine", str(mine)])
    assert f"icache.{key} = 2: the layout 'micro' is for direct" in str(content.exception)


def test_a_replay_knows_no_victims() -> None:
    words = ["layout", "conflicts", "all", "--set", "icache.victims=2"]
    content = CliRunner().invoke(main.app, words)
    assert "icache.victims = 2: the replay of a trace is for direct" in str(content.exception)


def test_the_study_maps_caches_without_victims(tmp_path: Path) -> None:
    """It says so before it builds anything."""
    assert "icache.victims = 4: the map of the caches" in refused(
        "paper", "--quick", "--set", "icache.victims=4", "--out", str(tmp_path / "study")
    )
