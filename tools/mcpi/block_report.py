# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board report --blocks``: what the parts of a node cost, each synthesised alone."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from mcpi import synthesis, yowasp
from mcpi.paths import ROOT
from mcpi.progress import Bar
from mcpi.synthesis import Netlist

# rtl/node/Measured.scala. The first are parts of the last; what no line names is the rest's.
BLOCKS = {
    "core": synthesis.BLOCK,
    "counters": "CountersAlone",
    "memory system": "MemoryAlone",
    "of it b-cache tags": "TagsAlone",
    "LANCE and wiring": "LanceAlone",
    "TURBOchannel": "TurbochannelAlone",
    "whole node": "NodeAlone",
}
PARTS = ("core", "counters", "memory system", "LANCE and wiring", "TURBOchannel")
WHOLE, REST = "whole node", "the rest, by difference"


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
        """What nextpnr counts: a carry cell is two, a distributed RAM cell six."""
        return self.lut4 + 2 * self.carry + 6 * self.distributed_ram


def cost(netlist: Netlist) -> Cost:
    """A netlist's cells as figures."""
    cells = netlist.cells
    return Cost(
        cells.get("LUT4", 0),
        cells.get("CCU2C", 0),
        cells.get("TRELLIS_DPR16X4", 0),
        cells.get("TRELLIS_FF", 0) - netlist.wrapper_ff,
        cells.get("DP16KD", 0),
        cells.get("MULT18X18D", 0),
    )


def with_rest(costs: dict[str, Cost]) -> dict[str, Cost]:
    """The same and what of the whole node no part explains."""
    whole = asdict(costs[WHOLE])
    rest = {key: whole[key] - sum(asdict(costs[p])[key] for p in PARTS) for key in whole}
    return costs | {REST: Cost(**rest)}


def report(name: str, settings: dict[str, str], as_json: bool) -> None:
    """Synthesise what is not yet synthesised, print the table (or the record)."""
    yowasp.command(yowasp.YOSYS)  # here, so that its word comes before the bar
    costs: dict[str, Cost] = {}
    with Bar() as bar, bar.task("synthesis", len(BLOCKS)) as update:
        for n, (title, block) in enumerate(BLOCKS.items()):
            update(n, len(BLOCKS), title)
            verilog: Path = synthesis.elaborate(name, settings, block)
            costs[title] = cost(synthesis.synthesise(verilog, block))
    costs = with_rest(costs)
    if as_json:
        record = {title: asdict(c) | {"comb": c.comb} for title, c in costs.items()}
        print(json.dumps({"machine": name, "settings": settings, "blocks": record}, indent=2))
    else:
        print_table(name, costs)


def print_table(name: str, costs: dict[str, Cost]) -> None:
    """One line a block."""
    from rich.console import Console
    from rich.table import Table

    table = Table(name, box=None, pad_edge=False)
    for head in ("LUT4", "carry", "distr. RAM", "COMB", "FF", "EBR", "DSP"):
        table.add_column(head, justify="right")
    for title, c in costs.items():
        figures = (c.lut4, c.carry, c.distributed_ram, c.comb, c.ff, c.ebr, c.dsp)
        table.add_row(title, *(f"{n:,}" for n in figures))
    console = Console(highlight=False, width=None if Console().is_terminal else 100)
    console.print(table)
    console.print(
        f"Each alone between pins, {yowasp.YOSYS} {yowasp.version(yowasp.YOSYS)}, before placement."
        f" COMB = LUT4 + 2 carry + 6 distr. RAM. Files: "
        f"{(synthesis.BUILD / 'synthesis').relative_to(ROOT)}",
        soft_wrap=True,
    )
