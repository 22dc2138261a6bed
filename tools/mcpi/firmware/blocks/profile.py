# SPDX-License-Identifier: BSD-2-Clause
"""Profiles: how often an invocation of the path goes from a block of a function to another.

``firmware/variants/profiles/<name>.csv``: ``source,function,blocks,ways``, a row a function. Blocks
have the numbers that ``outline.split`` gives them; ``blocks`` is how many there were. A way is
``FROM-TO:TIMES``; without FROM the function is entered there, or the path's window opens.
"""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.repo import FIRMWARE

PROFILES = FIRMWARE / "variants" / "profiles"
FIELDS = ["source", "function", "blocks", "ways"]
ENTRY = -1  # where a way into a function comes from


@dataclass(frozen=True)
class Ways:
    """Ways between the blocks of a function that had so many, and how often each was taken."""

    blocks: int
    times: dict[tuple[int, int], int]

    @property
    def executed(self) -> set[int]:
        """The blocks that any way leads to, and the first, which callers enter."""
        return {0, *(to for _, to in self.times)}


Profile = dict[tuple[str, str], Ways]  # by source and function


def file_of(name: str) -> Path:
    """The profile that a recipe names. UserError if there is none."""
    path = PROFILES / f"{name}.csv"
    if not path.is_file():
        there = ", ".join(sorted(p.stem for p in PROFILES.glob("*.csv"))) or "none yet"
        raise UserError(f"no profile '{name}' in firmware/variants/profiles. There are: {there}.")
    return path


def read(path: Path) -> Profile:
    """The profile in a file. UserError, with the line, for what is none."""
    found: Profile = {}
    with path.open(newline="") as stream:
        for number, row in enumerate(csv.DictReader(stream), 2):
            try:
                ways = dict(map(_way, row["ways"].split()))
                found[row["source"], row["function"]] = Ways(int(row["blocks"]), ways)
            except (KeyError, ValueError, AttributeError):
                raise UserError(
                    f"{path}, line {number}: no row of a profile. ./mcpi layout profile makes one."
                ) from None
    return found


def text(profile: Profile) -> str:
    """The file of a profile."""
    stream = io.StringIO()
    out = csv.writer(stream, lineterminator="\n")
    out.writerow(FIELDS)
    for (source, function), ways in sorted(profile.items()):
        words = (_word(*way, times) for way, times in sorted(ways.times.items()))
        out.writerow([source, function, ways.blocks, " ".join(words)])
    return stream.getvalue()


def _word(start: int, end: int, times: int) -> str:
    return f"{'' if start == ENTRY else start}-{end}:{times}"


def _way(word: str) -> tuple[tuple[int, int], int]:
    blocks, _, times = word.partition(":")
    start, _, end = blocks.partition("-")
    return (int(start) if start else ENTRY, int(end)), int(times)
