# SPDX-License-Identifier: BSD-2-Clause
"""Machines with a path and without, which must do the same with any frame (twins.c)."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from firmware_support.host_build import (
    BSD_BLOCKS,
    FIRMWARE,
    KERNEL,
    LIBRARY,
    OUT,
    bsd_machines,
    bsd_objects,
    compile_machine,
    inlined_path,
    link,
    program,
    write,
)

from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.firmware import protocol_graph, sources

GUARD = ("-DPIN_GUARD=1",)
UDPECHO = ROOT / "examples" / "udpecho" / "udpecho.graph"
APPS = {"tcp": FIRMWARE / "apps" / "tcptest", "rpc": FIRMWARE / "apps" / "xrpctest"}
APPS["udpecho"] = UDPECHO.parent / "udpping"
APPS["bsd"] = FIRMWARE / "apps" / "bsdtest"
# Neighbours of the path, which the measured graphs do not have: a frame can be somebody else's.
LOWER = [("lance", []), ("eth", ["lance"]), ("arp", ["eth"]), ("vnet", ["eth"])]
LOWER += [("ip", ["vnet"]), ("icmp", ["ip"])]
UDP, TCP = ("udp", ["ip", "icmp"]), ("tcp", ["ip"])
RPC = protocol_graph.read_graph(FIRMWARE / "graphs" / "rpc.graph")
GRAPHS = {
    "tcp": [*LOWER, UDP, TCP, ("tcptest", ["tcp"])],
    "rpc": [*LOWER, UDP, TCP, *(row for row in RPC if row[0] not in dict(LOWER))],
    "udpecho": [*LOWER, UDP, TCP, ("udpping", ["udp"])],
}
WARM = 41  # frames of a real exchange


@dataclass(frozen=True)
class Tried:
    """``bits``: of the frame that was changed in each of them; ``random``: frames at random;
    ``differences``: lines of what the machines did differently."""

    bits: int
    random: int
    differences: list[str]


def machines(name: str, role: str, found: Path) -> list[Path]:
    """The peer and a machine with general functions, and one with the path that lies in
    ``found``."""
    folder = OUT / f"twins-{name}"
    above = sorted(APPS[name].glob("*.c"))
    if name == "bsd":
        return _production(folder, above, role, found)
    table = folder / "graph_table.c"
    numbers = protocol_graph.numbers_of([FIRMWARE / "graphs" / "rpc.graph"])
    title = "rpc" if name == "rpc" else "tcp"
    write(table, protocol_graph.compose({title: GRAPHS[name]}, numbers))
    sources = [*KERNEL, *above]
    objects = compile_machine(sources, table, GUARD)
    made = [link(folder / f"machine{n}.so", objects, LIBRARY) for n in (0, 1)]
    own = folder / role / found.name
    shutil.rmtree(own, ignore_errors=True)
    stack = str(UDPECHO) if name == "udpecho" else name
    path, flags = inlined_path(own, stack, role, sources, GUARD, str(found))
    return [*made, link(own / "machine.so", [*objects, *path], (*LIBRARY, *flags))]


def _production(folder: Path, above: list[Path], role: str, found: Path) -> list[Path]:
    own = folder / role / found.name
    shutil.rmtree(own, ignore_errors=True)
    there = [*sources.production(), *above]
    path, flags = inlined_path(own, "bsd", role, there, BSD_BLOCKS, str(found))
    objects = bsd_objects(folder)
    return [*bsd_machines(), link(own / "machine.so", [*objects, *path], (*LIBRARY, *flags))]


def counters(machine: Path) -> list[str]:
    """The counters that the machine's protocols have."""
    symbols = heard(["nm", "-D", "--defined-only", str(machine)]).stdout
    return sorted(set(re.findall(r" [BD] (\w+_counts|\w+stat)$", symbols, re.M)))


def tried(name: str, role: str, found: Path, random: int, seed: int = 1) -> Tried:
    """Change a frame of a real exchange in each bit, and ``random`` times at random."""
    made = machines(name, role, found)
    numbers = [int(role == "server"), int(name == "rpc"), WARM, random, seed]
    words = [program("twins"), *made, *numbers, *counters(made[1])]
    done = heard(list(map(str, words)), timeout=3600, env={"ASAN_OPTIONS": "detect_leaks=0"})
    lines = done.stdout.splitlines()
    last = re.fullmatch(r"bits (\d+) random (\d+) differ (\d+)", lines[-1] if lines else "")
    if not last:
        return Tried(0, 0, [*lines, done.stderr[-2000:], f"status {done.returncode}"])
    return Tried(int(last[1]), int(last[2]), lines[:-1])
