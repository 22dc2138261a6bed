# SPDX-License-Identifier: BSD-2-Clause
"""docs/contributing.md is followed in a copy of the checkout: by additions that act, in the files
with which the steps of the page begin.

One copy takes all additions. With ``--all`` both engines are built of it, and they agree; each
addition has a copy of its own, too, and without any of its files something fails.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tools_support.additions_cases import (
    ACTING,
    Acting,
    Change,
    carried_out,
    file_of,
    judged,
    verdict,
)
from tools_support.additions_part import PART

from mcpi.base.repo import ROOT

pytestmark = pytest.mark.slow
MOST_FILES = {PART.kind: 20}  # of other kinds 5
ALL = (*ACTING, PART)
WORDS = "no one two three four five".split()


def section(kind: str) -> str:
    page = (ROOT / "docs/contributing.md").read_text()
    return re.search(rf"^## An? {kind}\n(.*?)(?=^## |\Z)", page, re.M | re.S)[1]


def steps(kind: str) -> list[str]:
    """The files of the page's steps."""
    return re.findall(r"^\d+\. `([^`]+)`", section(kind), re.M)


@contextmanager
def without(root: Path, change: Change, file: str) -> Iterator[None]:
    """The copy with ``file`` as it was before the additions."""
    added, before = (root / file_of(file)).read_text(), ROOT / file_of(file)
    if before.exists():
        (root / file_of(file)).write_text(before.read_text())
    else:
        (root / file_of(file)).unlink()
    try:
        yield
    finally:
        (root / file_of(file)).write_text(added)


def named(one: Acting) -> str:
    return " ".join([one.kind, *one.settings])


@pytest.mark.parametrize("one", ALL, ids=named)
def test_an_addition_takes_the_pages_files(one: Acting) -> None:
    """A parameter's reader is named by the place where it acts."""
    there = steps(one.kind)
    own = [file for file in one.edits if file in there or one.kind != "machine parameter"]
    assert [file for file in there if file in own] == own
    assert len(one.edits) <= MOST_FILES.get(one.kind, 5)
    if one.kind == "machine parameter":
        rooms = re.findall(r"`(\w+)/…/", section(one.kind))
        assert all(file in own or file.split("/")[0] in rooms for file in one.edits)
    else:
        assert there == own


@pytest.mark.parametrize("kind", sorted({one.kind for one in ALL}))
def test_the_page_says_how_many_files(kind: str) -> None:
    files = len(steps(kind))
    words = WORDS[files] if files < len(WORDS) else {18: "eighteen"}[files]
    assert f"change {words} files" in " ".join(section(kind).split())


def test_one_copy_takes_all_additions(checkout: Path) -> None:
    carried_out(checkout, ALL)


@pytest.mark.long
def test_additions_act(checkout: Path) -> None:
    """All in one copy, and both engines are built once."""
    carried_out(checkout, ALL)
    assert not (wrong := verdict(checkout, ALL)), wrong


@pytest.mark.long
@pytest.mark.parametrize("one", ALL, ids=named)
def test_an_addition_alone_acts_and_needs_each_file(checkout: Path, one: Acting) -> None:
    carried_out(checkout, (one,))
    assert not (wrong := verdict(checkout, (one,))), wrong
    for file, (change, words) in one.edits.items():
        with without(checkout, change, file):
            wrong = verdict(checkout, (one,))
        assert words in wrong, f"without {file}: {wrong or 'nothing fails'}"


# The quick half of a kind: the test that the page names fails without the last step.
QUICK = {
    "counter": "docs/data/counters.csv",
    "stall owner": "docs/data/core-costs.csv",
    "machine parameter": "docs/explanation/constants.md",
    "board": "docs/how-to/boards.md",
}


@pytest.mark.parametrize("kind", QUICK)
def test_without_the_page_its_test_says_so(checkout: Path, kind: str) -> None:
    one = next(one for one in ACTING if one.kind == kind)
    test, file = one.tests[0], QUICK[kind]
    carried_out(checkout, (one,), but=file)
    right, output = judged(checkout, test)
    assert not right and one.edits[file][1] in output, output
    one.edits[file][0](checkout / file)
    right, output = judged(checkout, test)
    assert right, output
