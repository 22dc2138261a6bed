# SPDX-License-Identifier: BSD-2-Clause
"""The structures on the simulated machine: one node sends TR 93-04's messages with a program
above its own sockets, the other receives them (mcpi-exact: core, memory, LANCE and wire)."""

import csv
import json
import statistics
from pathlib import Path

import pytest
from firmware_support.structure_images import (
    FRAGMENTS,
    MESSAGES,
    message,
    run,
    said,
    sum_of,
)

from mcpi.firmware import structures
from mcpi.machine import profile


@pytest.mark.parametrize("structure", structures.names())
def test_messages_arrive(structure: str) -> None:
    counts = said(run(structure))
    assert counts.pop("sum") == sum_of([message(n) for n in range(MESSAGES)])
    assert counts["ip: fragments"] == MESSAGES * FRAGMENTS
    assert counts["socket: read"] == MESSAGES
    dropped = [name for name in counts if "full" in name or "no " in name or "bad" in name]
    assert not dropped
    print(structure, counts)


@pytest.mark.parametrize("structure", ["bsd", "mach"])
@pytest.mark.parametrize(
    "switch", ["POOL_ORDER=1", "POOL_ORDER=2", "POOL_SHUFFLE=1", "UDP_CHECKSUM=0", "XK_LONGWORDS=1"]
)
def test_switches_change_no_byte(structure: str, switch: str) -> None:
    """FIFO, scattered or shuffled buffers, no checksum: the same messages at other ticks."""
    folder, usual = run(structure, more=switch), run(structure)
    assert said(folder) == said(usual)
    stamps = [(f / "stamps.csv").read_bytes() for f in (folder, usual)]
    assert stamps[0] != stamps[1]


def test_same_run_same_files() -> None:
    names = ("console.1.txt", "wire.pcap", "events.csv")
    first, again = run("mach"), run("mach", 1)
    assert all((first / n).read_bytes() == (again / n).read_bytes() for n in names)


def test_structures_get_the_same_frames() -> None:
    """The structures differ in the receiver: the sender's frames are the same, to the tick."""
    assert len({(run(s) / "wire.pcap").read_bytes() for s in structures.names()}) == 1


LINES = (46, 47)  # of 32 bytes, in a large mbuf


def probes(folder: Path) -> list[tuple[int, int]]:
    """Ticks of each probe's loads, and of the same loads once more."""
    with (folder / "stamps.csv").open() as file:
        rows = [r for r in csv.DictReader(file) if r["node"] == "1" and "probe" in r["stamp"]]
    names = ["probe_open", "probe_close", "probe_again"] * (len(rows) // 3)
    assert [r["stamp"] for r in rows] == names
    ticks = [int(r["tick"]) for r in rows]
    return [(b - a, c - b) for a, b, c in zip(ticks[::3], ticks[1::3], ticks[2::3], strict=True)]


@pytest.mark.parametrize("structure", structures.names())
def test_probe(structure: str) -> None:
    """Every large mbuf once. Its ticks are those of the window, whose owners sum to them. Stores
    allocate no line of the D-cache (21064): what was copied is read from the b-cache."""
    machine = profile.load("dec3000-600")
    folder = run(structure, probe=1)
    assert said(folder)["sum"] == said(run(structure))["sum"]
    found = probes(folder)
    assert len(found) == MESSAGES * FRAGMENTS
    window = json.loads((folder / "counters.json").read_text())["nodes"][1]["windows"]["probe"]
    owners = {name: n for name, n in window.items() if name.startswith("owner.") and n}
    assert sum(measured for measured, _ in found) == window["ticks"] == sum(owners.values())
    above = [measured - again for measured, again in found if again < measured]
    line = statistics.median(above) / LINES[0]
    if structure != "xkernel":  # whose pieces have other bytes in front of the 365 words
        read = machine.parameters["bcache.read_ticks"]
        assert read * 0.95 <= line <= read * LINES[1] / LINES[0] * 1.05
    print(f"{structure}: {statistics.median(above)} ticks above {found[1][1]}, {line:.2f} a line")


def test_probe_is_off() -> None:
    """No instruction of it is run unless the image is built with it."""
    assert not probes(run("bsd"))
