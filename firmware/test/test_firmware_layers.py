# SPDX-License-Identifier: BSD-2-Clause
"""Arrows between the firmware's folders go down in the drawing of docs/architecture.md, by includes
and by the functions that are named."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from firmware_support.c_text import COMMENT, DEFINITION, TAG_OR_MEMBER
from firmware_support.host_build import FIRMWARE

from mcpi.base.repo import ROOT

PAGE = ROOT / "docs" / "architecture.md"
HEADING = "### The folders of firmware"
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
SOURCES = (".c", ".h", ".S", ".inc")
# No layers: texts that are no C, and what is above all.
OTHERS = {"graphs", "paths", "variants", "test"}
# The chip's driver, which others may have without the protocols above it.
DRIVER = "protocols/lance/"
DRIVER_ALONE = {"kernel", "runtime", "bsd", "platform/host"}
# Implemented by the machines, and by the C library of programs: a call is no arrow to the source.
INTERFACE, LIBRARY = "platform/platform.h", "runtime/"
# Arrows that go up, with the reason.
EXCEPTIONS = {
    ("xkernel/atomic/word.h", "platform/host/atomic.h"): (
        "platform/host is below the x-kernel by its atomic words alone; its wire, which plays the "
        "driver and starts shepherds, is above"
    ),
}


def drawing(page: str) -> list[list[str]]:
    """The lines of the drawing below the heading, the top first."""
    text = re.search(r"^```\n(.*?)^```", page.split(HEADING, 1)[1], re.M | re.S)[1]
    lines = (re.match(r" *([a-z./]+(?: *\| *[a-z./]+)*)(?:  |$)", x) for x in text.split("\n"))
    return [re.split(r" *\| *", line[1]) for line in lines if line]


def levels() -> dict[str, int]:
    return {room: n for n, line in enumerate(reversed(drawing(PAGE.read_text()))) for room in line}


def room_of(file: str, rooms: dict[str, int]) -> str:
    """The longest folder in the drawing that has the file."""
    fits = [room for room in rooms if file == room or file.startswith(f"{room}/")]
    assert fits, f"firmware/{file} is in no folder of the drawing in {PAGE.name}"
    return max(fits, key=len)


def texts(root: Path = FIRMWARE) -> dict[str, str]:
    """By path below ``root``; comments and strings are left out of what is no include."""
    found = (p for p in sorted(root.rglob("*")) if p.suffix in SOURCES)
    return {
        str(p.relative_to(root)): p.read_text()
        for p in found
        if p.relative_to(root).parts[0] not in OTHERS
    }


def arrows(files: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """A file, a file that it needs, and why."""
    interface = set(re.findall(r"\w+(?=\()", files[INTERFACE]))
    bodies = {f: DEFINITION.findall(COMMENT.sub("", t)) for f, t in files.items() if f[-1] in "ch"}
    homes: dict[str, set[str]] = {}
    for file, found in bodies.items():
        for static, name, _ in found:
            if not static and file.endswith(".c") and not file.startswith(LIBRARY):
                homes.setdefault(name, set()).add(file)
    for file, text in files.items():
        folder = Path(file).parent
        for name in INCLUDE.findall(text):
            own_folder = str(folder / name)
            if (other := next((f for f in (own_folder, name) if f in files), None)) is not None:
                yield file, other, "includes it"
        own = {name for _, name, _ in bodies.get(file, [])}
        for _, function, body in bodies.get(file, []):
            for word in sorted(set(re.findall(r"\w+", TAG_OR_MEMBER.sub("", body))) - own):
                # A function that several files define belongs to an interface below both.
                if word not in interface and len(home := homes.get(word, set())) == 1:
                    yield file, *home, f"{function} names {word}"


def wrong(files: dict[str, str]) -> list[str]:
    """The arrows that do not go down."""
    rooms, found = levels(), []
    for file, other, reason in arrows(files):
        a, b = room_of(file, rooms), room_of(other, rooms)
        if a == b or (file, other) in EXCEPTIONS:
            continue
        if rooms[b] >= rooms[a]:
            found.append(f"{file} -> {other}: {reason}")
        elif a in DRIVER_ALONE and b == "protocols" and not other.startswith(DRIVER):
            found.append(f"{file} -> {other}: {reason}; of protocols only lance is for {a}")
    return found


def test_the_folders_go_one_way() -> None:
    assert not (found := wrong(texts())), "\n".join(found)


@pytest.mark.parametrize(
    ("file", "added", "found"),
    [
        ("xkernel/map/map.h", '#include "protocols/ip/ip.h"\n', "includes it"),
        ("platform/alpha/level.c", '#include "xkernel/map/map.h"\n', "includes it"),
        ("boot/trap.S", '#include "platform/alpha/device.h"\n', "includes it"),
        ("kernel/sleep.c", '#include "protocols/ip/ip.h"\n', "only lance"),
        ("bsdnet/pool/mbuf.c", '#include "protocols/lance/lance.h"\n', "includes it"),
        (
            "xkernel/thread/idle.c",
            "void planted(void)\n{\n\ttcp_control(0, 0, 0, 0);\n}\n",
            "planted names tcp_control",
        ),
        ("structures/probe.c", "void planted(void)\n{\n\tplat_exit(0);\n}\n", ""),
    ],
)
def test_a_planted_arrow_is_found(file: str, added: str, found: str) -> None:
    files = texts()
    lines = wrong(files | {file: f"{files[file]}\n{added}"})
    assert any(found in line for line in lines) if found else not lines


def test_the_exceptions_are_there() -> None:
    files = texts()
    assert all(f'#include "{other}"' in files[file] for file, other in EXCEPTIONS)


def test_a_folder_without_a_place_is_found() -> None:
    with pytest.raises(AssertionError, match=r"in no folder of the drawing"):
        wrong({INTERFACE: "", "driver/a.c": '#include "driver/b.h"\n', "driver/b.h": ""})
