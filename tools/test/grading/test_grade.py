# SPDX-License-Identifier: BSD-2-Clause
"""Grades: points by part, reports that depend on the hand-in alone, bad hand-ins that end
nothing."""

import csv
import json
import shutil
import time
from pathlib import Path

import pytest
from tools_support.command import mcpi, refused

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.grading import grade, gradescope, hand_in, lab, outputs, report, runs

COURSE = ROOT / "course"
TICKS, CACHES = COURSE / "1-ticks" / "lab.toml", COURSE / "2-caches" / "lab.toml"
KEY = COURSE / "key" / "1-ticks"
SECONDS = 60
HEAD = "#include <stdint.h>\nunsigned zeros(const uint8_t *data, unsigned bytes)\n"
# Hand-ins that get nothing, and words of their reports.
BAD = {
    "no-compile": (HEAD + "{ return data }", "zeros.c:3:14: error: expected"),
    "no-function": ("int x;", "undefined reference to `zeros'"),
    "another-main": (HEAD + "{ return 0; }\nint main(void) { return 0; }", "multiple definition"),
    "no-end": (HEAD + "{ volatile int x = 1; while (x) ; return 0; }", "gave up at tick"),
    "crash": (HEAD + "{ return *(volatile int *)8; }", "a read through NULL"),
    "overflow": (HEAD + "{ volatile int a[99]; a[0] = 1; return zeros(data, bytes) + a[0]; }",
                 "stack overflow"),
    "leaves": ("#include <stdlib.h>\n" + HEAD + "{ if (bytes) exit(3); return 0; }", "exit code 3"),
    "empty": ("", "undefined reference to `zeros'"),
    "no-text": ("\xff\x00\xfe", "error"),
    "huge": (HEAD + "{ static char x[200 << 20] = { 1 }; return x[bytes]; }", "run packet"),
    "macro": ('#include "none.h"\n', "none.h"),
}  # fmt: skip


def graded(file: Path, hand: Path) -> grade.Grade:
    return grade.grade(lab.read(file), hand, SECONDS)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_hand_in_gets_nothing_and_words(name: str, tmp_path: Path) -> None:
    text, words = BAD[name]
    (tmp_path / "student.c").write_bytes(text.encode("latin-1"))
    found = graded(TICKS, tmp_path / "student.c")
    assert found.points == 0 and words in found.words, found.words
    for place in (str(ROOT), str(tmp_path), "build/", "./mcpi"):
        assert place not in gradescope.text(found)


def test_equal_hand_ins_have_equal_reports(tmp_path: Path) -> None:
    """Neither the name nor the place of a hand-in, nor that of the lab, is in a report."""
    other = tmp_path / "a b" / "ü.c"
    other.parent.mkdir()
    shutil.copytree(TICKS.parent, tmp_path / "lab")
    shutil.copy(KEY / "slow.c", other)
    here = gradescope.text(graded(TICKS, KEY / "slow.c"))
    assert gradescope.text(graded(tmp_path / "lab" / "lab.toml", other)) == here


def test_the_report_has_gradescope_s_form() -> None:
    found = json.loads(gradescope.text(graded(TICKS, KEY / "slow.c")))
    assert found["score"] == 60 and [one["score"] for one in found["tests"]] == [60, 0, 0]
    assert [one["status"] for one in found["tests"]] == ["passed", "failed", "failed"]
    assert [one["max_score"] for one in found["tests"]] == [60, 20, 20]
    assert set(found["tests"][0]) == {"score", "max_score", "status", "name", "number", "output"}


def test_a_machine_beyond_the_rules_gets_nothing(tmp_path: Path) -> None:
    rules = {
        '[dcache]\nsize = "16KB"\n': "at most 16,384 is allowed",
        "[memory]\nread_ticks = 3\n": "This lab lets you change",
        "[dcache]\nsizes = 1\n": "unknown parameter",
        "[dcache\n": "machine.toml",
    }
    shutil.copy(CACHES.with_name("columns.c"), tmp_path)
    for text, words in rules.items():
        (tmp_path / "machine.toml").write_text('extends = "dec3000-600"\n' + text)
        found = graded(CACHES, tmp_path)
        assert found.points == 0 and words in found.words
        assert str(tmp_path) not in found.words and str(ROOT) not in found.words


