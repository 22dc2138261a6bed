# SPDX-License-Identifier: BSD-2-Clause
"""Which sources a switch matters to: the others are compiled once for all its values.

A switch matters to a source that names it, or reaches through its ``#include "…"`` a header that
does. ``#ifndef NAME`` and ``#define NAME …``, its default, are not counted.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path


def matters(switch: str, source: Path, root: Path, generated: Iterable[tuple[str, str]]) -> bool:
    """``switch``: ``NAME`` or ``NAME=VALUE``; ``root``: the compiler's ``-I``, besides the source's
    own folder; ``generated``: names and texts of headers that lie elsewhere."""
    name = switch.partition("=")[0]
    texts = {_text(path) for path in _reached(source, root)}
    included = {include for text in texts for include in _includes(text)}
    texts |= {text for file, text in generated if file in included}
    return any(_names(name, text) for text in texts)


@cache
def _reached(source: Path, root: Path) -> frozenset[Path]:
    """``source`` and all headers that it includes, and they."""
    found, left = set(), [source]
    while left:
        path = left.pop()
        if path in found:
            continue
        found.add(path)
        for include in _includes(_text(path)):
            left += [p for p in (path.parent / include, root / include) if p.is_file()][:1]
    return frozenset(found)


@cache
def _text(path: Path) -> str:
    return path.read_text()


@cache
def _includes(text: str) -> list[str]:
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.M)


@cache
def _names(name: str, text: str) -> bool:
    default = re.compile(rf"^\s*#\s*(?:ifndef|define)\s+{name}\b(?:\s+\w+)?", re.M)
    return re.search(rf"\b{name}\b", default.sub("", text)) is not None
