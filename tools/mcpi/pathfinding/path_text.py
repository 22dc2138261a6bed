# SPDX-License-Identifier: BSD-2-Clause
"""A found path as a file of firmware/paths: the schema of those written by hand."""

from collections.abc import Iterator
from itertools import groupby

from mcpi.firmware.path_inline import CALLS, INPUT, OUTPUT, Place
from mcpi.pathfinding.guard import GUARD, Guard
from mcpi.pathfinding.members import Path

COLUMNS = 96
SHOWN = 2  # places of decisions behind a field
Field = tuple[int, bytes]  # first byte, masks


def text(title: str, path: Path, guard: Guard) -> str:
    """The file; the same path and guard give the same text."""
    lines = [
        "# SPDX-License-Identifier: BSD-2-Clause",
        f"# Found by ./mcpi path find: {title}.",
        "",
    ]
    lines += _calls(path)
    for kind in (INPUT, OUTPUT):
        lines += [f"[{kind}]", f'entry = "{path.entries[kind][1]}"', "inline = ["]
        lines += [f'  "{line}",' for line in _inline(path.inline[kind])] + ["]", ""]
    if path.pointers:
        return "\n".join(lines[:-1] + [""])
    lines += ["[guard]", "opens = ["]
    for at, masks in fields(guard.opens):
        value = guard.frame[at : at + len(masks)]
        lines.append(_field(f'at = {at}, value = "{value.hex()}"', masks))
    lines += ["]", "same = ["]
    for at, masks in fields(guard.same):
        field = _field(f"at = {at}, bytes = {len(masks)}", masks)
        why = ", ".join(_why(guard, at, len(masks))[:SHOWN])
        lines.append(f"{field:<45} # {why}" if len(why) + 48 <= COLUMNS else field)
    return "\n".join([*lines, "]", ""])


def _calls(path: Path) -> Iterator[str]:
    folders = dict.fromkeys(folder for folder, _ in path.calls)
    for folder in folders:
        yield f"[calls.{folder}]"
        own = {call: name for (of, call), name in path.calls.items() if of == folder}
        for call in sorted(own, key=lambda c: (CALLS.index(c) if c in CALLS else len(CALLS), c)):
            key = call if call in CALLS else f'"{call}"'
            yield f'{key} = "{own[call]}"'
    for (folder, call), names in path.several.items():
        yield f"# {call} of {folder} stays indirect: {', '.join(names)}."
    yield ""


def _inline(places: dict[Place, None]) -> Iterator[str]:
    for file, group in groupby(places, key=lambda place: place[0]):
        line = f"{file}:"
        for _, name in group:
            if len(line) + len(name) + 1 > COLUMNS - 6:
                yield line
                line = f"{file}:"
            line += f" {name}"
        yield line


def _field(what: str, masks: bytes) -> str:
    mask = "" if masks == b"\xff" * len(masks) else f', mask = "{masks.hex()}"'
    return f"  {{ {what}{mask} }},"


def fields(bits: int) -> Iterator[Field]:
    """Runs of bytes that a set has bits of: of whole bytes, or of one byte in part."""
    masks = bits.to_bytes(bits.bit_length() // 8 + 1, "little")
    start = 0
    for at in range(len(masks) + 1):
        whole = at < len(masks) and masks[at] == 0xFF
        if not whole and start < at:
            yield start, masks[start:at]
        if not whole:
            start = at + 1
            if at < len(masks) and masks[at]:
                yield at, masks[at : at + 1]


def _why(guard: Guard, at: int, size: int) -> list[str]:
    found = (place for byte in range(at, at + size) for place in guard.places(GUARD, byte))
    return list(dict.fromkeys(found))
