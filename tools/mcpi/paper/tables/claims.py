# SPDX-License-Identifier: BSD-2-Clause
"""What Section 4 of the paper claims, each claim as one figure: the paper's, ours, and the verdict.

A claim holds when its figure lies within bounds that the paper's own figure lies within too.
"""

from collections.abc import Callable
from dataclasses import dataclass

from mcpi.paper.cell import Cell, Column, Row, Table
from mcpi.paper.plan import CLONED
from mcpi.paper.published import STACKS
from mcpi.paper.study import Study
from mcpi.paper.tables import placements
from mcpi.paper.tables.common import Get, look
from mcpi.paper.tables.table4 import te
from mcpi.paper.tables.table6 import count
from mcpi.paper.tables.table7 import tp
from mcpi.paper.tables.table8 import ENDS

ORDER = ("bad", "std", "out", "clo", "pin", "all")  # of T_p, slowest first
B_ACCESSES = count("bcache", "accesses")
DATA_MISSES = count("dcache_write_buffer", "misses")
I_REPLACED = count("icache", "replacement_misses")
B_REPLACED = count("bcache", "replacement_misses")
SAYS = {True: "holds", False: "does not hold", None: ""}


class Missing(Exception):
    """A version that was not measured; the text says which."""


@dataclass(frozen=True)
class Claim:
    """``ours`` of a study (raises Missing) must lie above ``above`` and below ``below``."""

    text: str
    theirs: float | None
    ours: Callable[[Study], float]
    above: float | None = None
    below: float | None = None

    def holds(self, value: float) -> bool:
        low = self.above is None or value > self.above
        return low and (self.below is None or value < self.below)


def value(study: Study, stack: str, variant: str, get: Get) -> float:
    found, why = look(study, stack, variant, get)
    if found is None:
        raise Missing(why)
    return found


def gain(stack: str, before: str, after: str, get: Get) -> Callable[[Study], float]:
    """What a step takes off a figure."""
    return lambda s: value(s, stack, before, get) - value(s, stack, after, get)


def one_end(stack: str, before: str, after: str) -> Callable[[Study], float]:
    """Round-trip time that a step saves at one end, µs."""
    whole = gain(stack, before, after, te)
    return lambda s: whole(s) / ENDS[stack]


def ratio(stack: str, over: str, under: str, get: Get) -> Callable[[Study], float]:
    return lambda s: value(s, stack, over, get) / value(s, stack, under, get)


def instruction_side(stack: str, before: str, after: str) -> Callable[[Study], float]:
    """Per cent of the b-cache accesses saved that are the i-cache's."""

    def share(s: Study) -> float:
        fewer = gain(stack, before, after, B_ACCESSES)(s)
        if not fewer:
            raise Missing("no b-cache access more or less")
        return 100 * (fewer - gain(stack, before, after, DATA_MISSES)(s)) / fewer

    return share


def out_of_order(stack: str) -> Callable[[Study], float]:
    """Neighbours of the paper's order whose T_p does not fall."""

    def pairs(s: Study) -> float:
        times = [value(s, stack, v, tp) for v in ORDER]
        return float(sum(a <= b for a, b in zip(times, times[1:])))

    return pairs


def _mcpi(result: dict) -> float:
    return result["steady"]["client"]["mcpi"]


def _icpi(result: dict) -> float:
    return result["steady"]["client"]["icpi"]


def _unused(result: dict) -> float:
    return result["replay"]["client"]["fetch"]["unused_percent"]


def _size(result: dict) -> float:
    return result["static"]["critical_path_instructions"]


def between(stack: str, a: tuple[str, str], b: tuple[str, str]) -> Callable[[Study], float]:
    """How much more one step saves at one end than another."""
    return lambda s: one_end(stack, *a)(s) - one_end(stack, *b)(s)


