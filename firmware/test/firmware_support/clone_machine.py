# SPDX-License-Identifier: BSD-2-Clause
"""Images with a cloner, taken apart, and booted on the instruction-set model (clone_model.cpp)."""

import json
import struct
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from firmware_support.pair_machines import program

from mcpi.firmware import images, recipes
from mcpi.firmware.clone import fixes, path_order, recipe, table
from mcpi.firmware.clone.fixes import Change, Copy
from mcpi.firmware.clone.layout import Area, Plan, place
from mcpi.firmware.clone.program import Program
from mcpi.firmware.elf import PHYSICAL
from mcpi.machine import profile

BLOCK, ICACHE, BCACHE = 32, 8192, 2 << 20


@dataclass(frozen=True)
class Cloned:
    """An image before cloning, and what is to happen to it."""

    plan: images.Plan
    program: Program
    copies: list[Copy]
    changes: list[Change]

    @property
    def base(self) -> int:
        return self.program.symbols["_start"]

    def with_table(self, folder: Path, changed: bytes | None = None) -> Path:
        """The linked image with this table (or ``changed``) in it."""
        linked = Program(self.program.path)
        made = changed or table.table(linked, self.copies, self.changes, self.base)
        linked.put(linked.symbols["clone_table"], made)
        path = folder / "changed.elf"
        path.write_bytes(linked.bytes)
        return path


@cache
def built(variant: str, stack: str) -> images.Plan:
    return images.build(images.plan(profile.load("dec3000-600"), variant, stack))


def cloned(variant: str, stack: str, layout: str = "", drop: tuple[str, ...] = fixes.DROPS):
    """Clone as the build does, or with another layout or drop."""
    plan, rules = built(variant, stack), recipes.recipe(variant)["clone"]
    linked = Program(plan.folder / recipe.LINKED)
    rows = path_order.read(recipe.orders(rules, stack), path_order.FIELDS)
    copies = fixes.copies(linked, [linked.functions[r["function"]] for r in rows], drop)
    if layout:
        library = {r["function"] for r in rows if r["class"] == path_order.LIBRARY}
        bounds = linked.symbols["clone_area"], linked.symbols["clone_area_end"]
        place(layout, Plan(copies, library), Area(*bounds, ICACHE, BLOCK, BCACHE))
    else:
        about = json.loads(plan.image.with_suffix(".json").read_text())
        for c, record in zip(copies, about["copies"], strict=True):
            c.target = record["target"]
    return Cloned(plan, linked, copies, fixes.elsewhere(linked, copies))


def boot(image: Path, plan: images.Plan, folder: Path, calls: str = "", stop: str = "main"):
    """Up to ``stop``; the finished process and its RAM from the image's start to the heap's."""
    symbols = Program(image).symbols
    description, dump = folder / "machine.json", folder / "ram"
    description.write_text(profile.load("dec3000-600").to_json())
    dump.unlink(missing_ok=True)
    first, last = symbols["_start"] & PHYSICAL, symbols["clone_area_end"] & PHYSICAL
    command = [program("clone_model"), description, plan.pal, image, f"{symbols[stop]:x}", dump]
    words = [*map(str, command), f"{first:x}", f"{last:x}"]
    done = subprocess.run(words, input=calls, capture_output=True, text=True, timeout=300)
    return done, dump.read_bytes() if dump.exists() else b""


def longword(ram: bytes, base: int, address: int) -> int:
    return struct.unpack_from("<I", ram, address - base)[0]
