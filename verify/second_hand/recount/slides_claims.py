# SPDX-License-Identifier: BSD-2-Clause
"""Figures of the slides' claims and predictions, by their names in the CSV files."""

import statistics
from collections.abc import Callable

from verify.second_hand.recount import raw
from verify.second_hand.recount.claims import Figures, Missing
from verify.second_hand.recount.run import Run

NEW, OLD = "alpha-300", "dec3000-600"
INSTRUCTIONS = ("i_demand", "i_stream", "refill_restart")
DATA = ("d_miss", "memory_port", "write_buffer_full", "barrier")
Get = Callable[[Run], float]


def owned(run: Run, owners: tuple[str, ...]) -> float:
    return run.each(*(f"owner.{owner}" for owner in owners))


def cold(run: Run) -> float:
    count = raw.counts(run.place / "cold")
    return count["ticks"] / count["invocations"] / run.per_us


def processing(run: Run) -> float:
    """Per cent of a round trip in which a processor works for it."""
    names = ("down", "server", "up")
    return 100 * sum(run.legs[name] for name in names) / run.te


def of(study, line: Callable) -> Figures:
    """``study``, ``line``: of ``recount.slides``."""

    def one(where: str, version: str) -> Run:
        place, _, stack = where.rpartition(" ")
        run = study.of(place, stack, version) or study.wire(place, stack, version)
        if not run:
            raise Missing
        return run

    def plain(get: Get) -> Callable:
        return lambda where, version: get(one(where, version))

    def tp_ratio(where: str, a: str, b: str) -> float:
        return one(where, a).tp / one(where, b).tp

    def gap_ratio(stack: str, a: str, b: str) -> float:
        return tp_ratio(f"{NEW} {stack}", a, b) / tp_ratio(f"{OLD} {stack}", a, b)

    def share_ratio(stack: str, version: str) -> float:
        fast = processing(one(f"100 ideal {stack}", version))
        return fast / processing(one(f"{OLD} {stack}", version))

    def order_range(where: str, version: str) -> float:
        place, _, stack = where.rpartition(" ")
        times = [run.tp for run in study.orders(place, stack, version)]
        if not times:
            raise Missing
        return 100 * (max(times) - min(times)) / statistics.median(times)

    def line_error(where: str, version: str) -> float:
        stack, key = where.split()
        found = line(study, stack, version, key)
        if not found:
            raise Missing
        return found[1]

    def more(stack: str, version: str, setting: str) -> float:
        """Per cent that a setting of the old machine adds to T_p."""
        key, value = setting.split("=")
        run = study.varied(stack, version, key).get(value)
        if not run:
            raise Missing
        return 100 * run.tp / one(f"{OLD} {stack}", version).sample_paths[0] - 100

    off = "icache.prefetch=off"
    return {
        "cold": plain(cold),
        "gap_ratio": gap_ratio,
        "i_misses": plain(lambda run: run.each("icache.misses")),
        "instruction_share": plain(lambda run: 100 * owned(run, INSTRUCTIONS) / run.each("ticks")),
        "instruction_side": plain(lambda run: owned(run, INSTRUCTIONS) / owned(run, DATA)),
        "line_error": line_error,
        "memory_share": plain(lambda run: 100 * run.mcpi / run.cpi),
        "no_prefetch": lambda stack, base, best: more(stack, best, off) - more(stack, base, off),
        "order_range": order_range,
        "processing_share": plain(processing),
        "share_ratio": share_ratio,
        "te": plain(lambda run: run.te),
        "tp": plain(lambda run: run.tp),
        "tp_ratio": tp_ratio,
        "translation_percent": lambda stack, v: more(stack, v, "core.translation=tlb"),
    }
