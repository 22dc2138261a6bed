# SPDX-License-Identifier: BSD-2-Clause
"""How a found path differs from the one written by hand, each difference with its reason."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as File

from mcpi.firmware.path_inline import INPUT, OUTPUT, Place
from mcpi.pathfinding.finding import Found
from mcpi.pathfinding.guard import DROP, GUARD, LATER, STATE
from mcpi.pathfinding.image_code import base_name

_WORDS = {
    DROP: "its other way comes to no resolved call",
    STATE: "they differ between frames of the path, and its functions compare them",
    LATER: "no resolved call comes after the test",
}


@dataclass(frozen=True)
class Difference:
    """``what``: of which list; ``name``: what only one of both has; ``found``: that is the found
    one."""

    what: str
    name: str
    found: bool
    why: str

    def __str__(self) -> str:
        return (
            f"{'only found' if self.found else 'only by hand'}: {self.what} {self.name}: {self.why}"
        )


@dataclass(frozen=True)
class Shares:
    """How many functions, calls and bytes of the guard by hand there are, and how many are found;
    bytes that are found besides."""

    functions: tuple[int, int]
    calls: tuple[int, int]
    bytes: tuple[int, int]
    more_bytes: int


def compare(found: Found, by_hand: File) -> tuple[list[Difference], Shares]:
    """The differences between a found path and a file of firmware/paths."""
    spec = tomllib.loads(by_hand.read_text())
    own = tomllib.loads(found.text)
    differences = [
        *(d for kind in (INPUT, OUTPUT) for d in _functions(found, spec, own, kind)),
        *_calls(spec["calls"], own["calls"]),
        *_bytes(found, _masks(spec["guard"]["same"]), _masks(own["guard"]["same"])),
    ]
    theirs, ours = ({(k, p) for k in (INPUT, OUTPUT) for p in _places(s, k)} for s in (spec, own))
    calls = [
        {(f, c, n) for f, row in s["calls"].items() for c, n in row.items()} for s in (spec, own)
    ]
    masks, mine = _masks(spec["guard"]["same"]), _masks(own["guard"]["same"])
    return differences, Shares(
        (len(theirs), len(theirs & ours)),
        (len(calls[0]), len(calls[0] & calls[1])),
        (len(masks), sum(byte in mine for byte in masks)),
        sum(byte not in masks for byte in mine),
    )


def _places(spec: dict, kind: str) -> list[Place]:
    rows = (line.partition(":") for line in spec[kind]["inline"])
    return [(file, name) for file, _, names in rows for name in names.split()]


def _functions(found: Found, spec: dict, own: dict, kind: str) -> Iterator[Difference]:
    theirs, ours = _places(spec, kind), _places(own, kind)
    if spec[kind]["entry"] != own[kind]["entry"]:
        yield Difference(
            f"[{kind}] entry", spec[kind]["entry"], False, f"found: {own[kind]['entry']}"
        )
    for place in ours:
        if place not in theirs:
            size = found.path.bytes(place)
            why = f"each invocation enters it once; {size} bytes of it are executed"
            yield Difference(f"[{kind}]", f"{place[1]} of {place[0]}", True, why)
    for place in theirs:
        if place not in ours:
            yield Difference(f"[{kind}]", f"{place[1]} of {place[0]}", False, _absent(found, place))


def _absent(found: Found, place: Place) -> str:
    if place in found.path.left_out:
        return found.path.left_out[place]
    if any(place in places for places in found.path.inline.values()):
        return "it is in the other part"
    for node in found.path.kinds:
        if base_name(node.function) == place[1]:
            return "the calls that reach it are not all resolved"
    return "no invocation executes a line of it"


def _calls(theirs: dict, ours: dict) -> Iterator[Difference]:
    for spec, other, is_found in ((ours, theirs, True), (theirs, ours, False)):
        for folder, row in spec.items():
            for call, name in row.items():
                there = other.get(folder, {}).get(call)
                if there is None:
                    why = "it has one target" if is_found else "no invocation makes it"
                    yield Difference("[calls]", f"{folder} {call} = {name}", is_found, why)
                elif there != name and is_found:
                    yield Difference(
                        "[calls]", f"{folder} {call} = {name}", True, f"by hand: {there}"
                    )


def _masks(rows: list[dict]) -> dict[int, int]:
    """The bits that a list of fields compares, by byte of the frame."""
    found: dict[int, int] = {}
    for row in rows:
        masks = bytes.fromhex(row.get("mask", "ff" * row["bytes"]))
        found |= {row["at"] + n: found.get(row["at"] + n, 0) | m for n, m in enumerate(masks)}
    return found


def _bytes(found: Found, theirs: dict[int, int], ours: dict[int, int]) -> Iterator[Difference]:
    rows: dict[tuple[bool, str], list[str]] = {}
    for byte in sorted(theirs.keys() | ours.keys()):
        more, less = (a.get(byte, 0) & ~b.get(byte, 0) for a, b in ((ours, theirs), (theirs, ours)))
        for bits, is_found in ((more, True), (less, False)):
            if bits:
                why = _decided(found, byte, bits) if is_found else _undecided(found, byte, bits)
                name = f"{byte}" if bits == 0xFF else f"{byte}/{bits:02x}"
                rows.setdefault((is_found, why), []).append(name)
    for (is_found, why), names in rows.items():
        yield Difference("[guard] same, bytes", " ".join(names), is_found, why)


def _decided(found: Found, byte: int, bits: int) -> str:
    places = found.guard.places(GUARD, byte, bits)
    return f"{places[0]} decides by them, and both ways lead to a resolved call"


def _undecided(found: Found, byte: int, bits: int) -> str:
    for kind, words in _WORDS.items():
        if places := found.guard.places(kind, byte, bits):
            return f"{places[0]}: {words}"
    return "no instruction decides by them"
