# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi test``: every room's tests in one pytest session; what it prints is ``test_session``.

``./mcpi`` starts this module: ``python -m verify.test_runner KINDS EXPRESSION WORKERS FRESH``.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from enum import Enum
from functools import cache
from pathlib import Path, PurePath

from _pytest.mark.expression import Expression

from mcpi.base import reuse
from mcpi.base.errors import RunError, UserError
from mcpi.base.file_lock import hold
from mcpi.base.process import heard
from mcpi.base.repo import BUILD, ROOT
from mcpi.cli.main import ended
from mcpi.hdl import scala
from verify import test_session
from verify.reads import kept, observer

PASSED, FAILED, NOTHING_COLLECTED = 0, 1, 5
_ENDS_WITHIN = 5  # s, before it is killed


class Kinds(Enum):
    """Which tests: the value is pytest's ``-m`` expression."""

    QUICK = "not slow and not long"
    USUAL = "not long"
    ALL = ""


def words(kinds: Kinds, expression: str, workers: int) -> list[str]:
    """How pytest is called; the rest is in pytest.ini.

    A worker that has nothing left to do takes half of what another one has still to do.
    """
    said = [sys.executable, "-m", "pytest", "-qq", "--no-header", "--no-summary"]
    said += ["-p", "verify.test_session", "-n", str(workers), "--dist", "worksteal"]
    return [*said, "-m", kinds.value, "--names", expression]


def check(expression: str) -> None:
    """UserError for an expression that cannot be read, or that no test's name matches: to collect
    the tests takes a minute."""
    try:
        read = Expression.compile(expression)
    except SyntaxError as error:
        raise UserError(
            f"-k '{expression}': {error.msg}. Write words, and, or, not, ( )."
        ) from None
    names = _names() if expression else []
    if names and not any(test_session.matches(read, one) for one in names):
        raise UserError(f"no test matches -k '{expression}': no test or file has these words.")


@cache
def _names() -> list[tuple[str, str]]:
    """Each file of tests with each name in it that a test may have; empty without git."""
    words = ["git", "grep", "-o", "-h", "-E", "--untracked", "--heading"]
    grep = [*words, "\\btest_[A-Za-z0-9_]+", "--", ":(glob)**/test/**/test_*.py"]
    stem, found = "", []
    for line in heard(grep, cwd=ROOT).stdout.splitlines():
        stem = PurePath(line).stem if line.endswith(".py") else stem
        found.append((stem, line))
    return found


def run(kinds: Kinds, expression: str, workers: int, fresh: bool) -> int:
    """Run everything, but not what is kept, unless a part or all is asked for; the exit status is
    1 if anything failed."""
    check(expression)
    held = []
    with hold(BUILD / "test.lock", "runs tests here"):
        scala.classpath()  # once, not in every worker at the same time
        with tempfile.TemporaryDirectory(prefix="mcpi-test-") as session:
            if not expression and not fresh and kinds is not Kinds.ALL:
                held = kept.Store(ROOT).holds()
                Path(session, kept.LIST).write_text(json.dumps(held))
            plain = expression or fresh  # nothing is preloaded, and no pass is kept
            observed = {} if plain else _observed(Path(session, "reads"))
            status = _session(words(kinds, expression, workers), session, observed)
    if status == NOTHING_COLLECTED and held:
        return PASSED
    if status == NOTHING_COLLECTED:
        raise UserError(f"no test matches -k '{expression}'")
    if status not in (PASSED, FAILED):
        raise RunError(f"pytest ended with status {status}")
    return status


def _observed(notes: Path) -> dict[str, str]:
    """Variables of a session whose reads are noted; none where they cannot be: nothing is kept."""
    library = observer.library()
    return observer.environment(library, notes, ROOT) if library else {}


def _session(command: list[str], folder: str, observed: Mapping[str, str] = {}) -> int:
    """In a process group of its own, which ends as a whole: workers, and what they have started."""
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, reuse.SESSION: folder, scala.ELABORATOR: folder, **observed},
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    ) as child:
        try:
            return child.wait()
        finally:
            for number in (signal.SIGTERM, signal.SIGKILL):
                _end(child, number)


def _end(child: subprocess.Popen, number: int) -> None:
    try:
        os.killpg(child.pid, number)
        child.wait(_ENDS_WITHIN)
    except (ProcessLookupError, subprocess.TimeoutExpired):
        pass


if __name__ == "__main__":
    kinds, expression, workers, fresh = sys.argv[1:]
    ended(lambda: run(Kinds[kinds], expression, int(workers), bool(fresh)))