def taken_share(stack: str) -> Callable[[Study], float]:
    """Per cent of the iCPI saved by outlining that is ticks of taken branches."""

    def share(s: Study) -> float:
        seen = s.record.get("evidence", {}).get(stack, {})
        ideal = [seen.get(v, {}).get("ideal") for v in ("std", "out")]
        if not all(ideal):
            raise Missing("STD, OUT: owners under ideal memory were not kept")
        std, out = ({k: n / one["issue"] for k, n in one.items()} for one in ideal)
        return (
            100
            * (std["taken_bubble"] - out["taken_bubble"])
            / (sum(std.values()) - sum(out.values()))
        )

    return share


def above_bipartite(stack: str, variant: str) -> Callable[[Study], float]:
    """What micro-positioning loses; the paper gives no figure (3.2: it never was better)."""

    def more(s: Study) -> float:
        micro = placements.figures(s, stack, variant, "micro")
        own = placements.figures(s, stack, variant, placements.OWN)
        if micro is None or own is None:
            raise Missing(f"{variant.upper()} micro: not measured")
        return micro["te_us"] - own["te_us"]

    return more


CLAIMS = (
    Claim(
        "TCP/IP: pairs out of the order BAD > STD > OUT > CLO > PIN > ALL of T_p",
        0,
        out_of_order("tcp"),
        below=0.5,
    ),
    Claim("RPC: the same", 0, out_of_order("rpc"), below=0.5),
    Claim(
        "TCP/IP: BAD above CLO, % of T_e",
        53,
        lambda s: 100 * (ratio("tcp", "bad", "clo", te)(s) - 1),
        above=10,
    ),
    Claim(
        "TCP/IP: i-cache misses that BAD has more than CLO",
        217,
        gain("tcp", "bad", "clo", count("icache", "misses")),
        above=50,
    ),
    Claim(
        "TCP/IP: b-cache replacement misses of BAD",
        110,
        lambda s: value(s, "tcp", "bad", B_REPLACED),
        above=0,
    ),
    Claim("RPC: the same", 14, lambda s: value(s, "rpc", "bad", B_REPLACED), above=0),
    Claim(
        "b-cache replacement misses of all others together",
        0,
        lambda s: sum(value(s, stack, v, B_REPLACED) for stack in ENDS for v in ORDER[1:]),
        below=0.5,
    ),
    Claim("TCP/IP: mCPI of BAD over ALL's", 3.9, ratio("tcp", "bad", "all", _mcpi), above=2),
    Claim("RPC: the same", 5.8, ratio("rpc", "bad", "all", _mcpi), above=2),
    Claim("TCP/IP: mCPI of STD over ALL's", 1.35, ratio("tcp", "std", "all", _mcpi), above=1.35),
    Claim("RPC: the same", 2.09, ratio("rpc", "std", "all", _mcpi), above=1.35),
    Claim(
        "Outlining saves more of TCP/IP's T_e than of RPC's, µs of one end",
        2.9,
        lambda s: one_end("tcp", "std", "out")(s) - one_end("rpc", "std", "out")(s),
        above=0,
    ),
    Claim(
        "Cloning saves more of RPC's T_e than of TCP/IP's, µs of one end",
        6.2,
        lambda s: one_end("rpc", "out", "clo")(s) - one_end("tcp", "out", "clo")(s),
        above=0,
    ),
    Claim(
        "TCP/IP: path-inlining saves more than cloning, µs of one end",
        4.2,
        between("tcp", ("out", "pin"), ("out", "clo")),
        above=0,
    ),
    Claim("RPC: the same", 15.8, between("rpc", ("out", "pin"), ("out", "clo")), above=0),
    Claim(
        "TCP/IP: outlining takes off T_p, %",
        6.1,
        lambda s: 100 * (1 - ratio("tcp", "out", "std", tp)(s)),
        above=2,
        below=10,
    ),
    Claim(
        "RPC: the same",
        4.8,
        lambda s: 100 * (1 - ratio("rpc", "out", "std", tp)(s)),
        above=2,
        below=10,
    ),
    Claim(
        "TCP/IP: outlining takes off iCPI",
        0.11,
        gain("tcp", "std", "out", _icpi),
        above=0.05,
        below=0.15,
    ),
    Claim("RPC: the same", 0.10, gain("rpc", "std", "out", _icpi), above=0.05, below=0.15),
    *(
        Claim(f"{title}: of it by taken branches, %", None, taken_share(stack), above=80, below=120)
        for stack, title in STACKS.items()
    ),
    Claim(
        "TCP/IP: path-inlining takes off iCPI, at most",
        0.04,
        gain("tcp", "out", "pin", _icpi),
        below=0.045,
    ),
    Claim("RPC: the same", 0.02, gain("rpc", "out", "pin", _icpi), below=0.045),
    Claim(
        "TCP/IP: iCPI of BAD and CLO differ by",
        0.0,
        lambda s: abs(gain("tcp", "bad", "clo", _icpi)(s)),
        below=0.01,
    ),
    Claim("RPC: the same", 0.0, lambda s: abs(gain("rpc", "bad", "clo", _icpi)(s)), below=0.01),
    Claim(
        "TCP/IP: i-side's share of b-cache accesses saved, STD → OUT, %",
        71,
        instruction_side("tcp", "std", "out"),
        below=90,
    ),
    Claim("TCP/IP: the same, OUT → CLO", 94, instruction_side("tcp", "out", "clo"), above=90),
    Claim("TCP/IP: the same, PIN → ALL", 95, instruction_side("tcp", "pin", "all"), above=90),
    Claim("RPC: the same, STD → OUT", 114, instruction_side("rpc", "std", "out"), above=90),
    Claim("RPC: the same, OUT → CLO", 91, instruction_side("rpc", "out", "clo"), above=90),
    Claim("RPC: the same, PIN → ALL", 93, instruction_side("rpc", "pin", "all"), above=90),
    Claim(
        "TCP/IP: i-cache replacement misses that cloning leaves, of OUT's",
        0.39,
        ratio("tcp", "clo", "out", I_REPLACED),
        below=0.6,
    ),
    Claim("RPC: the same", 0.27, ratio("rpc", "clo", "out", I_REPLACED), below=0.6),
    Claim(
        "TCP/IP: those that path-inlining leaves, of OUT's",
        0.96,
        ratio("tcp", "pin", "out", I_REPLACED),
        above=0.6,
    ),
    Claim(
        "TCP/IP: outlining takes off unused slots, points of %",
        6,
        gain("tcp", "std", "out", _unused),
        above=3,
    ),
    Claim("RPC: the same", 6, gain("rpc", "std", "out", _unused), above=3),
    Claim(
        "TCP/IP: part of the path's code that is outlined, %",
        34,
        lambda s: 100 * (1 - ratio("tcp", "out", "std", _size)(s)),
        above=20,
    ),
    Claim(
        "RPC: the same", 28, lambda s: 100 * (1 - ratio("rpc", "out", "std", _size)(s)), above=20
    ),
    Claim(
        "RPC: ΔT_p less ΔT_e, PIN → ALL: the paper's anomaly, µs",
        6.7,
        lambda s: gain("rpc", "pin", "all", tp)(s) - one_end("rpc", "pin", "all")(s),
        above=3,
    ),
    *(
        Claim(
            f"{title}: {variant.upper()} micro-positioned, T_e above bipartite's, µs",
            None,
            above_bipartite(stack, variant),
            above=-0.1,
        )
        for stack, title in STACKS.items()
        for variant in CLONED
    ),
)
COLUMN = Column("figure", "Figure", 2)


def table(study: Study) -> Table:
    rows = []
    for claim in CLAIMS:
        try:
            ours = claim.ours(study)
            cell, said = Cell(ours, claim.theirs), SAYS[claim.holds(ours)]
        except Missing as missing:
            cell, said = Cell(None, claim.theirs, str(missing)), SAYS[None]
        rows.append(Row((claim.text, said), {"figure": cell}))
    return Table(
        "claims",
        "What the paper claims in Section 4",
        ("Claim", "Ours"),
        (COLUMN,),
        tuple(rows),
        (
            "A claim holds when our figure is on the side that the paper says; the bounds stand in "
            "tools/mcpi/paper/tables/claims.py. A layout's luck can turn a small one: see layout "
            "noise.",
        ),
    )
