# SPDX-License-Identifier: BSD-2-Clause
"""Claims of the paper: the figures of ``claims.csv`` (``mcpi.studykit.claims``)."""

from pathlib import Path

from mcpi.studies.sigcomm96.plan import BASE, PLACES, SWITCHES
from mcpi.studies.sigcomm96.tables import layouts
from mcpi.studies.sigcomm96.tables.common import VERSIONS, WORDS, look, size, unused
from mcpi.studies.sigcomm96.tables.paper import ENDS, STEPS, count
from mcpi.studykit import claims
from mcpi.studykit.cell import Table
from mcpi.studykit.claims import Figure, Missing
from mcpi.studykit.measured import Measured
from mcpi.studykit.samples import Samples, of_orders
from mcpi.studykit.values import Get, client, te, tp

MICRO = "micro"
MICRO_OWN = (MICRO, layouts.OWN)
ANOMALY = ("rpc", ("pin", "all"))
CLAIMS = Path(__file__).with_name("claims.csv")
B_ACCESSES = count("bcache", "accesses")
DATA_MISSES = count("dcache_write_buffer", "misses")


def value(study: Measured, stack: str, variant: str, get: Get) -> float:
    found, why = look(study, stack, variant, get)
    if found is None:
        raise Missing(why)
    return found


def gain(get: Get) -> Figure:
    """Figure that a step takes off."""
    return lambda s, stack, a, b: value(s, stack, a, get) - value(s, stack, b, get)


def ratio(get: Get) -> Figure:
    return lambda s, stack, over, under: value(s, stack, over, get) / value(s, stack, under, get)


def less_percent(get: Get) -> Figure:
    """Per cent of a figure that a step takes off."""
    return lambda s, stack, before, after: 100 * (1 - ratio(get)(s, stack, after, before))


def one_end(s: Measured, stack: str, before: str, after: str) -> float:
    """Round-trip time that a step saves at one end, µs."""
    return gain(te)(s, stack, before, after) / ENDS[stack]


def one_end_more(s: Measured, stacks: str, *steps: str) -> float:
    """Round-trip time, µs, that a step of the first stack saves at one end beyond a step of the
    second. ``steps``: before and after, of the first and then of the second."""
    one, other = stacks.split()
    return one_end(s, one, *steps[:2]) - one_end(s, other, *steps[2:])


def tp_beyond_te(s: Measured, stack: str, *step: str) -> float:
    """µs that a step saves of T_p and not of T_e."""
    return gain(tp)(s, stack, *step) - one_end(s, stack, *step)


def b_replaced(s: Measured, stacks: str, *versions: str) -> float:
    """B-cache replacement misses of all these together."""
    get = count("bcache", "replacement_misses")
    return sum(value(s, stack, v, get) for stack in stacks.split() for v in versions)


def instruction_side(s: Measured, stack: str, *step: str) -> float:
    """Per cent of the b-cache accesses saved that are the i-cache's."""
    fewer = gain(B_ACCESSES)(s, stack, *step)
    if not fewer:
        raise Missing("no b-cache access more or less")
    return 100 * (fewer - gain(DATA_MISSES)(s, stack, *step)) / fewer


def out_of_order(s: Measured, stack: str) -> float:
    """Neighbours of the paper's order whose T_p does not fall."""
    times = [value(s, stack, v, tp) for v in VERSIONS]
    return float(sum(a <= b for a, b in zip(times, times[1:])))


def taken_share(s: Measured, stack: str, *step: str) -> float:
    """Per cent of the iCPI that a step saves that is ticks of taken branches."""
    ideal = [s.of("evidence", stack, v, "ideal") for v in step]
    if not all(ideal):
        names = ", ".join(v.upper() for v in step)
        raise Missing(f"{names}: owners under ideal memory were not kept")
    a, b = ({k: n / one["issue"] for k, n in one.items()} for one in ideal)
    return 100 * (a["taken_bubble"] - b["taken_bubble"]) / (sum(a.values()) - sum(b.values()))


