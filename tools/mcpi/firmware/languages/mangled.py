# SPDX-License-Identifier: BSD-2-Clause
"""Names of C++ as people write them, in the place of those of an object file."""

import subprocess

from mcpi.base.errors import RunError

PREFIX = "_Z"
FILTER = "c++filt"


def read(table) -> dict[str, str]:
    """The mangled names of a symbol table, with what they stand for: without parameters, unless
    two functions differ in these alone."""
    names = sorted({symbol for symbol in _names(table) if symbol.startswith(PREFIX)})
    if not names:
        return {}
    whole, short = _said(names), _said(names, "--no-params")
    many = {name for name in short if short.count(name) > 1}
    return {n: w if s in many else s for n, w, s in zip(names, whole, short)}


def _names(table) -> list[str]:
    strings = table.stringtable.data()
    return [text.decode(errors="replace") for text in strings.split(b"\0")]


def _said(names: list[str], *options: str) -> list[str]:
    words = [FILTER, *options]
    done = subprocess.run(words, input="\n".join(names), capture_output=True, text=True)
    if done.returncode:
        raise RunError(f"{FILTER}: {done.stderr}")
    return done.stdout.splitlines()
