# SPDX-License-Identifier: BSD-2-Clause
"""``verify-results``: the tables of a study against those of its pages, cell by cell."""

import copy
import csv
import dataclasses
import re
from pathlib import Path

import pytest
from tools_support import study_example
from tools_support.command import mcpi

from mcpi import studies
from mcpi.base.repo import ROOT
from mcpi.studykit import claims, markdown, verification
from mcpi.studykit.measured import Measured

STUDY = studies.find()
EXAMPLE = study_example.study()


@pytest.fixture
def study(tmp_path):
    """The study with pages of the test, which publish what ``EXAMPLE`` measured."""
    page = tmp_path / "page.md"
    page.write_text("words\n<!-- table4 -->\n<!-- end -->\n<!-- table7 -->\n<!-- end -->\n")
    made = dataclasses.replace(STUDY, pages=(page,), drawings={})
    markdown.update(made, EXAMPLE, made.tables(EXAMPLE))
    return made


def verdicts(study, measured: Measured = EXAMPLE) -> tuple[list, str]:
    found = verification.verify(study, study.tables(measured))
    return list(verification.lines(found)), verification.total(found)


def test_what_was_published_is_equal(study):
    lines, total = verdicts(study)
    # Table 4: six versions, four columns; Table 7: six versions, eight columns.
    assert not lines and total == "72 cells published: 72 equal, 0 differ, 0 missing"


def test_another_figure_in_a_page_differs(study):
    page: Path = study.pages[0]
    cells = markdown.published(page)["table4"]
    text = cells[("STD",), "TCP/IP T_e, µs"]
    page.write_text(page.read_text().replace(text, f"9{text}", 1))
    lines, total = verdicts(study)
    assert total == "72 cells published: 71 equal, 1 differ, 0 missing"
    assert lines == [
        f"{page} table4: STD, TCP/IP T_e, µs: published 9{text}, now {text}",
    ]


def test_another_measurement_differs(study):
    record = copy.deepcopy(EXAMPLE.record)
    record["results"]["tcp"]["std"]["round_trip"]["mean_us"] += 0.1
    lines, total = verdicts(study, Measured(record))
    # Table 4: the time, and its distance from ALL.
    assert total.endswith(("equal, 2 differ, 0 missing", "1 differ, 0 missing"))
    assert all("table4: STD, TCP/IP" in line for line in lines)


def test_a_row_that_is_gone_is_missing(study):
    page: Path = study.pages[0]
    kept = [line for line in page.read_text().splitlines() if not line.startswith("| PIN")]
    page.write_text("\n".join(kept) + "\n")
    lines, total = verdicts(study)
    assert total == "72 cells published: 60 equal, 0 differ, 12 missing"
    assert all("PIN" in line and "published no cell" in line for line in lines)


def test_a_table_that_no_study_makes_is_missing(study):
    page: Path = study.pages[0]
    page.write_text(page.read_text().replace("<!-- table4 -->", "<!-- table44 -->"))
    assert verdicts(study)[1] == "72 cells published: 48 equal, 0 differ, 24 missing"


