#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Gain of ways and victims of the primary caches for three variants, on the exact engine.

PYTHONPATH=tools python3 bench/ways.py [round trips]

Figures are the client's, of one invocation; `replaced` are replacement misses, `victims` are victim
hits. What the write buffer sends counts as misses of the D-cache, as in the paper's tables.
"""

import sys
import tempfile
from pathlib import Path

import mcpi

# Settings of I- and D-cache: ways, blocks of the victim cache.
WAYS = ((1, 1), (2, 1), (4, 1), (1, 2))
VICTIMS = ((16, 0), (0, 16))
SHAPES = [(*ways, 0, 0) for ways in WAYS] + [(1, 1, *victims) for victims in VICTIMS]
KEYS = ("icache.ways", "dcache.ways", "icache.victims", "dcache.victims")


def main() -> None:
    trips = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print("         ways victims    T_p   mCPI  I-cache                   D-cache + buffer")
    print("         I  D   I  D      µs          misses replaced victims   misses replaced victims")
    for variant in ("bad", "std", "all"):
        for shape in SHAPES:
            settings = {key: str(number) for key, number in zip(KEYS, shape, strict=True)}
            with tempfile.TemporaryDirectory() as place:
                out = Path(place, "run")
                found = mcpi.run(variant=variant, round_trips=trips, set=settings, out=out).client
            print(f"{variant.upper():8} {shape[0]}  {shape[1]}  {shape[2]:2} {shape[3]:2}", end="")
            print(f" {found.t_p_us:7.2f} {found.mcpi:6.2f}", end="")
            for cache in (found.path.icache, found.path.dcache_write_buffer):
                counts = (cache.misses, cache.replacement_misses, cache.victim_hits or 0)
                print("".join(f" {count:8.1f}" for count in counts), end="")
            print()


if __name__ == "__main__":
    main()
