# SPDX-License-Identifier: BSD-2-Clause
"""Files in the archives of a release, and those that name folders of this computer."""

import io
import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from mcpi.base import environment
from mcpi.base.repo import ROOT


def files(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """All files in an archive, and in archives in it; another file is alone."""
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as found:
            inner = [(one, found.read(one)) for one in found.namelist()]
    elif re.search(r"\.(tar|tar\.gz|tgz)$", name):
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            inner = [(one.name, tar.extractfile(one).read()) for one in tar if one.isfile()]
    else:
        yield name, data
        return
    for one, content in inner:
        yield from files(f"{name}: {one}", content)


def ours(more: tuple[Path, ...] = ()) -> list[bytes]:
    """Folders of this computer that no file for others may name."""
    found = [ROOT, environment.place(), *more]
    return [str(place).encode() for place in found if place and place != Path("/")]


def named(name: str, data: bytes, places: list[bytes]) -> list[str]:
    """Each file that names one of ``places``, and the line."""
    return [
        f"{one}: {content[content.index(place) :][:99]!r}"
        for one, content in files(name, data)
        for place in places
        if place in content
    ]
