# SPDX-License-Identifier: BSD-2-Clause
"""Logic cells that stay empty, so that what is placed can be routed.

nextpnr's placer fills whole tiles of an ECP5 and does not ask whether their pins can be reached:
with eight of eight LUTs in use a node's last thousands of wires find no way (boards.md). So a
slice or two of each tile are taken by LUTs that nothing is connected to. Every fourth row is left
whole, since carry chains go through all four slices of a tile, and distributed RAM writes through
one.
"""

from collections.abc import Iterator, Mapping

# Tiles of logic: columns and rows 2 to these, without the rows of block RAM. nextpnr refuses a
# netlist that names another.
LAST = {"25k": (70, 49), "45k": (88, 70), "85k": (124, 94)}
_BLOCK_RAM = (10, 12)  # row 10 and every twelfth behind it
WHOLE = 4  # one row in so many


def size(device: str) -> str:
    """Size in nextpnr's word for a device."""
    return device.rsplit("-", 1)[-1]


def tiles(device: str) -> Iterator[tuple[int, int]]:
    """Column and row of each tile of logic of ``device`` ("--um5g-85k")."""
    columns, rows = LAST[size(device)]
    first, every = _BLOCK_RAM
    for row in range(2, rows + 1):
        if row % every != first:
            yield from ((column, row) for column in range(2, columns + 1))


def cells(device: str, slices: str) -> dict[str, dict]:
    """Cells of yosys's JSON for ``slices``, some of "ABCD", of each tile that is not left whole."""
    return {
        f"spare_{x}_{y}_{name}{half}": _lut(f"X{x}/Y{y}/SLICE{name}.K{half}")
        for x, y in tiles(device)
        if y % WHOLE
        for name in slices
        for half in (0, 1)
    }


def _lut(place: str) -> dict:
    return {
        "hide_name": 0,
        "type": "LUT4",
        "parameters": {"INIT": "0" * 16},
        "attributes": {"BEL": place, "keep": "1"},
        "port_directions": dict.fromkeys("ABCD", "input") | {"Z": "output"},
        "connections": {pin: [] for pin in "ABCDZ"},
    }


def leave(netlist: Mapping, top: str, device: str, slices: str) -> int:
    """Puts them into ``netlist``; how many there are."""
    found = cells(device, slices)
    netlist["modules"][top]["cells"].update(found)
    return len(found)
