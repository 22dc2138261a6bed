# SPDX-License-Identifier: BSD-2-Clause
"""The tables of a scenario, drawn from its ``scenario.json`` alone."""

from rich.console import Console
from rich.table import Table

from mcpi.results import fitted, program_summary


def show(record: dict, console: Console) -> None:
    """Print nodes, links, switches, and what was measured on each node."""
    per_us = record["ticks_per_us"]
    table = _table("node", "runs", "machine", "exit", "ended, us", "instructions", "sent", "came")
    for name, node in record["nodes"].items():
        ended = node["ended_tick"]
        table.add_row(
            name,
            node["runs"],
            node["machine"],
            "runs" if node["exit_code"] is None else str(node["exit_code"]),
            "" if ended is None else f"{ended / per_us:,.1f}",
            f"{node['instructions']:,}",
            *(f"{count:,}" for count in node["frames"].values()),
        )
    fitted.show(table, console)
    if record["switches"]:
        heads = next(iter(record["switches"].values()))
        table = _table("switch", *heads)
        for name, counts in record["switches"].items():
            table.add_row(name, *(f"{count:,}" for count in counts.values()))
        fitted.show(table, console)
    for link, ends in record["links"].items():
        for end, sent in ends.items():
            if faults := sent.get("faults"):
                words = ", ".join(f"{count:,} {what}" for what, count in faults.items())
                console.print(f"{link}: of what {end} sent, {words}", soft_wrap=True)
    regions = {
        f"{name}: {region}": counts
        for name, node in record["nodes"].items()
        for region, counts in node["regions"].items()
    }
    program_summary.show_regions(regions, "", console)


def _table(first: str, *heads: str) -> Table:
    table = Table(first, box=None, pad_edge=False, padding=(0, 1))
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    return table
