# SPDX-License-Identifier: BSD-2-Clause
"""Anatomy of the locks: how long one waits, holds, hands over; and what each kind costs."""

from collections.abc import Iterator

from mcpi.studies.osdi94.collect import SUMS, TIMES
from mcpi.studies.osdi94.figures import runs
from mcpi.studies.osdi94.plan import CHALLENGE, COUNTS, FEW, LOCKS, Curve, curves
from mcpi.studies.osdi94.words import WORDS, labels
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.measured import Measured

# The place that asks for a lock says which lock it is; what is not here is "other".
CLASSES = {
    "TCP's state": ("tcp_enter", "lock_half", "is_decided"),
    "TCP's headers": ("tcp_demux", "tcp_send_piece", "send"),
    "TCP's queues": ("tcp_push", "new_ack", "tcp_take_piece", "tcp_data_input"),
    "maps": ("map_find", "map_bind", "map_unbind", "map_for_each"),
    "application": ("demux",),
    "heap": ("xk_allocate", "xk_free", "xk_allocate_several", "xk_free_several"),
    "counts": ("ref_up", "ref_down", "ref_add", "ref_locked_add"),
}
LOOKED_INTO = ("", "mcs", "two", "six", "each", "spread")
FIRST_BITS, LAST_BITS = 6, 16  # of the histograms: below 64 ticks, …, from 32,768 on


def class_of(function: str) -> str:
    return next((name for name, askers in CLASSES.items() if function in askers), "other")


def locks_of(study: Measured, curve: Curve, cores: int) -> tuple[dict[str, dict], list[dict]]:
    """By class: the sums over all runs; and the runs."""
    all_ = runs(study, curve.key, cores)
    found: dict[str, dict] = {}
    for run in all_:
        for asker, lock in run.get("locks", {}).items():
            name = asker if curve.stack == LOCKS else class_of(asker)
            _add(found.setdefault(name, {}), lock)
    return found, all_


def _add(to: dict, lock: dict) -> None:
    for key in SUMS:
        to[key] = to.get(key, 0) + lock[key]
    to["span"] = to.get("span", 0) + lock["last"] - lock["first"]
    for key in TIMES:
        own, more = to.setdefault(key, {"count": 0, "ticks": 0, "bits": {}}), lock[key]
        own["count"] += more["count"]
        own["ticks"] += more["ticks"]
        for bit, count in enumerate(more["bits"]):
            own["bits"][bit] = own["bits"].get(bit, 0) + count


def _mean(time: dict) -> float | None:
    return time["ticks"] / time["count"] if time["count"] else None


def _looked_into(study: Measured) -> Iterator[tuple[Curve, int]]:
    for curve in curves():
        usual = curve.stack != LOCKS and curve.machine == CHALLENGE and curve.way in LOOKED_INTO
        for n in FEW[1::2] if usual else ():
            if study.of("results", f"{curve.key}-{n}"):
                yield curve, n


def anatomy(study: Measured) -> Table:
    rows = []
    for curve, n in _looked_into(study):
        found, all_ = locks_of(study, curve, n)
        packets = sum(sum(run["packets"]) for run in all_)
        ticks = sum(run["ticks"] for run in all_) * n
        for name, lock in found.items():
            taken = lock["wait"]["count"]
            if taken < packets / 10:
                continue
            cells = {
                "takes": Cell(taken / packets),
                "taken": Cell(100 * (1 - lock["free"] / taken)),
                "wait": Cell(_mean(lock["wait"])),
                "hold": Cell(_mean(lock["hold"])),
                "hand_over": Cell(_mean(lock["hand_over"]), why="nobody waited"),
                "overtaken": Cell(lock["overtaken"] / taken),
                "share": Cell(100 * lock["wait"]["ticks"] / ticks),
            }
            rows.append(Row((*labels(curve)[1:], str(n), name), cells))
    return WORDS.table("anatomy", rows)


def histograms(study: Measured) -> Table:
    """Percent of waits, holds and hand-overs by how long they are, on most processors."""
    last = dict(_looked_into(study))
    rows = []
    for curve, n in last.items():
        found, all_ = locks_of(study, curve, n)
        packets = sum(sum(run["packets"]) for run in all_)
        for name, lock in found.items():
            if lock["wait"]["count"] < packets / 10:
                continue
            for time in TIMES[:3]:
                rows.append(_histogram((*labels(curve)[1:], str(n), name), time, lock[time]))
    bits = range(FIRST_BITS, LAST_BITS + 1)
    columns = tuple(Column(f"b{b}", _from(b), 0) for b in bits)
    return WORDS.table("histograms", [row for row in rows if row], columns)


def _from(bits: int) -> str:
    return "0" if bits == FIRST_BITS else f"{1 << bits - 1:,}"


def _histogram(about: tuple[str, ...], time: str, found: dict) -> Row | None:
    if not found["count"]:
        return None
    sums = dict.fromkeys(range(FIRST_BITS, LAST_BITS + 1), 0)
    for bit, count in found["bits"].items():
        sums[min(max(bit, FIRST_BITS), LAST_BITS)] += count
    cells = {f"b{bit}": Cell(100 * n / found["count"]) for bit, n in sums.items()}
    return Row((*about, WORDS.about["times"][time]), cells)


def kinds(study: Measured) -> Table:
    """Table of the cost of a lock: for one processor alone, and for all that count under it."""
    rows = []
    for curve in curves():
        there = [n for n in COUNTS if study.of("results", f"{curve.key}-{n}")]
        if curve.stack != LOCKS or not there:
            continue
        by_count = {n: locks_of(study, curve, n)[0] for n in there}
        for kind, alone in by_count[there[0]].items():
            most = by_count[there[-1]][kind]
            cells = {
                "take": Cell(alone["free_ticks"] / alone["free"] if alone["free"] else None),
                "release": Cell(_mean(alone["release"])),
                "hand_over": Cell(_mean(most["hand_over"]), why="nobody waited"),
                "overtaken": Cell(most["overtaken"] / most["wait"]["count"]),
            }
            for n, found in by_count.items():
                cells[f"p{n}"] = Cell(found[kind]["span"] / found[kind]["hold"]["count"])
            rows.append(Row((curve.machine, WORDS.about["kinds_of_lock"][kind]), cells))
    return WORDS.table("kinds", rows)


def cost(study: Measured, curve: str, kind: str) -> float:
    """Ticks to take and release a lock that nobody else wants."""
    lock = runs(study, curve, 1)[0]["locks"][kind]
    return lock["free_ticks"] / lock["free"] + lock["release"]["ticks"] / lock["release"]["count"]


def dearer(study: Measured, _: str, machine: str, kind: str, other: str) -> float:
    """A kind's cost over another's, one processor alone."""
    curve = next(c.key for c in curves() if c.machine == machine and c.stack == LOCKS)
    return cost(study, curve, kind) / cost(study, curve, other)
