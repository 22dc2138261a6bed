# SPDX-License-Identifier: BSD-2-Clause
"""How long a board takes from one variant to the next: RAM and registers over the serial line.

PYTHONPATH=tools:tools/test python3 bench/variant_switch.py [BAUD [LATENCY_MS [STACK-VARIANT...]]]

One simulated board (``mcpi-sim --serial``) behind a line that takes ten bits a byte at BAUD, if not
given 115200, and LATENCY_MS (1) more whenever it turns around, as a USB adapter does. Real time;
prints bytes and seconds of each variant, all of them if none is named.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

from board_bench import Bench

from mcpi import graph, node_setup, run
from mcpi.board_node import BoardNode
from mcpi.hostlink import HostLink
from mcpi.progress import Bar
from mcpi.record import Record, variants
from mcpi.serial_port import Port


class PacedPort(Port):
    """As slow as a line of ``baud``; ``latency`` seconds from a request to its reply at least."""

    def __init__(self, path: str, baud: int, latency: float) -> None:
        super().__init__(path, baud)
        self.per_byte, self.latency = 10 / baud, latency
        self.free, self.turned = 0.0, False

    def _take(self, count: int) -> None:
        self.free = max(self.free, time.monotonic()) + count * self.per_byte
        if (left := self.free - time.monotonic()) > 0:
            time.sleep(left)

    def write(self, data: bytes) -> None:
        self._take(len(data))
        self.turned = True
        super().write(data)

    def read(self, count: int, timeout: float) -> bytes:
        if self.turned:
            self.turned = False
            time.sleep(self.latency)
        data = super().read(count, timeout)
        self._take(len(data))
        return data


def quiet(*_) -> None:
    pass


def main() -> None:
    baud = int(sys.argv[1]) if len(sys.argv) > 1 else 115200
    latency = float(sys.argv[2]) / 1000 if len(sys.argv) > 2 else 0.001
    titles = sys.argv[3:] or [f"{s}-{v}" for s in ("tcp", "rpc") for v in variants()]
    print(f"{baud} baud, {1000 * latency:g} ms to turn around")
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        bench = Bench(place / "bench", Record(lockstep=False), "--looped")
        names = json.loads(bench.built.node_json.read_text())["registers"]
        node = BoardNode(
            HostLink(PacedPort(bench.ports[0], baud, latency), patience=60.0), names, []
        )
        try:
            for title in titles:
                stack, _, variant = title.partition("-")
                _one(node, names, place, Record(stack=stack, variant=variant, lockstep=False))
        finally:
            bench.end()


def _one(node: BoardNode, names: dict, place: Path, record: Record) -> None:
    machine = record.check()
    with Bar() as bar:
        built = graph.build(record, machine, bar)
    folder = place / record.title
    run.prepare(folder, record, built)
    began = time.monotonic()
    node.identify(machine)
    what = node_setup.load(machine, names, record, 0, 1, folder)
    node.load(what, quiet)
    seconds = time.monotonic() - began
    pages = node.link.read(names["board.pages_used"])
    sent = node.about["sent_bytes"]
    print(f"{record.title:<10} {sent:>8,} bytes {seconds:6.1f} s, {pages} pages", flush=True)


if __name__ == "__main__":
    main()
