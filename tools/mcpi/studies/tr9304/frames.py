# SPDX-License-Identifier: BSD-2-Clause
"""Frames that the generator sends: messages of 14,792 bytes in ten full frames, each in its
tick."""

import hashlib
import struct
from pathlib import Path

from mcpi.base import staging
from mcpi.base.repo import BUILD
from mcpi.machine.profile import Machine

DATA, FRAGMENT = 14_792, 1_480  # bytes of a message; of each of its fragments, with UDP's header
FRAMES = 10
FRAME_BITS = (1_518 + 8) * 8 + 96  # with preamble, FCS and the gap to the next frame
SENDER, RECEIVER = b"\x08\0+\0\0\x02", b"\x08\0+\0\0\x01"  # as the loader's boot parameters
ADDRESSES = b"\x0a\0\0\x02", b"\x0a\0\0\x01"
PORT = 7
MORE = 0x2000  # IP's flag: fragments follow
SCRIPTS = BUILD / "scripts"
_files: dict[tuple, tuple[Path, int]] = {}  # of script_file, by what a script depends on
LATEST_ENDS, END_EVERY_MS = 5, 10
PAUSE_MS = 40  # between trains of messages: all of one have been read by then


def checksum(data: bytes) -> int:
    """Checksum of 16-bit words, RFC 1071."""
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def datagram(data: bytes, with_checksum: bool) -> bytes:
    head = struct.pack("!4H", 9000, PORT, 8 + len(data), 0)
    if not with_checksum:
        return head + data
    pseudo = b"".join(ADDRESSES) + struct.pack("!2H", 17, len(head) + len(data))
    value = checksum(pseudo + head + data) or 0xFFFF
    return head[:6] + struct.pack("!H", value) + data


def frames(data: bytes, ident: int, with_checksum: bool) -> list[bytes]:
    """Ethernet frames without FCS; ``data``: an even number of bytes."""
    body, found = datagram(data, with_checksum), []
    for at in range(0, len(body), FRAGMENT):
        part = body[at : at + FRAGMENT]
        flags = at // 8 | (MORE if at + FRAGMENT < len(body) else 0)
        head = struct.pack("!2B3H2BH", 0x45, 0, 20 + len(part), ident, flags, 64, 17, 0)
        head += b"".join(ADDRESSES)
        head = head[:10] + struct.pack("!H", checksum(head)) + head[12:]
        frame = RECEIVER + SENDER + b"\x08\0" + head + part
        found.append(frame.ljust(60, b"\0"))
    return found


def message_ticks(machine: Machine) -> int:
    """Ticks of the wire for a whole message."""
    per_us, mbps = machine.parameters["clock.ticks_per_us"], machine.parameters["link.mbps"]
    return FRAMES * FRAME_BITS * per_us // mbps


def _period(machine: Machine, gap_ms: float) -> int:
    """Ticks from the first bit of a message to that of the next."""
    return message_ticks(machine) + int(gap_ms * 1000 * machine.ticks_per_us)


def script_file(
    machine: Machine, messages: int, gap_ms: float, first: int, share: int, train: int = 0
) -> tuple[Path, int]:
    """A file of ``script``, named by what it holds, and its last frame's tick."""
    about = (messages, first, share, train, _period(machine, gap_ms), machine.ticks_per_us)
    if about not in _files:
        text = script(machine, messages, gap_ms, first, share, train)
        path = SCRIPTS / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.txt"
        if not path.is_file():
            staging.write(path, text)
        _files[about] = path, int(text.rpartition("inject ")[2].split()[0])
    return _files[about]


def starts(path: Path) -> list[int]:
    """The tick of the first bit of each message of a file of ``script``."""
    with path.open() as file:
        return [int(line.split(maxsplit=2)[1]) for line in file][:-LATEST_ENDS:FRAMES]


def has_sum(message: int, share: int) -> bool:
    """Return true if a message, from 0 on, has a checksum; ``share``: per cent of all messages that
    have one, evenly among them, the first only at 100."""
    return (message + 1) * share // 100 > message * share // 100


def script(
    machine: Machine, messages: int, gap_ms: float, first: int, share: int, train: int = 0
) -> str:
    """For ``--wire 1:script``. Frames of a message follow each other on the wire; ``gap_ms``: from
    the last bit of a message to the first of the next; ``share``: per cent of the messages
    that have a checksum; ``train``: after so many messages the wire rests PAUSE_MS. Empty
    datagrams come last."""

    def rests(n: int) -> int:
        return n // train if train else 0

    per_us, period = machine.ticks_per_us, _period(machine, gap_ms)
    pause = PAUSE_MS * 1000 * per_us
    data, lines = bytes(n * 31 % 256 for n in range(DATA)), []
    for n in range(messages):
        for frame in frames(data, n + 1, has_sum(n, share)):
            lines.append(f"inject {first + n * period + rests(n) * pause} {frame.hex()}")
    end = first + messages * period + rests(messages - 1) * pause + 20_000 * per_us
    for n in range(LATEST_ENDS):
        [frame] = frames(b"", 60_000 + n, share > 0)
        lines.append(f"inject {end + n * END_EVERY_MS * 1000 * per_us} {frame.hex()}")
    return "\n".join(lines) + "\n"
