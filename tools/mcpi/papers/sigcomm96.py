# SPDX-License-Identifier: BSD-2-Clause
"""Figures of the SIGCOMM'96 paper for a stack and version, by the names of ``result.json``."""

from mcpi.papers.tables import number, row

STACKS = {"tcp": "TCP/IP", "rpc": "RPC"}
PREFIX = {"tcp": "tcpip", "rpc": "rpc"}  # of its columns
NOT_OUTLINED = ("bad", "std")
COSTS = {"instructions": "length", "time_us": "Tp_us", "icpi": "iCPI", "mcpi": "mCPI"}
CACHES = {"icache": "icache", "dcache_write_buffer": "dcache_wb", "bcache": "bcache"}
KINDS = {"accesses": "acc", "misses": "miss", "replacement_misses": "repl"}


def round_trip(stack: str, variant: str) -> dict[str, float]:
    """Table 4: ``mean_us`` (T_e) and ``sd_us``; empty for what the paper has not."""
    if stack not in STACKS:
        return {}
    found = row("sigcomm96/table4_roundtrip_latency", version=variant.upper())
    names = {"mean_us": "Te_us", "sd_us": "Te_sd_us"}
    return {k: float(found[f"{PREFIX[stack]}_{c}"]) for k, c in names.items() if found}


def path(stack: str, variant: str) -> dict[str, float]:
    """Tables 7, 6 and 9, empty for what the paper has not; 6 and 9 count one invocation from cold
    caches."""
    if stack not in STACKS:
        return {}
    version, title = variant.upper(), STACKS[stack]
    costs = row("sigcomm96/table7_processing_costs", version=version)
    caches = row("sigcomm96/table6_cache_performance", stack=title, version=version)
    code = row("sigcomm96/table9_outlining_effectiveness", stack=title)
    values = {k: float(costs[f"{PREFIX[stack]}_{c}"]) for k, c in COSTS.items() if costs}
    if costs:
        values["cpi"] = round(values["icpi"] + values["mcpi"], 2)
    if caches:
        for cache, column in CACHES.items():
            for kind, short in KINDS.items():
                values[f"{cache}.{kind}"] = float(caches[f"{column}_{short}"])
        outlined = "without" if variant in NOT_OUTLINED else "with"
        unused = number(code[f"{outlined}_outlining_icache_unused_pct"])
        values["fetch.unused_percent"] = unused
    return values
