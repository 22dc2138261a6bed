# SPDX-License-Identifier: BSD-2-Clause
"""Tests that the exact engine has each tick's owner, pc and events as the RTL has them."""

import csv
from pathlib import Path

import pytest
from sim_support import PAL_BASE, build, guest, logged_from_reset, machine_json, run, simulate

from mcpi.build import models

PHASE = 100_000
# Of a RTL's log and of the engine's, what the other has not.
ONE_SIDED = {"fetch.fill_words", "pal_ticks"}


def rows(path: Path) -> dict[int, tuple[str, str, frozenset[str]]]:
    """By tick; ticks that are left out are one row each."""
    found = {}
    with path.open() as file:
        for row in csv.DictReader(file):
            events = {e for e in row["events"].split() if not e.endswith("replacement_misses")}
            for n in range(int(row["count"])):
                told = frozenset(events - ONE_SIDED)
                found[int(row["tick"]) + n] = (row["owner"], row["pc"], told)
    return found


def difference(rtl: Path, engine: Path) -> str:
    """The first; empty if the engine has every tick of the RTL up to its own end."""
    wanted, got = rows(rtl), rows(engine)
    last = max(got)
    ticks = sorted(tick for tick in wanted if tick <= last)
    assert len(ticks) > 1000
    for tick in ticks:
        if got[tick] != wanted[tick]:
            return f"tick {tick}: {got[tick]} instead of {wanted[tick]}"
    return ""


@pytest.fixture(scope="module", params=["hello", "example", "conflicts", "late", "sleep"])
def logged(request, tmp_path_factory):
    """PALcode, guest and every tick of it on the RTL, from the first instruction on."""
    folder = tmp_path_factory.mktemp(request.param)
    names = ("sleep", "hello") if request.param == "sleep" else ("pal", request.param)
    pal, image = guest(names[0], folder, PAL_BASE), guest(names[1], folder)
    items = [f"pal={pal}", f"image={image}", f"phase={PHASE}"]
    options = logged_from_reset(folder)
    done = simulate(build(), folder, machine_json(folder), *options, items=items)
    assert done.returncode == 0, done.stderr
    return pal, image, folder / "ticks.csv"


def engine(pal: Path, image: Path, folder: Path, settings: dict[str, str] | None = None) -> Path:
    """The engine's log."""
    words = ["--machine", machine_json(folder, settings), "--pal", pal, "--image", image]
    words += ["--phase", PHASE, "--tick-log", folder / "exact.csv"]
    run(models.build("mcpi-exact"), *words)
    return folder / "exact.csv"


def test_every_tick_is_the_rtls(logged, tmp_path):
    pal, image, ticks = logged
    assert not (found := difference(ticks, engine(pal, image, tmp_path))), found


@pytest.mark.parametrize("logged", ["example"], indirect=True)
@pytest.mark.parametrize(
    "wrong",
    ["core.taken_penalty=7", "memory.read_ticks=49", "bcache.read_ticks=11", "icache.prefetch=off"],
)
def test_a_machine_that_is_not_what_it_says_is_seen(logged, tmp_path, wrong):
    pal, image, ticks = logged
    assert difference(ticks, engine(pal, image, tmp_path, dict([wrong.split("=")])))
