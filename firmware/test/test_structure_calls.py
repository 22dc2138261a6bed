# SPDX-License-Identifier: BSD-2-Clause
"""Socket calls give the same in every structure, right and wrong ones (structures/caller.c)."""

import pytest
from host_build import TEST, structure_machine
from scapy.layers.inet import IP, UDP
from scapy.packet import Raw
from solo_machine import KERNEL, US, Solo, ether
from test_fragments import cuts, datagram

from mcpi.firmware import structures

BAD_NUMBER, IN_USE, WOULD_WAIT = -102, -107, -108
SAID = {
    "bind of no socket": BAD_NUMBER,
    "receive of no socket": BAD_NUMBER,
    "close of no socket": BAD_NUMBER,
    "limits of no socket": BAD_NUMBER,
    "send of no socket": BAD_NUMBER,
    "bind": 7,
    "port in use": IN_USE,
    "no port": BAD_NUMBER,
    "another port": 8,
    "empty": WOULD_WAIT,
    "first": 100,
    "its last byte": 99,
    "its port": 9000,
    "cut": 1000,
    "into no memory": 0,
    "longer than the room": 4096,
    "last": 6,
    "nothing there": WOULD_WAIT,
    "to a stranger": -1,
    "limit below a datagram": 0,
    "what fits": 50,
    "what does not": WOULD_WAIT,
    "a thread": 1,
    "close": 0,
    "closed while it waits": -1,
    "it has ended": 1,
    "closed": BAD_NUMBER,
    "again": 8,
    "to the kernel": 1,
}


@pytest.mark.parametrize("structure", structures.names())
def test_calls(structure: str) -> None:
    kernel = Solo(known=False, machine=structure_machine(structure, TEST / "structures"))
    for ident, size in enumerate((100, 3000, 20, 5000, 6), 1):
        body = datagram(bytes(n % 256 for n in range(size)), ident)
        kernel.exchange(*cuts(body, *range(1480, len(body), 1480), ident=ident), ms=1)
    kernel.frames(60)
    for size in (200, 50):
        frame = ether(IP(src=US, dst=KERNEL) / UDP(sport=1, dport=8) / Raw(bytes(size)))
        kernel.exchange(frame, ms=1)
    kernel.frames(300)
    lines = kernel.console().splitlines()
    found = {name: int(value) for name, _, value in (line.rpartition(" ") for line in lines)}
    assert {name: found.get(name) for name in SAID} == SAID
    assert kernel.exit_code == 0
    kernel.child.stdin.close()
    assert kernel.child.wait() == 0