def above_bipartite(s: Measured, stack: str, variant: str) -> float:
    """Loss of micro-positioning. The paper gives no figure (3.2: it never was better)."""
    micro = layouts.figures(s, stack, variant, MICRO)
    own = layouts.figures(s, stack, variant, layouts.OWN)
    if micro is None or own is None:
        raise Missing(f"{variant.upper()} {MICRO}: not measured")
    return micro["te_us"] - own["te_us"]


def te_of_switch(s: Measured, stack: str, switch: str) -> float:
    """Round-trip time that a technique of Table 1 takes off, µs; of one end."""
    without = s.of(SWITCHES, switch)
    if not without or "mean_us" not in without:
        raise Missing(f"{switch}=0: not measured")
    return (without["mean_us"] - value(s, stack, BASE, te)) / ENDS[stack]


def micro_replaced(s: Measured, stack: str, variant: str) -> float:
    """Part of bipartite's i-cache replacement misses that micro-positioning leaves."""
    micro, own = (_cold(s, stack, variant, layout)["replacement_misses"] for layout in MICRO_OWN)
    if not own:
        raise Missing(f"{variant.upper()} has no replacement misses")
    return micro / own


def micro_cold(s: Measured, stack: str, variant: str) -> float:
    """Cold i-cache misses that micro-positioning has more."""
    found = (_cold(s, stack, variant, layout) for layout in MICRO_OWN)
    micro, own = (one["misses"] - one["replacement_misses"] for one in found)
    return micro - own


def _cold(s: Measured, stack: str, variant: str, layout: str) -> dict[str, int]:
    """The i-cache of the cold invocation with a layout of the copies."""
    own = layout == layouts.OWN
    found = s.result(stack, variant) if own else s.of(PLACES, stack, variant, layout)
    if not found or "replay" not in found:
        raise Missing(f"{variant.upper()} {layout}: not measured")
    return found["replay"]["client"]["icache"]


def access(s: Measured, stack: str, *step: str) -> float:
    """Ticks of T_p for each b-cache access that a step saves."""
    fewer = gain(B_ACCESSES)(s, stack, *step)
    if not fewer:
        raise Missing("no b-cache access more or less")
    before = s.result(stack, step[0])
    return gain(tp)(s, stack, *step) * before["round_trip"]["ticks_per_us"] / fewer


def accesses(s: Measured, stacks: str) -> list[float]:
    """The same of all steps but the anomaly, RPC's PIN → ALL, as in the paper. BAD's accesses miss
    the b-cache, so its step is none."""
    steps = [(stack, step) for stack in stacks.split() for step in STEPS if "bad" not in step]
    return [access(s, stack, *step) for stack, step in steps if (stack, step) != ANOMALY]


FIGURES: dict[str, Figure] = {
    "above_bipartite": above_bipartite,
    "access": access,
    "access_least": lambda *of: min(accesses(*of)),
    "access_most": lambda *of: max(accesses(*of)),
    "b_replaced": b_replaced,
    "i_misses_gain": gain(count("icache", "misses")),
    "i_replaced_ratio": ratio(count("icache", "replacement_misses")),
    "icpi_gain": gain(client("icpi")),
    "instruction_side": instruction_side,
    "length_less_percent": less_percent(client("instructions")),
    "mcpi_ratio": ratio(client("mcpi")),
    "micro_cold": micro_cold,
    "micro_replaced": micro_replaced,
    "one_end_more": one_end_more,
    "out_of_order": out_of_order,
    "size_less_percent": less_percent(size),
    "taken_share": taken_share,
    "te_gain": gain(te),
    "te_of_switch": te_of_switch,
    "te_more_percent": lambda *of: 100 * (ratio(te)(*of) - 1),
    "tp_beyond_te": tp_beyond_te,
    "tp_less_percent": less_percent(tp),
    "unused_gain": gain(unused),
}


def over(study: Measured) -> dict[str, Samples]:
    """The samples that claims are judged on."""
    return {"orders": of_orders(study, (PLACES, SWITCHES))}


def table(study: Measured) -> Table:
    return claims.table(WORDS, CLAIMS, study, FIGURES, over(study))
