# SPDX-License-Identifier: BSD-2-Clause
"""Every fault of ``mutants.toml`` is noticed; the run writes the record ``mutants.csv`` and counts
in ``docs/verification/mutants.md``."""

import concurrent.futures
import os

import pytest

from mcpi.base.errors import UserError
from verify import mutant_page
from verify.random import mutants

ONLY = os.environ.get("MCPI_MUTANT", "")  # part of a name: those alone; the record stays as it is


def test_list():
    """Each mutant's text stands in the sources exactly once; there are enough of them."""
    listed = mutants.load()
    assert len(listed) >= 25
    assert len({m.name for m in listed}) == len(listed)
    assert len({m.folder for m in listed}) == len(listed)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('text = "flag never := Falsely"', "'x': its text stands 0 times in loadstore/Locks.scala"),
        ('text = "flag"', "'x': its text stands"),
        (
            'text = "val good = armed && same"\ntests = ["test_locks", "test_locks.pears"]',
            "'x': there is no test test_locks.pears",
        ),
    ],
)
def test_one_that_does_not_fit_is_an_error(tmp_path, row, said):
    path = tmp_path / "mutants.toml"
    path.write_text(f'[[mutant]]\nname = "x"\nfile = "loadstore/Locks.scala"\nwrong = ""\n{row}\n')
    with pytest.raises(UserError) as error:
        mutants.load(path)
    assert said in str(error.value) and str(error.value).count("\n") == 1


def test_where_lines_break_is_all_one():
    mutant = mutants.Mutant("x", "", "val a = b || c", "val a = b")
    assert mutant.put("  val a = b ||\n    c\n") == ("  val a = b\n", 1)


@pytest.mark.long
def test_every_mutant_is_caught():
    listed = [m for m in mutants.load() if ONLY in m.name]
    assert listed, f"no mutant has '{ONLY}' in its name"
    good = mutants.elaborate(listed)
    assert all(good.values()), [name for name, fine in good.items() if not fine]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        caught = list(pool.map(mutants.hunt, listed))
    rows = mutants.rows(caught)
    print(*rows, sep="\n")
    if not ONLY:
        mutant_page.write("core", rows)
    survivors = [one.mutant.name for one in caught if not one.by]
    again = "MCPI_MUTANT='part of the name' ./mcpi test --all -k mutants"
    assert not survivors, f"nobody noticed: {survivors}; again: {again}"
