#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Found paths beside those by hand, and what was predicted (docs/explanation/paths.md).

PYTHONPATH=tools python3 bench/path_find.py [stack...]

For each row of docs/data/path-predictions.csv of these stacks: the figure as it came out. False
accepts are counted by firmware/test/paths/test_path_find.py, and are no rows of it. For RPC also
what the difference comes from: the images' data lie where those of the paths by hand lie, and
chip_csr0_write stays a call, as it does there.
"""

import csv
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from unittest.mock import patch

from mcpi import api
from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.base.repo import ROOT
from mcpi.firmware import images, path_inline
from mcpi.firmware.clone.layout import SECTIONS
from mcpi.firmware.clone.program import Program
from mcpi.machine import profile
from mcpi.pathfinding import comparison, finding
from mcpi.pathfinding.comparison import Shares
from mcpi.pathfinding.finding import Found
from mcpi.spec.numbers import SIDES
from mcpi.spec.run_spec import RunSpec

MACHINE = "dec3000-600"
GRAPHS = {"udpecho": "examples/udpecho/udpecho.graph"}
PIN = {"variant": "pin", "peer_variant": "pin"}
CALLED = "chip_csr0_write"
GUARDED = {"defines": ("PIN_GUARD=1",)}


@cache
def found(stack: str) -> tuple[Path, list[Found]]:
    folder = Path(tempfile.mkdtemp())
    paths = finding.find(GRAPHS.get(stack, stack), MACHINE, {}, Bar())
    for one in paths:
        (folder / f"{one.name}.toml").write_text(one.text)
    return folder, paths


def ticks(stack: str, side: str, **given) -> float:
    """Ticks of an invocation of the path."""
    with tempfile.TemporaryDirectory() as out:
        spec = RunSpec(stack=GRAPHS.get(stack, stack), **given)
        _, result = api.perform(spec, Path(out) / "run", Bar())
    return getattr(result.steady, side).ticks


def shares(stack: str, side: str) -> Shares:
    one = next(f for f in found(stack)[1] if f.name in (stack, f"{stack}-{side}"))
    return comparison.compare(one, path_inline.PATHS / f"{one.name}.toml")[1]


def figure(name: str, stack: str, side: str) -> float | None:
    """A figure of a stack's side; None if the stack's path is refused."""
    try:
        path = str(found(stack)[0])
    except UserError:
        return None
    if name in ("tp_ratio", "tp_guarded"):
        more = GUARDED if name == "tp_guarded" else {}
        by_hand = ticks(stack, side, **PIN, **more)
        return ticks(stack, side, **PIN, **more, path=path) / by_hand
    if name in ("tp_over_out", "refused"):
        return ticks(stack, side, **PIN, path=path) / ticks(stack, side, variant="out")
    same = shares(stack, side)
    return {
        "functions": 100 * same.functions[1] / same.functions[0],
        "calls": 100 * same.calls[1] / same.calls[0],
        "extra_bytes": same.more_bytes,
        "missed_bytes": same.bytes[0] - same.bytes[1],
    }[name]


@contextmanager
def placed(stack: str) -> Iterator[None]:
    """Link PIN's images so that each section of data has its place in the D-cache by hand."""
    machine = profile.load(MACHINE, {})
    plain, size = images.linked, machine.parameters["dcache.size"]
    words = {}
    for side in SIDES:
        made = images.build(images.plan(machine, "pin", stack, role=side))
        there = Program(made.image).sections
        words[side] = [f"--defsym=DCACHE_BYTES={size:#x}"]
        for name in SECTIONS:
            at = there[name][0] % size
            words[side].append(f"--defsym=AT{name.replace('.', '_')}={at:#x}")

    def linked(made: images.Compiled, **layout) -> images.Plan:
        side = next(s for s in SIDES if s in made.folder.name)
        folder = made.folder.with_name(f"{made.folder.name}-placed")
        flags = (*made.link_flags, *words[side])
        return plain(replace(made, folder=folder, link_flags=flags), **layout)

    with patch.object(images, "linked", linked):
        yield


@cache
def calling(stack: str, function: str) -> str:
    """The found paths, in which this function stays a call."""
    folder = Path(tempfile.mkdtemp())
    for one in found(stack)[1]:
        text = re.sub(rf'\n *"[^"]*: {function}",', "", one.text)
        assert text != one.text, f"{function} is not found"
        (folder / f"{one.name}.toml").write_text(text)
    return str(folder)


def explain() -> None:
    """T_p of RPC's paths, found over by hand, with what differs made alike."""
    folders = {"": str(found("rpc")[0]), ", a call of chip_csr0_write": calling("rpc", CALLED)}
    with placed("rpc"):
        for also, folder in folders.items():
            for side in SIDES:
                ratio = ticks("rpc", side, **PIN, path=folder) / ticks("rpc", side, **PIN)
                print(f"rpc     {side} with data at the same places{also:<36} {ratio:12.3f}")


def main() -> None:
    with (ROOT / "docs" / "data" / "path-predictions.csv").open() as stream:
        rows = [row for row in csv.DictReader(stream) if not row["figure"].startswith("false_")]
    for row in rows:
        if sys.argv[1:] and row["stack"] not in sys.argv[1:]:
            continue
        came = figure(row["figure"], row["stack"], row["side"])
        if came is None:
            holds, shown = row["figure"] == "refused", "refused"
        else:
            holds = bool(row["least"]) and float(row["least"]) <= came <= float(row["most"])
            shown = f"{came:.3f}"
        bounds = f"{row['least']} to {row['most']}" if row["least"] else "refused"
        words = f"{row['stack']:<7} {row['side']} {row['prediction']:<48} {bounds:<12}"
        print(f"{words} {shown:>7}  {'holds' if holds else 'FAILS'}")
    if not sys.argv[1:] or "rpc" in sys.argv[1:]:
        explain()


if __name__ == "__main__":
    main()
