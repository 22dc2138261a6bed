# SPDX-License-Identifier: BSD-2-Clause
"""Rooms of the firmware and their parts (mcpi/firmware/rooms.py)."""

from pathlib import Path

import pytest

from mcpi.base.repo import FIRMWARE
from mcpi.firmware import rooms, sources


def test_every_part_has_sources() -> None:
    for room, parts in rooms.PARTS.items():
        for part in parts:
            assert any((FIRMWARE / room / part).glob("*.c")), f"firmware/{room}/{part}"


def test_files_are_sorted_by_room_and_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "PARTS", {"a": ("z", "y")})
    for name in ("a/3.c", "a/z/1.c", "a/y/2.c", "a/x/4.c", "a/y/2.h", "b/0.c"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = rooms.files(["b", "a"], "*.c", tmp_path)
    assert [str(p.relative_to(tmp_path)) for p in found] == ["a/z/1.c", "a/y/2.c", "a/3.c", "b/0.c"]


def test_a_source_belongs_to_its_room() -> None:
    tcp = FIRMWARE / "protocols" / "tcp"
    for name in ("tcp.c", "input/tcp_ack.c"):
        assert rooms.room_of(tcp / name) == tcp
    assert rooms.room_of(tcp / "parallel" / "push.c") == tcp / "parallel"
    assert rooms.room_of(Path("/own/tag/tag.c")) == Path("/own/tag")
    assert tcp / "input" / "tcp_ack.c" in sources.in_rooms(["protocols/tcp"])
