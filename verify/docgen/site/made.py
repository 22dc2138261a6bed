# SPDX-License-Identifier: BSD-2-Clause
"""Checks of the site as it was made: links, anchors, and that no page asks the network."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

_NETWORK = re.compile(r"url\(\s*['\"]?(?:https?:)?//|@import")
#: Attributes that make a browser load a file; ``href`` only of some elements.
_LOADED = {"src", "srcset", "poster", "data"}


class _Link(NamedTuple):
    line: int
    loaded: bool
    target: str


class _Page(HTMLParser):
    """Links and anchors of a page."""

    def __init__(self, text: str):
        super().__init__()
        self.links: list[_Link] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            loaded = name in _LOADED or name == "href" and tag == "link"
            if value and (loaded or name == "href"):
                self.links.append(_Link(self.getpos()[0], loaded, value))


def errors(site: Path) -> list[str]:
    """A line for each link of a page that leads nowhere, and for each file that would be loaded
    from the network."""
    pages = {path.resolve(): _Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    found = [
        f"{path.relative_to(site.resolve())}:{link.line}: {wrong}"
        for path, page in pages.items()
        for link in page.links
        if (wrong := _wrong(link, path, pages))
    ]
    return found + list(_styles(site))


def _wrong(link: _Link, path: Path, pages: dict[Path, _Page]) -> str:
    target = urlsplit(link.target)
    if target.scheme == "data":
        return ""
    if target.scheme or target.netloc:
        return f"loads {link.target} from the network." if link.loaded else ""
    file = (path.parent / unquote(target.path)).resolve() if target.path else path
    if not file.is_file():
        return f"the link ({link.target}) leads to no file of the site."
    anchor = unquote(target.fragment)
    if anchor and file in pages and anchor not in pages[file].anchors:
        return f"the link ({link.target}) leads to no place of its page."
    return ""


def _styles(site: Path) -> Iterator[str]:
    for path in sorted(site.rglob("*.css")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if _NETWORK.search(line):
                yield f"{path.relative_to(site)}:{number}: a style from the network."
