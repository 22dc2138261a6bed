# SPDX-License-Identifier: BSD-2-Clause
"""Grade a hand-in: perform the lab's runs with it, and judge each part."""

import json
import re
import subprocess
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from mcpi.api import single_run
from mcpi.api.finished_program import ProgramRun
from mcpi.base import process, time_limit
from mcpi.base.errors import RunError, UserError, nearest
from mcpi.base.repo import ROOT
from mcpi.firmware import compiler_words
from mcpi.grading import hand_in
from mcpi.grading.hand_in import HandIn
from mcpi.grading.lab import HOST, REFERENCE, Lab, Part
from mcpi.machine import counters
from mcpi.results import record

SHOWN = 5  # lines of what a failed run has printed
LONGEST = 200  # letters of a line that is shown
OWNER, OWNERS = "owner.", "owners"
HOSTS = ["gcc", "-w", "-O1", "-std=gnu11", "-ffp-contract=off"]
HOST_SECONDS = 60
BUILT = re.compile(r"\bbuild/\S*/")
STATUS = re.compile(r"it ended with status (\d+) and said nothing")
NOT_FOR_STUDENTS = ("again:", "the simulation failed", "the command was:", "files:")
_said: dict[tuple[Path, str, str], str] = {}  # of references, by lab, run and where


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


@dataclass(frozen=True)
class Ended:
    """A run that has ended: its record, its counters and what it printed; or why it failed."""

    record: dict
    counters: dict[str, int]
    console: str
    why: str = ""


def grade(lab: Lab, place: Path, seconds: float) -> Grade:
    """Grade of the hand-in in ``place``, whose fault ends no other's. ``seconds`` of this computer
    are given to all its runs."""
    name = place.resolve().name
    try:
        handed = hand_in.read(lab, place)
        hand_in.check_machine(lab, handed)
    except UserError as error:
        none = tuple(Judged(part, 0, "not graded; the reason stands above.") for part in lab.part)
        return Grade(name, lab, none, str(error))
    runs: dict[str, Ended] = {}
    late = f"all runs together have not ended after {seconds:g} s of this computer."
    try:
        with time_limit.limit(seconds, late):
            for part in lab.part:
                if part.run not in runs:
                    runs[part.run] = _performed(lab, part.run, handed)
    except RunError:
        for part in lab.part:
            runs.setdefault(part.run, Ended({}, {}, "", late))
    judged: list[Judged] = []
    for part in lab.part:
        judged.append(_judged(lab, part, runs[part.run], judged))
    failed = [f"run {run}: {ended.why}" for run, ended in runs.items() if ended.why]
    return Grade(name, lab, tuple(judged), "\n".join(failed))


def _performed(lab: Lab, name: str, handed: HandIn) -> Ended:
    with tempfile.TemporaryDirectory(prefix="mcpi-grade-") as folder:
        try:
            place, result = single_run.perform(lab.spec(name, handed.files), Path(folder) / "run")
        except (UserError, RunError) as error:
            words = _for_students(str(error), handed, lab, folder)
            return Ended({}, {}, "", words + _left(Path(folder)))
        found = json.loads((place / "counters.json").read_text())
        nodes = found["cores"] if "cores" in found else found["nodes"][:1]
        totals: dict[str, int] = {}
        for node in nodes:
            for key, count in node["all"].items():
                totals[key] = totals.get(key, 0) + count
        return Ended(record.plain(result), totals, ProgramRun(place, result).console)


def _left(folder: Path) -> str:
    """Words for what the first machine of a failed run had printed; empty if it had nothing."""
    consoles = sorted(folder.glob("*/console*.txt"))
    text = consoles[0].read_text(errors="replace").strip() if consoles else ""
    lines = [line[:LONGEST] for line in text.splitlines()[-SHOWN:]]
    return "\n".join(["", "the last that it printed:", *lines]) if lines else ""


def _for_students(words: str, handed: HandIn, lab: Lab, folder: str) -> str:
    """Words of an error without this computer's folders, commands, and how to repeat the run."""
    words = compiler_words.for_people(words).partition("\n  registers:")[0]
    for place in (handed.folder, lab.folder, Path(folder)):
        words = words.replace(f"{place}/", "")
        if place.is_relative_to(ROOT):
            words = words.replace(f"{place.relative_to(ROOT)}/", "")
    words = STATUS.sub(r"the program ended with exit code \1", BUILT.sub("", words))
    lines = [line.removeprefix("  ") for line in words.replace(f"{ROOT}/", "").splitlines()]
    return "\n".join(line for line in lines if not line.lstrip().startswith(NOT_FOR_STUDENTS))


