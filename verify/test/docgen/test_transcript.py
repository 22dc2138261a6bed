# SPDX-License-Identifier: BSD-2-Clause
"""Tests that commands print what pages say that they print."""

import pytest

from mcpi.base.errors import RunError
from mcpi.base.repo import ROOT
from verify.docgen import transcript

PAGE = "before\n<!-- $ ./mcpi doctor -->\n```\nold\nlines\n```\nafter\n```\nno transcript\n```\n"


def test_a_block_is_filled_and_the_rest_of_the_page_stays():
    page = transcript.fill(PAGE, lambda command, how: f"of {command}")
    assert page == PAGE.replace("old\nlines", "of ./mcpi doctor")


@pytest.mark.parametrize("how", [transcript.SLOW, transcript.MEASURED])
def test_a_long_block_is_filled_on_demand(how):
    page = PAGE.replace("<!-- $", f"<!-- {how}$")
    assert transcript.commands(page) == {}
    assert transcript.commands(page, how) == transcript.commands(PAGE)
    assert transcript.fill(page, lambda command, how: "new") == page
    filled = transcript.fill(page, lambda command, how: "new", (how,))
    assert filled == page.replace("old\nlines", "new")


def test_what_is_refused_is_told_from_what_runs():
    page = PAGE.replace("<!-- $", "<!-- refused $")
    assert transcript.commands(page) == {}
    assert transcript.commands(page, transcript.REFUSED) == transcript.commands(PAGE)
    assert transcript.fill(page, lambda command, how: how) == page.replace("old\nlines", "refused ")


def test_a_command_that_fails_fills_nothing():
    with pytest.raises(RunError, match="status 1"):
        transcript.said_by("false | cat")


def test_what_is_measured_begins_with_its_commit(monkeypatch):
    monkeypatch.setattr(transcript, "_git", lambda *words: "0123abc" * (words[0] == "rev-parse"))
    said = transcript.said_by("echo 5 MHz", transcript.MEASURED)
    assert said == "# at 0123abc\n5 MHz" and transcript.commit(said) == "0123abc"
    assert transcript.commit("5 MHz") is None
    monkeypatch.setattr(transcript, "_git", lambda *words: " M a.c")
    with pytest.raises(RunError, match="commit first"):
        transcript.said_by("echo 5 MHz", transcript.MEASURED)


def test_an_empty_block_is_filled():
    page = "<!-- $ ./mcpi doctor -->\n```\n```\n"
    assert transcript.fill(page, lambda command, how: "new") == page.replace(
        "\n```\n", "\n```\nnew\n", 1
    )


def test_the_block_s_command_and_text_are_found():
    assert transcript.commands(PAGE) == {"./mcpi doctor": "old\nlines"}


_QUICK, _LONG = (
    [
        (path, how, command)
        for path in transcript.PAGES
        for how in kinds
        for command in transcript.commands(path.read_text(), how)
    ]
    for kinds in ((transcript.QUICK, transcript.REFUSED), (transcript.SLOW,))
)
_ARGUMENTS = ("path", "how", "command")


def _name(value: object) -> str:
    return getattr(value, "name", None) or str(value)


def _compare(path, how, command):
    page = transcript.commands(path.read_text(), how)[command]
    slow = "--slow " * (how == transcript.SLOW)
    again = f"python -m verify.docgen.transcript {slow}{path.relative_to(ROOT)}"
    assert transcript.said_by(command, how) == page, f"to put it right: {again}"


def test_the_readme_s_table_is_a_transcript():
    page = (ROOT / "README.md").read_text()
    assert any("run --stack tcp --variant std" in command for command in transcript.commands(page))


@pytest.mark.parametrize(_ARGUMENTS, _QUICK, ids=_name)
def test_a_page_says_what_its_command_prints(path, how, command):
    _compare(path, how, command)


@pytest.mark.long
@pytest.mark.parametrize(_ARGUMENTS, _LONG, ids=_name)
def test_a_page_says_what_its_long_command_prints(path, how, command):
    _compare(path, how, command)
