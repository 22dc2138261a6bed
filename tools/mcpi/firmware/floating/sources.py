# SPDX-License-Identifier: BSD-2-Clause
"""Which of a program's sources have floating point, and which of its kinds are refused."""

import re
from pathlib import Path

from mcpi.firmware.languages.text import COMPILED, code, texts

_NUMBER = r"(?<![\w.])(?:\d+\.\d*|\.\d+|\d+(?=[eE][+-]?\d))(?:[eE][+-]?\d+)?[fF]?(?![\w.])"
_FLOATS = re.compile(rf"\b(?:float|double)\b|{_NUMBER}")
_HEADER = re.compile(r"^\s*#\s*include\s*<(?:c?math|c?float)(?:\.h)?>", re.M)
_REFUSED = (
    ("long double", re.compile(r"\blong\s+double\b|\bdouble\s+long\b")),
    ("_Complex", re.compile(r"\b_Complex\b|^\s*#\s*include\s*<(?:complex|tgmath)\.h>", re.M)),
)


def has_floats(source: Path) -> bool:
    """Return true if a source, or a header of the program's own in it, uses float or double."""
    found = texts(source) if source.suffix in COMPILED else ()
    return any(_HEADER.search(text) or _FLOATS.search(code(text)) for text in found)


def refused(source: Path) -> str | None:
    """Name the kind of floating point in ``source`` that has no emulation, if there is one."""
    codes = [code(text) for text in texts(source)] if source.suffix in COMPILED else []
    return next((name for name, p in _REFUSED if any(map(p.search, codes))), None)
