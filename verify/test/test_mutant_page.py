# SPDX-License-Identifier: BSD-2-Clause
"""Blocks of a page: one is replaced, the others stay. Records of mutants, and their counts."""

import pytest

from mcpi.base.blocks import fill
from mcpi.base.errors import UserError
from verify import mutant_page

PAGE = "a\n<!-- core -->\nold\n<!-- end -->\nb\n<!-- lance -->\nstays\n<!-- end -->\n"


def test_a_block_is_replaced():
    page = fill(PAGE, {"core": "| new \\1 |\n\n"})
    assert page == PAGE.replace("old", "| new \\1 |")


def test_a_block_that_is_not_there_is_an_error():
    with pytest.raises(UserError, match="no block 'cores'"):
        fill(PAGE, {"cores": ""})


ROWS = [
    {"mutant": "a", "place": "decode", "found_by": "random programs", "said": 'x, "y" | z'},
    {"mutant": "b", "place": "decode", "found_by": "", "said": ""},
    {"mutant": "c", "place": "fetch", "found_by": "directed tests", "said": ""},
]
COUNTS = """\
| planted | random programs | directed tests | lost |
| --- | --- | --- | --- |
| 3 | 1 | 1 | 1 |
"""


def test_a_record_is_read_as_it_was_written_and_counted(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    monkeypatch.setitem(mutant_page.RECORDS, "core", path := tmp_path / "mutants.csv")
    mutant_page.write("core", ROWS, page)
    assert path.read_text().startswith(mutant_page.SPDX + "mutant,place,found_by,said\n")
    assert mutant_page.read(path) == ROWS
    assert page.read_text() == PAGE.replace("old\n", COUNTS)


@pytest.mark.parametrize("part", mutant_page.RECORDS)
def test_the_page_has_the_counts_of_the_record(part):
    text = mutant_page.PAGE.read_text()
    counts = mutant_page.counts(mutant_page.read(mutant_page.RECORDS[part]))
    assert fill(text, {part: counts}) == text
