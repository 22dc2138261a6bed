# SPDX-License-Identifier: BSD-2-Clause
"""``icache.ways`` and ``dcache.ways``: conflicts that go away, and who knows no ways."""

import json
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from command import mcpi
from typer.testing import CliRunner

from mcpi.analysis import data_misses
from mcpi.analysis.profile import Profile
from mcpi.api import program as api
from mcpi.api.sweeping import grid
from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.build import models
from mcpi.cli import main
from mcpi.results import measure
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RunSpec
from mcpi.study import placing

CONFLICT = str(ROOT / "examples" / "conflict.c")
BLOCK, BLOCKS = 32, 256  # of each cache
WAYS = (1, 2, 4)


def both(ways: int) -> dict[str, str]:
    return {f"{cache}.ways": str(ways) for cache in ("icache", "dcache")}


def ran(ways: int, out: Path, *more: str) -> dict:
    """The result of a short run on the exact engine."""
    words = [word for key, value in both(ways).items() for word in ("--set", f"{key}={value}")]
    words += ["--round-trips", "4", "--warmup", "4", "--json", "--out", str(out), *more]
    done = mcpi("run", "--engine", EXACT, *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_conflicts_of_bad_go_away(tmp_path: Path) -> None:
    """BAD is laid out so that what is used together meets in the caches."""
    paths = [ran(ways, tmp_path / f"{ways}", "--variant", "bad") for ways in WAYS]
    ends = [one["steady"]["client"] for one in paths]
    for cache in ("icache", "dcache_write_buffer"):
        replaced = [end[cache]["replacement_misses"] for end in ends]
        assert all(more > fewer for more, fewer in pairwise(replaced)), f"{cache}: {replaced}"
    assert all(more["ticks"] > fewer["ticks"] for more, fewer in pairwise(ends))


def test_conflicts_of_a_program_go_away(tmp_path: Path) -> None:
    """Two arrays of the cache's size take turns."""
    ticks = []
    for ways in WAYS[:2]:
        spec = ProgramSpec((CONFLICT,), settings={"dcache.ways": str(ways)})
        place = api.perform(spec, tmp_path / f"{ways}")[0]
        ticks.append(measure.counters(place / "counters.json")[0]["path"]["dcache.misses"])
    assert ticks[1] < ticks[0] / 3


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


@pytest.mark.parametrize("ways", WAYS[1:])
def test_a_cold_invocation_counted_once_more(ways: int, tmp_path: Path) -> None:
    """The model's replay of the trace, and the trace through a cache of a few lines."""
    out = tmp_path / "run"
    ran(ways, out, "--cold")
    rows = (out / "cold" / "cold_trace.csv").read_text().splitlines()[1:]
    steps = [row.split(",") for row in rows]
    fetched = [int(pc, 16) // BLOCK for pc, _, _ in steps]
    data = [(kind, int(at, 16) // BLOCK) for _, kind, at in steps[:-1] if kind in ("load", "store")]
    stored = {n for n, (kind, _) in enumerate(data) if kind == "store"}
    counts = json.loads((out / "cold" / "replay.json").read_text())
    assert counts["icache.misses"] == least_recently_used(fetched, set(), ways)
    assert counts["dcache.misses"] == least_recently_used([at for _, at in data], stored, ways)


def test_they_are_an_axis_of_a_sweep() -> None:
    found = grid.of({"engine": EXACT, "icache_ways": WAYS, "set": {"dcache.ways": ["1", "2"]}})
    assert "3 icache_ways" in str(found) and len(found.specs) == 6


def test_a_set_of_a_profile_is_one_of_a_way(tmp_path: Path) -> None:
    """Their numbers are below 256 / 4; the sums are the counters."""
    spec = ProgramSpec((CONFLICT,), settings=both(4), tick_log="client", trace="client")
    profile = Profile(api.perform(spec, tmp_path / "run")[0], "client")
    numbers = {int(row.name.split()[1]) for row in profile.rows("set") if row.name[:3] == "set"}
    assert 4 < max(numbers) < BLOCKS / 4
    with pytest.raises(UserError, match="dcache.ways = 4: the list of data .*Set dcache.ways=1"):
        data_misses.by(profile)


@pytest.mark.parametrize("key", ["ways", "victims"])
def test_who_knows_no_such_cache_says_so(key: str, tmp_path: Path) -> None:
    said = f"icache.{key} = 2: the search of layouts is for direct"
    with pytest.raises(UserError, match=said):
        placing.check(RunSpec(variant="all", engine=EXACT, settings={f"icache.{key}": "2"}))
    mine = tmp_path / "mine.toml"
    mine.write_text(f'extends = "dec3000-600"\n[icache]\n{key} = 2\n')
    told = CliRunner().invoke(main.app, ["layout", "micro", "--machine", str(mine)])
    assert f"icache.{key} = 2: the layout 'micro' is for direct" in str(told.exception)


def test_a_replay_knows_no_victims() -> None:
    words = ["layout", "conflicts", "all", "--set", "icache.victims=2"]
    told = CliRunner().invoke(main.app, words)
    assert "icache.victims = 2: the replay of a trace is for direct" in str(told.exception)


def test_evictions_are_of_a_direct_mapped_cache(tmp_path: Path) -> None:
    place = api.perform(ProgramSpec((CONFLICT,), settings=both(2)), tmp_path / "run")[0]
    words = ["run", "--out", place, "--machine", place / "machine.json"]
    for item in (f"{n}:{name}={place / name}.elf" for n in (0, 1) for name in ("pal", "image")):
        words += ["--node", item]
    words += ["--passages", "--evictions"]
    command = [models.build("mcpi-exact"), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and "--evictions: dcache.ways = 2" in done.stderr
