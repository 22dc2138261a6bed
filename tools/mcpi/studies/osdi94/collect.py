# SPDX-License-Identifier: BSD-2-Clause
"""Collected figures of a run: throughput, ticks by owner and by cause, waiting and holding,
locks."""

import json
from bisect import bisect_right
from collections import Counter
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.batch.plan import Experiment, Extent
from mcpi.engines.nodes import TAKE, functions
from mcpi.machine.profile import Machine
from mcpi.results.cold_replay import Function
from mcpi.studies.osdi94.plan import LOCKS, WAYS, Point, points

WAITING = ("spin", "hold")  # windows of the locks of TCP's state
COUNTING = "processor_main"  # of apps/mpcount
SUMS = ("free", "free_ticks", "overtaken")
TIMES = ("wait", "hold", "hand_over", "release")


def collect(root: Path, experiments: list[Experiment], extent: Extent) -> dict:
    """The parts of ``study.json`` that are the study's own; ``root`` has a folder of each run.
    ``order`` of a run: the seed of its order of functions, 0: that of the sources."""
    every = {point.key: point for point in points(extent)}
    results: dict[str, dict] = {}
    for e in experiments:
        own = results.setdefault(e.part[1], {"runs": []})
        one = recorded(root / e.name, every[e.part[1]], e.machine)
        own["runs"].append({"order": e.spec.shuffle or 0} | one)
    return {"unit": "ms", "results": results}


def recorded(folder: Path, point: Point, machine: Machine) -> dict:
    """Mb/s of user data, and packets of each processor. Of all processors together: ticks by
    owner, those of ``waiting`` for TCP's state too; by cause, of those that a cache owns; ticks and
    instructions of windows spin and hold. ``bus``: its counters. ``locks``: by who asks for them,
    or by kind. ``said``: what the stack counted."""
    content = json.loads((folder / "counters.json").read_text())
    owners: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    waiting: Counter[str] = Counter()
    windows: dict[str, Counter[str]] = {name: Counter() for name in WAITING}
    for core in content["cores"]:
        own = {k.removeprefix("owner."): v for k, v in core["all"].items() if "owner." in k}
        if sum(own.values()) != content["ticks"]:
            raise RunError(f"{folder.name}: not every tick has an owner.")
        owners.update(own)
        for name, ticks in core["all"].items():
            if name.startswith("cause."):  # cause.<owner>.<cause>
                causes[name.split(".")[2]] += ticks
        for name, window in windows.items():
            window.update({k: core["windows"][name][k] for k in ("ticks", "instructions")})
        spin = core["windows"][WAITING[0]]
        waiting.update({k.removeprefix("owner."): v for k, v in spin.items() if "owner." in k})
    packets = [core["windows"]["probe"]["invocations"] for core in content["cores"]]
    bits = sum(packets) * WAYS[point.curve.way].bytes * 8
    return {
        "mbps": bits * machine.parameters["clock.ticks_per_us"] / content["ticks"],
        "packets": packets,
        "ticks": content["ticks"],
        "instructions": sum(core["all"]["instructions"] for core in content["cores"]),
        "owners": dict(owners),
        "waiting": dict(waiting),
        "causes": dict(causes),
        "bus": content["machine"],
        "windows": {name: dict(window) for name, window in windows.items()},
        "locks": _locks(folder, point.curve.stack == LOCKS),
        "said": _said(folder / "console.txt"),
    }


def _said(console: Path) -> dict[str, int]:
    """``name number`` in each line."""
    lines = (line.rsplit(" ", 1) for line in console.read_text().splitlines())
    return {name: int(number) for name, number in lines}


def _locks(folder: Path, by_kind: bool) -> dict[str, dict]:
    """Locks of locks.json (docs/explanation/multiprocessor-counters.md), by asking function or
    by kind; nothing of an engine that has no such log."""
    if not (file := folder / "locks.json").is_file():
        return {}
    content = json.loads(file.read_text())
    if content["lost"]:
        raise RunError(f"{file}: {content['lost']} locks were released by who did not have them.")
    known = functions(folder / "image.elf")
    found: dict[str, dict] = {}
    for site in content["sites"]:
        name = _function(known, site["at"] - 4)  # the call
        if by_kind and name != COUNTING:
            continue  # a lock that one of those in question wants itself
        if by_kind:
            name = TAKE.fullmatch(_function(known, site["function"]))[1]
        _added(found.setdefault(name, {}), site)
    return found


def _added(to: dict, site: dict) -> None:
    for key in SUMS:
        to[key] = to.get(key, 0) + site[key]
    to["first"] = min(to.get("first", site["first"]), site["first"])
    to["last"] = max(to.get("last", 0), site["last"])
    for key in TIMES:
        own, more = to.setdefault(key, {"count": 0, "ticks": 0, "bits": []}), site[key]
        own["count"] += more["count"]
        own["ticks"] += more["ticks"]
        own["bits"] += [0] * (len(more["bits"]) - len(own["bits"]))
        for bit, count in enumerate(more["bits"]):
            own["bits"][bit] += count


def _function(known: list[Function], address: int) -> str:
    place = bisect_right(known, address, key=lambda f: f.start)
    return known[place - 1].name if place else "?"
