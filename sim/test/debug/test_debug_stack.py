# SPDX-License-Identifier: BSD-2-Clause
"""Both machines of a stack in GDB: at one tick, with breakpoints of their own, and back over the
wire from the byte that the client got to the instruction of the server that wrote it."""

import re

import pytest
from sim_support.debugging import gdb, number, prepared

from mcpi.api import single_run
from mcpi.spec.run_spec import RunSpec

SPEC = RunSpec(stack="tcp", variant="std", round_trips=2, warmup=1)
# The client's interrupt for the second frame that it gets.
TO_CLIENT = "break lance_interrupt thread 1.1\ncontinue\ncontinue\ncontinue\n"
IDENTIFIER = 32  # bytes of a buffer with gaps, to those of IP's header that differ by frame


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return prepared(SPEC, tmp_path_factory.mktemp("debug") / "run")


def rings(answer: str, which: str) -> list[tuple[bool, str, int]]:
    """Of each descriptor: whether the controller looks at it next, whose it is, its buffer."""
    rows = re.findall(rf"^{which} +\d+ (.) at \w+: (\w+).*?, buffer (\w+), bytes", answer, re.M)
    return [(star == "*", owner, int(buffer, 16)) for star, owner, buffer in rows]


def before(rows: list[tuple[bool, str, int]]) -> int:
    """The buffer of the descriptor that the controller has done last."""
    return rows[next(n for n, row in enumerate(rows) if row[0]) - 1][2]


def test_a_byte_leads_back_over_the_wire(run):
    at_client = gdb(run, TO_CLIENT + "monitor rings\nmonitor wire\nmonitor events", main=False)
    got = before(rings(at_client[4], "receive")) + IDENTIFIER
    assert "from …02 to …01, type 0800" in at_client[5] and "net_interrupt" in at_client[6]
    back = TO_CLIENT + f"delete\nwatch -location *(long *){got:#x}\nreverse-continue\n"
    said = gdb(run, back + "monitor tick\ninferior 2\nmonitor tick\nmonitor rings", main=False)
    assert "the network controller of node 0 wrote it (DMA)" in said[6]
    assert number(said[7]) == number(said[9])
    sent = before(rings(said[10], "transmit")) + IDENTIFIER
    more = f"inferior 2\ndelete\nwatch -location *(long *){sent:#x}\nreverse-continue\n"
    said = gdb(run, back + more + "backtrace\nmonitor tick\ninfo threads", main=False)
    assert "DMA" not in said[10] and "transmit" in said[11], said[10:]
    assert re.search(r"^\* +2\.1", said[13], re.M)


def test_a_debugged_stack_leaves_the_same_counters(run, tmp_path):
    gdb(run, TO_CLIENT + "reverse-continue\nreverse-stepi\ndelete\ncontinue", main=False)
    place, _ = single_run.perform(SPEC, tmp_path / "plain")
    for name in ("counters.json", "stamps.csv", "wire.pcap"):
        assert (run.place / name).read_bytes() == (place / name).read_bytes(), name
