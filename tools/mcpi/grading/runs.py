# SPDX-License-Identifier: BSD-2-Clause
"""Perform a run of a lab with a hand-in; a failure is words for the student."""

import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from mcpi.api import single_run
from mcpi.api.finished_program import ProgramRun
from mcpi.base.errors import RunError, UserError
from mcpi.base.repo import ROOT
from mcpi.firmware import compiler_words
from mcpi.grading.hand_in import HandIn
from mcpi.grading.lab import Lab
from mcpi.results import record

SHOWN = 5  # lines of what a failed run has printed
LONGEST = 200  # letters of a line that is shown
BUILT = re.compile(r"\bbuild/\S*/")
STATUS = re.compile(r"it ended with status (\d+) and said nothing")
NOT_FOR_STUDENTS = ("again:", "the simulation failed", "the command was:", "files:")


@dataclass(frozen=True)
class Ended:
    """A run that has ended: its record, its counters and what it printed; or why it failed."""

    record: dict
    counters: dict[str, int]
    console: str
    why: str = ""


def performed(lab: Lab, name: str, handed: HandIn) -> Ended:
    """Run ``name`` of the lab with the files of a hand-in."""
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