def test_a_file_is_missing_or_too_large(tmp_path: Path) -> None:
    assert "columns.c is missing" in graded(CACHES, tmp_path).words
    assert "a folder with columns.c, machine.toml" in graded(CACHES, KEY / "slow.c").words
    (tmp_path / "large.c").write_bytes(b" " * (hand_in.LARGEST + 1))
    assert "more than 1 MB" in graded(TICKS, tmp_path / "large.c").words
    assert "no such file" in graded(TICKS, tmp_path / "none.c").words


def test_seconds_end_what_ticks_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "performed", lambda *_: time.sleep(20))
    found = grade.grade(lab.read(TICKS), KEY / "slow.c", 0.2)
    assert found.points == 0 and "have not ended after 0.2 s" in found.words


def test_an_output_is_compared_line_by_line() -> None:
    assert not outputs.differs("a\nb\n", "a\nb\n")
    assert "line 2 of the output is 'c'; wanted: 'b'" in outputs.differs("a\nc\n", "a\nb\n")
    assert "line 2 of the output is missing" in outputs.differs("a\n", "a\nb\n")
    assert "wanted: no such line" in outputs.differs("a\nb\n", "a\n")
    assert "line breaks" in outputs.differs("a\nb", "a\nb\n")
    assert len(outputs.differs("a" * 10**6, "b" * 10**6)) < 3 * runs.LONGEST


def test_a_reference_that_does_not_end_is_named(tmp_path: Path, monkeypatch) -> None:
    shutil.copytree(TICKS.parent, tmp_path / "lab")
    (tmp_path / "lab" / "reference" / "zeros.c").write_text(BAD["no-end"][0])
    monkeypatch.setattr(outputs, "HOST_SECONDS", 0.5)
    with pytest.raises(
        UserError, match=r"reference \(reference/zeros\.c\) has not ended after 0\.5"
    ):
        graded(tmp_path / "lab" / "lab.toml", KEY / "slow.c")


def test_a_value_that_no_record_has_is_the_lab_s_slip(tmp_path: Path) -> None:
    shutil.copytree(TICKS.parent, tmp_path / "lab")
    file = tmp_path / "lab" / "lab.toml"
    file.write_text(file.read_text().replace("owners.taken_bubble", "owners.taken_buble"))
    words = refused("grade", str(file), str(KEY / "slow.c"))
    assert "the run has no taken_buble. Did you mean taken_bubble?" in words


def test_a_class_gets_reports_and_a_table(tmp_path: Path) -> None:
    files = [KEY / "slow.c", tmp_path / "bad.c", KEY / "right.c"]
    files[1].write_text(BAD["no-end"][0])
    done = mcpi("grade", str(TICKS), *map(str, files), "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "slow.c: 60 of 100",
        "bad.c: 0 of 100",
        "right.c: 100 of 100",
    ]
    with (tmp_path / "out" / report.TABLE).open(newline="") as stream:
        rows = [*csv.reader(stream)]
    assert [row[:2] for row in rows[1:]] == [["slow.c", "60"], ["bad.c", "0"], ["right.c", "100"]]
    scores = {file.name: json.loads(file.read_text())["score"]
              for file in (tmp_path / "out").glob("*.json")}  # fmt: skip
    assert scores == {"slow.c.json": 60, "bad.c.json": 0, "right.c.json": 100}
    again = refused("grade", str(TICKS), *map(str, files), "--out", str(tmp_path / "out"))
    assert "a new or an empty folder" in again
    twice = [str(KEY / "slow.c")] * 2
    assert "two hand-ins" in refused("grade", str(TICKS), *twice, "--out", str(tmp_path / "b"))
    one = [str(KEY / "slow.c"), "--out", str(tmp_path)]
    assert "a file in a folder" in refused("grade", str(TICKS), *one)


@pytest.mark.long
def test_sixty_hand_ins_take_less_than_five_minutes(tmp_path: Path) -> None:
    """A class on two cores, a fifth of which are bad in every way."""
    texts = [text for text, _ in BAD.values()]
    good = [file.read_text() for file in sorted(KEY.glob("*.c"))]
    for number in range(60):
        text = texts[number // 5 % len(texts)] if number % 5 == 0 else good[number % 3]
        file = tmp_path / f"{number:02}.c"
        file.write_bytes(f"/* {number} */\n".encode() + text.encode("latin-1"))
    began = time.monotonic()
    done = mcpi("grade", str(TICKS), *map(str, sorted(tmp_path.glob("*.c"))), limit=900)
    took = time.monotonic() - began
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 60
    assert took < 300, f"{took:.0f} s"
