# SPDX-License-Identifier: BSD-2-Clause
"""Sentences that claim or promise: README's first screen, and no page with (later)."""

import re

import pytest
from tools_support.pages import PAGES, name

from mcpi.base.repo import ROOT
from mcpi.studies.sigcomm96.study import STUDY
from mcpi.studykit import markdown
from verify.docgen.site.links import TARGET

README = (ROOT / "README.md").read_text()
SCREEN = 48  # lines
FIRST = "\n".join(README.splitlines()[:SCREEN])


def test_the_first_screen_has_a_figure_a_table_the_commands_and_few_links() -> None:
    assert re.search(r"^!\[[^\]]+\]\(docs/round-trip\.svg\)", FIRST, re.M)
    assert "<!-- table4 -->" in FIRST and "| BAD |" in FIRST
    block = re.search(r"^```\n(.*?)^```", FIRST, re.M | re.S)[1]
    assert [line.split()[:2] for line in block.splitlines()] == [
        ["git", "clone"],
        ["./mcpi", "run"],
        ["./mcpi", "test"],
    ]
    assert len([t for t in TARGET.findall(FIRST) if not t.endswith(".svg")]) <= 8


def test_most_of_a_round_trip_is_not_the_processors() -> None:
    """README says which part of STD's round trip passes in the controllers and on the wire."""
    whole = float(re.search(r"^round trip ([\d.]+) ±", README, re.M)[1])
    outside = sum(map(float, re.findall(r"controllers and wire ([\d.]+)", README)))
    words = " ".join(README.split())
    said = f"Of STD's TCP/IP round trip {outside / whole:.0%} pass in the Ethernet controllers"
    assert said.replace("%", " %") in words


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_page_promises(page) -> None:
    """A page says what there is, or that something is not there."""
    assert "(later)" not in page.read_text()


def test_the_artefact_appendix_counts_the_published_cells() -> None:
    count = sum(len(c) for page in STUDY.pages for c in markdown.published(page).values())
    said = f"{count} cells published: {count} equal, 0 differ, 0 missing"
    assert said in (ROOT / "ARTIFACT.md").read_text()
