# SPDX-License-Identifier: BSD-2-Clause
"""Tables of SIGCOMM'96's causes: loads of call addresses, the line of T_e over T_p, streams
(docs/explanation/results.md)."""

import math
import statistics

from verify.second_hand.recount.raw import Row
from verify.second_hand.recount.steps import (
    PAPERS,
    PREFIXES,
    TITLES,
    gained,
    printed,
    printed_gains,
)

BITS = {"tcp": 8 * 1460, "rpc": 8 * 4096}  # of a message, as the table's note says
STEPS = ("bad clo", "out clo", "pin all")  # of Table 8, those to a cloned version
Point = tuple[float, float]


def kept(study) -> dict:
    """``study``: of ``recount.sigcomm96``, as everywhere here."""
    rows = {}
    for stack, title in TITLES.items():
        for step in STEPS:
            before, after = step.split()
            theirs = printed_gains(stack, step)
            theirs["length paper"] = _length(stack, before) - _length(stack, after)
            ways = {"left out": step, "kept": f"{_keeping(before)} {_keeping(after)}"}
            for loads, own in ways.items():
                a, b = (study.runs[stack, version] for version in own.split())
                row = {**gained(study, stack, own), "length": a.length - b.length}
                rows[title, f"{before.upper()} → {after.upper()}", loads] = row | theirs
    return rows


def _keeping(version: str) -> str:
    return f"{version}keep" if version in ("bad", "clo", "all") else version


def _length(stack: str, version: str) -> float:
    return _printed(stack, version, "table7_processing_costs", "length")


def _printed(stack: str, version: str, table: str, column: str) -> float:
    return printed(table, f"{PREFIXES[stack]}_{column}", version=version.upper())


def line(points: list[Point]) -> tuple[float, float, float]:
    """Least squares: where it starts, how it rises, and the correlation."""
    middle = [sum(point[n] for point in points) / len(points) for n in (0, 1)]
    xx, xy, yy = (
        sum((p[a] - middle[a]) * (p[b] - middle[b]) for p in points)
        for a, b in ((0, 0), (0, 1), (1, 1))
    )
    return middle[1] - xy / xx * middle[0], xy / xx, xy / math.sqrt(xx * yy)


def lines(study) -> dict:
    rows = {}
    every = PAPERS["rpc"]
    ways = {
        "all": (every, ""),
        "but BAD": ([v for v in every if v != "bad"], ""),
        "all, another split": (every, "-split"),
    }
    for stack, title in TITLES.items():
        for name, (versions, suffix) in ways.items():
            runs = [study.other(f"{stack}-{version}{suffix}") for version in versions]
            found = line([(run.tp, run.te) for run in runs]) if all(runs) else (None,) * 3
            theirs = line([_of_paper(stack, version) for version in versions])
            row: Row = dict(zip(("start_us", "slope", "r"), found, strict=True))
            of_paper = zip(("start_us paper", "slope paper", "r paper"), theirs, strict=True)
            rows[title, name] = row | dict(of_paper)
    return rows


def _of_paper(stack: str, version: str) -> Point:
    x = _printed(stack, version, "table7_processing_costs", "Tp_us")
    return x, _printed(stack, version, "table4_roundtrip_latency", "Te_us")


def stream(study, stack: str, version: str) -> float | None:
    """Mb/s, a bit in a microsecond."""
    run = study.other(f"{stack}-{version}-stream")
    return BITS[stack] / run.te if run else None


def streams(study) -> dict:
    rows = {}
    for stack, versions in PAPERS.items():
        for version in versions:
            name = f"{stack}-{version}-stream"
            if not (run := study.other(name)):
                continue
            row: Row = {"mbps": stream(study, stack, version), "tp_us": run.tp}
            if rates := [BITS[stack] / order.te for order in study.orders(name)]:
                row |= {"median": statistics.median(rates)}
                row |= {"low": min(rates), "high": max(rates)}
            rows[TITLES[stack], version.upper()] = row
    return rows
