# SPDX-License-Identifier: BSD-2-Clause
"""A profile for the Firefox profiler: its processed format, version 58, as src/types/profile.ts of
firefox-devtools/profiler describes it.

A sample is what one owner has while the same functions are under way, weighed by its ticks, at the
time of the modelled machine. Its category is the cause, its subcategory the owner.
"""

import json
from collections.abc import Iterator
from itertools import groupby

from mcpi.analysis import attribution, calls
from mcpi.analysis.profile import Profile
from mcpi.results import causes

VERSION = 58
GECKO_VERSION = 31
COLOURS = ("grey", "orange", "blue", "purple", "green", "yellow")  # of the causes, in their order
OTHER_COLOUR = "brown"
OTHER = "Other"  # what the format wants the first subcategory to be called


class _Table:
    """Rows by number; an equal row is there once."""

    def __init__(self) -> None:
        self.rows: dict = {}

    def number(self, row) -> int:
        return self.rows.setdefault(row, len(self.rows))

    def columns(self, *names: str) -> dict:
        rows = list(self.rows)
        columns = {name: [row[at] for row in rows] for at, name in enumerate(names)}
        return columns | {"length": len(rows)}


def text(profile: Profile, owner: str = "") -> str:
    """The file; with ``owner``, of its ticks alone."""
    categories, places = _categories()
    strings, functions, frames, stacks = _Table(), _Table(), _Table(), _Table()
    samples = {"stack": [], "time": [], "weight": []}
    for tick, stack, name, ticks in _samples(profile, owner):
        at = None
        for depth, function in enumerate(stack, 1):
            where = functions.number((strings.number(function),))
            # The innermost frame has the owner; those above it have no category of their own.
            kind = places[name] if depth == len(stack) else (None, None)
            at = stacks.number((frames.number((where, *kind)), at))
        samples["stack"].append(at)
        samples["time"].append(tick / profile.ticks_per_us / 1000)
        samples["weight"].append(ticks)
    thread = _thread(profile, samples, stacks, frames, functions)
    meta = {
        "interval": 1 / profile.ticks_per_us / 1000,
        "startTime": 0,
        "processType": 0,
        "categories": categories,
        "product": f"mCPI: path of {profile.whose}",
        "stackwalk": 1,
        "version": GECKO_VERSION,
        "preprocessedProfileVersion": VERSION,
        "symbolicated": True,
        "symbolicationNotSupported": True,
        "markerSchema": [],
        "importedFrom": "mCPI",
        "usesOnlyOneStackType": True,
        "sourceCodeIsNotOnSearchfox": True,
    }
    shared = {
        "stringArray": list(strings.rows),
        "sources": {"length": 0, "uuid": [], "filename": []},
    }
    document = {"meta": meta, "libs": [], "shared": shared, "threads": [thread]}
    return json.dumps(document, separators=(",", ":")) + "\n"


def _samples(profile: Profile, wanted: str) -> Iterator[tuple[int, calls.Stack, str, int]]:
    """Tick, functions, owner and ticks, in the order of time."""
    tracker, stacks = calls.Tracker(profile), []

    def issue(pc: int) -> int:
        stacks.append(tracker.issue(pc))
        return len(stacks) - 1

    costs = attribution.attribute(profile.segments, issue)
    first = profile.segments[0][0].first if profile.segments else 0
    yield from _split(
        first, (calls.NOTHING,), costs.get(attribution.NOBODY, attribution.Cost()), wanted
    )
    number = 0
    for segment in profile.segments:
        now, many = segment[0].first, sum(tick.pc is not None for tick in segment)
        for stack, issues in groupby(range(number, number + many), key=lambda n: stacks[n]):
            cost = attribution.total(costs[n] for n in issues)
            yield from _split(now, stack, cost, wanted)
            now += cost.total
        number += many


def _split(
    tick: int, stack: calls.Stack, cost: attribution.Cost, wanted: str
) -> Iterator[tuple[int, calls.Stack, str, int]]:
    """A sample for each owner, one after another."""
    for owner, ticks in cost.ticks.items():
        if not wanted or owner == wanted:
            yield tick, stack, owner, ticks
        tick += ticks


def _categories() -> tuple[list[dict], dict[str, tuple[int, int]]]:
    """The list, and category and subcategory of each owner."""
    from mcpi.results.summary import OWNERS

    found, places = [], {}
    colours = (*COLOURS[: len(causes.CAUSES)], OTHER_COLOUR)
    for number, (cause, colour) in enumerate(zip((*causes.CAUSES, causes.OTHER), colours)):
        own = [owner for owner in OWNERS if causes.of(owner) is cause]
        found.append({"name": cause.title, "color": colour, "subcategories": [OTHER, *own]})
        places |= {owner: (number, at) for at, owner in enumerate(own, 1)}
    return found, places


def _thread(
    profile: Profile, samples: dict, stacks: _Table, frames: _Table, functions: _Table
) -> dict:
    many = len(samples["stack"])
    own = functions.columns("name")
    none = [None] * own["length"]
    no = [False] * own["length"]
    own |= {"isJS": no, "relevantForJS": no, "resource": [-1] * own["length"]}
    own |= {"source": none, "lineNumber": none, "columnNumber": none}
    table = frames.columns("func", "category", "subcategory")
    absent = [None] * table["length"]
    table |= {"address": [-1] * table["length"], "inlineDepth": [0] * table["length"]}
    table |= dict.fromkeys(("nativeSymbol", "innerWindowID", "line", "column"), absent)
    empty = {"length": 0}
    return {
        "processType": "default",
        "processStartupTime": 0,
        "processShutdownTime": None,
        "registerTime": 0,
        "unregisterTime": None,
        "pausedRanges": [],
        "name": profile.side,
        "isMainThread": True,
        "pid": "0",
        "tid": 0,
        "samples": samples | {"weightType": "samples", "length": many},
        "markers": empty
        | dict.fromkeys(("data", "name", "startTime", "endTime", "phase", "category"), []),
        "stackTable": stacks.columns("frame", "prefix"),
        "frameTable": table,
        "funcTable": own,
        "resourceTable": empty | dict.fromkeys(("lib", "name", "host", "type"), []),
        "nativeSymbols": empty | dict.fromkeys(("libIndex", "address", "name", "functionSize"), []),
    }
