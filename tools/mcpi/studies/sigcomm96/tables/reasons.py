# SPDX-License-Identifier: BSD-2-Clause
"""Tables that vary what a difference from the paper is put down to: the loads of call addresses,
the split of the controller's time; and throughput, of which the paper has a sentence."""

import statistics

from mcpi.batch.plan import IN_ORDERS
from mcpi.papers import sigcomm96 as published
from mcpi.papers.sigcomm96 import STACKS
from mcpi.papers.tables import row
from mcpi.studies.sigcomm96.plan import KEPT, ORDER, SPLIT, STREAM, STUDIED
from mcpi.studies.sigcomm96.tables.common import VERSIONS, difference, filled, made
from mcpi.studies.sigcomm96.tables.paper import IMPROVEMENTS, LENGTH, STEPS, gains
from mcpi.studykit.cell import Cell, Row, Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import te, tp

BYTES = {"tcp": 1460, "rpc": 4096}  # of a stream's message: apps/tcptest, apps/xrpctest


def kept(study: Measured) -> Table:
    """Table 8's steps to cloned versions, whose copies leave out the loads of call addresses, or
    keep them."""
    rows = []
    for stack, title in STACKS.items():
        for step in STEPS:
            other = tuple(KEPT.get(version, version) for version in step)
            if other == step:
                continue
            theirs = row(IMPROVEMENTS, transition="->".join(v.upper() for v in step))
            before, after = (published.path(stack, v)["instructions"] for v in step)
            for loads, own in (("left out", step), ("kept", other)):
                cells = gains(study, stack, own, theirs)
                cells = {key.removeprefix(f"{stack}_"): one for key, one in cells.items()}
                fewer = difference(study, stack, own, LENGTH)
                cells["length"] = Cell(fewer.ours, before - after, fewer.why)
                rows.append(Row((title, " → ".join(v.upper() for v in step), loads), cells))
    return made("kept", rows)


Line = tuple[float, float, float]  # T_e at no T_p, slope, correlation


def line(points: list[tuple[float, float]]) -> Line:
    """The straight line through points (T_p, T_e)."""
    x, y = zip(*points)
    slope, start = statistics.linear_regression(x, y)
    return start, slope, statistics.correlation(x, y)


def lines(study: Measured) -> Table:
    """T_e as a straight line of T_p, the paper's and ours."""
    rows = []
    for stack, title in STACKS.items():
        ways = {
            "all": (VERSIONS, _point),
            "but BAD": (VERSIONS[1:], _point),
            "all, another split": (VERSIONS, _split),
        }
        for name, (versions, point) in ways.items():
            theirs = line([_printed(stack, v) for v in versions])
            points = [point(study, stack, v) for v in versions]
            ours = line(points) if all(points) else (None,) * 3
            cells = {
                key: Cell(a, b, "" if a is not None else "not measured")
                for key, a, b in zip(("start_us", "slope", "r"), ours, theirs, strict=True)
            }
            rows.append(Row((title, name), cells))
    return made("lines", rows)


def _point(study: Measured, stack: str, version: str) -> tuple[float, float] | None:
    result = study.result(stack, version)
    return result and (tp(result), te(result))


def _split(study: Measured, stack: str, version: str) -> tuple[float, float] | None:
    one = study.result(stack, version) and study.of(SPLIT, stack, version)
    return one and (one["time_us"], one["mean_us"])


def _printed(stack: str, version: str) -> tuple[float, float]:
    of = stack, version
    return published.path(*of)["time_us"], published.round_trip(*of)["mean_us"]


def mbps(stack: str, one: dict) -> float:
    """Mb/s of a stream: a message's bits over the time from one to the next."""
    return 8 * BYTES[stack] / one["mean_us"]


def _in_orders(study: Measured, stack: str, variant: str) -> list[dict]:
    orders = (study.of(IN_ORDERS, STREAM) or {}).values()
    return [one for order in orders if (one := order.get(stack, {}).get(variant))]


def streams(study: Measured) -> Table:
    """Throughput of every version, with its range over link orders."""
    rows = []
    for stack, title in STACKS.items():
        for variant in (v for v in STUDIED[stack] if v in ORDER):
            found, one = {}, study.result(stack, variant) and study.of(STREAM, stack, variant)
            if one:
                found = {"mbps": mbps(stack, one), "tp_us": one["time_us"]}
            if one and (rates := [mbps(stack, one) for one in _in_orders(study, stack, variant)]):
                found |= {"median": statistics.median(rates), "low": min(rates), "high": max(rates)}
            rows.append(Row((title, variant.upper()), filled("streams", found, "not measured")))
    return made("streams", rows)
