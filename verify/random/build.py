# SPDX-License-Identifier: BSD-2-Clause
"""``mcpi-core``, ``liblance.so``, ``lance-bench`` for a machine: elaborated and built."""

from pathlib import Path

from mcpi.hdl import verilator
from mcpi.hdl.cocotb_run import elaborate


def bench(settings: dict[str, str], jobs: int = 1) -> Path:
    """``mcpi-core`` (sim/bench/core) for a machine with ``settings``."""
    return verilator.build(elaborate("AlphaLite", settings=settings), verilator.CORE, jobs)


def lance_library(settings: dict[str, str], jobs: int = 1) -> Path:
    """``liblance.so`` (sim/lib/lance/lance.h) for a machine with ``settings``."""
    return verilator.build(elaborate("LanceOnTc", settings=settings), verilator.LANCE, jobs)


def lance_bench(settings: dict[str, str], jobs: int = 1) -> Path:
    """``lance-bench`` (sim/bench/lance) for a machine with ``settings``; its machine's JSON is
    beside the Verilog: ``elaborate("LanceOnTc", settings=…).with_name("machine.json")``."""
    return verilator.build(elaborate("LanceOnTc", settings=settings), verilator.LANCE_BENCH, jobs)
