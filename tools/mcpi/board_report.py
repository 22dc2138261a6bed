# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board report``: size and speed of the core alone, beside its peers'."""

import csv
import json
import statistics
from dataclasses import asdict, dataclass
from pathlib import Path

from mcpi import synthesis, yowasp
from mcpi.paths import ROOT
from mcpi.progress import Bar
from mcpi.synthesis import DEVICES, Netlist, Routed

PEERS = ROOT / "boards" / "peers.csv"


@dataclass(frozen=True)
class Row:
    """A line of the table; MHz of every seed by device, empty if it was not measured."""

    core: str
    comb: int
    ff: int | None
    ebr: int
    dsp: int
    mhz: dict[str, list[float]]


def peers(path: Path = PEERS) -> list[Row]:
    """The other cores, from ``boards/peers.csv``."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    return [
        Row(
            core=row["core"],
            comb=int(row["comb"]),
            ff=int(row["ff"]) if row["ff"] else None,
            ebr=int(row["ebr"]),
            dsp=int(row["dsp"]),
            mhz={device: [float(x) for x in row[device].split()] for device in DEVICES},
        )
        for row in csv.DictReader(lines)
    ]


def ours(name: str, runs: list[Routed]) -> Row:
    """Our line: size as the first run has it, packing differs by a few cells from run to run."""
    first = runs[0]
    mhz = {device: [run.mhz for run in runs if run.device == device] for device in DEVICES}
    return Row(name, first.comb, first.ff, first.ebr, first.dsp, mhz)


def report(
    name: str,
    settings: dict[str, str],
    device: str,
    seeds: int,
    jobs: int,
    as_json: bool,
    block: str = synthesis.BLOCK,
) -> None:
    """Measure what is not yet measured, print the table (or the record)."""
    versions = {tool: yowasp.version(tool) for tool in (yowasp.YOSYS, yowasp.NEXTPNR)}
    for tool in versions:
        yowasp.command(tool)  # here, so that its word comes before the bar
    devices = list(DEVICES) if device == "both" else [device]
    with Bar() as bar:
        with bar.task("elaborate", 1) as update:
            update(0, 1, block)
            verilog = synthesis.elaborate(name, settings, block)
        with bar.task("synthesis", 1) as update:
            update(0, 1, "yosys")
            netlist = synthesis.synthesise(verilog, block)
        runs = synthesis.route(netlist, devices, seeds, jobs, bar)
    if as_json:
        print(json.dumps(record(name, settings, versions, netlist, runs, block), indent=2))
    else:
        print_table(name, settings, versions, netlist, runs, block)


def record(
    name, settings, versions, netlist: Netlist, runs: list[Routed], block: str = synthesis.BLOCK
) -> dict:
    """Everything that was measured, for a script."""
    return {
        "block": block,
        "machine": name,
        "settings": settings,
        "tools": versions,
        "cells": netlist.cells,
        "wrapper_ff": netlist.wrapper_ff,
        "median_mhz": {
            device: statistics.median(run.mhz for run in runs if run.device == device)
            for device in DEVICES
            if any(run.device == device for run in runs)
        },
        "runs": [asdict(run) for run in runs],
    }


def print_table(
    name, settings, versions, netlist: Netlist, runs: list[Routed], block: str = synthesis.BLOCK
) -> None:
    """The table: ours first, then the peers, then the longest path of each device's median."""
    from rich.console import Console
    from rich.table import Table

    table = Table("core", box=None, pad_edge=False)
    for head in ("COMB", "FF", "EBR", "DSP"):
        table.add_column(head, justify="right")
    for device in DEVICES:
        table.add_column(f"{device} MHz", justify="right")
        table.add_column("seeds", overflow="fold")
    what = "AlphaLite" if block == synthesis.BLOCK else "AlphaLite and counters"
    mine = ours(f"{what}, {name}" + "".join(f", {k}={v}" for k, v in settings.items()), runs)
    for row in (mine, *peers()):
        cells = [f"{row.comb:,}", f"{row.ff:,}" if row.ff else "–", str(row.ebr), str(row.dsp)]
        for device in DEVICES:
            mhz = row.mhz[device]
            cells += [f"{statistics.median(mhz):.1f}" if mhz else "–"]
            cells += [" ".join(f"{x:.1f}" for x in mhz)]
        table.add_row(row.core, *cells, style="bold" if row is mine else "")
    console = Console(highlight=False, width=None if Console().is_terminal else 160)
    console.print(table)
    for device, (part, _) in DEVICES.items():
        of_device = sorted((r for r in runs if r.device == device), key=lambda r: r.mhz)
        if of_device:
            console.print(path_line(f"{device} = {part}", of_device[(len(of_device) - 1) // 2]))
    console.print(
        f"Without retire port and queue. COMB and FF include the wrapper's, {netlist.wrapper_ff} "
        f"flip-flops and their exclusive or.\n{', '.join(f'{t} {v}' for t, v in versions.items())};"
        f" files: {netlist.folder.relative_to(ROOT)}",
        soft_wrap=True,
    )


def path_line(title: str, run: Routed) -> str:
    """Where the longest path runs, and what of it is wire."""
    path = run.path
    total = path.logic + path.routing
    return (
        f"{title}, seed {run.seed}: {path.start} → {path.end}, {total:.1f} ns, "
        f"logic {100 * path.logic / total:.0f} %, routing {100 * path.routing / total:.0f} %"
    )
