# SPDX-License-Identifier: BSD-2-Clause
"""Machines at random, the oracles' word on a run, and the exact engine's."""

import os
import random
import re
from collections.abc import Sequence
from pathlib import Path

from sim_support import simulate

from mcpi.build import graph, models
from mcpi.results import folders

SEED = int(os.environ.get("MCPI_SEED", "1996"))
COMPARED = 80  # counters of a node, both banks, at least


def check_agreement(done, about: object, compared: int = COMPARED) -> None:
    """The run ended well, and both nodes' counters were what both oracles say."""
    assert done.returncode == 0, f"{about}; again: MCPI_SEED={SEED}\n{done.stderr[-3000:]}"
    found = re.findall(r"oracle: node (\d): (\d+) comparisons, no difference", done.stderr)
    assert [n for n, _ in found] == ["0", "1"] and all(int(c) >= compared for _, c in found)


def check_exact(
    built: graph.Built,
    rtl: Path,
    machine: Path,
    *options: object,
    items: Sequence[str] = (),
) -> None:
    """The exact engine's files of a run are those of the RTL, byte by byte. RAM below the tags is
    as slow as it may be on the RTL; the engine has none, and no tick may show it."""
    words = [str(option) for option in options]
    if "--backing-latency" in words:
        at = words.index("--backing-latency")
        del words[at : at + 2]
    exact, program = rtl.with_name(f"{rtl.name}-exact"), models.build("mcpi-exact")
    done = simulate(built, exact, machine, *words, items=items, program=program)
    found = folders.differences(rtl, exact)
    again = f"again: MCPI_SEED={SEED}; {' '.join(done.args)}"
    assert not found, f"{found}\n{done.stderr[-1000:]}\n{again}"


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


def devices(rng: random.Random) -> dict[str, str]:
    """Run-time parameters of core and controller, as far as a connection still comes about."""
    registers = 2047 * 1000 // 400  # ns that fit each time's register at the fastest clock drawn
    return {
        "core.prediction": rng.choice(["paper", "ev4"]),
        "core.predicted_penalty": str(rng.randint(1, 7)),
        "core.mispredict_penalty": str(rng.randint(3, 7)),
        "memory.ideal": rng.choice(["off", "off", "off", "on"]),
        "lance.transmit_threshold": str(rng.randint(16, 48)),
        "lance.poll_ns": str(rng.choice([50_000, rng.randint(50_000, 3_000_000)])),
        "lance.word_ns": str(rng.randint(0, 700)),
    } | {
        f"lance.{name}_ns": str(rng.randint(0, min(most, registers)))
        for name, most in {
            "gap": 2000,
            "arbitration": 1000,
            "csr": 10_000,
            "demand": 10_000,
            "setup": 2000,
            "start": 10_000,
            "heartbeat": 10_000,
            "status": 10_000,
            "interrupt": 10_000,
        }.items()
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


def ways(rng: random.Random) -> dict[str, str]:
    """Of both primary caches."""
    return {f"{cache}.ways": str(rng.choice([1, 2, 4])) for cache in ("icache", "dcache")}


def victims(rng: random.Random) -> dict[str, str]:
    """The same."""
    kept = {"icache.victims": [1, 2, 4, 16], "dcache.victims": [1, 2, 4, 16]}
    ticks = {"icache.victim_ticks": range(1, 16), "dcache.victim_ticks": range(2, 16)}
    return {key: str(rng.choice(values)) for key, values in (kept | ticks).items()}


def further(rng: random.Random) -> dict[str, str]:
    """What else takes a new model of the hardware: core, clocks, bus, controller."""
    return {
        "clock.ticks_per_us": str(rng.choice([50, 100, 175, 400])),
        "timer.hz": str(2 ** rng.randint(7, 12)),
        "core.shift_use": str(rng.randint(1, 2)),
        "core.compare_use": str(rng.randint(1, 2)),
        "core.agen_use": str(rng.randint(1, 2)),
        "core.multiply_long": str(rng.randint(20, 64)),
        "core.multiply_quad": str(rng.randint(20, 64)),
        "turbochannel.ticks_per_cycle": str(rng.randint(1, 8)),
        # Longer than the chip's registers may take to answer, at a tick a cycle (``devices``).
        "turbochannel.timeout_cycles": str(rng.choice([2560, 3072, 4096])),
        "lance.chip": rng.choice(["am7990", "c-lance"]),
        "lance.silo_bytes": str(rng.choice([48, 64])),
    }
