# SPDX-License-Identifier: BSD-2-Clause
"""How long the march over a board's RAM takes (``./mcpi board test``), over the serial line.

PYTHONPATH=tools:tools/test:bench python3 bench/march.py [LATENCY_MS]

A simulated board with each board's pages, behind a line of its baud rate that takes LATENCY_MS (1)
more whenever it turns around. Real time; prints pages, seconds, and the share of the line's bytes.
"""

import sys
import tempfile
import time
from pathlib import Path

from tools_support.board_bench import Bench, quiet
from variant_switch import PacedPort

from mcpi.engines.board import selftest as board_selftest
from mcpi.machine import boards
from mcpi.spec.run_spec import RunSpec


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
            bench = Bench(Path(scratch), RunSpec(lockstep=False), "--loopback", *options)
            port = CountedPort(bench.ports[0], board.baud, latency)
            node = bench.node(port)
            try:
                node.identify(RunSpec().check())
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
