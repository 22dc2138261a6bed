#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What ways of the primary caches bring to three variants, on the exact engine.

PYTHONPATH=tools python3 bench/ways.py [round trips]

Figures are the client's, of one invocation; `replaced` are replacement misses. What the write
buffer sends counts as misses of the D-cache, as in the paper's tables.
"""

import sys
import tempfile
from pathlib import Path

import mcpi

WAYS = ((1, 1), (2, 1), (4, 1), (1, 2), (1, 4), (4, 4))  # of the I-cache, of the D-cache


def main() -> None:
    trips = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print("         ways     T_p   mCPI  I-cache           D-cache + buffer")
    print("         I  D      µs          misses replaced   misses replaced")
    for variant in ("bad", "std", "all"):
        for code, data in WAYS:
            settings = {"icache.ways": str(code), "dcache.ways": str(data)}
            with tempfile.TemporaryDirectory() as place:
                out = Path(place, "run")
                found = mcpi.run(variant=variant, round_trips=trips, set=settings, out=out).client
            print(
                f"{variant.upper():8} {code}  {data} {found.t_p_us:7.2f} {found.mcpi:6.2f}", end=""
            )
            for cache in (found.path.icache, found.path.dcache_write_buffer):
                print(f" {cache.misses:8.1f} {cache.replacement_misses:8.1f}", end="")
            print()


if __name__ == "__main__":
    main()
