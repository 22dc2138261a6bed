# SPDX-License-Identifier: BSD-2-Clause
"""The figures that claims and predictions are judged by. ``where``: a key of results, ``plan.at``;
``Missing`` says what was not measured."""

from mcpi.machine.profile import load
from mcpi.studies.slides.plan import FAST_WIRE, LATENCY, NEW, OLD, at
from mcpi.studykit.claims import Figure, Missing, Unjudged
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import Get, client, te, tp

INSTRUCTIONS = ("i_demand", "i_stream", "refill_restart")  # owners: none is there to issue
DATA = ("d_miss", "memory_port", "write_buffer_full", "barrier")


def of(study: Measured, where: str, variant: str, get: Get) -> float:
    """A figure of a result."""
    found = study.result(where, variant)
    if found is None:
        raise Missing(f"{variant.upper()} at {where}: {study.why(variant)}")
    return get(found)


def cold(result: dict) -> float:
    """µs of the client's path from empty caches."""
    return result["cold"]["client"]["time_us"]


def memory_share(result: dict) -> float:
    """Per cent of CPI that is mCPI."""
    path = result["steady"]["client"]
    return 100 * path["mcpi"] / path["cpi"]


def waits(result: dict, owners: tuple[str, ...]) -> float:
    """Ticks of the client's path that these owners have."""
    return sum(result["steady"]["client"]["owners"].get(owner, 0) for owner in owners)


def instruction_share(result: dict) -> float:
    return 100 * waits(result, INSTRUCTIONS) / result["steady"]["client"]["ticks"]


def processing_share(result: dict) -> float:
    """Per cent of a round trip in which a processor works for it, at either end."""
    parts = result["breakdown_us"]
    return 100 * sum(parts[k] for k in ("client_send", "server", "client_receive")) / te(result)


def plain(get: Get) -> Figure:
    return lambda study, where, variant: of(study, where, variant, get)


def ratio(get: Get) -> Figure:
    """Ratio of a version over another."""
    return lambda s, where, over, under: of(s, where, over, get) / of(s, where, under, get)


def gap_ratio(study: Measured, stack: str, *versions: str) -> float:
    """How much more a step brings on the new machine than on the old one."""
    one, other = (ratio(tp)(study, at(machine, stack), *versions) for machine in (NEW, OLD))
    return one / other


def share_ratio(study: Measured, stack: str, variant: str) -> float:
    """Processing's share at the fast wire over the one at the paper's."""
    fast, slow = (plain(processing_share)(study, at(w, stack), variant) for w in (FAST_WIRE, OLD))
    return fast / slow


def order_range(study: Measured, where: str, variant: str) -> float:
    """From the fastest link order to the slowest, per cent of the median T_p."""
    noise = of(study, where, variant, lambda result: result.get("layout_noise"))
    if noise is None:
        raise Missing("no link orders were measured")
    times = noise["time_us"]
    return 100 * (times["max"] - times["min"]) / times["median"]


def line(study: Measured, stack: str, variant: str, key: str) -> tuple[float, float]:
    """T_p by a latency, both in ticks, as a straight line of least squares: its slope, and how far
    its worst point lies off, per cent."""
    points = []
    for name, one in (study.of(LATENCY, stack, variant) or {}).items():
        if name.startswith(f"{key}="):
            points.append((float(name.partition("=")[2]), one["cpi"] * one["instructions"]))
    if not points:
        raise Missing(f"{variant.upper()} by {key}: not measured")
    own = of(study, at(OLD, stack), variant, client("ticks"))
    points.append((float(load(OLD).parameters[key]), own))
    across, up = (sum(values) / len(points) for values in zip(*points))
    slope = sum((x - across) * (y - up) for x, y in points) / sum(
        (x - across) ** 2 for x, _ in points
    )
    return slope, max(abs(100 * (up + slope * (x - across) - y) / y) for x, y in points)


def line_error(study: Measured, where: str, variant: str) -> float:
    stack, key = where.split()
    return line(study, stack, variant, key)[1]


def more_percent(study: Measured, stack: str, variant: str, setting: str) -> float:
    """Cost of a setting of the old machine, in percent of T_p."""
    one = study.of(LATENCY, stack, variant, setting)
    if one is None:
        raise Missing(f"{variant.upper()} with {setting}: not measured")
    return 100 * (one["time_us"] / of(study, at(OLD, stack), variant, client("time_us")) - 1)


def translation_percent(study: Measured, stack: str, variant: str) -> float:
    """Cost of the old machine's TLBs, in percent of T_p."""
    return more_percent(study, stack, variant, "core.translation=tlb")


def no_prefetch(study: Measured, stack: str, base: str, best: str) -> float:
    """How much more it costs ``best`` to do without the stream buffer."""
    costs = [more_percent(study, stack, v, "icache.prefetch=off") for v in (best, base)]
    return costs[0] - costs[1]


def unjudged(why: str) -> Figure:
    def figure(*_) -> float:
        raise Unjudged(why)

    return figure


FIGURES: dict[str, Figure] = {
    "cold": plain(cold),
    "gap_ratio": gap_ratio,
    "i_misses": plain(client("icache", "misses")),
    "instruction_share": plain(instruction_share),
    "instruction_side": plain(lambda r: waits(r, INSTRUCTIONS) / waits(r, DATA)),
    "line_error": line_error,
    "memory_share": plain(memory_share),
    "no_prefetch": no_prefetch,
    "order_range": order_range,
    "processing_share": plain(processing_share),
    "production_stack": unjudged("no production stack"),
    "share_ratio": share_ratio,
    "te": plain(te),
    "tp": plain(tp),
    "tp_ratio": ratio(tp),
    "translation_percent": translation_percent,
}
