# SPDX-License-Identifier: BSD-2-Clause
"""locks.json against the ticks of each core: the same waiting, holding and handing over."""

import csv
import json
import os
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from sim_support import planted
from sim_support.simulators import run

from mcpi.build import models
from mcpi.engines.nodes import RELEASE, TAKE, lock_functions
from mcpi.firmware import images, parallel
from mcpi.firmware.images import Plan
from mcpi.machine import profile
from mcpi.results.cold_replay import Function, functions

CORES, EACH = 3, 25
KINDS = ("tas", "ttas", "backoff", "ticket", "mcs", "clh")
MISTAKES = planted.mistakes("exact_coherent_mutants", "locks")


def run_cores(program: Path, folder: Path, **more) -> Plan:
    """Each processor counts under each kind of lock; the image."""
    machine = profile.load("challenge-100", {"core.count": str(CORES)})
    made = images.build(parallel.plan(machine, parallel.Wanted("mpcount")))
    (folder / "machine.json").write_text(machine.to_json())
    words = [program, "--machine", folder / "machine.json", "--pal", made.pal, "--image"]
    words += [made.image, "--out", folder, "--max-ticks", 10**7, "--boot", f"round_trips={EACH}"]
    run(*words, "--ticks", *lock_functions(made.image), **more)
    return made


def counting(image: Path) -> Function:
    """The function that wants the locks; what they want themselves is not in question."""
    return next(f for f in functions(image) if f.name == "processor_main")


def events(folder: Path, image: Path) -> list[tuple[int, int, str, str]]:
    """Tick, core, what (asks, has, releases, has released), kind."""
    named = {f.start: f.name for f in functions(image)}
    caller = counting(image)
    found = []
    for core in range(CORES):
        inside = None
        for row in csv.DictReader((folder / f"ticks.{core}.csv").open(newline="")):
            if row["owner"] != "issue":
                continue
            tick, at = int(row["tick"]), int(row["pc"], 16) & ~3
            name = named.get(at, "")
            if inside and caller.start <= at < caller.start + caller.size:
                what, kind = inside
                found.append((tick, core, {"asks": "has", "releases": "free"}[what], kind))
                inside = None
            for does, what in ((TAKE, "asks"), (RELEASE, "releases")):
                if not inside and (match := does.fullmatch(name)):
                    inside = what, match[1]
                    found.append((tick, core, what, match[1]))
    return sorted(found)


def expected(folder: Path, image: Path) -> dict[str, Counter]:
    """By kind, of which each has a lock: counts and ticks as locks.json has them."""
    found: dict[str, Counter] = defaultdict(Counter)
    waiting: dict[int, dict] = {}
    held: dict[int, tuple[int, str]] = {}
    for tick, core, what, kind in events(folder, image):
        rivals = [a for a in waiting.values() if a["kind"] == kind]
        if what == "asks":
            free = not rivals and all(k != kind for _, k in held.values())
            waiting[core] = {"since": tick, "kind": kind, "released": None, "free": free}
        elif what == "has":
            mine = waiting.pop(core)
            waited, released = tick - mine["since"], mine["released"]
            earlier = sum(a["since"] < mine["since"] for a in rivals)
            found[kind] += Counter(wait=1, wait_ticks=waited, overtaken=earlier)
            found[kind] += Counter(free=mine["free"], free_ticks=mine["free"] * waited)
            if released is not None:
                found[kind] += Counter(hand_over=1, hand_over_ticks=tick - released)
            held[core] = tick, kind
        elif what == "releases":
            since, kind = held.pop(core)
            found[kind] += Counter(hold=1, hold_ticks=tick - since)
            for one in waiting.values():
                if one["kind"] == kind:
                    one["released"] = tick
    return found


def check(program: Path, folder: Path, **more) -> None:
    image = run_cores(program, folder, **more).image
    known = {f.start: f.name for f in functions(image)}
    observed: dict[str, Counter] = defaultdict(Counter)
    record = json.loads((folder / "locks.json").read_text())
    assert not record["lost"]
    caller = counting(image)
    for site in record["sites"]:
        if not caller.start < site["at"] <= caller.start + caller.size:
            continue
        kind = TAKE.fullmatch(known[site["function"]])[1]
        for name in ("wait", "hold", "hand_over"):
            assert sum(site[name]["bits"]) == site[name]["count"]
            observed[kind] += Counter(
                {name: site[name]["count"], f"{name}_ticks": site[name]["ticks"]}
            )
        observed[kind] += Counter(
            {name: site[name] for name in ("free", "free_ticks", "overtaken")}
        )
    assert set(observed) == set(KINDS)
    assert all(one["wait"] == one["hold"] == CORES * EACH for one in observed.values())
    assert any(one["overtaken"] for one in observed.values())
    assert dict(observed) == dict(expected(folder, image))


def test_it_says_what_the_ticks_say(tmp_path):
    check(models.build("mcpi-exact"), tmp_path)


@pytest.mark.parametrize("number", range(1, len(MISTAKES) + 1))
def test_a_mistake_is_found(tmp_path, number):
    mistake, program = MISTAKES[number - 1], planted.program("mcpi-exact")
    with pytest.raises(AssertionError):
        check(program, tmp_path, env=os.environ | mistake.environment)
