# SPDX-License-Identifier: BSD-2-Clause
"""locks.json against the ticks of each core: the same waiting, holding and handing over."""

import csv
import json
import os
from collections import Counter, defaultdict
from pathlib import Path

import planted
import pytest
from sim_support import run

from mcpi.build import models
from mcpi.firmware import images, parallel
from mcpi.firmware.images import Plan
from mcpi.machine import profile
from mcpi.results.cold_replay import functions
from mcpi.studies.osdi94.recording import RELEASE, TAKE, lock_functions

CORES, EACH = 3, 25
KINDS = ("tas", "ttas", "backoff", "ticket", "mcs", "clh")
MISTAKES = planted.mistakes("exact_coherent_mutants", "locks")


def lives(program: Path, folder: Path, **more) -> Plan:
    """Each processor counts under each kind of lock; the image."""
    machine = profile.load("challenge-100", {"core.count": str(CORES)})
    made = images.build(parallel.plan(machine, parallel.Wanted("mpcount")))
    (folder / "machine.json").write_text(machine.to_json())
    words = [program, "--machine", folder / "machine.json", "--pal", made.pal, "--image"]
    words += [made.image, "--out", folder, "--max-ticks", 10**7, "--boot", f"round_trips={EACH}"]
    run(*words, "--ticks", *lock_functions(made.image), **more)
    return made


def events(folder: Path, image: Path) -> list[tuple[int, int, str, str]]:
    """Tick, core, what (asks, has, releases, has released), kind."""
    named = {f.start: f.name for f in functions(image)}
    caller = next(f for f in functions(image) if f.name == "processor_main")
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
    """By kind: counts and ticks as locks.json has them."""
    found: dict[str, Counter] = defaultdict(Counter)
    asked: dict[int, list] = {}  # by core: since, kind, when it was released last, whether free
    held: dict[int, tuple[int, str]] = {}
    for tick, core, what, kind in events(folder, image):
        if what == "asks":
            others = [a for a in asked.values() if a[1] == kind]
            taken = any(k == kind for _, k in held.values())
            asked[core] = [tick, kind, None, not others and not taken]
        elif what == "has":
            since, kind, released, free = asked.pop(core)
            earlier = sum(a[0] < since for a in asked.values() if a[1] == kind)
            found[kind] += Counter(wait=1, wait_ticks=tick - since, overtaken=earlier)
            found[kind] += Counter(free=int(free), free_ticks=(tick - since) * free)
            if released is not None:
                found[kind] += Counter(hand_over=1, hand_over_ticks=tick - released)
            held[core] = tick, kind
        elif what == "releases":
            since, kind = held[core]
            found[kind] += Counter(hold=1, hold_ticks=tick - since)
            for one in asked.values():
                if one[1] == kind:
                    one[2] = tick
            held[core] = since, ""
            asked_at = tick
            found[kind]["release_ticks"] -= asked_at
        else:
            kind = kind if kind != "word" else _last(found)
            found[kind]["release"] += 1
            found[kind]["release_ticks"] += tick
    return found
