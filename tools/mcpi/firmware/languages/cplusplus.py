# SPDX-License-Identifier: BSD-2-Clause
"""Programs in C++, without exceptions, RTTI and the library."""

import re
from pathlib import Path

from mcpi.base import environment
from mcpi.base.repo import FIRMWARE
from mcpi.firmware import rooms
from mcpi.firmware.languages.text import CPLUSPLUS, code, texts

GROUP = "c++"  # of set-up: the compiler
ROOM = "runtime/cplusplus"
HEADERS = FIRMWARE / "runtime" / "include" / "c++"
FLAGS = ["-std=gnu++17", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"]
FLAGS += ["-nostdinc++", "-isystem", str(HEADERS)]
MACRO = "-DMCPI_CPLUSPLUS=1"  # of the runtime: firmware/runtime/globals.h
_INCLUDED = re.compile(r"^\s*#\s*include\s*<(\w+)>", re.M)
_REFUSED = (
    (
        re.compile(r"\b(throw|try|catch)\b"),
        "exceptions ({}) are not there; return a value that says what failed, or call abort().",
    ),
    (
        re.compile(r"\b(dynamic_cast|typeid)\b"),
        "RTTI ({}) is not there; call a virtual function, or keep the kind in a field.",
    ),
)


def is_cplusplus(source: Path) -> bool:
    """Return true for a source in C++, by its name."""
    return source.suffix in CPLUSPLUS


def refused(source: Path) -> str | None:
    """Say what a source in C++ uses that is not there, and what to do."""
    found = list(texts(source)) if is_cplusplus(source) else []
    for text in found:
        for pattern, words in _REFUSED:
            if has := pattern.search(code(text)):
                return words.format(has[1])
        for name in _INCLUDED.findall(text):
            if not (HEADERS / name).is_file():
                there = ", ".join(sorted(f"<{path.name}>" for path in HEADERS.iterdir()))
                return f"#include <{name}>: the C++ library is not there. Headers are {there}."
    return None


def runtime() -> list[Path]:
    """The runtime's sources for such a program."""
    return rooms.files([ROOM], "*.cc")


def want() -> None:
    """Set up the compiler, if it is not there yet."""
    environment.want_group(GROUP)
