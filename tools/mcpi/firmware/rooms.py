# SPDX-License-Identifier: BSD-2-Clause
"""Rooms of the firmware: a folder of sources that an image has as a whole or not at all.

A room of many files has parts, a folder for each concern. Other folders below a room are rooms of
their own (``protocols/tcp/parallel``).
"""

from pathlib import Path

from mcpi.base.repo import FIRMWARE

PARTS = {
    "bsd": ("inet", "kern", "mbuf", "net", "socket", "tcp"),
    "bsdnet": ("inet", "mbuf", "pool", "socket"),
    "protocols/tcp": ("connection", "fast", "input", "output", "timers"),
    "xkernel": ("map", "memory", "message", "own_code", "thread"),
}


def folders(room: str, root: Path = FIRMWARE) -> list[Path]:
    """The room's folder and those of its parts."""
    return [root / room, *(root / room / part for part in PARTS.get(room, ()))]


def room_of(source: Path) -> Path:
    """The folder of a source's room."""
    above = source.parent.parent
    room = above.relative_to(FIRMWARE) if above.is_relative_to(FIRMWARE) else None
    return above if source.parent.name in PARTS.get(str(room), ()) else source.parent


def files(rooms: list[str], pattern: str, root: Path = FIRMWARE) -> list[Path]:
    """The files of these rooms, sorted by room and name, in whichever part they lie."""
    found = [
        (root / room / path.name, path)
        for room in rooms
        for folder in folders(room, root)
        for path in folder.glob(pattern)
    ]
    return [path for _, path in sorted(found)]
