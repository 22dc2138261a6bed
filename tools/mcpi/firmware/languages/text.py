# SPDX-License-Identifier: BSD-2-Clause
"""The text of a program's source, with the headers of its own."""

import re
from collections.abc import Iterator
from pathlib import Path

C = (".c",)
CPLUSPLUS = (".cc", ".cpp", ".cxx")
COMPILED = (*C, *CPLUSPLUS)
_NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
_OWN = re.compile(r'^\s*#\s*include\s*"([^"\n]+)"', re.M)


def code(text: str) -> str:
    """``text`` without comments, strings and characters."""
    return _NOT_CODE.sub(" ", text)


def texts(source: Path, seen: frozenset[Path] = frozenset()) -> Iterator[str]:
    """``source``, and the headers that it includes from its own folder."""
    if source in seen or not source.is_file():
        return
    text = source.read_text(errors="replace")
    yield text
    for name in _OWN.findall(text):
        yield from texts((source.parent / name).resolve(), seen | {source})
