# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board report --block NAME``: what a block costs on an ECP5, alone between pins, and how
fast it is there, next to its peers."""

import csv
import json
import statistics
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from mcpi.base import yosys
from mcpi.base.errors import UserError
from mcpi.base.progress import Bar, counted
from mcpi.base.repo import ROOT
from mcpi.fpga import pace, synthesis
from mcpi.fpga.synthesis import DEVICES, Netlist, Routed
from mcpi.machine import boards, profile


@dataclass(frozen=True)
class Reported:
    """``parts``: by title, the block that is elaborated (rtl/node/NodeParts.scala; after a stroke,
    the module of it that is synthesised). ``peers``: a file of ``boards/``; without one nothing is
    placed. ``routed``: sizes are nextpnr's, with the pins' wrapper, as the peers' are."""

    parts: dict[str, str]
    note: str
    peers: str = ""
    routed: bool = False

    @property
    def tools(self) -> tuple[str, ...]:
        return (yosys.YOSYS, yosys.NEXTPNR) if self.peers else (yosys.YOSYS,)


WHOLE, REST = "whole node", "the rest, by difference"
_BLOCKS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
REPORTED = {name: Reported(**block) for name, block in _BLOCKS.items()}


@dataclass(frozen=True)
class Cost:
    """Cells of yosys's; flip-flops without those of the pins' wrapper."""

    lut4: int
    carry: int
    distributed_ram: int
    ff: int
    ebr: int
    dsp: int

    @property
    def comb(self) -> int:
        """Number of cells as nextpnr counts them: a carry cell is two, a distributed RAM cell
        six."""
        return self.lut4 + 2 * self.carry + 6 * self.distributed_ram


def cost(netlist: Netlist) -> Cost:
    """A netlist's cells as figures."""
    kinds = ("LUT4", "CCU2C", "TRELLIS_DPR16X4", "TRELLIS_FF", "DP16KD", "MULT18X18D")
    found = Cost(*(netlist.cells.get(kind, 0) for kind in kinds))
    return replace(found, ff=found.ff - netlist.wrapper_ff)


def with_rest(costs: dict[str, Cost]) -> dict[str, Cost]:
    """The same and what of the whole node no part explains; "of it" is within the part before."""
    if WHOLE not in costs:
        return costs
    parts = [asdict(c) for title, c in costs.items() if title != WHOLE and "of it" not in title]
    whole = asdict(costs[WHOLE])
    return costs | {REST: Cost(**{key: whole[key] - sum(p[key] for p in parts) for key in whole})}


@dataclass(frozen=True)
class Part:
    """Measurements of a block; ``runs`` is empty where nothing is placed."""

    netlist: Netlist
    runs: Sequence[Routed] = ()

    def mhz(self, device: str) -> list[float]:
        return [run.mhz for run in self.runs if run.device == device]


@dataclass(frozen=True)
class Peer:
    """A line of a file of ``boards/``; MHz as they are written there, one figure a seed or text."""

    name: str
    comb: int
    ff: int | None
    ebr: int
    dsp: int | None
    mhz: dict[str, str]


def peers(file: str) -> list[Peer]:
    """Designs of other projects, from a CSV file of ``boards/``."""
    lines = (ROOT / "boards" / file).read_text(encoding="utf-8").splitlines()
    found = []
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        mhz = {device: row.get(device, "") for device in DEVICES}
        ff, dsp = (int(row[key]) if row.get(key) else None for key in ("ff", "dsp"))
        name = next(iter(row.values()))
        found.append(Peer(name, int(row["comb"]), ff, int(row["ebr"]), dsp, mhz))
    return found


def measure(
    name: str,
    machine: str,
    settings: dict[str, str],
    device="both",
    seeds: int = 5,
    jobs: int = 2,
    untuned: bool = False,
) -> dict[str, Part]:
    """Each part of what is reported, by title; what was measured before is not measured again.

    ``untuned``: with yosys's own settings, as the peers are.
    """
    # A user's slip ends here, before tools are looked for.
    resolved = profile.load(machine, settings)
    if other := next((key for key in settings if resolved.acts[key] != "elaborate"), ""):
        raise UserError(f"--set {other} has no effect: it is in no Verilog. Leave it out.")
    resolved.check_acts(settings)
    reported = REPORTED[name]
    for tool in reported.tools:
        yosys.command(tool)  # here, so that its word comes before the bar
    devices = list(DEVICES) if device == "both" else [device]
    found = {}
    with Bar() as bar:
        if reported.peers:
            bar.say(cost_of(len(reported.parts) * len(devices) * seeds))
        for title, place in reported.parts.items():
            block, _, module = place.partition("/")
            with bar.task(title, 2) as update:
                update(0, 2, "elaborate")
                verilog = synthesis.elaborate(machine, settings, block)
                update(1, 2, "yosys")
                netlist = synthesis.synthesise(verilog, module or block, untuned)
            found[title] = Part(netlist)
            if reported.peers:
                runs = synthesis.route(netlist, devices, seeds, jobs, bar)
                found[title] = Part(netlist, runs)
    return found


