# SPDX-License-Identifier: BSD-2-Clause
"""Every fault of ``mutants.toml`` is noticed; the run writes ``docs/mutants.md``."""

import concurrent.futures
import os

import pytest

from mcpi.randomtest import mutants


def test_list():
    """Each mutant's text stands in the sources exactly once; there are enough of them."""
    listed = mutants.load()
    assert len(listed) >= 25
    assert len({m.name for m in listed}) == len(listed)


@pytest.mark.long
def test_every_mutant_is_caught():
    listed = mutants.load()
    good = mutants.elaborate(listed)
    assert all(good.values()), [name for name, fine in good.items() if not fine]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(mutants.hunt, listed))
    mutants.PAGE.write_text(mutants.page(rows))
    survivors = [row.mutant.name for row in rows if not row.by]
    assert not survivors, f"nobody noticed: {survivors}; again: ./mcpi test --all -k mutants"
