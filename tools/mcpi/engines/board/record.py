# SPDX-License-Identifier: BSD-2-Clause
"""The records of two boards in exact time, and the files of a run that they make.

A board records each marker that it passes and each frame that it sends, with ticks, until the host
reads the entries (docs/explanation/exact-time.md, The record). The files are the simulators':
``events.csv``, ``stamps.csv`` and ``wire.pcap`` (``sim/log/events.cpp``, ``sim/link/pcap.cpp``).
"""

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.engines.board.node import BoardNode
from mcpi.firmware import elf
from mcpi.machine.profile import Machine
from mcpi.results import measure, pcap
from mcpi.spec.node_image import SIMULATORS_SEED, WIRE, phase_from_seed

MARKER, FIRST, MORE, LAST = 1, 2, 3, 4  # kinds of entries
KIND, SMALL, PER_ENTRY = 56, 48, 12  # where fields begin; nibbles of an entry
DELAY = 9  # ticks of the modelled wire (sim/link/wire.h)
AT_ONCE = 64  # entries of a board between two looks at its status
FILES = ("events.csv", "stamps.csv", "wire.pcap")
NAMES = {  # of events, by number
    measure.START: "round_trip_start",
    measure.END: "round_trip_end",
    measure.HAND_OVER: "hand_over",
    measure.NET_INTERRUPT: "net_interrupt",
    measure.MEASURE_START: "measure_start",
    measure.MEASURE_END: "measure_end",
    7: "probe_again",
}


@dataclass
class Record:
    """Entries of a board, taken apart."""

    markers: list[tuple[int, int]] = field(default_factory=list)  # tick, comparator
    frames: list[tuple[int, list[int]]] = field(default_factory=list)  # first tick, nibbles
    sends: list[int] | None = None  # nibbles of the frame that has not ended
    begun: int = 0  # tick of its first nibble

    def take(self, word: int) -> None:
        """An entry; RunError if the one before it is missing."""
        kind, small, data = word >> KIND, word >> SMALL & 31, word & (1 << SMALL) - 1
        if kind == MARKER:
            self.markers.append((data, small))
            return
        if (kind == FIRST) is not (self.sends is None) or kind > LAST:
            raise RunError(f"an entry of the record is missing before {word:#x}. Please report it.")
        if kind == FIRST:
            self.begun, self.sends = data, [small]
            return
        assert self.sends is not None
        packed = data >> 4 * (PER_ENTRY - small)
        self.sends += [packed >> 4 * n & 15 for n in range(small)]
        if kind == LAST:
            self.frames.append((self.begun, self.sends))
            self.sends = None


class Reader:
    """The host's side of a board's record."""

    def __init__(self, node: BoardNode) -> None:
        self.node, self.record, self.entries = node, Record(), 0

    def take(self) -> bool:
        """Read the next entry. False: there is none yet."""
        name = "board.record_odd" if self.entries % 2 else "board.record_even"
        if not (word := self.node.link.read(self.node.names[name])):
            return False
        self.record.take(word)
        self.entries += 1
        return True


class Pair:
    """Both boards' records. ``images``: what each of them runs."""

    def __init__(self, nodes: list[BoardNode], images: list[elf.Image]) -> None:
        self.readers, self.images = [Reader(node) for node in nodes], images

    def take(self) -> int:
        """Read what there is, up to a limit; return how many entries."""
        count = 0
        for reader in self.readers:
            for _ in range(AT_ONCE):
                if not reader.take():
                    break
                count += 1
        return count

    def end(self) -> None:
        """Read the rest. RunError for a record that has not all invocations of the path."""
        while self.take():
            pass
        for reader, image in zip(self.readers, self.images, strict=True):
            node, marks = reader.node, passed(reader.record, image)
            there = sum((m.action, m.window) == (elf.INVOCATION, elf.PATH) for _, m in marks)
            if there != (wanted := node.status().invocations):
                raise RunError(
                    f"{node.path}: the record has {there} invocations of the path, the board "
                    f"counted {wanted}. Please report it."
                )

    def write(self, folder: Path, machine: Machine) -> None:
        write(folder, machine, [reader.record for reader in self.readers], self.images)


