# SPDX-License-Identifier: BSD-2-Clause
"""Read a firmware image: what the loader must put where, and the markers it carries.

Everything that could go wrong later, on a running machine, is refused here with a sentence.
"""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from mcpi.base.errors import RunError, UserError
from mcpi.machine.c_header import KSEG
from mcpi.machine.profile import Machine

EM_ALPHA = 0x9026
PHYSICAL = (1 << 34) - 1
MARKERS = ".mcpi.markers"
COMPARATORS = 24  # contracts.md 6
OPEN, CLOSE, INVOCATION, EVENT = 1, 2, 5, 6  # actions
PATH = 1
WINDOWS = {PATH: "path", 2: "spin", 3: "hold", 4: "probe"}
ACTIONS = {OPEN: "open", CLOSE: "close", 3: "pause", 4: "resume", INVOCATION: "invocation"}
ACTIONS |= {EVENT: "event"}
_MARKER = struct.Struct("<QII")


@dataclass(frozen=True)
class Segment:
    """Bytes for RAM at physical ``address``. The image also uses ``reserved`` bytes behind them,
    which need no contents: start-up clears what must be zero.
    """

    address: int
    data: bytes
    reserved: int

    @property
    def end(self) -> int:
        return self.address + len(self.data) + self.reserved


@dataclass(frozen=True)
class Marker:
    """``address`` is virtual (KSEG); ``window`` is the event's number if ``action`` is EVENT."""

    address: int
    action: int
    window: int


@dataclass(frozen=True)
class Image:
    entry: int
    segments: tuple[Segment, ...]
    markers: tuple[Marker, ...]
    symbols: dict[str, int]

    def comparators(self) -> list[Marker]:
        """The markers that need a hardware comparator: all but events."""
        return [m for m in self.markers if m.action != EVENT]

    def watched(self) -> list[Marker]:
        """The markers that comparators of a board watch for its record: those, and an event for
        each further address."""
        found = {m.address: m for m in reversed(self.markers) if m.action == EVENT}
        others = self.comparators()
        for m in others:
            found.pop(m.address, None)
        return [*others, *reversed(found.values())]


def read(path: Path, machine: Machine, region: str = "image") -> Image:
    """Check ``path`` and take it apart. ``region`` is the entry of ``[ram]`` it must stay inside
    (``image`` or ``pal``); its entry point must be the region's first byte.
    """
    try:
        with Path(path).open("rb") as stream:
            return _checked(Path(path), ELFFile(stream), machine, region)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}.") from None
    except (ELFError, struct.error, UnicodeDecodeError, ValueError) as error:
        raise UserError(f"{path}: not a usable ELF file ({error}).") from None
    except (MemoryError, OverflowError):  # elftools reads as many bytes as a header says
        raise UserError(f"{path}: not a usable ELF file (a part is said to be huge).") from None


def _checked(path: Path, elf: ELFFile, machine: Machine, region: str) -> Image:
    if (
        elf.elfclass != 64
        or not elf.little_endian
        or elf["e_machine"] not in (EM_ALPHA, "EM_ALPHA")
    ):
        raise UserError(
            f"{path}: not for Alpha but {elf.get_machine_arch()}; build it with ./mcpi, or with "
            "alpha-linux-gnu-gcc."
        )
    if elf["e_type"] != "ET_EXEC":
        raise UserError(f"{path}: not an executable image ({elf['e_type']}); link it first.")
    bounds = machine.memory_map["ram"][region]
    start, end = bounds["base"], bounds["base"] + bounds["size"]
    if elf["e_entry"] != KSEG + start:
        raise UserError(f"{path}: entry {elf['e_entry']:#x}; PALcode enters at {KSEG + start:#x}.")
    segments = sorted(_segments(path, elf), key=lambda s: s.address)
    if not segments:
        raise UserError(f"{path}: nothing to load.")
    for segment in segments:
        if segment.address < start or segment.end > end:
            raise UserError(
                f"{path}: segment {segment.address:#x} to {segment.end:#x} is outside the RAM "
                f"region '{region}', {start:#x} to {end:#x}."
            )
    for one, two in zip(segments, segments[1:], strict=False):
        if one.end > two.address:
            raise UserError(f"{path}: segments overlap at {two.address:#x}.")
    markers = _markers(path, elf, segments)
    symbols = _symbols(elf)
    return Image(elf["e_entry"], tuple(segments), markers, symbols)


def _segments(path: Path, elf: ELFFile) -> list[Segment]:
    found = []
    for header in elf.iter_segments("PT_LOAD"):
        size, reserved = header["p_filesz"], header["p_memsz"] - header["p_filesz"]
        data = header.data()
        if reserved < 0 or len(data) != size:
            raise UserError(f"{path}: cut short, or a segment smaller in memory than in the file.")
        if header["p_memsz"]:
            found.append(Segment(header["p_vaddr"] & PHYSICAL, data, reserved))
    return found


def _markers(path: Path, elf: ELFFile, segments: list[Segment]) -> tuple[Marker, ...]:
    section = elf.get_section_by_name(MARKERS)
    if section is None:
        return ()
    if section["sh_flags"] & 2 or section["sh_size"] % _MARKER.size:
        raise UserError(f"{path}: {MARKERS} is loaded, or not records of {_MARKER.size} bytes.")
    markers = tuple(Marker(*record) for record in _MARKER.iter_unpack(section.data()))
    for marker in markers:
        physical = marker.address & PHYSICAL
        inside = any(s.address <= physical < s.end for s in segments)
        if marker.action not in ACTIONS or not inside or marker.address & 3:
            raise UserError(
                f"{path}: marker at {marker.address:#x}, action {marker.action}: no such action, "
                "or not the address of an instruction of this image."
            )
        if marker.action != EVENT and marker.window not in WINDOWS:
            known = ", ".join(f"{number} {name}" for number, name in WINDOWS.items())
            raise UserError(
                f"{path}: marker at {marker.address:#x} is of window {marker.window}; there are "
                f"{known}."
            )
    needed = sum(m.action != EVENT for m in markers)
    if needed > COMPARATORS:
        raise UserError(
            f"{path}: {needed} markers want a comparator and there are {COMPARATORS}; an inlined "
            f"function may have made copies of one."
        )
    return markers


def _symbols(elf: ELFFile) -> dict[str, int]:
    table = elf.get_section_by_name(".symtab")
    if table is None:
        return {}
    return {s.name: s["st_value"] for s in table.iter_symbols() if s.name}


def functions(files: Iterable[Path], names: Iterable[str]) -> dict[str, int]:
    """Addresses of functions by name. RunError for one that is in none of the files, or in
    several."""
    wanted, found = set(names), {}
    for path in files:
        with path.open("rb") as file:
            table = ELFFile(file).get_section_by_name(".symtab")
            for symbol in table.iter_symbols() if table else ():
                if symbol.name in wanted and symbol["st_info"]["type"] == "STT_FUNC":
                    if symbol.name in found:
                        raise RunError(f"{path}: a second function {symbol.name}.")
                    found[symbol.name] = symbol["st_value"]
    if missing := wanted - found.keys():
        raise RunError(f"no function {', '.join(sorted(missing))} in the image: was it inlined?")
    return found


def overlapping(*images: Image) -> int | None:
    """The first physical address two images both load, or None."""
    segments = sorted((s for i in images for s in i.segments), key=lambda s: s.address)
    for one, two in zip(segments, segments[1:], strict=False):
        if one.end > two.address:
            return two.address
    return None
