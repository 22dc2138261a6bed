# SPDX-License-Identifier: BSD-2-Clause
"""Sockets that listen, as SECURITY.md lists them."""

import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mcpi.api.sweeping import cluster
from mcpi.base.repo import ROOT

LISTENS = "0A"
PAGE = (ROOT / "SECURITY.md").read_text()


def descendants() -> set[int]:
    """Process ids of all that this process has started, and theirs."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        parents[int(text.split()[0])] = int(text.rpartition(")")[2].split()[1])
    found = {int(Path("/proc/self").resolve().name)}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def listening(processes: set[int]) -> list[str]:
    """Addresses, IPv4 or IPv6, on which one of these processes listens."""
    sockets = {}
    for table in ("tcp", "tcp6"):
        for line in Path("/proc/net", table).read_text().splitlines()[1:]:
            cells = line.split()
            if cells[3] == LISTENS:
                raw = bytes.fromhex(cells[1].partition(":")[0])
                words = b"".join(raw[i : i + 4][::-1] for i in range(0, len(raw), 4))
                family = socket.AF_INET if len(raw) == 4 else socket.AF_INET6
                sockets[cells[9]] = socket.inet_ntop(family, words)
    found = []
    for process in processes:
        for entry in Path("/proc", str(process)).glob("fd/*"):
            try:
                name = re.match(r"socket:\[(\d+)\]", str(entry.readlink()))
            except OSError:
                continue
            if name and name[1] in sockets:
                found.append(sockets[name[1]])
    return sorted(found)


def test_a_socket_of_a_child_is_found() -> None:
    program = "import socket; s = socket.create_server(('0.0.0.0', 0)); print(flush=True); input()"
    words = [sys.executable, "-c", program]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        assert "0.0.0.0" in listening(descendants())
        child.communicate(b"\n")


def test_a_sweep_listens_on_this_machine_alone() -> None:
    before = listening(descendants())
    with cluster._local(1) as address:
        assert address.startswith("tcp://127.0.0.1:")
        until = time.monotonic() + 60
        # The scheduler's two, the nanny's, the worker's two.
        while len(found := listening(descendants())) < len(before) + 5:
            assert time.monotonic() < until, found
            time.sleep(0.2)
    assert set(found) - set(before) <= {"127.0.0.1"}, found


@pytest.mark.parametrize("command", ["sweep", "notebook", "board simulate", "test"])
def test_the_page_names_the_command(command: str) -> None:
    assert f"`./mcpi {command}" in PAGE
