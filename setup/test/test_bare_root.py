# SPDX-License-Identifier: BSD-2-Clause
"""CI in a bare root: what it types there, and when it types the same outside instead.

No root is made here (that takes a minute): what makes one is stood in for.
"""

from pathlib import Path

import pytest
from substitutes import Checkout

RUN = "./mcpi run --stack tcp --variant std --round-trips 100 --cold"
COUNTED = "12 passed, 0 failed, 3 skipped"


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Its ``./mcpi`` says what it is asked, and how many tests passed."""
    made = Checkout(tmp_path)
    made.substitute("./mcpi", f'echo "$0 $*"; [ "$1" != test ] || echo "{COUNTED}"')
    return made


def test_what_is_typed_is_in_the_readme(checkout: Checkout) -> None:
    checkout.substitute("setup/bare-root", '[ "$1" = -- ] && shift && bash -c "$*"; exit 7')
    done = checkout.run(".ci/run")
    assert done.stdout.splitlines()[1:] == [RUN, "./mcpi test", COUNTED]
    assert done.returncode == 7, "any status but 125 is CI's"
    done = checkout.run(".ci/run", "-k", "a or b")
    assert done.stdout.splitlines()[2] == "./mcpi test -k a or b"


@pytest.mark.parametrize(("tool", "does"), [("unshare", "exit 1"), ("id", "echo 1000")])
def test_no_root_can_be_made(checkout: Checkout, tool: str, does: str) -> None:
    checkout.substitute(tool, does)
    done = checkout.run(".ci/run")
    line, *typed = done.stdout.splitlines()[1:]
    assert line.startswith("NOT A BARE ROOT: ") and len(line) > len("NOT A BARE ROOT: ")
    assert typed == [RUN, "./mcpi test", COUNTED] and done.returncode == 0


def test_run_fails(checkout: Checkout) -> None:
    """The last line is counted, and no test runs."""
    checkout.substitute("id", "echo 1000")
    checkout.substitute("./mcpi", 'echo "$0 $*"; exit 1')
    done = checkout.run(".ci/run")
    assert done.stdout.splitlines()[2:] == [RUN, f"FAILED {RUN}", "0 passed, 1 failed"]
    assert done.returncode == 1


def test_tests_fail(checkout: Checkout) -> None:
    checkout.substitute("id", "echo 1000")
    checkout.substitute("./mcpi", '[ "$1" = run ] || { echo 3 passed, 1 failed; exit 1; }')
    done = checkout.run(".ci/run")
    assert done.stdout.splitlines()[-1] == "3 passed, 1 failed" and done.returncode == 1


def test_readme_without_the_commands(checkout: Checkout) -> None:
    readme = checkout.folder / "README.md"
    readme.write_text(readme.read_text().replace("./mcpi test\n", "", 1))
    done = checkout.run(".ci/run")
    assert done.returncode == 1 and done.stdout.splitlines()[-1] == "0 passed, 1 failed"


@pytest.mark.parametrize(
    "words",
    [(), ("--",), ("--keep",), ("--keep", "x"), ("--from", "/nowhere", "--", "true"), ("-x",)],
)
def test_bare_root_wrong_usage(checkout: Checkout, words: tuple) -> None:
    """125, as whatever it was asked to run has not run."""
    skips = 'while [ "$1" != bash ]; do [ "$1" = true ] && exit; shift; done'
    checkout.substitute("unshare", skips, 'exec "$@"')
    checkout.substitute("id", "echo 0")
    done = checkout.run("setup/bare-root", *words)
    assert done.returncode == 125 and "bare-root: " in done.stderr and not done.stdout