def hindrance(images: list[elf.Image]) -> str:
    """Return why boards do not record such images; empty: they record them."""
    for number, image in enumerate(images):
        if (count := len(image.watched())) > elf.COMPARATORS:
            return f"node {number}: markers at {count} places, and {elf.COMPARATORS} comparators"
    return ""


def passed(record: Record, image: elf.Image) -> list[tuple[int, elf.Marker]]:
    """Every marker with its tick; those of an address in the order of the image."""
    at = defaultdict(list)
    for marker in image.markers:
        at[marker.address & elf.PHYSICAL].append(marker)
    watched = [marker.address & elf.PHYSICAL for marker in image.watched()]
    return [(tick, m) for tick, number in record.markers for m in at[watched[number]]]


def write(folder: Path, machine: Machine, records: list[Record], images: list[elf.Image]) -> None:
    """Leave ``FILES`` in ``folder``."""
    nibble = machine.nibble_ticks
    events, stamps, frames = [], [], []
    for number, (record, image) in enumerate(zip(records, images, strict=True)):
        marks = passed(record, image)
        events += [(t, number, m.window) for t, m in marks if m.action == elf.EVENT and m.window]
        stamps += [(tick, number, name(m)) for tick, m in stamped(marks)]
    for number, record in enumerate(records):
        phase = phase_from_seed(SIMULATORS_SEED, WIRE + number, nibble)
        for first, nibbles in record.frames:
            ticks = len(nibbles) * nibble
            arrives = first + nibble + DELAY
            arrives += (phase - arrives) % nibble  # the receiver's next strobe
            stamps += [(first, number, "tx_first_bit"), (first + ticks, number, "tx_last_bit")]
            peer = number ^ 1
            stamps += [(arrives, peer, "rx_first_bit"), (arrives + ticks, peer, "rx_last_bit")]
            frames.append((first, content(nibbles)))
    for file, last, rows in (("events.csv", "event", events), ("stamps.csv", "stamp", stamps)):
        rows.sort(key=lambda row: row[:2])
        text = "".join(f"{tick},{node},{what}\n" for tick, node, what in rows)
        (folder / file).write_text(f"tick,node,{last}\n{text}")
    frames.sort(key=lambda frame: frame[0])
    pcap.write(folder / "wire.pcap", [one for one in frames if one[1]], machine.ticks_per_us)


def stamped(marks: list[tuple[int, elf.Marker]]) -> list[tuple[int, elf.Marker]]:
    """Markers that leave a stamp: all but an opening of the path while the path is open."""
    found, is_open = [], False
    for tick, m in marks:
        if (m.action, m.window) == (elf.OPEN, elf.PATH) and is_open:
            continue
        if m.window == elf.PATH and m.action in (elf.OPEN, elf.CLOSE):
            is_open = m.action == elf.OPEN
        found.append((tick, m))
    return found


def name(m: elf.Marker) -> str:
    """The name of a marker's stamp."""
    if m.action == elf.EVENT:
        return NAMES.get(m.window, f"event_{m.window}")
    action = elf.ACTIONS[m.action]
    if m.window != elf.PATH:
        return f"{elf.WINDOWS[m.window]}_{action}"
    return action if m.action == elf.INVOCATION else f"window_{action}"


def content(nibbles: list[int]) -> bytes:
    """Bytes of a frame after its delimiter; none without a delimiter or of half a byte."""
    at = next((n for n, nibble in enumerate(nibbles) if nibble != 0x5), len(nibbles))
    body = nibbles[at + 1 :]
    if nibbles[at : at + 1] != [0xD] or len(body) % 2:
        return b""
    return bytes(low | high << 4 for low, high in zip(body[::2], body[1::2], strict=True))
