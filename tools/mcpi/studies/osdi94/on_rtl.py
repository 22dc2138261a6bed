# SPDX-License-Identifier: BSD-2-Clause
"""A part of the study once more on the RTL: every counter of every processor must be the exact
engine's."""

import json
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.base.process import Stop, side_by_side
from mcpi.base.progress import Bar
from mcpi.build import graph, models
from mcpi.firmware import images, parallel
from mcpi.results import folders
from mcpi.studies.osdi94.plan import CHALLENGE, COUNTS, LOCKS, POWER, WAYS, Curve, Point
from mcpi.studies.osdi94.run import Run, ended, of

PACKETS, WARMUP = 3, 1

# Each number of processors, each side and stack, each structure of TCP's locks, the sync bus.
PART = [Point(Curve(CHALLENGE, "tcp", "receive"), n) for n in COUNTS]
PART += [
    Point(Curve(CHALLENGE, "udp", "send"), 2),
    Point(Curve(CHALLENGE, "udp", "receive"), 4),
    Point(Curve(CHALLENGE, "tcp", "send", "mcs"), 8),
    Point(Curve(CHALLENGE, "tcp", "receive", "two"), 4),
    Point(Curve(CHALLENGE, "tcp", "receive", "six"), 8),
    Point(Curve(CHALLENGE, LOCKS), 8),
    Point(Curve(POWER, "tcp", "receive", "sync"), 4),
]


def repeated(
    seed: int, out: Path, cores: int, bar: Bar, part: list[Point] = PART
) -> dict[str, str]:
    """How much, in words, and the RTL's digest, for the provenance. RunError if a counter, the
    number of ticks or what was printed differs."""
    stop, found, digests = Stop(), {}, set()
    todo = []
    for point in part:
        settings = WAYS[point.curve.way].settings | {"core.count": str(point.cores)}
        machine, wanted = of(point.curve, point.cores)
        image = images.build(parallel.plan(machine, wanted))
        program, node_json = graph.cores(point.curve.machine, settings, bar)
        digests.add(json.loads(node_json.read_text())["rtl_digest"])
        how = point, machine, image
        for name, engine, more in (
            ("exact", models.build("mcpi-exact"), []),
            ("rtl", program, ["--node-json", node_json]),
        ):
            todo.append((name, Run(*how, engine, PACKETS, WARMUP, seed), more))

    def one(item: tuple[str, Run, list]) -> None:
        name, run, more = item
        _lives(out / name / run.name, run, more, stop)

    with bar.task("on the RTL", len(todo)) as update:
        in_turn = sorted(todo, key=lambda item: -item[1].point.cores)
        side_by_side(one, in_turn, cores, stop, lambda n: update(n, len(todo), "runs"))
    for _, run, _ in todo[::2]:
        pair = (out / name / run.name for name in ("exact", "rtl"))
        for file, how in folders.differences(*pair, names=folders.ALONE).items():
            found[f"{run.name}, {file}"] = how
    said = f"{len(part)} points repeated on the RTL, {len(found)} differences"
    if found:
        lines = [f"{name}: {'; '.join(how)}" for name, how in found.items()]
        raise RunError("\n  ".join([f"{said}; the exact engine first, then the RTL:", *lines]))
    return {"repeated": said, "rtl_digest": " ".join(sorted(digests))}


def _lives(folder: Path, run: Run, more: list, stop: Stop) -> None:
    status, said = ended([*run.words(folder), *more], stop)
    if status:
        raise RunError(f"{folder}: {said[-1500:] or f'status {status}'}")
