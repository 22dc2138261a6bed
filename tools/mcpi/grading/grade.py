# SPDX-License-Identifier: BSD-2-Clause
"""Grade a hand-in: perform the lab's runs with it, and judge each part."""

from dataclasses import dataclass
from pathlib import Path

from mcpi.base import time_limit
from mcpi.base.errors import RunError, UserError
from mcpi.grading import figures, hand_in, outputs, runs
from mcpi.grading.lab import Lab, Part
from mcpi.grading.runs import Ended


@dataclass(frozen=True)
class Judged:
    """A part of a lab, its points, and words for the student."""

    part: Part
    points: float
    words: str


@dataclass(frozen=True)
class Grade:
    """Points of a hand-in, part by part. ``words``: why a run failed, if a run did."""

    name: str
    lab: Lab
    parts: tuple[Judged, ...]
    words: str = ""

    @property
    def points(self) -> float:
        return sum(one.points for one in self.parts)


def grade(lab: Lab, place: Path, seconds: float) -> Grade:
    """Grade of the hand-in in ``place``, whose fault ends no other's. ``seconds`` of this computer
    are given to all its runs."""
    title = place.resolve().name
    try:
        handed = hand_in.read(lab, place)
        hand_in.check_machine(lab, handed)
    except UserError as error:
        none = tuple(Judged(part, 0, "not graded; the reason stands above.") for part in lab.part)
        return Grade(title, lab, none, str(error))
    ended: dict[str, Ended] = {}
    late = f"all runs together have not ended after {seconds:g} s of this computer."
    try:
        with time_limit.limit(seconds, late):
            for part in lab.part:
                if part.run not in ended:
                    ended[part.run] = runs.performed(lab, part.run, handed)
    except RunError:
        for part in lab.part:
            ended.setdefault(part.run, Ended({}, {}, "", late))
    judged: list[Judged] = []
    for part in lab.part:
        judged.append(_judged(lab, part, ended[part.run], judged))
    failed = [f"run {name}: {one.why}" for name, one in ended.items() if one.why]
    return Grade(title, lab, tuple(judged), "\n".join(failed))


def _judged(lab: Lab, part: Part, ended: Ended, before: list[Judged]) -> Judged:
    lost = [one.part.name for one in before if one.part.name in part.needs and not one.points]
    if ended.why:
        return Judged(part, 0, f"run {part.run} failed; its words stand above.")
    if part.output:
        wrong = outputs.differs(ended.console, outputs.expected(lab, part))
    elif part.value or part.counter:
        good, words = figures.bounded(part, figures.value(part, ended))
        if lost:
            return Judged(part, 0, f"{words} No points without those of: {', '.join(lost)}.")
        return Judged(part, part.points if good else 0, words)
    else:
        wrong = ""
    if lost:
        return Judged(part, 0, f"No points without those of: {', '.join(lost)}.")
    return Judged(part, 0 if wrong else part.points, wrong or "as it should be.")
