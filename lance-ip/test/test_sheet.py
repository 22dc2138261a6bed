# SPDX-License-Identifier: BSD-2-Clause
"""The sheet's table on the Verilated chip and on the exact engine's card, of both kinds of chip.

One row alone: ./mcpi python -m pytest lance-ip/test/test_sheet.py -k "exact-am7990 and <words>".
"""

from functools import cache

import pytest
from lance_support import sheet_init, sheet_receive, sheet_registers, sheet_transmit
from lance_support.library import load
from lance_support.sheet_row import BOTH, Row
from lance_support.sheet_runner import Runner, exact_of

from mcpi.build import models
from verify.random.build import lance_library

ROWS = [*sheet_registers.ROWS, *sheet_init.ROWS, *sheet_transmit.ROWS, *sheet_receive.ROWS]
KINDS = [f"{kind}-{chip}" for kind in ("exact", "rtl") for chip in BOTH]


CASES = [(kind, row) for kind in KINDS for row in ROWS if kind.split("-", 1)[1] in row.chips]


@cache
def chip(kind: str):
    """The chip's library, and what makes one. No fixture: of a pair of parameters pytest makes one
    for each pair."""
    kind, name = kind.split("-", 1)
    if kind == "exact":
        library = load(models.build("liblance-exact.so"))
        return library, exact_of(library, name == "c-lance")
    library = load(lance_library({"lance.chip": name} if name != "am7990" else {}))
    return library, None


@pytest.mark.parametrize(("kind", "row"), CASES, ids=[f"{kind}-{row.name}" for kind, row in CASES])
def test_row(kind, row):
    check(*chip(kind), row)


def check(library, new, row: Row) -> None:
    """AssertionError if the chip does not do what the row says."""
    runner = Runner(library, new, **row.config)
    try:
        runner.run(row.steps)
    finally:
        runner.close()


def test_names_are_distinct_and_sources_given():
    assert len({row.name for row in ROWS}) == len(ROWS)
    assert all(row.source and row.steps for row in ROWS)
