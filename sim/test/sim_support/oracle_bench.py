# SPDX-License-Identifier: BSD-2-Clause
"""Machines at random, the oracles' word on a run, and the exact engine's."""

import os
import random
import re
from collections.abc import Sequence
from pathlib import Path

from mcpi.build import graph, models
from mcpi.results import folders
from sim_support.simulators import simulate
from verify.random.inputs import Choice, Mixed, Span, Table, drawn

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


# Tables to draw from; each entry has its bins (``verify.random.inputs``).
_ON_OFF, _MOSTLY = Choice(("on", "off")), Choice(("on", "on", "on", "off"))
ACTING: Table = {  # of the memory side, anywhere in their ranges
    "core.taken_penalty": Span(3, 8),
    "icache.prefetch": _ON_OFF,
    "icache.enable": _MOSTLY,
    "dcache.enable": _MOSTLY,
    "bcache.enable": _MOSTLY,
    "write_buffer.enable": _MOSTLY,
    "icache.refill_restart": Span(3, 8),
    "write_buffer.drain_at": Span(1, 5),
    "write_buffer.idle_ticks": Choice((1, 5, 40, 256, 1023)),
    "write_buffer.write_ticks": Span(5, 16),
    "bcache.read_ticks": Span(3, 64),
    "bcache.dma_ticks": Span(1, 64),
    "memory.read_ticks": Span(3, 256),
}
_REGISTERS = 2047 * 1000 // 400  # ns that fit each time's register at the fastest clock drawn
_TIMES = {
    "gap": 2000,
    "arbitration": 1000,
    "csr": 10_000,
    "demand": 10_000,
    "setup": 2000,
    "start": 10_000,
    "heartbeat": 10_000,
    "status": 10_000,
    "interrupt": 10_000,
}
DEVICES: Table = {  # of core and controller, as far as a connection still comes about
    "core.prediction": Choice(("paper", "ev4")),
    "core.predicted_penalty": Span(1, 8),
    "core.mispredict_penalty": Span(3, 8),
    "memory.ideal": Choice(("off", "off", "off", "on")),
    "lance.transmit_threshold": Span(16, 49),
    "lance.poll_ns": Mixed((50_000,), 50_000, 3_000_001),
    "lance.word_ns": Span(0, 701),
    **{f"lance.{name}_ns": Span(0, min(most, _REGISTERS) + 1) for name, most in _TIMES.items()},
}
_SIZES = Choice(tuple(f"{1 << n}KB" for n in range(9)))
SHAPE: Table = {  # a geometry: what takes a new model of the hardware; anywhere in the ranges
    "cache.block": Choice(("16B", "32B", "64B", "128B")),
    "icache.size": _SIZES,
    "dcache.size": _SIZES,
    "bcache.size": Choice(tuple(f"{64 << n}KB" for n in range(7))),
    "write_buffer.entries": Span(1, 17),
}
_NUMBERS, _KEPT, _USE = Choice((1, 2, 4)), Choice((1, 2, 4, 16)), Span(1, 3)
WAYS: Table = {"icache.ways": _NUMBERS, "dcache.ways": _NUMBERS}
VICTIMS: Table = {
    "icache.victims": _KEPT,
    "dcache.victims": _KEPT,
    "icache.victim_ticks": Span(1, 16),
    "dcache.victim_ticks": Span(2, 16),
}
FURTHER: Table = {  # what else takes a new model of the hardware: core, clocks, bus, controller
    "clock.ticks_per_us": Choice((50, 100, 175, 400)),
    "timer.hz": Choice(tuple(1 << n for n in range(7, 13))),
    "core.shift_use": _USE,
    "core.compare_use": _USE,
    "core.agen_use": _USE,
    "core.multiply_long": Span(20, 65),
    "core.multiply_quad": Span(20, 65),
    "turbochannel.ticks_per_cycle": Span(1, 9),
    # Longer than the chip's registers may take to answer, at a tick a cycle (``DEVICES``).
    "turbochannel.timeout_cycles": Choice((2560, 3072, 4096)),
    "lance.chip": Choice(("am7990", "c-lance")),
    "lance.silo_bytes": Choice((48, 64)),
    "lance.classifier": _ON_OFF,
}


def acting(rng: random.Random) -> dict[str, str]:
    return drawn(ACTING, rng)
