# SPDX-License-Identifier: BSD-2-Clause
"""A round trip between two boards in real time, at their pins, next to the simulated one.

    PYTHONPATH=tools:boards/test:lance-ip/test python3 bench/real_time.py [ROUND_TRIPS]

Two simulated ECPIX-5 on a cable, as in boards/test/test_cable.py; some minutes of a processor.
"""

import contextlib
import dataclasses
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / folder) for folder in ("tools", ".", "boards/test", "lance-ip/test")]

import test_cable  # noqa: E402

ROWS = {
    "between boards, on their own clock": lambda found: found.wall["wall_us"],
    "  of it in gateways": lambda found: found.wall["gateways_us"],
    "  without them": lambda found: found.wall["wall_us"] - found.wall["gateways_us"],
    "simulated, engine rtl": lambda found: found.simulated,
    "the wire alone would take": lambda found: found.wall["wire_alone_us"],
    "virtual time behind, at most": lambda found: found.wall["late_us"],
    "ticks less clocks, client": lambda found: found.unequal[0],
    "ticks less clocks, server": lambda found: found.unequal[1],
}


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Send the simulators' output to standard error."""
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)


def main() -> None:
    trips = int(sys.argv[1]) if len(sys.argv) > 1 else test_cable.REAL.round_trips
    found = []
    with tempfile.TemporaryDirectory() as scratch, quiet():
        for stack in ("tcp", "rpc"):
            spec = dataclasses.replace(test_cable.REAL, stack=stack, round_trips=trips)
            found.append(test_cable.real_time(spec, Path(scratch) / stack))
    show(found, trips)


def show(found: list[test_cable.RoundTrip], trips: int) -> None:
    print(f"{f'µs, {trips} round trips of dec3000-35':<40}{'TCP/IP':>10}{'RPC':>10}")
    for title, value in ROWS.items():
        print(f"{title:<40}" + "".join(f"{value(one):>10.1f}" for one in found))
    print(f"{'without gateways, off by':<40}" + "".join(f"{100 * f.off:>+9.2f}%" for f in found))


if __name__ == "__main__":
    main()
