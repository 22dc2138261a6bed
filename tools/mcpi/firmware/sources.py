# SPDX-License-Identifier: BSD-2-Clause
"""Which files an image is made of."""

from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.repo import FIRMWARE
from mcpi.firmware import protocol_graph, usc

BARE = ("hello", "loopback", "palcheck", "trapcheck")


def of(stack: str, folder: Path) -> tuple[list[Path], dict[Path, str]]:
    """Source files of a stack, and generated ones with their text."""
    rooms = ["boot", "platform/alpha"]
    if stack in BARE:
        return in_rooms([*rooms, f"apps/{stack}"]), {}
    graph_file = protocol_graph.GRAPHS / f"{stack}.graph"
    if not graph_file.is_file():
        there = ", ".join([*protocol_graph.stacks(), *BARE])
        raise UserError(f"no stack '{stack}'. There are: {there}.")
    graph = protocol_graph.read_graph(graph_file)
    numbers = protocol_graph.numbers_of([stack])
    table = folder / "graph_table.c"
    rooms += ["xkernel", *(_room_of(name) for name, _ in graph)]
    files = {table: protocol_graph.compose({stack: graph}, numbers)}
    for description in (p for r in rooms for p in (FIRMWARE / r).glob("*.usc")):
        files[folder / f"{description.name}.h"] = usc.header(description)
    return [*in_rooms(rooms), FIRMWARE / "main.c", table], files


def _room_of(protocol: str) -> str:
    for place in (f"protocols/{protocol}", f"apps/{protocol}"):
        if (FIRMWARE / place).is_dir():
            return place
    raise UserError(f"protocol '{protocol}': no folder firmware/protocols/{protocol}.")


def in_rooms(rooms: list[str]) -> list[Path]:
    """C and assembly of these folders of ``firmware``, sorted."""
    found = [p for r in rooms for p in (FIRMWARE / r).glob("*.[cS]")]
    return sorted(found)


def label(source: Path) -> str:
    """What messages and object files call a source."""
    return str(source.relative_to(FIRMWARE)) if source.is_relative_to(FIRMWARE) else source.name
