# SPDX-License-Identifier: BSD-2-Clause
"""Tables 1 to 9: the paper's, each a function of the study."""

from mcpi.papers.sigcomm96 import CACHES, KINDS, PREFIX, STACKS
from mcpi.papers.tables import number, row, rows
from mcpi.studies.sigcomm96 import production
from mcpi.studies.sigcomm96.plan import TECHNIQUES
from mcpi.studies.sigcomm96.production import BSD, OLD
from mcpi.studies.sigcomm96.tables.common import (
    VERSIONS,
    cell,
    difference,
    made,
    size,
    slower,
    unused,
    versions,
    with_spread,
)
from mcpi.studykit.cell import Cell, Row, Table
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import Get, client, te, tp

LENGTH = client("instructions")


def table1(study: Measured) -> Table:
    """Table 1: instructions that each technique saves, TCP/IP."""
    rows = [Row((name,), {"saved": _saved(study, key, name)}) for key, name in TECHNIQUES.items()]
    total = difference(study, "tcp", ("original", "std"), LENGTH)
    rows.append(Row(("Total",), {"saved": Cell(total.ours, _printed_saving("Total"), total.why)}))
    return made("table1", rows)


def _printed_saving(name: str) -> float | None:
    printed = row("sigcomm96/table1_instruction_savings", technique=name)
    return number(printed["instructions_saved"])


def _saved(study: Measured, switch: str, name: str) -> Cell:
    without = study.of("switches", switch)
    base = cell(study, "tcp", "std", LENGTH)
    if without is None or base.ours is None:
        return Cell(None, _printed_saving(name), base.why or f"no run with {switch}=0")
    return Cell(without["instructions"] - base.ours, _printed_saving(name))


METRICS = {
    "Roundtrip latency": ("µs", 1, te),
    "Instructions executed": ("", 0, client("instructions")),
    "Processing time": ("ticks", 0, client("ticks")),
    "CPI": ("", 2, client("cpi")),
}


def table2(study: Measured) -> Table:
    """Table 2: the stack before and after Section 2's changes, TCP/IP."""
    rows = []
    for metric, (unit, digits, get) in METRICS.items():
        theirs = row("sigcomm96/table2_original_vs_improved", metric=metric)
        cells = {
            column: cell(study, "tcp", variant, get, theirs[column])
            for column, variant in (("original", "original"), ("improved", "std"))
        }
        rows.append(Row((metric, unit), cells, digits))
    return made("table2", rows)


OF_ITSELF = {
    "instructions executed in ipintr": "in_ipintr",
    "instructions executed in tcp_input": "in_tcp_input",
}
RANGES = {
    "instructions between IP input and TCP input": "ip_input_to_tcp_input",
    "instructions between TCP input and socket input": "tcp_input_to_socket_input",
}


def table3(study: Measured) -> Table:
    """Table 3: instructions between two functions on the way up, TCP/IP."""
    found = []
    for theirs in rows("sigcomm96/table3_tcpip_implementations"):
        name = theirs["row"]
        cells = {
            "i80386": Cell(None, number(theirs["80386_CJRS89"]), "not a machine of ours"),
            "dec_unix": Cell(None, number(theirs["alpha_dec_unix_v3_2c"]), "not a system of ours"),
            "production": _of_production(study, name),
            "xkernel": Cell(None, None, "the paper has none either"),
        }
        if name in RANGES:
            value = theirs["alpha_improved_xkernel"]
            cells["xkernel"] = cell(study, "tcp", "std", _range(RANGES[name]), value)
        found.append(Row((name,), cells))
    return made("table3", found)


def _of_production(study: Measured, name: str) -> Cell:
    try:
        counted = production.counted(study, (RANGES | OF_ITSELF)[name], OLD, BSD, "std")
    except Missing as missing:
        return Cell(None, why=str(missing))
    return Cell(counted)


def _range(name: str) -> Get:
    return lambda result: result["ranges"][name]


def _sd_of_samples(result: dict) -> float | None:
    """Over samples, that is phases."""
    trip = result["round_trip"]
    return trip.get("sd_us") if trip["sd_over"] == "samples" else None


def table4(study: Measured) -> Table:
    """Table 4: end-to-end round trips."""

    def cells(stack: str, variant: str, theirs: dict[str, str]) -> dict[str, Cell]:
        spread = theirs["Te_sd_us"]
        return {
            "te_us": with_spread(
                study, stack, variant, te, theirs["Te_us"], _sd_of_samples, spread
            ),
            "delta_pct": slower(study, stack, variant, te, theirs["delta_pct"]),
        }

    return made("table4", versions("sigcomm96/table4_roundtrip_latency", cells))


CONTROLLER_US = "105"  # in the paper, of any version


def _trip(name: str) -> Get:
    return lambda result: result["round_trip"][name]


def table5(study: Measured) -> Table:
    """Table 5: round trips without the controllers' time."""

    def cells(stack: str, variant: str, theirs: dict[str, str]) -> dict[str, Cell]:
        of, te = (study, stack, variant), theirs["Te_us"]
        return {
            "te_us": cell(*of, _trip("adjusted_us"), te),
            "delta_pct": slower(*of, _trip("adjusted_us"), theirs["delta_pct"]),
            "controller_us": cell(*of, _trip("controller_us"), CONTROLLER_US),
            "te_less_210_us": cell(*of, _trip("adjusted_paper_us"), te),
        }

    return made("table5", versions("sigcomm96/table5_adjusted_latency", cells))


