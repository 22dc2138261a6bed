# SPDX-License-Identifier: BSD-2-Clause
"""No page says "later" or "not yet" of a file, class or command that exists."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
import typer.main
from tools_support.pages import PAGES, name

from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.cli import main

LATER = re.compile(
    r"\(later\)|\bcomes?\s+later\b|\bnot\s+yet\b|\bto\s+come\b|\bcoming\s+soon\b|\bplanned\b", re.I
)
HEADING = re.compile(r"^#+ (.*)$", re.M)
# A sentence, a row of a table or an item of a list.
STATEMENT = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n(?=\||\s*[-*] |\s*\d+\. )")
FENCED = re.compile(r"^```.*?^```", re.M | re.S)
CODE = re.compile(r"`([^`\n]+)`")
CAMEL = re.compile(r"\b(?:[A-Z][a-z0-9]+){2,}\b")
# CHANGELOG.md says what was so at a release.
TODAY = [page for page in PAGES if page.name != "CHANGELOG.md"]


def files() -> set[str]:
    """Paths of the checkout, their ends after each /, and stems that are names of classes."""
    found = set()
    for line in heard(["git", "ls-files"], cwd=ROOT, check=True).stdout.splitlines():
        parts = line.split("/")
        found |= {"/".join(parts[n:]) for n in range(len(parts))}
        found |= {"/".join(parts[: n + 1]) for n in range(len(parts))}
        if parts[-1][0].isupper():
            found.add(Path(line).stem)
    return found


def commands() -> set[str]:
    return {f"./mcpi {word}" for word in typer.main.get_command(main.app).commands}


def named(statement: str) -> Iterator[str]:
    """Names of files, classes and commands in a statement."""
    for code in CODE.findall(statement):
        yield code.rstrip("/")
    yield from CAMEL.findall(statement)


def statements(page: str) -> Iterator[str]:
    """Sentences that say "later", and all below a heading that does."""
    later = False
    for part in re.split(r"(?m)^(?=#+ )", FENCED.sub("", page)):
        heading = HEADING.match(part)
        later = bool(heading and LATER.search(heading[1]))
        yield from (s for s in STATEMENT.split(part) if later or LATER.search(s))


def promised(page: str, there: Collection[str]) -> list[str]:
    """Names of a page that exist in spite of its "later"."""
    return sorted({word for s in statements(page) for word in named(s) if word in there})


@pytest.fixture(scope="module")
def there() -> set[str]:
    return files() | commands()


def test_a_promise_of_something_that_exists_is_found(there: set[str]) -> None:
    assert promised("`./mcpi run` is not yet there. `Node` works.", there) == ["./mcpi run"]
    assert promised("| `TcHost` | the bus (later) |\n| `Node` | a machine |", there) == ["TcHost"]
    assert promised("## What comes later\n\n- TcHost\n\n## Now\n\n`Node`", there) == ["TcHost"]
    assert promised("`rtl/node/` comes\nlater.", there) == ["rtl/node"]
    assert promised("`./mcpi run --nothing` is not yet there.", there) == []
    assert promised("Of `rtl/no.scala`: not yet. The `Node` waits, and later goes on.", there) == []
    assert promised("```\n./mcpi run  # not yet\n```", there) == []


@pytest.mark.parametrize("page", TODAY, ids=name)
def test_no_page_promises_what_exists(page: Path, there: set[str]) -> None:
    assert not promised(page.read_text(), there), name(page)