def test_rows_of_the_same_labels_are_told_apart(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- t -->\n| A | x |\n|---|--:|\n| same | 1 |\n| same | 2 |\n<!-- end -->\n")
    assert markdown.published(page)["t"] == {(("same",), "x"): "1", (("same", "2"), "x"): "2"}


def test_a_long_table_is_a_file_and_is_compared(tmp_path, monkeypatch):
    monkeypatch.setattr(markdown, "MOST_ROWS", 5)  # Table 4 has six rows
    page = tmp_path / "explanation" / "page.md"
    page.parent.mkdir()
    page.write_text("<!-- table4 -->\n<!-- end -->\n")
    study = dataclasses.replace(STUDY, pages=(page,), drawings={})
    markdown.update(study, EXAMPLE, study.tables(EXAMPLE))
    assert "[6 rows](../data/page/table4.csv), each of Version: TCP/IP T_e" in page.read_text()
    assert verdicts(study) == ([], "24 cells published: 24 equal, 0 differ, 0 missing")
    file = tmp_path / "data/page/table4.csv"
    file.write_text(file.read_text().replace("351.0", "9351.0", 1))
    assert verdicts(study)[1] == "24 cells published: 23 equal, 1 differ, 0 missing"


def test_a_table_whose_block_has_a_link_stays_a_file(tmp_path):
    page = tmp_path / "explanation" / "page.md"
    page.parent.mkdir()
    page.write_text("<!-- table4 -->\n[0 rows](../data/page/table4.csv).\n<!-- end -->\n")
    study = dataclasses.replace(STUDY, pages=(page,), drawings={})
    markdown.update(study, EXAMPLE, study.tables(EXAMPLE))
    assert "| STD |" not in page.read_text()
    assert verdicts(study) == ([], "24 cells published: 24 equal, 0 differ, 0 missing")


RANGE = {"Median": "2.10", "Lowest": "1.90", "Highest": "2.30"}
CLAIMED = ["Claim", "Ours", "Figure", *RANGE, "n"]


def claimed(word: str, name: str, n: str) -> list[str]:
    return [name, word, "2.20 (3.00)", *RANGE.values(), n]


def test_claims_are_grouped_by_verdict():
    rows = [
        claimed("holds", "a", "30"),
        claimed("undecided", "b", "30"),
        claimed("does not hold", "c", "1"),
        claimed("does not hold", "d", "30"),
    ]
    lines = claims.grouped(CLAIMED, rows)
    assert [line for line in lines if line and "--:" not in line] == [
        "| 2 claims: does not hold | Ours (the paper's) | Median, lowest to highest, n |",
        "| c | 2.20 (3.00) |  |",
        "| d | 2.20 (3.00) | 2.10, 1.90 to 2.30, 30 |",
        "| 1 claim: undecided | Ours (the paper's) | Median, lowest to highest, n |",
        "| b | 2.20 (3.00) | 2.10, 1.90 to 2.30, 30 |",
        "1 of 4 hold.",
    ]


def pages_with_claims():
    """The pages of the studies that have a block of claims, with the block."""
    for page in (page for study in studies.there() for page in studies.find(study).pages):
        if text := markdown.blocks(page.read_text()).get(claims.KEY):
            yield page, text


def test_each_study_has_a_page_with_claims():
    assert len(list(pages_with_claims())) == len(studies.there())


@pytest.mark.parametrize(
    ("page", "text"), list(pages_with_claims()), ids=lambda it: getattr(it, "stem", "")
)
def test_a_page_says_of_claims_what_their_file_says(page, text):
    """The verdicts in a page are those of the file that it links."""
    with (page.parent / re.search(r"\]\((.*?)\)", text)[1]).open(newline="") as stream:
        titles, *rows = csv.reader(stream)
    assert "\n".join(claims.grouped(titles, rows)).strip() in text


def test_the_command_compares_a_study_that_has_run(tmp_path):
    """The example measured exactly what the paper printed, so our own pages differ from it."""
    EXAMPLE.save(tmp_path / "study.json")
    done = mcpi("verify-results", "--made", str(tmp_path))
    assert done.returncode == 1, done.stderr
    last = done.stdout.strip().splitlines()[-1]
    assert "cells published: " in last and " 0 differ" not in last
    published = re.search(r"^\| STD \| ([\d.]+) ", (ROOT / "README.md").read_text(), re.M)[1]
    assert f"README.md table4: STD, TCP/IP T_e, µs: published {published}" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("sigcom96", "no study 'sigcom96'.*Did you mean sigcomm96"),
        ("--made nowhere", "no study.json in it"),
        ("--made nowhere --out x", "--out has no effect with --made"),
    ],
)
def test_a_slip_is_refused(words, said):
    done = mcpi("verify-results", *words.split())
    assert done.returncode == 2
    assert re.search(said, " ".join(done.stderr.split())), done.stderr
