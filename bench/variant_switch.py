# SPDX-License-Identifier: BSD-2-Clause
"""How long a board takes from one variant to the next: RAM and registers over the serial line.

PYTHONPATH=tools:tools/test python3 bench/variant_switch.py [BAUD [LATENCY_MS [STACK-VARIANT...]]]

One simulated board (``mcpi-sim board``) behind a line that takes ten bits a byte at BAUD, if not
given 115200, and LATENCY_MS (1) more whenever it turns around, as a USB adapter does. Real time;
prints bytes and seconds of each variant, all of them if none is named.
"""

import sys
import tempfile
import time
from pathlib import Path

from tools_support.board_bench import Bench, quiet

from mcpi.build import graph, run_folder
from mcpi.engines.board.node import BoardNode
from mcpi.firmware import recipes
from mcpi.hardware.serial_port import Port
from mcpi.spec import node_image
from mcpi.spec.run_spec import RTL, RunSpec


class PacedPort(Port):
    """A port as slow as a line of ``baud``; ``latency`` seconds from a request to its reply at
    least."""

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


def main() -> None:
    baud = int(sys.argv[1]) if len(sys.argv) > 1 else 115200
    latency = float(sys.argv[2]) / 1000 if len(sys.argv) > 2 else 0.001
    titles = sys.argv[3:] or [f"{s}-{v}" for s in ("tcp", "rpc") for v in recipes.variants()]
    print(f"{baud} baud, {1000 * latency:g} ms to turn around")
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        bench = Bench(place / "bench", RunSpec(lockstep=False), "--loopback")
        node = bench.node(PacedPort(bench.ports[0], baud, latency))
        try:
            for title in titles:
                stack, _, variant = title.partition("-")
                _one(node, place, RunSpec(stack=stack, variant=variant, engine=RTL, lockstep=False))
        finally:
            bench.end()


def _one(node: BoardNode, place: Path, record: RunSpec) -> None:
    machine = record.check()
    built = graph.build(record, machine)
    folder = place / record.title
    run_folder.prepare(folder, record, machine, built)
    began = time.monotonic()
    node.identify(machine)
    what = node_image.load(machine, node.names, record, 0, 1, folder)
    node.load(what, quiet)
    seconds = time.monotonic() - began
    pages = node.link.read(node.names["board.pages_used"])
    sent = node.about["sent_bytes"]
    print(f"{record.title:<10} {sent:>8,} bytes {seconds:6.1f} s, {pages} pages", flush=True)


if __name__ == "__main__":
    main()
