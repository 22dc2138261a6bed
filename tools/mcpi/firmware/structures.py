# SPDX-License-Identifier: BSD-2-Clause
"""Which folders of the firmware an image with processes is made of (docs/explanation/
udp-receive.md): the kernel, one structure, and an application."""

from dataclasses import dataclass

from mcpi.base.errors import UserError, nearest
from mcpi.base.repo import FIRMWARE

GRAPH = FIRMWARE / "graphs" / "structures" / "xkernel.graph"


@dataclass(frozen=True)
class Program:
    """A program in user mode: ``name`` is its ``struct program``, ``slot`` its 16 MB of virtual
    addresses, ``rooms`` its folders besides those of every program, ``copied`` sources of other
    folders of which it has a copy."""

    name: str
    slot: int
    rooms: tuple[str, ...]
    copied: tuple[str, ...] = ()


@dataclass(frozen=True)
class Structure:
    """Folders of the kernel, of the application's library, and of a server."""

    kernel: tuple[str, ...]
    library: tuple[str, ...] = ("kernel/user/direct",)
    server: tuple[str, ...] = ()


_KERNEL = ("kernel", "protocols/lance")
_BSDNET = ("bsdnet", "structures", "structures/bsdnet")
_INKERNEL = (*_BSDNET, "structures/inkernel")
_PROTOCOLS = ("eth", "vnet", "ip", "fragment", "udp")
_ALL = {
    "bsd": Structure((*_INKERNEL, "structures/bsd")),
    "hpux": Structure((*_INKERNEL, "structures/hpux")),
    "mach": Structure(
        ("structures/mach",),
        ("structures/mach/emulator", "structures/mach/user"),
        (*_BSDNET, "structures/mach/server", "structures/mach/user"),
    ),
    "library": Structure(
        ("structures/library",),
        ("structures/library/inside", "structures/mach/user", *_BSDNET),
    ),
    "xkernel": Structure(
        (*(f"protocols/{p}" for p in _PROTOCOLS), "structures", "structures/xkernel")
    ),
}
# Files of the kernel that a program has a copy of.
SHARED = ("xkernel/memory/memory.c", "xkernel/checksum.c", "boot/divide.S")
# By application: it measures by the study's own probe.
_COPIED = {"probes": ("structures/probe.c",)}


def split(stack: str) -> tuple[str, str] | None:
    """Application and structure of an image's name (``udprecv-bsd``), or None if no application
    begins it. UserError for a structure that there is not."""
    application, _, structure = stack.rpartition("-")
    if not application or not (FIRMWARE / "apps" / application).is_dir():
        return None
    if structure not in _ALL:
        there = ", ".join(_ALL)
        raise UserError(
            f"'{stack}': no structure '{structure}'. There are: {there}.{nearest(structure, _ALL)}"
        )
    return application, structure


def names() -> tuple[str, ...]:
    return tuple(_ALL)


def rooms(structure: str) -> list[str]:
    """Besides ``boot``, ``platform``, ``xkernel`` and the application, where all of it is one
    program in one address space."""
    own = _ALL[structure]
    found = [*_KERNEL, "kernel/flat", "kernel/user", *own.kernel, *own.library, *own.server]
    return list(dict.fromkeys(found))


def kernel_rooms(structure: str) -> list[str]:
    """The kernel's own on a translated machine."""
    return [*_KERNEL, "kernel/mapped", *_ALL[structure].kernel]


def programs(application: str, structure: str) -> list[Program]:
    """Programs that the kernel loads on a machine with translation."""
    own, common = _ALL[structure], ("kernel/user", "kernel/user/mapped")
    rooms, copied = (*common, *own.library, f"apps/{application}"), _COPIED.get(application, ())
    found = [Program("first_program", 1, rooms, copied)]
    if own.server:
        found.append(Program("mach_server", 2, (*common, *own.server)))
    return found


def without(structure: str) -> tuple[str, ...]:
    """Sources of ``xkernel`` that the structure has a place for, or no use."""
    return () if structure == "xkernel" else ("shepherd.c", "graph.c")
