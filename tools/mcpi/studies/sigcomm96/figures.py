# SPDX-License-Identifier: BSD-2-Clause
"""The figures of the study's page: the client's path by owner and function, and the round trip by
part, each version with the range over its link orders and the paper's value."""

from mcpi.layout.cache_map import CODE
from mcpi.papers.sigcomm96 import STACKS, path, round_trip
from mcpi.studies.sigcomm96.plan import BASE, BEST, ORDER
from mcpi.studies.sigcomm96.tables.causes import PARTS
from mcpi.studies.sigcomm96.tables.common import WORDS, look
from mcpi.studykit.figures import Bar, Figures, Part, orders, path_bar
from mcpi.studykit.measured import Measured

COLOURS = {"client": "#1d4fa0", "controllers": "#b4451f", "wire": "#a3adb8", "server": "#2e7d5b"}


def figures(study: Measured) -> Figures | None:
    """Figures of the page; None if no version was measured."""
    per_us = None
    trips: dict[str, dict[str, Bar]] = {}
    paths: dict[str, dict[str, Bar]] = {}
    for stack in STACKS:
        for version in ORDER:
            if not (result := study.result(stack, version)):
                continue
            per_us = result["round_trip"]["ticks_per_us"]
            printed = path(stack, version).get("time_us")
            paths.setdefault(stack, {})[version] = path_bar(study, stack, version, printed)
            if trip := _trip(study, stack, version):
                trips.setdefault(stack, {})[version] = trip
    if not paths:
        return None
    versions = tuple(v for v in ORDER if any(v in one for one in paths.values()))
    maps = {
        stack: {one["variant"]: one for one in found["variants"] if one["variant"] in paths[stack]}
        for stack, found in study.record.get("maps", {}).items()
        if stack in paths
    }
    return Figures(
        stacks={stack: title for stack, title in STACKS.items() if stack in paths},
        versions=versions,
        base=BASE if BASE in versions else versions[0],
        shown=BEST if BEST in versions else versions[-1],
        parts=_parts(),
        path=paths,
        trip=trips,
        functions={
            stack: {version: _functions(one["functions"], per_us) for version, one in found.items()}
            for stack, found in maps.items()
        },
        function_orders={
            stack: {
                version: [_functions(order, per_us) for order in one["function_orders"]]
                for version, one in found.items()
            }
            for stack, found in maps.items()
        },
        maps={
            stack: {version: _map(one) for version, one in found.items()}
            for stack, found in maps.items()
        },
    )


def _trip(study: Measured, stack: str, version: str) -> Bar | None:
    def parts(result: dict) -> dict[str, float] | None:
        try:
            return {key: round(get(result), 4) for key, get in PARTS.items()}
        except KeyError:
            return None

    own, _ = look(study, stack, version, parts)
    if own is None:
        return None
    ranged = [found for one in orders(study, stack, version) if (found := parts(one))]
    return Bar(own, ranged, round_trip(stack, version).get("mean_us"))


def _parts() -> tuple[Part, ...]:
    titles = {c.key: c.title.removesuffix(", µs") for c in WORDS.columns("round_trip_parts")}
    return tuple(
        Part(key, titles[key], titles[key], COLOURS[titles[key].split(",")[0]]) for key in PARTS
    )


def _functions(found: dict, per_us: int) -> dict[str, dict[str, float]]:
    return {
        name: {owner: round(n / per_us, 4) for owner, n in ticks.items()}
        for name, ticks in found.items()
    }


def _map(one: dict) -> dict:
    found = {key: one[key] for key in ("code", "both", "meet")}
    misses = f"{one['i_misses']:.0f} i-cache and {one['b_misses']:.0f} b-cache misses"
    code = f"{one['instructions']:,} instructions in {one['blocks']} blocks"
    names: dict[int, dict[str, None]] = {}
    for row, _, _, kind, name, _ in one["code"]["spans"]:
        if kind == CODE:
            names.setdefault(row, {})[name] = None
    rows = [(one["code"]["rows"][row], list(there)) for row, there in sorted(names.items())]
    return found | {"names": rows, "text": f"{one['layout']}; {code}, {misses} an invocation"}
