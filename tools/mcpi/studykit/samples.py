# SPDX-License-Identifier: BSD-2-Clause
"""Samples of a study: the study as one link order, seed or boot has it. A claim's figure is
computed of each sample."""

from collections.abc import Iterable
from dataclasses import dataclass

from mcpi.batch.plan import IN_ORDERS, ORDERS, RESULTS
from mcpi.studykit.measured import Measured

ONE = "one: "  # in the column `over` of claims.csv: the figure has one sample, with the reason


@dataclass(frozen=True)
class Samples:
    """``title``: what differs between the samples. ``views``: the study as each sample has it; none
    if it was not varied. ``about``: a sentence on how they are drawn, and the option for their
    number."""

    title: str
    views: tuple[Measured, ...]
    about: str


def of_orders(study: Measured, parts: Iterable[str] = ()) -> Samples:
    """A sample for each link order: every result as it is in that order, and the ``parts`` of the
    record likewise. A version without that order is not in the sample."""
    there = study.of(ORDERS) or {}
    names = dict.fromkeys(n for where in there.values() for v in where.values() for n in v)
    views = tuple(_in_order(study, name, parts) for name in names)
    about = (
        f"Link orders: {len(names)}, drawn by seeds 1 and up, each with initial phases by a seed "
        "of its own. --shuffles changes how many."
    )
    return Samples("link orders", views, about)


def _in_order(study: Measured, name: str, parts: Iterable[str]) -> Measured:
    results: dict[str, dict] = {}
    for where, versions in (study.of(ORDERS) or {}).items():
        for variant, orders in versions.items():
            own = study.result(where, variant)
            if own and name in orders:
                results.setdefault(where, {})[variant] = overlaid(own, orders[name])
    varied = {part: study.of(IN_ORDERS, part, name) or {} for part in parts}
    return Measured({**study.record, RESULTS: results, **varied})


def overlaid(result: dict, one: dict) -> dict:
    """A result with the figures of a single run laid over it; what that run does not measure, such
    as iCPI and the size of the code, stays."""
    trip = {k: v for k, v in result["round_trip"].items() if not k.startswith("sample")}
    path = result["steady"]["client"]
    path = path | {k: one[k] for k in ("time_us", "cpi", "instructions", "owners")}
    path |= {"ticks": one["cpi"] * one["instructions"], "mcpi": one["cpi"] - path["icpi"]}
    for cache, misses in (("icache", "i_misses"), ("bcache", "b_misses")):
        if cache in path:
            path[cache] = path[cache] | {"misses": one[misses]}
    found = {k: v for k, v in result.items() if k not in ("layout_noise", "path_time", "replay")}
    found |= {k: one[k] for k in ("breakdown_us", "wire_us", "replay") if k in one}
    found["round_trip"] = trip | {"mean_us": one["mean_us"]}
    return found | {"steady": result["steady"] | {"client": path}}
