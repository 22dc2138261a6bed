# SPDX-License-Identifier: BSD-2-Clause
"""The build's step after the link.

``python -m mcpi.firmware.clone LINKED IMAGE --layout … --order …``
"""

import argparse
import json
import sys
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.firmware.clone import fixes, layout, path_order, table, template
from mcpi.firmware.clone.layout import Area, Plan
from mcpi.firmware.clone.program import MARKER, Program


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mcpi.firmware.clone", description=__doc__)
    parser.add_argument("linked", type=Path, help="linked with --emit-relocs and firmware/clone")
    parser.add_argument("image", type=Path, help="what is written, with a map next to it (.json)")
    parser.add_argument("--layout", required=True, choices=layout.LAYOUTS)
    parser.add_argument("--order", required=True, type=Path, help="functions in call order, CSV")
    parser.add_argument("--data", type=Path, help="blocks of data the path uses, CSV")
    parser.add_argument("--positions", type=Path, help="for micro: function,position in bytes, CSV")
    parser.add_argument("--drop", default="", help=f"what copies leave out: {fixes.DROPS}")
    parser.add_argument("--own", default="", help="functions that a connection has its own of")
    parser.add_argument("--icache", type=int, default=8192, help="bytes")
    parser.add_argument("--bcache", type=int, default=2 << 20, help="bytes")
    parser.add_argument("--block", type=int, default=32, help="bytes")
    return parser.parse_args()


def clone(options: argparse.Namespace) -> None:
    program = Program(options.linked)
    rows = path_order.read(options.order, path_order.FIELDS)
    chosen = [_function(program, row["function"], options.order) for row in rows]
    drop = tuple(d for d in options.drop.split(",") if d)
    there = *fixes.DROPS, fixes.NOTHING
    if wrong := set(drop) - set(there):
        raise UserError(f"[clone] drop = {sorted(wrong)}: there are {', '.join(there)}.")
    if fixes.NOTHING in drop and len(drop) > 1:
        raise UserError(f"[clone] drop = {list(drop)}: '{fixes.NOTHING}' stands alone.")
    copies = fixes.copies(program, chosen, drop)
    library = {row["function"] for row in rows if row["class"] == path_order.LIBRARY}
    bounds = program.symbols["clone_area"], program.symbols["clone_area_end"]
    area = Area(*bounds, options.icache, options.block, options.bcache, program.text[0])
    positions = layout.positions(options.positions) if options.positions else {}
    if options.positions:
        check_sections(program, options.positions)
    own = [name for name in options.own.split(",") if name]
    usual = [c for c in copies if c.function.name not in own]
    plan = Plan(usual, library, positions, _data(program, options.data))
    layout.place(options.layout, plan, area)
    slots = template.Slots(program, own, area, usual) if own else None
    if slots:
        # A connection's own code next to what it runs with, the shared code behind all slots.
        layout.linear(Plan([c for c in copies if c not in usual], library), slots.behind)
        layout.check(copies, area)
    changes = fixes.elsewhere(program, copies)
    fixes.check_reach(program, copies, changes)
    base = program.symbols["_start"]
    program.put(program.symbols["clone_table"], table.table(program, copies, changes, base))
    _move_markers(program, copies)
    about = _about(Plan(copies, library), changes, options.layout)
    if slots:
        slots.write(copies)
        about |= {"slots": slots.first, "own": slots.made.about}
    options.image.write_bytes(program.bytes)
    options.image.with_suffix(".json").write_text(json.dumps(about, indent=1) + "\n")


def check_sections(program: Program, positions: Path) -> None:
    """The linker puts a section elsewhere if what is in it wants a larger alignment."""
    for name, wanted in layout.sections(positions).items():
        if (program.sections[name][0] - wanted) % program.symbols["DCACHE_BYTES"]:
            raise UserError(f"{positions}: {name} cannot begin at {wanted}; leave that row out.")


def _function(program: Program, name: str, path: Path):
    if name not in program.functions:
        raise UserError(
            f"{path}: the image has no function {name}; ./mcpi layout order makes the table again."
        )
    return program.functions[name]


def _data(program: Program, path: Path | None) -> list[int]:
    rows = path_order.read(path, path_order.DATA_FIELDS) if path else []
    there = [r for r in rows if r["section"] in program.sections]
    return [program.sections[r["section"]][0] + int(r["offset"]) for r in there]


def _move_markers(program: Program, copies: list[fixes.Copy]) -> None:
    start, size = program.markers
    for at in range(start, start + size, MARKER.size):
        address, action, window = MARKER.unpack_from(program.bytes, at)
        MARKER.pack_into(program.bytes, at, fixes.where(copies, address), action, window)


def _about(plan: Plan, changes: list[fixes.Change], name: str) -> dict:
    kinds = [e.kind for c in plan.copies for e in c.edits] + [c.kind for c in changes]
    return {
        "layout": name,
        "fixes": {kind.name.lower(): kinds.count(kind) for kind in fixes.Fix},
        "copies": [
            {
                "function": c.function.name,
                "class": path_order.LIBRARY if c.function.name in plan.library else path_order.PATH,
                "source": c.function.start,
                "source_words": c.function.words,
                "target": c.target,
                "words": c.words,
                "dropped": [(at - c.function.start) // 4 for at in c.dropped],
            }
            for c in plan.copies
        ],
    }


if __name__ == "__main__":
    try:
        clone(_options())
    except UserError as error:
        sys.exit(f"cloning: {error}")
