# SPDX-License-Identifier: BSD-2-Clause
"""Commands that a reader of the site types, and the tests that run each.

A command is a line of a fenced block, or of a command's help, that begins with ``./mcpi``. A
transcript is compared by its own test. ``typed.csv`` names the test of what wants boards, a browser
or hours, by how such a command begins. A long test runs all others.

    python -m verify.docgen.typed      lists each command, with page, line and test
"""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mcpi.base.repo import ROOT
from verify.docgen import transcript
from verify.docgen.site import links, staging

ELSEWHERE = Path(__file__).with_suffix(".csv")
TRANSCRIPT = "verify/test/docgen/test_transcript.py"
RUN = "verify/test/docgen/test_typed.py"
HELP = ROOT / "setup" / "help"
_LINE = re.compile(r"^ *(\./mcpi\b[^─│]*)$")  # a drawing names ./mcpi too
_COMMENT = re.compile(r"  .*| # .*")


class Typed(NamedTuple):
    """A command, and the first line that has it."""

    command: str
    page: str
    line: int


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """Numbers and text of the lines of fenced blocks; a line that ends with a backslash goes on in
    the next."""
    outside = {number for number, _ in links.prose(text)}
    before = ""
    for number, line in enumerate(text.splitlines(), 1):
        if number in outside:
            before = ""
            continue
        whole = before + line.lstrip() if before else line
        before = whole[:-1] if whole.endswith("\\") else ""
        if not before:
            yield number, whole


def examples(text: str) -> Iterator[tuple[int, str]]:
    """Numbers and text of the lines of a help that are no sentence's: the first of a block, or
    indented more."""
    lines = ["", *text.splitlines(), ""]
    for number, line in enumerate(lines[1:-1], 1):
        if line.startswith("  ") or not lines[number - 1]:
            yield number, line


def commands(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The commands among lines, without what is said about each after two spaces."""
    for number, line in lines:
        if found := _LINE.match(line):
            yield number, _COMMENT.sub("", found[1]).rstrip()


def typed() -> list[Typed]:
    """Each command of the pages and of the help, once."""
    found: dict[str, Typed] = {}
    pages, _ = links.closure(staging.README)
    sources = [(page, blocks(transcript.without(page.read_text()))) for page in pages]
    sources += [(page, examples(page.read_text())) for page in sorted(HELP.rglob("*.txt"))]
    for path, lines in sources:
        for number, command in commands(lines):
            found.setdefault(command, Typed(command, str(path.relative_to(ROOT)), number))
    return list(found.values())


def compared() -> set[str]:
    """Commands whose output a page has."""
    kinds = (transcript.QUICK, transcript.SLOW, transcript.REFUSED)
    pages = [page.read_text() for page in transcript.PAGES]
    return {
        command for page in pages for how in kinds for command in transcript.commands(page, how)
    }


def elsewhere() -> dict[str, str]:
    """By the beginning of a command the test that runs such a command."""
    lines = (line for line in ELSEWHERE.open() if not line.startswith("#"))
    return {row["begins"]: row["test"] for row in csv.DictReader(lines)}


def begins(command: str, beginning: str) -> bool:
    """True if the words of ``beginning`` are the first of the command."""
    words = beginning.split()
    return command.split()[: len(words)] == words


def tested_by(command: str) -> str:
    """The file of the test that runs a command; the longest beginning of ``typed.csv`` counts."""
    if command in compared():
        return TRANSCRIPT
    rows = elsewhere()
    found = [beginning for beginning in rows if begins(command, beginning)]
    return rows[max(found, key=len)] if found else RUN


if __name__ == "__main__":
    for one in typed():
        print(f"{one.page}:{one.line}: {one.command}: {tested_by(one.command)}")
