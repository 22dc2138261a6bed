# SPDX-License-Identifier: BSD-2-Clause
"""Outputs of runs: what a part wants, and how another output differs."""

import subprocess
import tempfile
from pathlib import Path

from mcpi.base import process
from mcpi.base.errors import UserError
from mcpi.grading import hand_in
from mcpi.grading.lab import HOST, REFERENCE, Lab, Part
from mcpi.grading.runs import LONGEST, performed

HOSTS = ["gcc", "-w", "-O1", "-std=gnu11", "-ffp-contract=off"]
HOST_SECONDS = 60
_said: dict[tuple[Path, str, str], str] = {}  # of references, by lab, run and where


def expected(lab: Lab, part: Part) -> str:
    """Output that a part wants. UserError if the lab's reference has none."""
    if part.output == HOST:
        return _of_host(lab, part.run)
    if part.output == REFERENCE:
        return _of_reference(lab, part.run)
    return (lab.folder / part.output).read_text()


def _of_reference(lab: Lab, run: str) -> str:
    """Output of the lab's reference in this run, on the simulated machine."""
    key = (lab.folder, run, REFERENCE)
    if key not in _said:
        ended = performed(lab, run, hand_in.reference(lab))
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
            try:
                done = subprocess.run(
                    [program, *spec.arguments], input=text, capture_output=True, text=True,
                    timeout=HOST_SECONDS, check=False,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                raise UserError(
                    f"the lab's reference ({', '.join(lab.reference)}) has not ended after "
                    f"{HOST_SECONDS} s on this computer."
                ) from None
        if done.returncode:
            raise UserError(f"the lab's reference ends with {done.returncode} on this computer.")
        _said[key] = done.stdout
    return _said[key]


def differs(printed: str, wanted: str) -> str:
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