def table6(study: Measured) -> Table:
    """Table 6: cache performance of one invocation from cold caches."""
    rows = []
    for stack, title in STACKS.items():
        for variant in VERSIONS:
            name = variant.upper()
            theirs = row("sigcomm96/table6_cache_performance", stack=title, version=name)
            rows.append(Row((title, name, "replay"), _caches(study, stack, variant, theirs)))
            if study.result(stack, variant):
                rows.append(Row((title, name, "in situ"), _caches(study, stack, variant, {})))
    return made("table6", rows)


def _caches(study: Measured, stack: str, variant: str, theirs: dict) -> dict[str, Cell]:
    part = "replay" if theirs else "cold"
    return {
        f"{cache}_{short}": cell(
            study, stack, variant, count(cache, kind, part), theirs.get(f"{column}_{short}")
        )
        for cache, column in CACHES.items()
        for kind, short in KINDS.items()
    }


def count(cache: str, kind: str, part: str = "replay") -> Get:
    """A count of the client's cold invocation."""
    return lambda result: result[part]["client"][cache][kind]


COSTS = {"length": ("length", "instructions"), "mcpi": ("mCPI", "mcpi"), "icpi": ("iCPI", "icpi")}


def _sd_of_path(result: dict) -> float | None:
    return result.get("path_time", {}).get("client", {}).get("sd_us")


def table7(study: Measured) -> Table:
    """Table 7: processing time, length and CPI of the path."""

    def cells(stack: str, variant: str, theirs: dict[str, str]) -> dict[str, Cell]:
        of = study, stack, variant
        found = {"tp_us": with_spread(*of, tp, theirs["Tp_us"], _sd_of_path, theirs["Tp_sd_us"])}
        for key, (column, name) in COSTS.items():
            found[key] = cell(*of, client(name), theirs[column])
        return found

    return made("table7", versions("sigcomm96/table7_processing_costs", cells))


IMPROVEMENTS = "sigcomm96/table8_improvement_comparison"
STEPS = (("bad", "clo"), ("std", "out"), ("out", "clo"), ("out", "pin"), ("pin", "all"))
# TCP/IP changes at both ends, RPC at the client alone (4.2).
ENDS = {"tcp": 2, "rpc": 1}
# The printed columns I are TCP/IP's and RPC's interchanged (papers/README.md).
PRINTED_I = {"tcp": "rpc_I_pct", "rpc": "tcpip_I_pct"}
# Other columns: the paper's name, and what the difference is of.
GAINS = {
    "dte_us": ("dTe_us", te),
    "dtp_us": ("dTp_us", tp),
    "dnb": ("dNb", count("bcache", "accesses")),
    "dnm": ("dNm", count("bcache", "replacement_misses")),
}


def table8(study: Measured) -> Table:
    """Table 8: what each step gains, and how much of it is the i-cache's."""
    rows = []
    for step in STEPS:
        name = "->".join(v.upper() for v in step)
        theirs, cells = row(IMPROVEMENTS, transition=name), {}
        for stack in STACKS:
            cells |= gains(study, stack, step, theirs)
        rows.append(Row((name.replace("->", " → "),), cells))
    return made("table8", rows)


def gains(study: Measured, stack: str, step: tuple[str, str], theirs: dict) -> dict[str, Cell]:
    """The cells of a step in Table 8; ``theirs``: the row that is printed."""
    accesses = difference(study, stack, step, count("bcache", "accesses"))
    data = difference(study, stack, step, count("dcache_write_buffer", "misses"))
    share, why = None, accesses.why
    if accesses.ours == 0:
        why = "no b-cache access more or less"
    elif accesses.ours is not None:
        share = 100 * (accesses.ours - data.ours) / accesses.ours
    found = {f"{stack}_i_pct": Cell(share, number(theirs[PRINTED_I[stack]]), why)}
    for key, (column, get) in GAINS.items():
        one = difference(study, stack, step, get)
        ends = ENDS[stack] if get is te and one.ours is not None else 1
        ours = one.ours / ends if ends > 1 else one.ours
        printed = number(theirs[f"{PREFIX[stack]}_{column}"])
        found[f"{stack}_{key}"] = Cell(ours, printed, one.why)
    return found


OUTLINING = {"without": "std", "with": "out"}
SIZES = {"unused_pct": ("icache_unused_pct", unused), "size": ("size_instr", size)}


def table9(study: Measured) -> Table:
    """Table 9: what outlining does to the code."""
    rows = []
    for stack, title in STACKS.items():
        theirs = row("sigcomm96/table9_outlining_effectiveness", stack=title)
        cells = {
            f"{side}_{key}": cell(study, stack, v, get, theirs[f"{side}_outlining_{column}"])
            for side, v in OUTLINING.items()
            for key, (column, get) in SIZES.items()
        }
        rows.append(Row((title,), cells))
    return made("table9", rows)
