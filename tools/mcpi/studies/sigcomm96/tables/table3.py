# SPDX-License-Identifier: BSD-2-Clause
"""Table 3: instructions between two functions on the way up, TCP/IP."""

from mcpi.papers.tables import number, rows
from mcpi.studies.sigcomm96.tables.common import cell, made
from mcpi.studykit.cell import Cell, Row, Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import Get

OURS = {
    "instructions between IP input and TCP input": "ip_input_to_tcp_input",
    "instructions between TCP input and socket input": "tcp_input_to_socket_input",
}


def table(study: Measured) -> Table:
    found = []
    for theirs in rows("table3_sigcomm96_tcpip_implementations"):
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
    return made("table3", found)


def _range(name: str) -> Get:
    return lambda result: result["ranges"][name]
