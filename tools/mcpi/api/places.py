# SPDX-License-Identifier: BSD-2-Clause
"""Measured places of a program's run, by name."""

from pathlib import Path

from mcpi.base.errors import UserError, nearest
from mcpi.build import run_folder
from mcpi.engines import program
from mcpi.firmware.elf import PHYSICAL
from mcpi.spec.numbers import SIDES
from mcpi.spec.program_spec import ProgramSpec


def opens(folder: Path, side: str, name: str) -> frozenset[int]:
    """Physical addresses at which the place begins. UserError if there is no such place."""
    spec = run_folder.read_spec(folder)
    if not isinstance(spec, ProgramSpec):
        raise UserError(f"--place {name}: only a program has several measured places.")
    if SIDES[side] not in spec.nodes:
        raise UserError(f"--place {name}: the run has no {side}; it is a program without a peer.")
    there = {region.name: region for region in program.regions_of(spec, folder, SIDES[side])}
    if name not in there:
        raise UserError(
            f"--place {name}: is not measured. There are: {', '.join(there)}.{nearest(name, there)}"
        )
    return frozenset(address & PHYSICAL for address in there[name].opens)
