# SPDX-License-Identifier: BSD-2-Clause
"""Which files an image is made of."""

from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.repo import BUILD, FIRMWARE
from mcpi.firmware import protocol_graph, structures, usc
from mcpi.firmware.rooms import files as files_of
from mcpi.firmware.rooms import room_of

FIRST = "tcp"  # the stack that an image with one graph is started with: firmware/main.c
# The production stack, a node of its graph: its rooms, and the sources of the x-kernel's that it
# has a place for.
PRODUCTION = "bsd"
_ROOMS, LEFT_OUT = ("bsd", "bsdnet/mbuf"), ("shepherd.c",)
BARE = ("hello", "loopback", "palcheck", "trapcheck")


def of(stack: str, folder: Path, mapped: bool = False) -> tuple[list[Path], dict[Path, str]]:
    """Source files of a stack, and generated ones with their text. ``mapped``: the machine has
    address spaces, so that programs of a kernel with processes are not in it (programs.py)."""
    rooms = ["boot", "platform/alpha"]
    if stack in BARE:
        return in_rooms([*rooms, f"apps/{stack}"]), {}
    if split := structures.split(stack):
        return _of_structure(*split, folder, mapped)
    graph_file = protocol_graph.file_of(stack)
    graph = protocol_graph.read_graph(graph_file)
    numbers = protocol_graph.numbers_of([graph_file])
    table = folder / "graph_table.c"
    names = [name for name, _ in graph]
    rooms += ["xkernel", *(r for name in names for r in _rooms_of(name, graph_file.parent))]
    title = FIRST if protocol_graph.is_own(stack) or stack == PRODUCTION else stack
    files = {table: protocol_graph.compose({title: graph}, numbers)} | _stubs(rooms, folder)
    left_out = LEFT_OUT if PRODUCTION in names else ()
    found = [source for source in in_rooms(rooms) if source.name not in left_out]
    return [*found, FIRMWARE / "main.c", table], files


def _of_structure(
    application: str, structure: str, folder: Path, mapped: bool
) -> tuple[list[Path], dict[Path, str]]:
    rooms = ["boot", "platform/alpha", "xkernel"]
    if mapped:
        rooms += structures.kernel_rooms(structure)
    else:
        rooms += [*structures.rooms(structure), f"apps/{application}"]
    left_out = structures.without(structure)
    xkernel = FIRMWARE / "xkernel"
    found = [p for p in in_rooms(rooms) if room_of(p) != xkernel or p.name not in left_out]
    files = _stubs(rooms, folder)
    if structure == "xkernel":
        table = folder / "graph_table.c"
        graph = protocol_graph.read_graph(structures.GRAPH)
        files[table] = protocol_graph.compose({"xkernel": graph}, protocol_graph.numbers_of([]))
        found.append(table)
    return found, files


def _stubs(rooms: list[str], folder: Path) -> dict[Path, str]:
    """Headers that the stub compiler makes of the rooms' descriptions, by path."""
    descriptions = [p for r in rooms for p in (FIRMWARE / r).glob("*.usc")]
    return {folder / f"{p.name}.h": usc.header(p) for p in descriptions}


def production() -> list[Path]:
    """Sources of the production stack without the driver."""
    return in_rooms(list(_ROOMS))


def _rooms_of(protocol: str, folder: Path) -> tuple[str, ...]:
    """In ``firmware``, or a folder of the graph's own."""
    if (folder / protocol).is_dir():
        return (str(folder / protocol),)
    if protocol == PRODUCTION:
        return _ROOMS
    for place in (f"protocols/{protocol}", f"apps/{protocol}"):
        if (FIRMWARE / place).is_dir():
            return (place,)
    raise UserError(
        f"protocol '{protocol}': no folder firmware/protocols/{protocol}, nor one beside the graph."
    )


def in_rooms(rooms: list[str]) -> list[Path]:
    """C and assembly of these rooms of ``firmware``, sorted by room and name."""
    return files_of(rooms, "*.[cS]")


def label(source: Path) -> str:
    """Name of a source in messages and object files. A user's own source has its folder in it
    too."""
    if source.is_relative_to(FIRMWARE):
        return str(source.relative_to(FIRMWARE))
    return source.name if source.is_relative_to(BUILD) else f"{source.parent.name}/{source.name}"
