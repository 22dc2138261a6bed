# SPDX-License-Identifier: BSD-2-Clause
"""The image of the parallel x-kernel for a machine of several processors
(docs/explanation/parallel-xkernel.md).

``plan`` only looks at files; ``images.build`` makes what it plans.
"""

import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.compiler import compiled, named
from mcpi.base.errors import UserError
from mcpi.base.ninja import Edge
from mcpi.base.repo import BUILD, FIRMWARE
from mcpi.firmware import commands, protocol_graph, sources
from mcpi.firmware.images import Plan
from mcpi.firmware.recipes import recipe
from mcpi.machine import c_header
from mcpi.machine.profile import Machine

STACK = 8 * 16 << 10  # bytes: 16 KB for each processor
ROOMS = ("boot/parallel", "platform/alpha", "xkernel/lock", "xkernel/atomic", "xkernel/percpu")
PROTOCOLS = ("protocols/fddi", "protocols/ip", "protocols/mpdriver", "protocols/udp")
APPLICATIONS = ("mpbench", "mpcount")
# Of the x-kernel: its heap is percpu's, and nothing comes from a wire.
KERNEL = ("checksum", "console", "event", "graph", "idle", "map", "memory", "msg", "msg_tree")
KERNEL += ("thread", "upi")
BOOT = ("boot/trap.S", "boot/divide.S")
GRAPH = protocol_graph.GRAPHS / "parallel" / "udp.graph"


@dataclass(frozen=True)
class Wanted:
    """``application``: one of ``APPLICATIONS``, which has ``main``, or "" if one of ``sources``
    has; ``switches``: NAME=VALUE of xkernel/lock/mp.h, and MPBENCH_BYTES."""

    application: str = "mpbench"
    switches: tuple[str, ...] = ()
    sources: tuple[Path, ...] = ()


def plan(machine: Machine, wanted: Wanted) -> Plan:
    """The commands that make ``image.elf`` and ``pal.elf``."""
    if not machine.coherent:
        raise UserError(
            f"machine {machine.name}: the parallel x-kernel wants bcache.private = on, as "
            "dec3000-mp and challenge-100 have it."
        )
    rules = recipe("std")["compile"]
    header = c_header.header(machine)
    digest = hashlib.sha256(repr((wanted, header)).encode()).hexdigest()[:16]
    folder = BUILD / "parallel" / digest
    flags = [*rules["common"], *rules["optimise"], *commands.WARNINGS, "-ffixed-8"]
    flags += ["-DXK_MP=1", *(f"-D{switch}" for switch in wanted.switches)]
    flags += [f"-I{FIRMWARE}", f"-I{folder}"]
    table = folder / "graph_table.c"
    with protocol_graph.graphs_in(GRAPH.parent):
        graph = protocol_graph.read_graph(GRAPH)
        text = protocol_graph.compose({"udp": graph}, protocol_graph.numbers_of(["udp"]))
    files = {folder / "machine.h": header, table: text}
    rooms = [*ROOMS, *PROTOCOLS, "apps/mptest"]
    rooms += [f"apps/{wanted.application}"] if wanted.application else []
    found = [*sources.in_rooms(rooms), *wanted.sources, table]
    found += [FIRMWARE / "xkernel" / f"{name}.c" for name in KERNEL]
    found += [FIRMWARE / name for name in BOOT]
    edges = [_compiled(source, folder, flags) for source in found]
    objects = [edge.outputs[0] for edge in edges]
    order = folder / "order.ld"
    script = Path(__file__).with_name("program_order.py")
    words = [sys.executable, "-m", "mcpi.firmware.program_order", order, "-", *objects]
    edges.append(Edge("order of functions", words, [order], [*objects, script]))
    ram = machine.memory_map["ram"]
    link = [*recipe("std")["link"]["flags"], f"--defsym=PROGRAM_STACK={STACK}"]
    edges.append(commands.link(objects, order, folder / "image.elf", link, ram))
    pal = commands.pal(folder, ram)
    return Plan(folder, files, (*pal, *edges), folder / "pal.elf")


def _compiled(source: Path, folder: Path, flags: list[str]) -> Edge:
    command = [f"{commands.PREFIX}gcc", *flags, *commands.NEUTRAL]
    target = named(folder / "objects", source, command)
    return compiled(source, target, command, [folder / "machine.h"])
