# SPDX-License-Identifier: BSD-2-Clause
"""The SIGCOMM'96 paper's own numbers, from ``papers/*.csv``, as printed there."""

import csv
from functools import cache

from mcpi.paths import ROOT

PAPERS = ROOT / "papers"
STACKS = {"tcp": "TCP/IP", "rpc": "RPC"}
PREFIX = {"tcp": "tcpip", "rpc": "rpc"}  # of their columns
# Table 1's rows in its order, by the firmware switch that takes each back.
TECHNIQUES = {
    "XK_WORDS": "Change bytes and shorts to words in TCP state",
    "XK_REFRESH": "More efficiently refresh message after processing",
    "XK_USC": "Use USC in LANCE to avoid descriptor copying",
    "XK_MAPINL": "Inlined hash-table cache test",
    "XK_INLINE": "Various inlining",
    "XK_NODIV": "Avoid integer division",
    "XK_MISC": "Other minor changes",
}
NOT_OUTLINED = ("bad", "std")


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    """A table of ``papers/``, one dictionary for each row."""
    with (PAPERS / f"{name}.csv").open(newline="") as stream:
        return tuple(csv.DictReader(stream))


def row(name: str, **key: str) -> dict[str, str]:
    """The row whose columns equal ``key``; empty when the paper has none."""
    for candidate in rows(name):
        if all(candidate[column] == value for column, value in key.items()):
            return candidate
    return {}


def round_trip(stack: str, variant: str) -> dict[str, float]:
    """Table 4: ``mean_us`` (T_e) and ``sd_us``."""
    found = row("table4_sigcomm96_roundtrip_latency", version=variant.upper())
    prefix = PREFIX[stack]
    names = {"mean_us": f"{prefix}_Te_us", "sd_us": f"{prefix}_Te_sd_us"}
    return {name: float(found[column]) for name, column in names.items() if found}


def path(stack: str, variant: str) -> dict[str, float]:
    """Tables 7, 6 and 9, by the names of ``result.json``; 6 and 9 count one cold invocation."""
    prefix = PREFIX[stack]
    costs = row("table7_sigcomm96_processing_costs", version=variant.upper())
    caches = row("table6_sigcomm96_cache_performance", stack=STACKS[stack], version=variant.upper())
    values = {}
    if costs:
        columns = {"instructions": "length", "time_us": "Tp_us", "icpi": "iCPI", "mcpi": "mCPI"}
        values |= {name: float(costs[f"{prefix}_{c}"]) for name, c in columns.items()}
        values["cpi"] = round(values["icpi"] + values["mcpi"], 2)
    for name, column in {
        "icache": "icache",
        "dcache_write_buffer": "dcache_wb",
        "bcache": "bcache",
    }.items():
        for kind, short in {
            "accesses": "acc",
            "misses": "miss",
            "replacement_misses": "repl",
        }.items():
            if caches:
                values[f"{name}.{kind}"] = float(caches[f"{column}_{short}"])
    unused = row("table9_sigcomm96_outlining_effectiveness", stack=STACKS[stack])
    if caches and unused:
        outlined = "without" if variant in NOT_OUTLINED else "with"
        column = f"{outlined}_outlining_icache_unused_pct"
        values["fetch.unused_percent"] = float(unused[column])
    return values
