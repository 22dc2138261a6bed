# SPDX-License-Identifier: BSD-2-Clause
"""docs/tutorial/worked-example.md is what the simulator does today."""

import difflib

import pytest

from mcpi.base.errors import RunError
from verify.docgen import worked_example

AGAIN = "docs/tutorial/worked-example.md is stale; again: python -m verify.docgen.worked_example"


@pytest.fixture(scope="module")
def run():
    return worked_example.measure()


def test_the_page_is_what_a_run_gives(run):
    ticks, counters, listing = run
    worked_example.check(ticks, counters)
    there, wanted = worked_example.PAGE.read_text(), worked_example.render(*run)
    changed = difflib.unified_diff(there.splitlines(), wanted.splitlines(), lineterm="")
    assert there == wanted, AGAIN + "\n" + "\n".join(changed)


def test_every_tick_has_one_owner_and_twenty_issue(run):
    ticks, counters, _ = run
    assert [t.number for t in ticks] == list(range(1, counters["ticks"] + 1))
    assert sum(t.owner == "issue" for t in ticks) == worked_example.LENGTH
    assert all((t.pc is not None) == (t.owner == "issue") for t in ticks)


def test_a_log_that_differs_from_the_hardware_gives_no_page(run):
    ticks, counters, _ = run
    with pytest.raises(RunError, match=r"dcache\.misses: 3, but 2 in the log"):
        worked_example.check(ticks, counters | {"dcache.misses": counters["dcache.misses"] + 1})
    with pytest.raises(RunError, match="in the log"):
        worked_example.check(ticks[:-1], counters)
