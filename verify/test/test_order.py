# SPDX-License-Identifier: BSD-2-Clause
"""No long test begins last, and tests of a file stay together."""

import random
from itertools import groupby
from pathlib import Path

import pytest

from mcpi.base.repo import ROOT
from verify import test_order


def ordered(seconds: dict[str, float], names: list[str], workers: int) -> list[list[str]]:
    """The run of each worker."""
    order = test_order.longest_first(names, str, seconds, workers)
    assert sorted(order) == sorted(names)
    each, left = divmod(len(names), workers)
    ends = [each * n + min(n, left) for n in range(workers + 1)]
    return [order[a:b] for a, b in zip(ends, ends[1:], strict=False)]


def test_each_worker_begins_with_one_of_the_longest() -> None:
    names = [f"{file}.py::test_{n}" for file in "abcdef" for n in range(4)]
    seconds = {"f.py::test_3": 100.0, "d.py::test_0": 50.0, "e.py::test_1": 40.0, "a.py::test_0": 1}
    runs = ordered(seconds, names, 3)
    assert [run[0][0] for run in runs] == ["f", "d", "e"]
    assert all(len(run) == 8 for run in runs)
    assert [key for key, _ in groupby(name[0] for run in runs for name in run)] == list("fadbec")


def test_the_next_goes_to_who_has_least_to_do() -> None:
    names = [f"{file}.py::test" for file in "abcde"]
    seconds = {f"{file}.py::test": n for file, n in zip("abcde", (9.0, 8.0, 3.0, 4.0, 9.5))}
    assert test_order.longest_first(names, str, seconds, 2) == [
        f"{file}.py::test" for file in "edcab"
    ]


@pytest.mark.parametrize("workers", [1, 2, 3, 7])
def test_of_any_lists_the_longest_begins_first(workers: int) -> None:
    draw = random.Random(workers)
    for _ in range(50):
        names = [f"{draw.randrange(9)}.py::test_{n}" for n in range(draw.randrange(1, 60))]
        seconds = {name: draw.choice([0.0, 0.1, 3.0, 90.0]) for name in names}
        runs = ordered(seconds, names, workers)
        longest = max(names, key=lambda name: seconds[name])
        assert seconds[longest] < 3 or runs[0][0].partition("::")[0] in {
            name.partition("::")[0] for name in names if seconds[name] == seconds[longest]
        }


def test_a_session_counts_more_than_the_list(tmp_path: Path) -> None:
    times = tmp_path / "times.csv"
    assert test_order.known(times) == test_order.known(tmp_path / "none")
    times.write_text("test,seconds,processor seconds\nx.py::test_a,7.5,1.0\n")
    assert test_order.known(times)["x.py::test_a"] == 7.5


def test_each_costly_file_is_there() -> None:
    names = test_order.known(Path("none"))
    assert len(names) > 20
    assert not [name for name in names if not (ROOT / name).is_file()]
