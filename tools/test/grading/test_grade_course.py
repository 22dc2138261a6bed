# SPDX-License-Identifier: BSD-2-Clause
"""Three reference hand-ins of each lab, right, slow and wrong, get 100, 60 and 0 points; start
files do not get all."""

import shutil
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


def spoilt(name: str, place: Path) -> float:
    """Points of a start file that a student has spoilt in place; of a lab that has a reference."""
    shutil.copytree(COURSE / name, place / name)
    file = place / name / next(iter(lab.read(COURSE / name / "lab.toml").files))
    [wrong] = (COURSE / "key" / name).glob("wrong*")
    shutil.copy(wrong / file.name if wrong.is_dir() else wrong, file)
    hand = file if wrong.is_file() else file.parent
    return grade.grade(lab.read(place / name / "lab.toml"), hand, SECONDS).points


REFERENCES = [name for name in LABS if lab.read(COURSE / name / "lab.toml").reference]


def test_a_start_file_spoilt_in_place_gets_nothing(tmp_path: Path) -> None:
    assert REFERENCES == ["1-ticks", "2-caches", "4-rings"]
    assert spoilt("1-ticks", tmp_path) == 0


@pytest.mark.long
@pytest.mark.parametrize("name", REFERENCES[1:])
def test_the_other_start_files_spoilt_in_place_get_nothing(name: str, tmp_path: Path) -> None:
    assert spoilt(name, tmp_path) == 0


@pytest.mark.parametrize("name", REFERENCES)
def test_a_reference_is_the_start_file(name: str) -> None:
    found = lab.read(COURSE / name / "lab.toml")
    sources = [COURSE / name / file for file, role in found.files.items() if role == lab.SOURCE]
    references = [COURSE / name / file for file in found.reference]
    assert [f.read_text() for f in sources] == [f.read_text() for f in references]


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


def _failed_earns(lab_, part, ended, before):
    return Judged(part, part.points, "") if ended.why else JUDGED(lab_, part, ended, before)


JUDGED = grade._judged
MISTAKES = {
    "bounds always hold": (figures, "bounded", _all_bounds),
    "needs are not looked at": (grade, "_judged", _no_needs),
    "outputs are not compared": (outputs, "differs", _no_output),
}


def test_points_of_a_run_that_ended_badly_are_found(monkeypatch, tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text("no C")
    assert points("1-ticks", tmp_path / "bad.c") == 0
    monkeypatch.setattr(grade, "_judged", _failed_earns)
    assert of_key("1-ticks") == WANTED and points("1-ticks", tmp_path / "bad.c") == 100


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_the_grader_is_found(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*MISTAKES[mistake])
    assert of_key("1-ticks") != WANTED
