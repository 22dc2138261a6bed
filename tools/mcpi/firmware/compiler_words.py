# SPDX-License-Identifier: BSD-2-Clause
"""The compiler's words on a program, for its writer: warnings, errors, and what the runtime has."""

import re
from collections.abc import Iterable
from pathlib import Path

from mcpi.base.repo import FIRMWARE

PAGE = "docs/how-to/exec.md"
_NO_FLOAT = (
    "float and double are emulated in .c files that name them, or include <math.h> or a header of "
    "their own that does."
)
_NO_COMPLEX = "Complex numbers and long double are not emulated."
_NO_SOCKETS = "Sockets: a .c file of the program's own includes <sys/socket.h>, not a header alone."
#: Words of the compiler or the linker, and the sentence that is added to them.
HINTS = (
    (r"(?:fenv|complex|tgmath)\.h: No such file", _NO_COMPLEX),
    (r"undefined reference to `_Ots\w*X", _NO_COMPLEX),
    (r"internal compiler error", _NO_FLOAT),
    (r"undefined reference to `(?:socket|bind|listen|accept|connect|mcpi_host)'", _NO_SOCKETS),
)


def warnings(files: Iterable[Path]) -> str:
    """The text of these files, each once."""
    there = dict.fromkeys(files)
    return "".join(path.read_text(errors="replace") for path in there if path.is_file())


def for_people(failed: str) -> str:
    """An error of a build as the program's writer wants it: without our commands."""
    words = failed.split("\n  the command was:")[0]
    missing = sorted(set(re.findall(r"(\S*: undefined reference to .*)", words)))
    if any("`main'" in line for line in missing):
        return "the program has no function main."
    if missing:
        lines = ["the program wants what neither it nor the runtime has:", *missing]
    elif "internal compiler error" in words:
        lines = [next(line for line in words.splitlines() if "error:" in line).strip()]
    else:
        lines = _of_use(words.splitlines())
    return "\n  ".join([*lines, *_hints(words, bool(missing))])


def _of_use(lines: list[str]) -> list[str]:
    """All but the compiler's guess at a header that is included already."""
    kept, drops = [], False
    for line in lines:
        if re.match(r"\s*\S+:\d+:\d+: ", line):
            drops = "did you forget to" in line
        if not drops:
            kept.append(line)
    return kept


def _hints(words: str, missing: bool) -> list[str]:
    found = list(dict.fromkeys(hint for pattern, hint in HINTS if re.search(pattern, words)))
    if re.search(r"\.h: No such file", words):
        found.append(f"The runtime has {', '.join(_headers())}; see {PAGE}.")
    elif missing:
        found.append(f"{PAGE} lists what the runtime has.")
    return found


def _headers() -> list[str]:
    folder = FIRMWARE / "runtime" / "include"
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.h"))
