# SPDX-License-Identifier: BSD-2-Clause
"""Instructions of a function in line, by an image's debug information."""

from functools import cache
from pathlib import Path

from elftools.elf.elffile import ELFFile

from verify.second_hand.recount.raw import PHYSICAL

WORD = 4


@cache
def in_line(image: Path, name: str) -> frozenset[int]:
    """Physical addresses of all copies of a function that are in line anywhere."""
    found: set[int] = set()
    with image.open("rb") as stream:
        elf = ELFFile(stream)
        if not elf.has_dwarf_info(True):
            return frozenset()
        info = elf.get_dwarf_info()
        ranges = info.range_lists()
        for unit in info.iter_CUs():
            base = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
            for die in unit.iter_DIEs():
                if die.tag == "DW_TAG_inlined_subroutine" and _name(die) == name.encode():
                    for start, end in _spans(die, ranges, unit, base.value if base else 0):
                        found |= {pc & PHYSICAL for pc in range(start, end, WORD)}
    return frozenset(found)


def _name(die) -> bytes | None:
    named = die.get_DIE_from_attribute("DW_AT_abstract_origin").attributes.get("DW_AT_name")
    return named.value if named else None


def _spans(die, ranges, unit, base: int):
    """Its parts; in a list an entry may be relative to the unit's or a base before it."""
    own = die.attributes
    if "DW_AT_ranges" not in own:
        start = own["DW_AT_low_pc"].value
        yield start, start + own["DW_AT_high_pc"].value
        return
    for entry in ranges.get_range_list_at_offset(own["DW_AT_ranges"].value, unit):
        if hasattr(entry, "base_address"):
            base = entry.base_address
        else:
            add = 0 if entry.is_absolute else base
            yield add + entry.begin_offset, add + entry.end_offset
