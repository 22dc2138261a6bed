# SPDX-License-Identifier: BSD-2-Clause
"""Archives that have the same bytes whenever and wherever they are made."""

import gzip
import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

LEVEL = 9


def folder(place: Path) -> dict[str, Path]:
    """The files below a folder, by their names there."""
    return {str(p.relative_to(place)): p for p in sorted(place.rglob("*")) if p.is_file()}


def write(out: Path, top: str, files: Mapping[str, Path], seconds: int) -> None:
    """A tar.gz of ``files`` in the folder ``top``: in the order of their names, of ``seconds``, of
    no owner; executable if they are."""
    text = io.BytesIO()
    with tarfile.open(fileobj=text, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name in sorted(files):
            data = files[name].read_bytes()
            info = tarfile.TarInfo(f"{top}/{name}")
            info.size, info.mtime = len(data), seconds
            info.mode = 0o755 if files[name].stat().st_mode & 0o100 else 0o644
            tar.addfile(info, io.BytesIO(data))
    out.write_bytes(gzip.compress(text.getvalue(), LEVEL, mtime=seconds))
