# SPDX-License-Identifier: BSD-2-Clause
"""Three reference hand-ins of each lab, right, slow and wrong, get 100, 60 and 0 points; start
files do not get all."""

from pathlib import Path

import pytest

from mcpi.base.repo import ROOT
from mcpi.grading import figures, grade, lab, outputs
from mcpi.grading.grade import Judged

COURSE = ROOT / "course"
LABS = sorted(file.parent.name for file in COURSE.glob("*/lab.toml"))
WANTED = {"right": 100, "slow": 60, "wrong": 0}
SECONDS = 120
USUAL = ("1-ticks", "5-locks")  # without a mark; all labs are long


def points(name: str, hand: Path) -> float:
    return grade.grade(lab.read(COURSE / name / "lab.toml"), hand, SECONDS).points


def of_key(name: str) -> dict[str, float]:
    [*files] = (COURSE / "key" / name).iterdir()
    return {file.stem: points(name, file) for file in files}


def start(name: str) -> Path:
    """The start file, or the folder of several."""
    wanted = lab.read(COURSE / name / "lab.toml").files
    return COURSE / name / next(iter(wanted)) if len(wanted) == 1 else COURSE / name


def test_each_lab_has_a_page_a_key_and_start_files() -> None:
    assert len(LABS) == 6 and sorted(p.name for p in (COURSE / "key").iterdir()) == LABS
    for name in LABS:
        page = (COURSE / name / "README.md").read_text()
        assert [f"## {part}" in page for part in ("Start", "Questions", "Hand in")] == [True] * 3
        assert "**Goal.**" in page and f"course/{name}/lab.toml" in page
        for file in lab.read(COURSE / name / "lab.toml").files:
            assert (COURSE / name / file).is_file() and file in page


def test_the_pages_have_the_labs_limits() -> None:
    """A limit of a lab stands on its page, with its points."""
    for name in LABS:
        found = lab.read(COURSE / name / "lab.toml")
        page = " ".join((COURSE / name / "README.md").read_text().split())
        limits = [one for part in found.part for one in (part.at_most, part.at_least) if one]
        assert [f"{one:,}" for one in limits if f"{one:,}" not in page] == []


@pytest.mark.parametrize("name", USUAL)
def test_the_references_of_a_sample(name: str) -> None:
    assert of_key(name) == WANTED


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in LABS if name not in USUAL])
def test_the_references_of_the_other_labs(name: str) -> None:
    assert of_key(name) == WANTED


@pytest.mark.long
@pytest.mark.parametrize("name", LABS)
def test_start_files_get_some_points_and_not_all(name: str) -> None:
    assert 0 < points(name, start(name)) < 100


# Mistakes in the grader, and the references that get other points by them.
def _all_bounds(part, found):
    return True, ""


def _no_needs(lab_, part, ended, before):
    return JUDGED(lab_, part, ended, [])


def _no_output(printed, wanted):
    return ""


JUDGED = grade._judged
MISTAKES = {
    "bounds always hold": (figures, "bounded", _all_bounds),
    "needs are not looked at": (grade, "_judged", _no_needs),
    "outputs are not compared": (outputs, "differs", _no_output),
    "failed runs give points": (
        grade,
        "_judged",
        lambda lab_, part, ended, before: Judged(part, part.points, ""),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_the_grader_is_found(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*MISTAKES[mistake])
    assert of_key("1-ticks") != WANTED
