# SPDX-License-Identifier: BSD-2-Clause
"""Tests marked ``long``: which of many alike are, when each last passed (kept in MCPI_HOME, for all
checkouts), and which parts of them need not run again.

``python3 -m verify.long_tests PATH...``: of each long test there, how many cases have passed.
"""

import datetime
import hashlib
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mcpi.base import reuse, staging
from mcpi.base.file_lock import hold
from mcpi.base.process import heard
from mcpi.base.repo import BUILD, ROOT


def sampled(values: Iterable, usual: Callable[[object], bool]) -> list:
    """Values of a parametrized test, which all show the same: what is not ``usual`` is long."""
    return [v if usual(v) else pytest.param(v, marks=pytest.mark.long) for v in values]


@contextmanager
def once(kind: str, *made_of: object) -> Iterator[bool]:
    """Yield true if this has not passed yet, and enter it in ``build/passed/`` when it has.

    made_of: what the result depends on. Of a Path the file's bytes count, of all else the words.
    So a session that was stopped goes on where it was.
    """
    digest = hashlib.sha256(kind.encode())
    for one in made_of:
        digest.update(one.read_bytes() if isinstance(one, Path) else str(one).encode())
        digest.update(b"\0")
    place = BUILD / "passed" / digest.hexdigest()[:32]
    reuse.note(kind, place.exists())
    yield not place.exists()
    place.parent.mkdir(parents=True, exist_ok=True)
    place.touch()


def record() -> Path:
    """Test by test: the day and the commit."""
    home = os.environ.get("MCPI_HOME")
    return (Path(home) if home else BUILD) / "long-tests.json"


def _read() -> dict[str, dict[str, str]]:
    return json.loads(record().read_text()) if record().exists() else {}


def passed(names: list[str]) -> None:
    """Enter today and this commit; '+' behind it: with changes that are not committed."""
    if not names:
        return
    words = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    done = heard(words, cwd=ROOT)
    entry = {"day": datetime.date.today().isoformat(), "commit": done.stdout.strip()}
    with hold(record().with_suffix(".lock"), "records long tests"):
        text = json.dumps(_read() | dict.fromkeys(names, entry), indent=1, sort_keys=True)
        staging.write(record(), text + "\n")


def last_passed(left_out: list[str]) -> str:
    """Lines about the tests that only ``--all`` runs: how many there are, and the oldest pass."""
    known = _read()
    never = sum(name not in known for name in left_out)
    line = f"left out {len(left_out)} long tests (--all): {never} have not passed here yet"
    if dated := sorted((known[name]["day"], name) for name in left_out if name in known):
        (day, oldest) = dated[0]
        line += f"\n  the oldest pass: {day}, commit {known[oldest]['commit']}, {oldest}"
    return f"{line}\n  each in {record()}"


def by_test(names: Iterable[str]) -> str:
    """A line for each long test: how many of its cases have passed, on which days, the oldest and
    the newest commit of these days."""
    known, cases = _read(), defaultdict(list)
    for name in names:
        cases[name.partition("[")[0]].append(known.get(name))
    lines = []
    for test, entries in cases.items():
        there = sorted((e["day"], e["commit"]) for e in entries if e)
        line = f"{len(there):5} of {len(entries):5}  {test.partition('::')[2]}"
        if there:
            days, commits = zip(there[0], there[-1], strict=True)
            line += f", {' to '.join(dict.fromkeys(days))}, {' to '.join(dict.fromkeys(commits))}"
        lines.append(line)
    return "\n".join(lines)


def _collected(paths: list[str]) -> list[str]:
    words = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "long", *paths]
    return [line for line in heard(words, cwd=ROOT).stdout.splitlines() if "::" in line]


if __name__ == "__main__":
    print(by_test(_collected(sys.argv[1:])))
