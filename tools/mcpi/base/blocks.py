# SPDX-License-Identifier: BSD-2-Clause
"""Blocks of a page that a program writes, between ``<!-- name -->`` and ``<!-- end -->``."""

from collections.abc import Iterable, Mapping

from mcpi.base.errors import UserError


def fill(page: str, texts: Mapping[str, str]) -> str:
    """The page with these blocks made anew; UserError for one that it does not have."""
    for name, text in texts.items():
        begin, found, rest = page.partition(f"<!-- {name} -->\n")
        if not found:
            raise UserError(f"the page has no block '{name}'.")
        _, end, after = rest.partition("<!-- end -->")
        page = f"{begin}{found}{text.rstrip()}\n{end}{after}"
    return page


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    titles = [*head]
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)