def cost_of(placements: int) -> str:
    """A sentence on what is about to be placed, and how to see figures without it."""
    return (
        f"{counted(placements, 'placement')}, each some two minutes of a core; those that "
        "build/synthesis/ has are not made again. --history prints what was measured before."
    )


def report(
    name: str,
    machine: str,
    settings: dict[str, str],
    device: str = "both",
    seeds: int = 5,
    jobs: int = 2,
    as_json: bool = False,
    untuned: bool = False,
) -> dict[str, Part]:
    """Measure what is not yet measured, print the table (or the record); what was measured."""
    found = measure(name, machine, settings, device, seeds, jobs, untuned)
    if as_json:
        print(json.dumps(record(name, machine, settings, found, untuned), indent=2))
    else:
        said = [machine, *(f"{k}={v}" for k, v in settings.items())]
        print_table(name, ", ".join([*said, *(["untuned"] if untuned else [])]), found)
    return found


def record(
    name: str,
    machine: str,
    settings: dict[str, str],
    found: dict[str, Part],
    untuned: bool = False,
) -> dict:
    """Everything that was measured, for a script."""
    parts = {}
    for title, c in with_rest({title: cost(part.netlist) for title, part in found.items()}).items():
        parts[title] = asdict(c) | {"comb": c.comb}
        if (part := found.get(title)) and part.runs:
            mhz = {device: part.mhz(device) for device in DEVICES if part.mhz(device)}
            parts[title] |= {
                "cells": part.netlist.cells,
                "wrapper_ff": part.netlist.wrapper_ff,
                "median_mhz": {device: statistics.median(each) for device, each in mhz.items()},
                "runs": [asdict(run) for run in part.runs],
            }
    tools = {tool: yosys.version(tool) for tool in REPORTED[name].tools}
    about = {"block": name, "machine": machine, "settings": settings, "untuned": untuned}
    return about | {"tools": tools, "parts": parts}


def _speed(text: str) -> tuple[str, str]:
    """Median and figures of the seeds; text that is no list of figures, as it is."""
    try:
        figures = [float(word) for word in text.split()]
    except ValueError:
        return text, ""
    return f"{statistics.median(figures):.1f}" if figures else "–", text


def print_table(name: str, said: str, found: dict[str, Part]) -> None:
    """Ours first, then the peers, then the longest path of each device's median."""
    from rich.console import Console
    from rich.table import Table

    reported = REPORTED[name]
    table = Table(f"{name}: {said}", box=None, pad_edge=False)
    inside = () if reported.peers else ("lut4", "carry", "distributed_ram")
    for head in (*inside, "comb", "ff", "ebr", "dsp"):
        table.add_column(head.upper().replace("_", " "), justify="right")
    for device in DEVICES if reported.peers else ():
        table.add_column(f"{device} MHz", justify="right")
        table.add_column("seeds", overflow="fold")

    def add(title: str, size: Cost | Routed | Peer, mhz: dict[str, str], style: str = "") -> None:
        figures = [getattr(size, key) for key in (*inside, "comb", "ff", "ebr", "dsp")]
        cells = ["–" if n is None else f"{n:,}" for n in figures]
        table.add_row(
            title, *cells, *(s for text in mhz.values() for s in _speed(text)), style=style
        )

    for title, c in with_rest({title: cost(part.netlist) for title, part in found.items()}).items():
        if not reported.peers:
            add(title, c, {})
            continue
        each = {d: " ".join(f"{x:.1f}" for x in found[title].mhz(d)) for d in DEVICES}
        add(title, found[title].runs[0] if reported.routed else c, each, "bold")
    for peer in peers(reported.peers) if reported.peers else ():
        add(peer.name, peer, peer.mhz)
    console = Console(highlight=False, width=None if Console().is_terminal else 160)
    console.print(table)
    for title, part in found.items():
        for device, (what, _) in DEVICES.items():
            ordered = sorted((r for r in part.runs if r.device == device), key=lambda r: r.mhz)
            if ordered:
                middle = ordered[(len(ordered) - 1) // 2]
                words = f"{title}, {device} = {what}, seed {middle.seed}: {middle.path.words()}"
                console.print(words, soft_wrap=True)
    wrapper = next(iter(found.values())).netlist.wrapper_ff
    folder = synthesis.BUILD / "synthesis"
    folder = folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder
    tools = ", ".join(f"{tool} {yosys.version(tool)}" for tool in reported.tools)
    console.print(f"{reported.note.format(wrapper)}\n{tools}; files: {folder}", soft_wrap=True)
    for each in map(boards.load, boards.names() if name == "core" else ()):
        console.print(f"{each.title}: {pace.last(each)}", soft_wrap=True)
