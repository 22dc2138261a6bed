# SPDX-License-Identifier: BSD-2-Clause
"""How long the march over a board's RAM takes (``./mcpi board test``), over the serial line.

PYTHONPATH=tools:tools/test:bench python3 bench/march.py [LATENCY_MS]

A simulated board with each board's pages, behind a line of its baud rate that takes LATENCY_MS (1)
more whenever it turns around. Real time; prints pages, seconds, and the share of the line's bytes.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

from board_bench import Bench
from variant_switch import PacedPort, quiet

from mcpi import board_selftest, boards
from mcpi.board_node import BoardNode
from mcpi.hostlink import HostLink
from mcpi.record import Record


class CountedPort(PacedPort):
    """``bytes``: both ways."""

    bytes = 0

    def _take(self, count: int) -> None:
        self.bytes += count
        super()._take(count)


def main() -> None:
    latency = float(sys.argv[1]) / 1000 if len(sys.argv) > 1 else 0.001
    for board in map(boards.load, boards.names()):
        with tempfile.TemporaryDirectory() as scratch:
            ram = ("--page-bytes", board.page_bytes, "--backing-bytes")
            options = map(str, (*ram, board.pages * board.page_bytes))
            bench = Bench(Path(scratch), Record(lockstep=False), "--looped", *options)
            names = json.loads(bench.built.node_json.read_text())["registers"]
            port = CountedPort(bench.ports[0], board.baud, latency)
            node = BoardNode(HostLink(port, patience=60.0), names, [])
            try:
                node.identify(Record().check())
                began = time.monotonic()
                board_selftest.march(node, board.page_bytes, board.pages, 1, quiet)
                seconds = time.monotonic() - began
            finally:
                bench.end()
        line = port.bytes * port.per_byte / seconds
        print(
            f"{board.name:<14} {board.pages:,} pages, {board.baud:,} baud, {1000 * latency:g} ms "
            f"to turn around: {seconds:.1f} s, {line:.0%} of them bytes",
            flush=True,
        )


if __name__ == "__main__":
    main()
