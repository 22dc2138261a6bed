# SPDX-License-Identifier: BSD-2-Clause
"""Speed of two boards in exact time, next to that of a board which waits for nobody.

    python3 bench/exact_pace.py [STACK ...]

Two simulated ECPIX-5 at their pins, STD, on a cable of 30 ns that loses nothing, as in
boards/test/test_exact_seeds.py; with the record and without it. A minute of a processor each. The
serial line has ten clocks a bit; a real one has a hundred (921600 baud).
"""

import contextlib
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / folder) for folder in ("tools", ".", "boards/test")]

import test_exact_seeds  # noqa: E402
from real_time import quiet  # noqa: E402

from mcpi.engines.board import cabled, record  # noqa: E402
from mcpi.machine import boards  # noqa: E402

NOT_WANTED = mock.patch.object(record, "hindrance", lambda _: "bench/exact_pace.py")


def rows(stack: str, records: bool, place: Path) -> Iterator[str]:
    """A line for each board: the pair's speed, shares of clocks, and the share of one alone."""
    program, spec = cabled.built("dec3000-600", {}), test_exact_seeds.spec(stack, "std")
    with contextlib.nullcontext() if records else NOT_WANTED:
        test_exact_seeds.on_boards(program, spec, place, 1, latency_us=0, loss=0)
    about = json.loads((place / "boards.json").read_text())["boards"]
    nodes = json.loads((place / "counters.json").read_text())["nodes"]
    mhz = boards.load("ecpix-5").clock_mhz
    for side, one, node in zip(cabled.SIDES, about, nodes, strict=True):
        clocks, ticks = node["all"]["clocks"], node["all"]["ticks"]
        other, host = one["waits"] / clocks, one["host_waits"] / clocks
        title = f"{stack} {side}, {'record' if records else 'no record'}"
        figures = (mhz * ticks / clocks, 100 * other, 100 * host, 1 - other - host)
        yield f"{title:<24}{figures[0]:>12.1f}{figures[1]:>12.1f}{figures[2]:>12.1f}" + (
            f"{figures[3]:>12.2f}"
        )


def main() -> None:
    found = []
    with tempfile.TemporaryDirectory() as scratch, quiet():
        for stack in sys.argv[1:] or ["tcp", "rpc"]:
            for records in (False, True):
                found += rows(stack, records, Path(scratch) / f"{stack}-{records}")
    print(f"{'':<24}{'M ticks/s':>12}{'% for other':>12}{'% for host':>12}{'of alone':>12}")
    print("\n".join(found))


if __name__ == "__main__":
    main()
