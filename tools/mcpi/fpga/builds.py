# SPDX-License-Identifier: BSD-2-Clause
"""Bitstreams in ``build/boards/``: the record of each, and the file that the record names."""

import json
from collections.abc import Iterator
from pathlib import Path

RECORD = "build.json"  # a bitstream's board, machine and Verilog


def records(build: Path, board: str = "*") -> Iterator[tuple[Path, dict]]:
    """The records of a board, or of all, below ``build``, the latest first, with their content."""
    found = (build / "boards").glob(f"{board}-*/{RECORD}")
    for path in sorted(found, key=lambda path: (path.stat().st_mtime, path), reverse=True):
        yield path, json.loads(path.read_text())


def bitstream(record: Path) -> Path:
    """The bitstream of a record: the one beside it of the name that it gives. A folder may have
    other bitstreams: of other seeds, or for a simulator."""
    return record.parent / Path(json.loads(record.read_text())["bitstream"]).name
