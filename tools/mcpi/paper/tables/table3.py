# SPDX-License-Identifier: BSD-2-Clause
"""Table 3: instructions between two functions on the way up, TCP/IP."""

from mcpi.paper.cell import Cell, Column, Row, Table
from mcpi.paper.published import rows
from mcpi.paper.study import Study
from mcpi.paper.tables.common import cell, number

NAME = "table3_sigcomm96_tcpip_implementations"
OURS = {
    "instructions between IP input and TCP input": "ip_input_to_tcp_input",
    "instructions between TCP input and socket input": "tcp_input_to_socket_input",
}
COLUMNS = (
    Column("i80386", "80386 [CJRS89]", 0),
    Column("dec_unix", "DEC Unix v3.2c", 0),
    Column("xkernel", "Improved x-kernel (STD)", 0),
)


def table(study: Study) -> Table:
    found = []
    for theirs in rows(NAME):
        name = theirs["row"]
        cells = {
            "i80386": Cell(None, number(theirs["80386_CJRS89"]), "not a machine of ours"),
            "dec_unix": Cell(None, number(theirs["alpha_dec_unix_v3_2c"]), "not a system of ours"),
            "xkernel": Cell(None, None, "the paper has none either"),
        }
        if name in OURS:
            value = theirs["alpha_improved_xkernel"]
            cells["xkernel"] = cell(study, "tcp", "std", _range(OURS[name]), value)
        found.append(Row((name,), cells))
    return Table(
        "table3",
        "Table 3: comparison of TCP/IP implementations",
        ("Number of instructions executed",),
        COLUMNS,
        tuple(found),
        (
            "Ours: from the entry of ip_demux to that of tcp_demux, from there to "
            "clientStreamDemux, in the trace of the client's cold invocation.",
        ),
    )


def _range(name: str):
    return lambda result: result["ranges"][name]
