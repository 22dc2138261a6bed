# SPDX-License-Identifier: BSD-2-Clause
"""The link order: in which order the functions of the firmware's sources lie in an image.

``firmware/link.order`` names every source once, or once for each part of it: ``FILE`` alone, or
``FILE: function …``. An indented line belongs to the unit of the line above it: the parts of a unit
stay together when a variant's recipe or a seed reorders the units. So a function can move to
another source, or a source can be renamed, and the image stays the same byte for byte.
"""

import fnmatch
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.repo import FIRMWARE
from mcpi.firmware import c_functions
from mcpi.firmware.rooms import PARTS

FILE = FIRMWARE / "link.order"
MADE = ("path.c", "graph_table.c", "programs.S")  # by the build, in a folder of the image
ROOMS = ("boot", "platform/alpha", "protocols/*", "apps/*", "xkernel", "clone", "bsdnet", "bsd")
ROOMS += ("kernel", "kernel/*", "kernel/user/*", "structures", "structures/*", "structures/*/*")


@dataclass(frozen=True)
class Part:
    """A source, by its path below ``firmware/``; of its functions these, or all."""

    source: str
    functions: tuple[str, ...] = ()


Unit = tuple[Part, ...]


def read(path: Path = FILE) -> list[Unit]:
    """The units. UserError for a source that there is not, or that no line names."""
    units: list[list[Part]] = []
    for line in path.read_text().splitlines():
        if not (text := line.partition("#")[0].rstrip()):
            continue
        if not line[0].isspace() or not units:
            units.append([])
        source, _, functions = text.partition(":")
        units[-1].append(Part(source.strip(), tuple(functions.split())))
    found = [tuple(unit) for unit in units]
    _check(path, found)
    return found


def _check(path: Path, units: list[Unit]) -> None:
    parts = [part for unit in units for part in unit]
    named, root = {part.source for part in parts}, path.parent
    patterns = [*ROOMS, *(f"{room}/{part}" for room, parts in PARTS.items() for part in parts)]
    there = {str(s.relative_to(root)) for p in patterns for s in root.glob(f"{p}/*.[cS]")}
    for source in sorted(named - there - {*MADE, "main.c"}):
        raise UserError(f"{path.name}: there is no {source}; take its line out or rename it.")
    for source in sorted(there - named):
        raise UserError(f"{path.name}: no line for {source}; add it where its code is to lie.")
    for source in sorted(named):
        _check_functions(path, source, [p.functions for p in parts if p.source == source])


def _check_functions(path: Path, source: str, listed: list[tuple[str, ...]]) -> None:
    """All of a source, or each of its functions once. ``static`` ones, of which the compiler may
    leave nothing, can be absent; those of headers, of which it may make copies, can be there."""
    if listed == [()]:
        return
    names = [name for functions in listed for name in functions]
    if () in listed or len(names) > len(set(names)):
        raise UserError(f"{path.name}: {source} or one of its functions is there twice.")
    text = (path.parent / source).read_text()
    for name in names:
        if not re.search(rf"\b{name}\b", text):
            raise UserError(f"{path.name}: {source} has no function {name}.")
    for item in c_functions.read(path.parent / source).items:
        if item.kind == "function" and item.name not in names and not item.is_static:
            raise UserError(f"{path.name}: {source}: its function {item.name} has no place.")


@cache
def _all() -> list[Unit]:
    return read()


def units(
    sources: Iterable[str], patterns: Sequence[str] = (), shuffle: int | None = None
) -> list[Unit]:
    """The units of these sources; those without one, a user's own, last. Those that match an
    earlier pattern come first. ``shuffle``: a seed; the first unit, the entry code, stays first,
    the others are in an order drawn from it."""
    wanted = set(sources)
    kept = (tuple(p for p in unit if p.source in wanted) for unit in _all())
    order = [unit for unit in kept if unit]
    named = {part.source for unit in order for part in unit}
    order += [(Part(source),) for source in sorted(wanted - named)]

    def rank(unit: Unit) -> int:
        hits = (i for i, p in enumerate(patterns) if fnmatch.fnmatch(unit[0].source, p))
        return next(hits, len(patterns))

    order.sort(key=rank)
    if shuffle is not None:
        first, *rest = order
        random.Random(shuffle).shuffle(rest)
        order = [first, *rest]
    return order


def sources(order: list[Unit]) -> list[str]:
    """Each once, by its first part."""
    return list(dict.fromkeys(part.source for unit in order for part in unit))


def script(order: list[Unit], objects: dict[str, Path]) -> str:
    """Lines that boot/link.ld includes for ``.text``. The cloner is left out: it has another
    section."""
    lines = []
    for part in (p for unit in order for p in unit if not p.source.startswith("clone/")):
        patterns = [f".text.{f} .text.{f}.*" for f in part.functions] or [".text .text.*"]
        lines += [f"*/{objects[part.source].name}({pattern})\n" for pattern in patterns]
    return "".join(lines)
