# SPDX-License-Identifier: BSD-2-Clause
"""Switches for the costs of a whole production system: off, an image is as without; on, each costs
what it is there for, and the frames stay the same."""

import json

import pytest

from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.firmware import digests, images, switches
from mcpi.machine import profile
from mcpi.results import stretches

ADDED = ("BSD_LOCKS", "BSD_CROSSING", "BSD_POLLUTER", "BSD_NEIGHBOURS")


def measured(*defines: str) -> dict:
    words = [word for define in defines for word in ("--define", define)]
    command = ["./mcpi", "run", "--stack", "bsd", "--cold", "--round-trips", "4", "--json", *words]
    done = heard(command, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def plain() -> dict:
    return measured()


@pytest.mark.parametrize("switch", ADDED)
def test_off_is_as_without(switch: str) -> None:
    assert switches.there()[switch] == 0
    machine = profile.load("dec3000-600")
    off, without = (images.plan(machine, "std", "bsd", d) for d in ((f"{switch}=0",), ()))
    assert digests.digest(images.build(off).image) == digests.digest(images.build(without).image)


@pytest.mark.parametrize(
    "switch", ["BSD_LOCKS=1", "BSD_CROSSING=1", "BSD_POLLUTER=4", "BSD_POLLUTER=8"]
)
def test_it_costs_time_and_no_frame(plain: dict, switch: str) -> None:
    found = measured(switch)
    assert found["wire"]["digest"] == plain["wire"]["digest"]
    now, before = (one["steady"]["client"] for one in (found, plain))
    assert now["ticks"] > before["ticks"]
    more = now["instructions"] - before["instructions"]
    if switch == "BSD_LOCKS=1":
        assert now["owners"]["barrier"] > before["owners"]["barrier"] and 50 < more < 400
    elif switch == "BSD_CROSSING=1":
        assert 60 < more < 400
    else:
        assert abs(more) < 40 and now["icache"]["misses"] > before["icache"]["misses"] + 10


def test_neighbours_take_places_in_the_b_cache(plain: dict) -> None:
    found = measured("BSD_NEIGHBOURS=1")
    assert found["wire"]["digest"] == plain["wire"]["digest"]
    assert plain["steady"]["client"]["bcache"]["misses"] < 1
    assert found["steady"]["client"]["bcache"]["misses"] > 30
    now, before = (stretches.both(one["stretches"]["steady"]) for one in (found, plain))
    assert now["mcpi"] > before["mcpi"] + 0.5
