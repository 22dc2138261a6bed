# SPDX-License-Identifier: BSD-2-Clause
"""Machines at random, and the oracles' word on a run."""

import os
import random
import re

SEED = int(os.environ.get("MCPI_SEED", "1996"))
COMPARED = 80  # counters of a node, both banks, at least


def check_agreement(done, about: object, compared: int = COMPARED) -> None:
    """The run ended well, and both nodes' counters were what both oracles say."""
    assert done.returncode == 0, f"{about}; again: MCPI_SEED={SEED}\n{done.stderr[-3000:]}"
    found = re.findall(r"oracle: node (\d): (\d+) comparisons, no difference", done.stderr)
    assert [n for n, _ in found] == ["0", "1"] and all(int(c) >= compared for _, c in found)


def acting(rng: random.Random) -> dict[str, str]:
    """Run-time parameters of the memory side, anywhere in their ranges."""
    return {
        "core.taken_penalty": str(rng.randint(3, 7)),
        "icache.prefetch": rng.choice(["on", "off"]),
        "icache.enable": rng.choice(["on", "on", "on", "off"]),
        "dcache.enable": rng.choice(["on", "on", "on", "off"]),
        "bcache.enable": rng.choice(["on", "on", "on", "off"]),
        "write_buffer.enable": rng.choice(["on", "on", "on", "off"]),
        "icache.refill_restart": str(rng.randint(3, 7)),
        "write_buffer.drain_at": str(rng.randint(1, 4)),
        "write_buffer.idle_ticks": str(rng.choice([1, 5, 40, 256, 1023])),
        "write_buffer.write_ticks": str(rng.randint(5, 15)),
        "bcache.read_ticks": str(rng.randint(3, 63)),
        "bcache.dma_ticks": str(rng.randint(1, 63)),
        "memory.read_ticks": str(rng.randint(3, 255)),
    }


def shape(rng: random.Random) -> dict[str, str]:
    """A geometry: what takes a new model of the hardware; anywhere in the ranges."""
    return {
        "cache.block": f"{rng.choice([16, 32, 64, 128])}B",
        "icache.size": f"{2 ** rng.randint(0, 8)}KB",
        "dcache.size": f"{2 ** rng.randint(0, 8)}KB",
        "bcache.size": f"{64 * 2 ** rng.randint(0, 6)}KB",
        "write_buffer.entries": str(rng.randint(1, 16)),
    }
