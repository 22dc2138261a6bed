# SPDX-License-Identifier: BSD-2-Clause
"""Measured figures of the pages say in one form what measured them, and of which commit.

A figure is filled by a command (``docgen.transcript``, ``./mcpi paper --update-docs``), compared by
a test that says so on the page, or has this form in its section:

    Measured at 9f61d3a, medians of five seeds: `./mcpi board build --seeds 5`.
"""

import re
import shlex
import subprocess

import pytest
import typer.main
from test_docs import MADE, PAGES, name

from mcpi.base.repo import ROOT
from mcpi.cli import main

FORM = re.compile(r"Measured at ([0-9a-f]{7})(?:, [^:`]+)?: (`[^`]+`(?:(?:, | and )`[^`]+`)*)\.")
COMPARED = "fails when this page has other figures"
# What only a measurement gives: sizes and clocks on an FPGA, speeds, times of this machine.
RESULT = re.compile(
    r"(?:COMB|MHz|frames/s|ticks/s|Mb/s|per second) \|[^\n]*\n\|[-:|]+\n"  # a column
    r"|[Rr]each(?:ed|es) [\d.]+ (?:and [\d.]+ )?MHz"
    r"|(?:histories|runs|instructions) a second|executions"
    r"|[Tt]akes? [\d,.]+ (?:to [\d,.]+ )?(?:s|min)\b|\d min \d+ s\b|\d+ h \d+ min|\(\d+ min\)"
)
COMMIT = re.compile(r"\bcommits? `?[0-9a-f]{7}\b")
PROGRAMS = {"lance-bench", "mcpi-sim", "valgrind", "perf"}  # built, or of the system
MEASURED = [page for page in PAGES if "sources" not in page.parts]


def sections(text: str) -> list[str]:
    """Each with its heading, without what programs fill in and without blocks of code."""
    plain = re.sub(r"^```.*?^```", "", MADE.sub("", text), flags=re.M | re.S)
    return re.split(r"^(?=#+ )", plain, flags=re.M)


def unmeasured(text: str) -> list[str]:
    """What is measured in a section that does not say by what."""
    found = []
    for section in sections(text):
        line = " ".join(section.split())
        result = RESULT.search(section)
        if result and not FORM.search(line) and COMPARED not in line:
            found.append(f"{section.splitlines()[0]}: {result[0].splitlines()[0]!r}")
    return found


def commands(text: str) -> list[str]:
    line = " ".join(text.split())
    return [c for m in FORM.finditer(line) for c in re.findall(r"`([^`]+)`", m[2])]


def wrong(command: str) -> str | None:
    """Why the command cannot be typed; None: it can."""
    first, *words = shlex.split(command)
    if first != "./mcpi":
        path = words[0] if first == "python3" else first
        return None if path in PROGRAMS or (ROOT / path).is_file() else f"no {path}"
    there = typer.main.get_command(main.app)
    while words and words[0] in getattr(there, "commands", {}):
        there = there.commands[words.pop(0)]
    options = {o for p in there.params for o in (*p.opts, *p.secondary_opts)}
    unknown = [w for w in words if w.startswith("-") and w.partition("=")[0] not in options]
    if hasattr(there, "commands") or unknown:
        return f"no {' '.join(unknown) or words} of {there.name}"
    return None


def test_the_rules() -> None:
    page = "# A\nIt takes 5 s.\n# B\nIt takes 5 s. Measured at 0123abc, on a busy\nmachine: `./mcpi"
    page += " doctor`, `bench/march.py`.\n# C\n3 MHz are wanted.\n```\ntakes 5 s\n```\n# D\nIt"
    page += f" takes 5 s. `-k x` {COMPARED}.\n# E\n| | COMB | FF |\n|---|--:|--:|\n"
    assert unmeasured(page) == ["# A: 'takes 5 s'", "# E: 'COMB | FF |'"]
    assert commands(page) == ["./mcpi doctor", "bench/march.py"]
    assert wrong("./mcpi board build --seeds 5") is None and wrong("bench/march.py") is None
    assert wrong("./mcpi board build --sedes 5") and wrong("./mcpi boards") and wrong("bench/x.py")


@pytest.mark.parametrize("page", MEASURED, ids=name)
def test_what_is_measured_says_by_what(page) -> None:
    text = page.read_text()
    assert not unmeasured(text)
    assert [w for command in commands(text) if (w := wrong(command))] == []


@pytest.mark.parametrize("page", MEASURED, ids=name)
def test_commits_are_there_and_in_the_form(page) -> None:
    line = " ".join(page.read_text().split())
    assert not COMMIT.findall(FORM.sub("", line))
    assert line.count("Measured at") == len(FORM.findall(line))
    shallow = subprocess.run(
        ["git", "rev-parse", "--is-shallow-repository"], cwd=ROOT, capture_output=True, text=True
    )
    if shallow.stdout.strip() != "false":  # a download, or not all commits
        return
    for commit, _ in FORM.findall(line):
        there = ["git", "merge-base", "--is-ancestor", commit, "HEAD"]
        assert subprocess.run(there, cwd=ROOT, check=False).returncode == 0, commit
