# SPDX-License-Identifier: BSD-2-Clause
"""Blocks of a page, as of the page of mutants: one is replaced, the others stay."""

import pytest

from mcpi.base.blocks import fill
from mcpi.base.errors import UserError
from mcpi.verify import mutant_page

PAGE = "a\n<!-- core -->\nold\n<!-- end -->\nb\n<!-- lance -->\nstays\n<!-- end -->\n"


def test_a_block_is_replaced():
    page = fill(PAGE, {"core": "| new \\1 |\n\n"})
    assert page == PAGE.replace("old", "| new \\1 |")


def test_a_block_that_is_not_there_is_an_error():
    with pytest.raises(UserError, match="no block 'cores'"):
        fill(PAGE, {"cores": ""})


def test_the_page_has_a_block_for_each_design():
    for part in ("core", "counters", "lance"):
        fill(mutant_page.PAGE.read_text(), {part: ""})
