# SPDX-License-Identifier: BSD-2-Clause
"""Reason of a claim's figure: the owner whose ticks for a packet differ most between the two points
that the figure compares."""

from collections import Counter

from mcpi.studies.osdi94.figures import measured, peak, runs
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured

Place = tuple[str, int]  # a curve's key, processors


def per_packet(study: Measured, place: Place, part: str = "owners") -> dict[str, float]:
    """Ticks of all processors for a packet, by owner, or by another ``part`` of the records."""
    all_ = runs(study, *place)
    ticks: Counter[str] = Counter()
    for run in all_:
        ticks.update(run[part])
    packets = sum(sum(run["packets"]) for run in all_)
    return {name: n / packets for name, n in ticks.items()}


def _at_work(study: Measured, place: Place) -> dict[str, float]:
    """Ticks by owner without those in which a processor waits for TCP's state: what it waits in is
    a loop, whose owners say nothing."""
    every, waiting = (per_packet(study, place, part) for part in ("owners", "waiting"))
    return {name: ticks - waiting.get(name, 0) for name, ticks in every.items()}


def compared(study: Measured, figure: str, words: list[str]) -> tuple[Place, Place]:
    """The point that a claim starts from, and the one it comes to."""
    curves = [word for word in words if not word.isdigit()]
    counts = [int(word) for word in words if word.isdigit()]
    if figure == "ratio":
        return (curves[0], counts[1]), (curves[0], counts[0])
    there = measured(study, curves[0])
    last = counts[0] if counts else max(there)
    if figure == "repaired":
        return (curves[0], last), (curves[1], last)
    if len(curves) == 2:
        both = [n for n in measured(study, curves[1]) if n in there]
        last = last if counts else max(both)
        return (curves[1], last), (curves[0], last)
    first = int(peak(study, "", curves[0])) if figure in ("peak", "fall") else min(there)
    return (curves[0], first), (curves[0], last)


def reason(study: Measured, figure: str, versions: str) -> str:
    """Owner and change of ticks for a packet, as ``d_miss +1200``; empty if a point was not
    measured, or the claim cannot be judged."""
    if figure == "unwired":
        return ""
    try:
        before, after = (_at_work(study, p) for p in compared(study, figure, versions.split()))
    except Missing:
        return ""
    change = {owner: after.get(owner, 0) - n for owner, n in before.items()}
    most = max(change, key=lambda owner: abs(change[owner]))
    return f"{most} {change[most]:+.0f}"
