# SPDX-License-Identifier: BSD-2-Clause
"""The order of tests: what takes long begins first, so that no long test ends alone.

A worker gets a run of the list, each as many tests, and takes from another's end when it has none
left. Tests of a file stay together: they share what a fixture has made.
"""

import csv
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

# Processor seconds of the costly files, for a checkout that has run none yet.
COSTLY = Path(__file__).with_name("costly_tests.csv")
_SMALL = 2.0  # s: such files fill up, in the order of their names
T = TypeVar("T")


def known(times: Path) -> dict[str, float]:
    """Seconds by name of a test, from the last session that ran it, or of a file."""
    found: dict[str, float] = {}
    for path in (COSTLY, times):
        if path.exists():
            with path.open(newline="") as file:
                found |= {row["test"]: float(row["seconds"]) for row in csv.DictReader(file)}
    return found


def longest_first(
    tests: Sequence[T], name: Callable[[T], str], seconds: dict[str, float], workers: int
) -> list[T]:
    """Deal whole files to as many runs as there are workers, those with the longest test first,
    each to the run that has least to do; then all others, until the runs have as many tests."""
    files: dict[str, list[T]] = defaultdict(list)
    for test in tests:
        files[name(test).partition("::")[0]].append(test)
    spent = {f: [seconds.get(name(test), 0.0) for test in of] for f, of in files.items()}
    spent = {f: of if any(of) else [seconds.get(f, 0.0)] for f, of in spent.items()}
    long = sorted((f for f in files if sum(spent[f]) >= _SMALL), key=lambda f: -max(spent[f]))
    small = [test for f, of in files.items() if sum(spent[f]) < _SMALL for test in of]
    runs: list[list[T]] = [[] for _ in range(workers)]
    busy = [0.0] * workers
    for file in long:
        one = busy.index(min(busy))
        runs[one] += files[file]
        busy[one] += sum(spent[file])
    each, left = divmod(len(tests), workers)
    order: list[T] = []
    for n, run in enumerate(runs):
        wanted = max(each + (n < left) - len(run), 0)
        order += run + small[:wanted]
        small = small[wanted:]
    return order + small
