#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Found paths beside those by hand, and what was predicted (docs/explanation/paths.md).

PYTHONPATH=tools python3 bench/path_find.py [stack...]

For each row of docs/data/path-predictions.csv of these stacks: the figure as it came out. False
accepts are counted by firmware/test/paths/test_path_find.py, and are no rows of it.
"""

import csv
import sys
import tempfile
from functools import cache
from pathlib import Path

from mcpi import api
from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.base.repo import ROOT
from mcpi.firmware import path_inline
from mcpi.pathfinding import comparison, finding
from mcpi.pathfinding.comparison import Shares
from mcpi.pathfinding.finding import Found
from mcpi.spec.run_spec import RunSpec

MACHINE = "dec3000-600"
GRAPHS = {"udpecho": "examples/udpecho/udpecho.graph"}
PIN = {"variant": "pin", "peer_variant": "pin"}
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
    if name == "refused":
        try:
            found(stack)
        except UserError:
            return None
        return 0
    path = str(found(stack)[0])
    if name in ("tp_ratio", "tp_guarded"):
        more = GUARDED if name == "tp_guarded" else {}
        by_hand = ticks(stack, side, **PIN, **more)
        return ticks(stack, side, **PIN, **more, path=path) / by_hand
    if name == "tp_over_out":
        return ticks(stack, side, **PIN, path=path) / ticks(stack, side, variant="out")
    same = shares(stack, side)
    return {
        "functions": 100 * same.functions[1] / same.functions[0],
        "calls": 100 * same.calls[1] / same.calls[0],
        "extra_bytes": same.more_bytes,
        "missed_bytes": same.bytes[0] - same.bytes[1],
    }[name]


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
            holds, shown = float(row["least"]) <= came <= float(row["most"]), f"{came:.3f}"
        bounds = f"{row['least']} to {row['most']}" if row["least"] else "refused"
        words = f"{row['stack']:<7} {row['side']} {row['prediction']:<48} {bounds:<12}"
        print(f"{words} {shown:>7}  {'holds' if holds else 'FAILS'}")


if __name__ == "__main__":
    main()
