# SPDX-License-Identifier: BSD-2-Clause
"""Tests that the exact engine has each tick's owner, pc and events as the RTL has them."""

import pytest
from sim_support.simulators import PAL_BASE, build, guest, logged_from_reset, machine_json, simulate
from sim_support.tick_logs import PHASE, difference, engine


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
