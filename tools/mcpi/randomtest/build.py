# SPDX-License-Identifier: BSD-2-Clause
"""``mcpi-core`` or ``liblance.so`` for a machine: elaborate, verilate, compile; in ``build/``."""

from pathlib import Path

from mcpi import ninja, simulator
from mcpi.lock import hold
from mcpi.testing import elaborate


def bench(settings: dict[str, str], jobs: int = 1) -> Path:
    """The program for a machine with ``settings``; what exists is not built again.

    Safe when several processes call it at once.
    """
    return program_of(elaborate("AlphaLite", settings=settings), jobs)


def program_of(verilog: Path, jobs: int = 1, kind: simulator.Program = simulator.CORE) -> Path:
    """The program, or library, around this Verilog."""
    place = simulator.folder(verilog, kind)
    plan = place / "build.ninja"
    with hold(place.with_suffix(".lock"), f"builds {kind.name}"):
        ninja.write(plan, [simulator.verilate(verilog, kind)])
        ninja.run(plan, jobs, _quiet)
        program, edges = simulator.compile_and_link(verilog, kind)
        ninja.write(plan, edges)
        ninja.run(plan, jobs, _quiet)
    return program


def lance_library(settings: dict[str, str], jobs: int = 1) -> Path:
    """``liblance.so`` (sim/lance/lance.h) for a machine with ``settings``."""
    return program_of(elaborate("LanceOnTc", settings=settings), jobs, simulator.LANCE)


def lance_bench(settings: dict[str, str], jobs: int = 1) -> Path:
    """``lance-bench`` (sim/lance/bench) for a machine with ``settings``; its machine's JSON is
    beside the Verilog: ``elaborate("LanceOnTc", settings=…).with_name("machine.json")``."""
    return program_of(elaborate("LanceOnTc", settings=settings), jobs, simulator.LANCE_BENCH)


def _quiet(*_: object) -> None:
    pass
