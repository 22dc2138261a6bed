# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board report --lance``: LANCE-IP alone on an ECP5, beside other Ethernet MACs."""

import csv
import json
import statistics
from dataclasses import asdict

from mcpi import block_report, synthesis, yowasp
from mcpi.board_report import path_line
from mcpi.paths import ROOT
from mcpi.progress import Bar
from mcpi.synthesis import DEVICES, Netlist, Routed

PEERS = ROOT / "boards" / "macs.csv"
# rtl/node/Measured.scala: registers, rings, bus master, silos and wire; and with the card's wiring.
BLOCKS = {"chip": "LanceChipAlone", "chip and wiring": "LanceAlone"}


def peers() -> list[dict[str, str]]:
    """The other MACs, from ``boards/macs.csv``, every field as it is written there."""
    lines = PEERS.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def report(name: str, settings: dict[str, str], device: str, seeds: int, jobs: int, as_json: bool):
    """Measure what is not yet measured, print the table (or the record)."""
    for tool in (yowasp.YOSYS, yowasp.NEXTPNR):
        yowasp.command(tool)  # here, so that its word comes before the bar
    devices = list(DEVICES) if device == "both" else [device]
    measured: dict[str, tuple[Netlist, list[Routed]]] = {}
    with Bar() as bar:
        for title, block in BLOCKS.items():
            with bar.task(title, 2) as update:
                update(0, 2, "elaborate")
                verilog = synthesis.elaborate(name, settings, block)
                update(1, 2, "yosys")
                netlist = synthesis.synthesise(verilog, block)
            measured[title] = netlist, synthesis.route(netlist, devices, seeds, jobs, bar)
    if as_json:
        print(json.dumps(record(name, settings, measured), indent=2))
    else:
        print_table(name, settings, measured)


def record(name: str, settings: dict, measured: dict) -> dict:
    """Everything that was measured, for a script."""
    parts = {}
    for title, (netlist, runs) in measured.items():
        cost = block_report.cost(netlist)
        parts[title] = asdict(cost) | {"comb": cost.comb, "runs": [asdict(run) for run in runs]}
    return {"machine": name, "settings": settings, "parts": parts}


def rows(measured: dict) -> list[list[str]]:
    """The table's lines: ours with every seed's MHz, then the others'."""
    lines = []
    for title, (netlist, runs) in measured.items():
        cost = block_report.cost(netlist)
        mhz = []
        for device in DEVICES:
            figures = [run.mhz for run in runs if run.device == device]
            if figures:
                seeds = " ".join(f"{x:.1f}" for x in figures)
                mhz.append(f"{device} {statistics.median(figures):.1f} ({seeds})")
        what = f"LANCE-IP, {title}"
        lines.append([what, f"{cost.comb:,}", f"{cost.ff:,}", str(cost.ebr), ", ".join(mhz)])
    for row in peers():
        ff = f"{int(row['ff']):,}" if row["ff"] else "–"
        lines.append([row["mac"], f"{int(row['comb']):,}", ff, row["ebr"], f"u6 {row['u6']}"])
    return lines


def print_table(name: str, settings: dict, measured: dict) -> None:
    """Ours, the peers, and where our longest path runs."""
    from rich.console import Console
    from rich.table import Table

    table = Table("MAC", box=None, pad_edge=False)
    for head in ("COMB", "FF", "EBR"):
        table.add_column(head, justify="right")
    table.add_column("MHz", overflow="fold")
    for row in rows(measured):
        table.add_row(*row, style="bold" if row[0].startswith("LANCE-IP") else "")
    console = Console(highlight=False, width=None if Console().is_terminal else 160)
    console.print(table)
    for title, (_, runs) in measured.items():
        for device, (part, _) in DEVICES.items():
            ordered = sorted((r for r in runs if r.device == device), key=lambda r: r.mhz)
            if ordered:
                middle = ordered[(len(ordered) - 1) // 2]
                console.print(path_line(f"{title}, {device} = {part}", middle), soft_wrap=True)
    said = ", ".join([name, *(f"{k}={v}" for k, v in settings.items())])
    console.print(
        f"{said}. Ours: LUT4 + 2 carry + 6 distributed RAM of {yowasp.YOSYS} "
        f"{yowasp.version(yowasp.YOSYS)}, without the pins' wrapper; idle skipping left out.",
        soft_wrap=True,
    )
