# SPDX-License-Identifier: BSD-2-Clause
"""Table 8: what each step gains, and how much of it is the i-cache's."""

from mcpi.papers.sigcomm96 import PREFIX, STACKS
from mcpi.papers.tables import number, row
from mcpi.studies.sigcomm96.tables.common import difference, made
from mcpi.studies.sigcomm96.tables.table6 import count
from mcpi.studykit.cell import Cell, Row, Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import te, tp

NAME = "table8_sigcomm96_improvement_comparison"
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


def table(study: Measured) -> Table:
    rows = []
    for step in STEPS:
        name = "->".join(v.upper() for v in step)
        theirs, cells = row(NAME, transition=name), {}
        for stack in STACKS:
            cells |= _cells(study, stack, step, theirs)
        rows.append(Row((name.replace("->", " → "),), cells))
    return made("table8", rows)


def _cells(study: Measured, stack: str, step: tuple[str, str], theirs: dict) -> dict[str, Cell]:
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
