# SPDX-License-Identifier: BSD-2-Clause
"""Files of a run that have another name if they are compressed: ``stamps.csv.gz`` is
``stamps.csv`` of a long run (docs/reference/simulator.md)."""

import gzip
from pathlib import Path
from typing import BinaryIO, TextIO

SUFFIX = ".gz"


def place(path: Path) -> Path:
    """The path under the name that the file has."""
    packed = path.with_name(path.name + SUFFIX)
    return packed if packed.is_file() else path


def text(path: Path) -> TextIO:
    """The file's text, for ``csv``."""
    found = place(path)
    return gzip.open(found, "rt", newline="") if found != path else path.open(newline="")


def data(path: Path) -> BinaryIO:
    """The file's bytes."""
    found = place(path)
    return gzip.open(found) if found != path else path.open("rb")
