# SPDX-License-Identifier: BSD-2-Clause
"""Every top that can be elaborated, by what the Scala says: a list without a start of Java."""

import re

from mcpi.base.errors import UserError, nearest
from mcpi.hdl import scala

_BLOCK = re.compile(r"\bBlock\(\s*\"(\w+)\"\s*,")


def names() -> list[str]:
    """Names of ``Elaborate``, without those that boards make of their board.toml."""
    texts = (path.read_text() for path in scala.sources() if path.suffix == ".scala")
    return sorted({name for text in texts for name in _BLOCK.findall(text)})


def check(top: str) -> None:
    """UserError for one that there is not, with the nearest."""
    there = names()
    if top not in there:
        hint = nearest(top, there)
        raise UserError(f"--top {top}: no such top.{hint} There are: {', '.join(there)}.")
