# SPDX-License-Identifier: BSD-2-Clause
"""What pages say that commands print is what they print."""

import pytest

from mcpi.base.repo import ROOT
from mcpi.docgen import transcript

PAGE = "before\n<!-- $ ./mcpi doctor -->\n```\nold\nlines\n```\nafter\n```\nno transcript\n```\n"


def test_a_block_is_filled_and_the_rest_of_the_page_stays():
    page = transcript.fill(PAGE, lambda command: f"of {command}")
    assert page == PAGE.replace("old\nlines", "of ./mcpi doctor")


def test_a_slow_block_is_filled_on_demand_and_never_compared():
    page = PAGE.replace("<!-- $", "<!-- slow $")
    assert transcript.commands(page) == {}
    assert transcript.fill(page, lambda command: "new") == page
    assert transcript.fill(page, lambda command: "new", slow=True) == page.replace(
        "old\nlines", "new"
    )


def test_what_is_refused_is_told_from_what_runs():
    page = PAGE.replace("<!-- $", "<!-- refused $")
    assert transcript.commands(page) == {}
    assert transcript.commands(page, refused=True) == transcript.commands(PAGE)
    assert transcript.fill(page, lambda command, refused: "no") == page.replace("old\nlines", "no")


def test_an_empty_block_is_filled():
    page = "<!-- $ ./mcpi doctor -->\n```\n```\n"
    assert transcript.fill(page, lambda command: "new") == page.replace(
        "\n```\n", "\n```\nnew\n", 1
    )


def test_the_block_s_command_and_text_are_found():
    assert transcript.commands(PAGE) == {"./mcpi doctor": "old\nlines"}


_THERE = [
    (path, refused, command)
    for path in transcript.PAGES
    for refused in (False, True)
    for command in transcript.commands(path.read_text(), refused)
]


def test_the_readme_s_table_is_a_transcript():
    page = (ROOT / "README.md").read_text()
    assert any("run --stack tcp --variant std" in command for command in transcript.commands(page))


@pytest.mark.parametrize(
    ("path", "refused", "command"), _THERE, ids=lambda x: getattr(x, "name", None)
)
def test_a_page_says_what_its_command_prints(path, refused, command):
    page = transcript.commands(path.read_text(), refused)[command]
    again = f"to put it right: python -m mcpi.docgen.transcript {path.relative_to(ROOT)}"
    assert transcript.said_by(command, refused) == page, again
