# SPDX-License-Identifier: BSD-2-Clause
"""The ``[clone]`` table of a variant recipe, as sources, linker flags and the step behind the link.

[clone]
layout = "bipartite"    # linear, bipartite, micro, pessimal
order = "out"           # firmware/variants/orders/out-<path>.csv
drop = ["load", "gp"]   # what copies leave out where a call became a bsr; or "nothing"
area = 65536            # bytes for the copies, whole I-cache sizes
[clone.own]             # not needed: by stack, functions that each connection has its own
rpc = ["…", "…"]        # copies of: the way up, the way down
"""

import sys
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.ninja import Edge
from mcpi.base.repo import BUILD, FIRMWARE
from mcpi.firmware.clone.layout import LAYOUTS, MICRO, PESSIMAL, POSITIONS, sections
from mcpi.machine.profile import Machine

OWN_ORDERS = BUILD / "orders"
LINKED = "linked.elf"
ORDERS = FIRMWARE / "variants" / "orders"
# The cloner's own calls need no GOT slots, so that the GOT is what it is without a cloner.
COMPILE_FLAGS = ["-msmall-text"]
OWN = "own"
KEYS = {"layout": str, "order": str, "drop": list, "area": int}


def checked(rules: dict, variant: str, machine: Machine) -> dict:
    """The ``[clone]`` table; UserError says what is wrong in it."""
    table = rules["clone"]
    for key, kind in KEYS.items():
        if not isinstance(table.get(key), kind):
            raise UserError(f"variant {variant}: [clone] {key} = {table.get(key)!r}: {kind} wanted")
    if unknown := set(table) - {*KEYS, OWN}:
        raise UserError(f"variant {variant}: [clone] has no {', '.join(sorted(unknown))}.")
    own = table.get(OWN, {})
    if not isinstance(own, dict) or not all(isinstance(names, list) for names in own.values()):
        raise UserError(f"variant {variant}: [clone] {OWN} = {own!r}: a list for each stack wanted")
    if table["layout"] not in LAYOUTS:
        raise UserError(f"variant {variant}: no layout '{table['layout']}': {', '.join(LAYOUTS)}.")
    unit = max(machine.parameters["icache.size"], 8192)
    if table["area"] <= 0 or table["area"] % unit:
        raise UserError(f"variant {variant}: [clone] area = {table['area']}: a multiple of {unit}.")
    return table


def link_flags(table: dict, machine: Machine) -> list[str]:
    words = ["--emit-relocs", "--wrap=main", f"--defsym=CLONE_BYTES={table['area']:#x}"]
    if table["layout"].endswith(POSITIONS) and (data := sections(Path(table["layout"]))):
        words.append(f"--defsym=DCACHE_BYTES={machine.parameters['dcache.size']:#x}")
        words += [f"--defsym=AT{name.replace('.', '_')}={at:#x}" for name, at in data.items()]
    return words


def orders(table: dict, path: str) -> Path:
    """``path`` with a dot: of a user's own graph (protocol_graph.name_of), made from a trace."""
    return (OWN_ORDERS if "." in path else ORDERS) / f"{table['order']}-{path}.csv"


def step(table: dict, path: str, machine: Machine, image: Path) -> Edge:
    """From the linked image to ``image``. ``path`` is the stack, or the stack and a role."""
    linked, csv = image.with_name(LINKED), orders(table, path)
    caches = machine.parameters
    layout, given = table["layout"], csv.with_suffix(".positions.csv")
    if layout.endswith(POSITIONS):
        layout, given = MICRO, Path(layout).resolve()
    words = [sys.executable, "-m", "mcpi.firmware.clone", str(linked), str(image)]
    words += ["--layout", layout, "--order", str(csv), "--drop", ",".join(table["drop"])]
    words += ["--icache", str(caches["icache.size"]), "--bcache", str(caches["bcache.size"])]
    words += ["--block", str(caches["cache.block"])]
    words += ["--own", ",".join(table.get(OWN, {}).get(path, []))]
    inputs = [linked, csv, *sorted(Path(__file__).parent.glob("*.py"))]
    for kind, of, file in (
        ("data", PESSIMAL, csv.with_suffix(".data.csv")),
        ("positions", MICRO, given),
    ):
        if layout == of:
            inputs.append(file)
            words += [f"--{kind}", str(file)]
    return Edge(f"clone {path}", words, [image, image.with_suffix(".json")], inputs)