def _judged(lab: Lab, part: Part, ended: Ended, before: list[Judged]) -> Judged:
    lost = [one.part.name for one in before if one.part.name in part.needs and not one.points]
    if ended.why:
        return Judged(part, 0, f"run {part.run} failed; its words stand above.")
    if part.output:
        wrong = _differs(ended.console, _expected(lab, part))
    elif part.value or part.counter:
        good, words = _bounded(part, _value(part, ended))
        if lost:
            return Judged(part, 0, f"{words} No points without those of: {', '.join(lost)}.")
        return Judged(part, part.points if good else 0, words)
    else:
        wrong = ""
    if lost:
        return Judged(part, 0, f"No points without those of: {', '.join(lost)}.")
    return Judged(part, 0 if wrong else part.points, wrong or "as it should be.")


def _expected(lab: Lab, part: Part) -> str:
    if part.output == HOST:
        return _of_host(lab, part.run)
    if part.output == REFERENCE:
        return _of_reference(lab, part.run)
    return (lab.folder / part.output).read_text()


def _of_reference(lab: Lab, run: str) -> str:
    """Output of the lab's reference in this run, on the simulated machine."""
    key = (lab.folder, run, REFERENCE)
    if key not in _said:
        ended = _performed(lab, run, hand_in.reference(lab))
        if ended.why:
            raise UserError(f"the lab's reference fails in run {run}: {ended.why}")
        _said[key] = ended.console
    return _said[key]


def _of_host(lab: Lab, run: str) -> str:
    """Output of the lab's reference on this computer."""
    key = (lab.folder, run, HOST)
    if key not in _said:
        spec = lab.spec(run, hand_in.reference(lab).files)
        with tempfile.TemporaryDirectory(prefix="mcpi-grade-") as folder:
            program = Path(folder) / "program"
            defines = [f"-D{define}" for define in spec.defines]
            done = process.heard([*HOSTS, *defines, *spec.sources, "-o", program, "-lm"])
            if done.returncode:
                raise UserError(f"the lab's reference, on this computer: {done.stderr.strip()}")
            text = Path(spec.stdin).read_text() if spec.stdin else ""
            done = subprocess.run(
                [program, *spec.arguments], input=text, capture_output=True, text=True,
                timeout=HOST_SECONDS, check=False,
            )  # fmt: skip
        if done.returncode:
            raise UserError(f"the lab's reference ends with {done.returncode} on this computer.")
        _said[key] = done.stdout
    return _said[key]


def _differs(printed: str, wanted: str) -> str:
    """Words for the first line that differs; empty if none does."""
    if printed == wanted:
        return ""
    mine, right = printed.splitlines(), wanted.splitlines()
    for number in range(max(len(mine), len(right))):
        one = mine[number] if number < len(mine) else None
        other = right[number] if number < len(right) else None
        if one != other:
            said = "is missing" if one is None else f"is {one[:LONGEST]!r}"
            return f"line {number + 1} of the output {said}; wanted: {_quoted(other)}."
    return "the output differs in its line breaks."


def _quoted(line: str | None) -> str:
    return "no such line" if line is None else repr(line[:LONGEST])


def _value(part: Part, ended: Ended) -> float | None:
    """The figure that a part looks at; None if the place was not measured."""
    if part.counter:
        return _found(ended.counters, part.counter, part)
    at: object = ended.record
    if part.place:
        at = at["regions"]["client"].get(part.place)
        if at is None:
            return None
    *path, last = part.value.split(".")
    for key in path:
        at = _found(at, key, part)
    if path[-1:] == [OWNERS] and OWNER + last in {row.name for row in _counters()}:
        return at.get(last, 0)
    found = _found(at, last, part)
    if not isinstance(found, (int, float)):
        raise UserError(f"part {part.name}: {part.value} is no number; add .NAME of it.")
    return found


@lru_cache
def _counters() -> list:
    return counters.table()


def _found(there: object, key: str, part: Part) -> object:
    if not isinstance(there, dict) or key not in there:
        names = list(there) if isinstance(there, dict) else []
        raise UserError(
            f"part {part.name}: the run has no {key}.{nearest(key, names)} "
            f"There are: {', '.join(names)}."
        )
    return there[key]


def _bounded(part: Part, found: float | None) -> tuple[bool, str]:
    what = " ".join(
        filter(None, (f"{part.place}:" if part.place else "", part.value, part.counter))
    )
    if found is None:
        return False, f"{part.place} was never passed, so it was not measured."
    said = f"{found:,.0f}" if found == int(found) else f"{found:,.2f}"
    bounds, good = [], True
    if part.at_most is not None:
        bounds.append(f"at most {part.at_most:,}")
        good = found <= part.at_most
    if part.at_least is not None:
        bounds.append(f"at least {part.at_least:,}")
        good = good and found >= part.at_least
    return good, f"{what} {said}; wanted: {' and '.join(bounds)}."
