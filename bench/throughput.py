#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""How much of the wire TCP and BLAST fill on the simulated machine.

PYTHONPATH=tools python3 bench/throughput.py [kilobytes]

Bulk transfers between two STD machines (firmware/tests/tcpbulk, rpcbulk); the stack below is the
measured one. Counted on the wire: bytes of the user's in frames that carry any, from the first bit
of the first of them to the last bit of the last; beside it what the headers leave of 10 Mb/s.
"""

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from mcpi import compose, firmware, graph
from mcpi.paths import ROOT
from mcpi.pcap import stamped
from mcpi.progress import Bar
from mcpi.record import Record
from mcpi.simulate import STACKS

BITS_PER_US = 10
ETHERNET, IP, TCP, BLAST = 14, 20, 20, 24
OVERHEAD = 8 + ETHERNET + 4 + 12  # preamble, header, check sequence, gap
SEGMENT, FRAGMENT = 1460, 1456
ABOVE_BLAST = 12 + 16 + 8  # headers of BID, CHAN, MSELECT, once a message
MESSAGES = (1420, 4096, 16384, 64 * FRAGMENT - ABOVE_BLAST)
BUFFERS = (4096, 8192, 16384, 32768)


@dataclass(frozen=True)
class Transfer:
    """``payload``: of the user's in a frame."""

    stack: str
    title: str
    define: str
    round_trips: int
    limit: float  # Mb/s that the headers leave

    def payload(self, frame: bytes) -> tuple[bytes, int]:
        """What tells a frame sent twice, and the bytes in it."""
        length = int.from_bytes(frame[16:18], "big") - IP
        body = frame[ETHERNET + IP : ETHERNET + IP + length]
        if self.stack == "tcp":
            return body[4:8], length - (body[12] >> 4) * 4
        if frame[23] != 101 or body[14] not in (1, 3):  # BLAST's data
            return b"", 0
        return body[4:8] + body[16:24], int.from_bytes(body[8:12], "big")


def transfers(kilobytes: int) -> list[Transfer]:
    made = []
    segments = kilobytes * 1024 // SEGMENT
    limit = BITS_PER_US * SEGMENT / (SEGMENT + TCP + IP + OVERHEAD)
    for size in BUFFERS:
        made.append(
            Transfer("tcp", f"TCP, buffers of {size}", f"BULK_BUFFER={size}", segments, limit)
        )
    for size in MESSAGES:
        calls = max(2, kilobytes * 1024 // size)
        whole = size + ABOVE_BLAST
        frames = -(-whole // FRAGMENT)
        limit = BITS_PER_US * whole / (whole + frames * (BLAST + IP + OVERHEAD))
        made.append(Transfer("rpc", f"BLAST, calls of {size}", f"BULK_BYTES={size}", calls, limit))
    return made


def run(built: graph.Built, transfer: Transfer) -> tuple[float, int]:
    """Mb/s, and bytes."""
    machine = Record().check()
    with compose.graphs_in(ROOT / "bench" / "bulk"):
        plan = firmware.plan(machine, "std", transfer.stack, (transfer.define,))
    firmware.build(plan)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "machine.json").write_text(machine.to_json())
        words = [built.simulator, "--out", folder, "--machine", folder / "machine.json"]
        words += ["--node-json", built.node_json, "--no-lockstep", "--no-oracle"]
        for node in (0, 1):
            items = (f"pal={plan.pal}", f"image={plan.image}")
            items += (f"boot.stack={STACKS[transfer.stack]}",)
            items += (f"boot.round_trips={transfer.round_trips}",)
            for item in items:
                words += ["--node", f"{node}:{item}"]
        subprocess.run([str(w) for w in words], check=True, capture_output=True)
        sent = [(ns, f) for ns, f in stamped(folder / "wire.pcap") if f[11] == 1]  # by node 0
    rows = [(ns, len(f), *transfer.payload(f)) for ns, f in sent]
    rows = [r for r in rows if r[3] > ABOVE_BLAST]  # others have headers only
    first, last = rows[0], rows[-1]
    us = (last[0] - first[0]) / 1000 + 8 * (last[1] + 8) / BITS_PER_US
    payload = sum({key: size for _, _, key, size in rows}.values())
    return 8 * payload / us, payload


def main() -> None:
    kilobytes = int(sys.argv[1]) if len(sys.argv) > 1 else 96
    with Bar() as bar:
        built = graph.build(Record(), Record().check(), bar)
    print(f"{'':24}{'bytes':>9}{'Mb/s':>8}{'of 10 Mb/s':>12}{'of the most possible':>22}")
    for transfer in transfers(kilobytes):
        speed, payload = run(built, transfer)
        shares = f"{100 * speed / BITS_PER_US:>10.1f} %{100 * speed / transfer.limit:>20.1f} %"
        print(f"{transfer.title:24}{payload:>9,}{speed:>8.2f}{shares}", flush=True)


if __name__ == "__main__":
    main()
