# SPDX-License-Identifier: BSD-2-Clause
"""Pages of a board's RAM that a point of the first study writes, client and server.

PYTHONPATH=tools:tools/test python3 bench/board_pages.py [BOARD [ROUND_TRIPS [STACK-VARIANT...]]]

Two boards simulated with the pages of BOARD (ecpix-5), and with more of them than it has. Prints
the pages of each point, images, data and residency tables, and how many the board has.
"""

import json
import sys
import tempfile
from pathlib import Path

from tools_support.board_bench import Bench, quiet

from mcpi.engines.board import session
from mcpi.firmware import recipes
from mcpi.machine import boards
from mcpi.spec.run_spec import BOARD, RunSpec


def main() -> None:
    board = boards.load(sys.argv[1] if len(sys.argv) > 1 else "ecpix-5")
    round_trips = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    titles = sys.argv[3:] or [f"{s}-{v}" for s in ("tcp", "rpc") for v in recipes.variants()]
    print(f"{board.name} has {board.pages:,} pages of {board.page_bytes:,} bytes")
    for title in titles:
        stack, _, variant = title.partition("-")
        spec = RunSpec(stack=stack, variant=variant, lockstep=False, round_trips=round_trips)
        used = pages(board, spec)
        fits = "" if max(used) <= board.pages else ", too many"
        print(f"{title:<12} client {used[0]:>5,}, server {used[1]:>5,}{fits}", flush=True)


def pages(board: boards.Board, spec: RunSpec) -> list[int]:
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        bench = Bench(place / "bench", spec, "--page-bytes", str(board.page_bytes))
        try:
            record = RunSpec(**(vars(spec) | {"engine": BOARD, "ports": bench.ports}))
            session.run(place / "run", ".", record, bench.prepare(place / "run", record), quiet)
            said = json.loads((place / "run" / "boards.json").read_text())
            return [node["pages_used"] for node in said["boards"]]
        finally:
            bench.end()


if __name__ == "__main__":
    main()
