# SPDX-License-Identifier: BSD-2-Clause
"""Links of the pages, and the errors among them: no such file, no such heading."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from mcpi.base.repo import ROOT

TARGET = re.compile(r"\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^ *(```|~~~)")
_HEADING = re.compile(r"^#+ (.*?)#*$")


class Link(NamedTuple):
    """A link: the line of its page, the text in its brackets, and what the text leads to."""

    line: int
    text: str
    file: Path | None  # none of an address of the Web
    anchor: str


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Numbers and text of the lines outside of fenced blocks."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            inside = not inside
        elif not inside:
            yield number, line


def of(page: Path) -> Iterator[Link]:
    """The links of a page."""
    for number, line in prose(page.read_text()):
        for text in TARGET.findall(line):
            path, _, anchor = text.partition("#")
            outside = "://" in text or text.startswith("mailto:")
            file = None if outside else (page.parent / path).resolve() if path else page
            yield Link(number, text, file, anchor)


def anchors(page: Path) -> set[str]:
    """Anchors of the headings of a page, as GitHub and MyST make them: a heading that is there
    twice gets a number."""
    found: dict[str, int] = {}
    for _, line in prose(page.read_text()):
        if heading := _HEADING.match(line):
            plain = re.sub(r"[^\w\- ]", "", heading[1].strip().lower()).replace(" ", "-")
            found[plain] = found.get(plain, 0) + 1
    return {f"{name}-{n}" if n else name for name, times in found.items() for n in range(times)}


def closure(start: Path) -> tuple[list[Path], list[Path]]:
    """The pages to which ``start`` leads, itself among them, and the other files and folders to
    which their links lead."""
    pages, others, todo = {start}, set(), [start]
    while todo:
        for link in of(todo.pop()):
            if link.file is None or not link.file.exists():
                continue
            if link.file.suffix != ".md":
                others.add(link.file)
            elif link.file not in pages:
                pages.add(link.file)
                todo.append(link.file)
    return sorted(pages), sorted(others)


def errors(pages: Iterable[Path], root: Path = ROOT) -> list[str]:
    """A line for each broken link: page, line, what is wrong."""
    return [
        f"{page.relative_to(root)}:{link.line}: the link ({link.text}) leads nowhere: {wrong}"
        for page in pages
        for link in of(page)
        if (wrong := _wrong(link, root))
    ]


def _wrong(link: Link, root: Path) -> str:
    if link.file is None:
        return ""
    if not link.file.is_relative_to(root):
        return "the file is outside of the checkout."
    if not link.file.exists():
        return f"there is no {link.file.relative_to(root)}."
    if link.anchor and link.file.suffix == ".md" and link.anchor not in anchors(link.file):
        return f"{link.file.relative_to(root)} has no heading #{link.anchor}."
    return ""
