# SPDX-License-Identifier: BSD-2-Clause
"""The image of the parallel x-kernel for a machine of several processors
(docs/explanation/parallel-xkernel.md).

``plan`` only looks at files; ``images.build`` makes what it plans.
"""

import hashlib
import sys
from collections.abc import Iterable
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
PROTOCOLS = ("fddi", "ip", "mpdriver", "mpdriver/peer", "tcp", "tcp/parallel", "udp")
TCP = FIRMWARE / "protocols" / "tcp"
WITHOUT = (TCP / "output" / "tcp_push.c",)  # parallel/push.c is in its place
# Files of switches, and what they are in the place of.
CHOSEN = {
    "XK_MP_TCP_LOCKS=6": (TCP / "parallel" / "six" / "demux.c", TCP / "input" / "tcp_demux.c"),
    "XK_MP_SYNC=1": (FIRMWARE / "xkernel" / "lock" / "sync" / "sync.c", None),
}
# TCP as the paper's (docs/explanation/parallel-xkernel.md): of Net/2, with windows of 256 KB.
DEFINES = ("-DXK_MP=1", "-DXK_TCP_NET2=1", "-DXK_TCP_HDRPRED=1", "-DTCP_WINDOW_SHIFT=2")
APPLICATIONS = ("mpbench", "mpcount")
# Sources of the x-kernel: its heap and its events are percpu's, and nothing comes from a wire.
KERNEL = ("checksum", "console", "graph", "idle", "map", "memory", "msg", "msg_tree")
KERNEL += ("semaphore", "thread", "upi")
BOOT = ("boot/trap.S", "boot/divide.S")
GRAPHS = protocol_graph.GRAPHS / "parallel"
STACKS = ("udp", "tcp")
SIDES = ("send", "receive")  # of ``mpbench``, by the boot block's role
BENCHES = (*STACKS, "sum")  # of ``mpbench``: it starts a graph, too


@dataclass(frozen=True)
class Wanted:
    """``application``: one of ``APPLICATIONS``, which has ``main``, or "" if one of ``sources``
    has; ``stack``: of ``BENCHES``; ``switches``: NAME=VALUE of xkernel/lock/mp.h and of
    apps/mpbench/bench.h; ``shuffle``: the seed of another order of all functions, None for that of
    the sources."""

    application: str = "mpbench"
    stack: str = "udp"
    switches: tuple[str, ...] = ()
    sources: tuple[Path, ...] = ()
    shuffle: int | None = None


def protocol_sources() -> list[Path]:
    """The protocols' sources in images of several processors."""
    rooms = [f"protocols/{name}" for name in PROTOCOLS]
    return [source for source in sources.in_rooms(rooms) if source not in WITHOUT]


def chosen(found: Iterable[Path], switches: Iterable[str]) -> list[Path]:
    """The sources with those that the switches choose."""
    pairs = [CHOSEN[switch] for switch in switches if switch in CHOSEN]
    without = {old for _, old in pairs}
    return [*(source for source in found if source not in without), *(new for new, _ in pairs)]


def plan(machine: Machine, wanted: Wanted) -> Plan:
    """The commands that make ``image.elf`` and ``pal.elf``."""
    if not machine.coherent:
        raise UserError(
            f"machine {machine.name}: the parallel x-kernel wants bcache.private = on, as "
            "dec3000-mp and challenge-100 have it."
        )
    if "XK_MP_SYNC=1" in wanted.switches and not machine.parameters["sync.bus"]:
        raise UserError(
            f"machine {machine.name}: XK_MP_SYNC=1 wants sync.bus = on, as power-series-33 has it."
        )
    rules = recipe("std")["compile"]
    header = c_header.header(machine)
    compiled_of = wanted.application, wanted.stack, wanted.switches, (), header
    home = (
        BUILD / "parallel" / _digest(compiled_of)
    )  # of objects, which programs of one's own share
    folder = home / _digest(wanted.sources) if wanted.sources else home
    folder = folder if wanted.shuffle is None else folder / f"shuffle-{wanted.shuffle}"
    flags = [*rules["common"], *rules["optimise"], *commands.WARNINGS, "-ffixed-8"]
    flags += [*DEFINES, *(f"-D{switch}" for switch in wanted.switches)]
    flags += [f"-I{FIRMWARE}", f"-I{home}"]
    table = home / "graph_table.c"
    with protocol_graph.graphs_in(GRAPHS):
        files = [GRAPHS / f"{name}.graph" for name in STACKS]
        graphs = {file.stem: protocol_graph.read_graph(file) for file in files}
        text = protocol_graph.compose(graphs, protocol_graph.numbers_of(files))
    files = {home / "machine.h": header, table: text}
    rooms = [*ROOMS, "apps/mptest", "apps/mpstream"]
    rooms += [f"apps/{wanted.application}"] if wanted.application else []
    rooms += [f"apps/mpbench/{wanted.stack}"] if wanted.application == "mpbench" else []
    found = chosen([*sources.in_rooms(rooms), *protocol_sources()], wanted.switches)
    found += [*wanted.sources, table]
    found += [p for p in sources.in_rooms(["xkernel"]) if p.stem in KERNEL]
    found += [FIRMWARE / name for name in BOOT]
    edges = [_compiled(source, home, flags) for source in found]
    objects = [edge.outputs[0] for edge in edges]
    order = folder / "order.ld"
    script = Path(__file__).with_name("program_order.py")
    seed = "-" if wanted.shuffle is None else wanted.shuffle
    words = [sys.executable, "-m", "mcpi.firmware.program_order", order, seed, *objects]
    edges.append(Edge("order of functions", words, [order], [*objects, script]))
    ram = machine.memory_map["ram"]
    link = [*recipe("std")["link"]["flags"], f"--defsym=PROGRAM_STACK={STACK}"]
    edges.append(commands.link(objects, order, folder / "image.elf", link, ram))
    pal = commands.pal(home, ram)
    return Plan(folder, files, (*pal, *edges), home / "pal.elf")


def _digest(of: object) -> str:
    return hashlib.sha256(repr(of).encode()).hexdigest()[:16]


def _compiled(source: Path, home: Path, flags: list[str]) -> Edge:
    command = [f"{commands.PREFIX}gcc", *flags, *commands.NEUTRAL]
    target = named(home / "objects", source, command)
    return compiled(source, target, command, [home / "machine.h"])
