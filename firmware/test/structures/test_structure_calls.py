# SPDX-License-Identifier: BSD-2-Clause
"""Socket calls give the same in every structure, right and wrong ones (structures/caller.c)."""

from pathlib import Path

import pytest
from firmware_support import faults
from firmware_support.fragments import cuts, data_of, datagram, payloads
from firmware_support.host_build import (
    FIRMWARE,
    OUT,
    structure_machine,
    structure_of,
    structure_sources,
    write,
)
from firmware_support.solo_machine import KERNEL, US, Solo, arp, ether
from scapy.layers.inet import IP, UDP
from scapy.packet import Raw

from mcpi.firmware import structures

LIFE_MS = 61_000  # longer than any structure keeps fragments
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


FAULTS = faults.read(Path(__file__).with_name("faults.toml"))
ECHO, CALLER = FIRMWARE / "apps" / "udprecv", Path(__file__).parent


def calls(machine: Path) -> None:
    kernel = Solo(known=False, machine=machine)
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


def stream(machine: Path) -> None:
    """Datagrams and what is none, many times over: all come back, and nothing is kept."""
    with Solo(known=False, machine=machine) as kernel:
        kernel.exchange(*cuts(datagram(data_of(100), 1), ident=1))
        kernel.frames(LIFE_MS)
        blocks, buffers = kernel.blocks(), kernel.variable("free_buffers", 2)
        for ident in range(2, 90):
            data = data_of(3000, ident)
            whole = cuts(datagram(data, ident), 1480, 2960, ident=ident)
            lost = cuts(datagram(data, 1000 + ident), 1480, 2960, ident=1000 + ident)[:1]
            kernel.exchange(arp("who-has", US, KERNEL), *(lost if ident % 8 == 0 else []), ms=1)
            another = IP(src=US, dst=KERNEL) / UDP(sport=20000 + ident, dport=7) / Raw(b"another")
            assert payloads(kernel.exchange(*whole, ms=5)) == [data]
            assert payloads(kernel.exchange(ether(another), ms=5)) == [b"another"]
        kernel.frames(LIFE_MS)
        assert kernel.variable("free_buffers", 2) == buffers
        assert kernel.blocks() <= blocks


@pytest.mark.parametrize("structure", structures.names())
def test_calls(structure: str) -> None:
    calls(structure_machine(structure, CALLER))


@pytest.mark.parametrize("structure", structures.names())
def test_stream(structure: str) -> None:
    stream(structure_machine(structure, ECHO))


@pytest.mark.parametrize("structure", ["bsd", "hpux", "mach"])
@pytest.mark.parametrize("switch", ["POOL_ORDER=1", "POOL_ORDER=2", "POOL_SHUFFLE=1", "PROBE=1"])
def test_stream_with_switches(structure: str, switch: str) -> None:
    sources, folder = structure_sources(structure), OUT / f"structure-{structure}-{switch}"
    stream(structure_of(structure, sources, ECHO, folder, (f"-D{switch}",)))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f"{f.how['structure']}_{f.name}")
def test_planted_fault_is_noticed(fault: faults.Fault) -> None:
    structure = fault.how["structure"]
    folder = OUT / "structure-faults" / f"{structure}-{fault.folder}"
    sources, options = structure_sources(structure), ()
    if fault.file.suffix == ".h":  # its folder comes before firmware/
        write(folder / fault.file.relative_to(FIRMWARE), fault.text())
        options = (f"-I{folder}",)
    else:
        sources = fault.among(sources, folder)
    for program, check in ((CALLER, calls), (ECHO, stream)):
        machine = structure_of(structure, sources, program, folder / program.name, options)
        try:
            check(machine)
        except (AssertionError, OSError) as noticed:
            print(f"{fault.name}: {check.__name__}: {str(noticed)[:100]}")
            return
    pytest.fail(f"{fault.name} is not noticed")
