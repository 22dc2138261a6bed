# SPDX-License-Identifier: BSD-2-Clause
"""Which of a program's sources have floating point, and which of its kinds are refused."""

import re
from collections.abc import Iterator
from pathlib import Path

_NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
_NUMBER = r"(?<![\w.])(?:\d+\.\d*|\.\d+|\d+(?=[eE][+-]?\d))(?:[eE][+-]?\d+)?[fF]?(?![\w.])"
_FLOATS = re.compile(rf"\b(?:float|double)\b|{_NUMBER}")
_HEADER = re.compile(r"^\s*#\s*include\s*<(?:math|float)\.h>", re.M)
_OWN = re.compile(r'^\s*#\s*include\s*"([^"\n]+)"', re.M)
_REFUSED = (
    ("long double", re.compile(r"\blong\s+double\b|\bdouble\s+long\b")),
    ("_Complex", re.compile(r"\b_Complex\b|^\s*#\s*include\s*<(?:complex|tgmath)\.h>", re.M)),
)


def has_floats(source: Path) -> bool:
    """Return true if a C source, or a header of the program's own in it, uses float or double."""
    texts = list(_texts(source)) if source.suffix == ".c" else []
    return any(_HEADER.search(text) or _FLOATS.search(_code(text)) for text in texts)


def refused(source: Path) -> str | None:
    """Name the kind of floating point in ``source`` that has no emulation, if there is one."""
    texts = list(_texts(source)) if source.suffix == ".c" else []
    codes = [_code(text) for text in texts]
    return next((name for name, p in _REFUSED if any(map(p.search, codes))), None)


def _code(text: str) -> str:
    """``text`` without comments, strings and characters."""
    return _NOT_CODE.sub(" ", text)


def _texts(source: Path, seen: frozenset[Path] = frozenset()) -> Iterator[str]:
    """``source``, and the headers that it includes from its own folder."""
    if source in seen or not source.is_file():
        return
    text = source.read_text(errors="replace")
    yield text
    for name in _OWN.findall(text):
        yield from _texts((source.parent / name).resolve(), seen | {source})
