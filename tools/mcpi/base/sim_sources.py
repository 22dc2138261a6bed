# SPDX-License-Identifier: BSD-2-Clause
"""``sim/programs.toml``: the sources of each program of ``sim/``."""

import tomllib
from collections.abc import Iterable

from mcpi.base.repo import ROOT

_TABLE = tomllib.loads((ROOT / "sim" / "programs.toml").read_text())


def _patterns(words: Iterable[str]) -> tuple[str, ...]:
    parts = (group(word[1:]) if word[0] == "@" else (word,) for word in words)
    return tuple(pattern for part in parts for pattern in part)


def group(name: str) -> tuple[str, ...]:
    """The patterns of a group."""
    return _patterns(_TABLE["groups"][name])


def of(section: str) -> dict[str, tuple[str, ...]]:
    """The patterns of each program of a section, by its name."""
    return {name: _patterns(words) for name, words in _TABLE[section].items()}
