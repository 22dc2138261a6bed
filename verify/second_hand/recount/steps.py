# SPDX-License-Identifier: BSD-2-Clause
"""Versions of SIGCOMM'96, and what a step from one to another gains (Table 8)."""

from verify.second_hand.recount import raw
from verify.second_hand.recount.raw import Row

TITLES = {"tcp": "TCP/IP", "rpc": "RPC"}
PREFIXES = {"tcp": "tcpip", "rpc": "rpc"}
PAPERS = {"tcp": ("original", "bad", "std", "out", "clo", "pin", "all")}
PAPERS["rpc"] = PAPERS["tcp"][1:]
OTHER = {"tcp": "rpc", "rpc": "tcp"}  # whose column I the paper prints under a stack's name


def printed(name: str, column: str, **row: str) -> float | None:
    return raw.paper(f"sigcomm96/{name}", column, **row)


def gained(study, stack: str, step: str) -> Row:
    """The columns of Table 8 for a step of a stack; ``study``: of ``recount.sigcomm96``."""
    a, b = (study.runs[stack, version] for version in step.split())
    before, after = a.replayed, b.replayed
    accesses = before["bcache"]["acc"] - after["bcache"]["acc"]
    data = before["dcache_write_buffer"]["miss"] - after["dcache_write_buffer"]["miss"]
    return {
        "i_pct": 100 * (accesses - data) / accesses if accesses else None,
        "dte_us": (a.te - b.te) / (2 if stack == "tcp" else 1),  # RPC's server is always ALL
        "dtp_us": a.tp - b.tp,
        "dnb": accesses,
        "dnm": before["bcache"]["repl"] - after["bcache"]["repl"],
    }


def printed_gains(stack: str, step: str) -> Row:
    """Figures that the paper prints of the step."""
    name = "->".join(step.upper().split())
    own = {"dte_us": "dTe_us", "dtp_us": "dTp_us", "dnb": "dNb", "dnm": "dNm"}
    own = {k: f"{PREFIXES[stack]}_{column}" for k, column in own.items()}
    own["i_pct"] = f"{PREFIXES[OTHER[stack]]}_I_pct"
    return {f"{k} paper": _improvement(column, name) for k, column in own.items()}


def _improvement(column: str, step: str) -> float | None:
    return printed("table8_improvement_comparison", column, transition=step)
