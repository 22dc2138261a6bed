# SPDX-License-Identifier: BSD-2-Clause
"""Which folders of the firmware an image with processes is made of (docs/explanation/
udp-receive.md): the kernel, one structure, and an application."""

from mcpi.base.repo import FIRMWARE

GRAPH = FIRMWARE / "graphs" / "structures" / "xkernel.graph"

_COMMON = ("kernel", "kernel/user", "structures", "protocols/lance")
_BSDNET = ("bsdnet", "structures/bsdnet")
_INKERNEL = (*_BSDNET, "structures/inkernel", "kernel/user/direct")
_PROTOCOLS = ("eth", "vnet", "ip", "fragment", "udp")
_OWN = {
    "bsd": (*_INKERNEL, "structures/bsd"),
    "hpux": (*_INKERNEL, "structures/hpux"),
    "mach": (*_BSDNET, "structures/mach"),
    "xkernel": (
        *(f"protocols/{p}" for p in _PROTOCOLS),
        "kernel/user/direct",
        "structures/xkernel",
    ),
}


def split(stack: str) -> tuple[str, str] | None:
    """Application and structure of an image's name (``udprecv-bsd``), or None."""
    application, _, structure = stack.rpartition("-")
    known = structure in _OWN and (FIRMWARE / "apps" / application).is_dir()
    return (application, structure) if application and known else None


def names() -> tuple[str, ...]:
    return tuple(_OWN)


def rooms(structure: str) -> list[str]:
    """Besides ``boot``, ``platform``, ``xkernel`` and the application."""
    return [*_COMMON, *_OWN[structure]]


def without(structure: str) -> tuple[str, ...]:
    """Sources of ``xkernel`` that the structure has a place for, or no use."""
    return () if structure == "xkernel" else ("shepherd.c", "graph.c")
