# SPDX-License-Identifier: BSD-2-Clause
"""``mcpi-core`` for a machine: elaborate, verilate, compile; in ``build/core/<digest>/``."""

from pathlib import Path

from mcpi import ninja, simulator
from mcpi.lock import hold
from mcpi.testing import elaborate


def bench(settings: dict[str, str], jobs: int = 1) -> Path:
    """The program for a machine with ``settings``; what exists is not built again.

    Safe when several processes call it at once.
    """
    return program_of(elaborate("AlphaLite", settings=settings), jobs)


def program_of(verilog: Path, jobs: int = 1) -> Path:
    """The program around this ``AlphaLite.v``."""
    place = simulator.folder(verilog, simulator.CORE)
    plan = place / "build.ninja"
    with hold(place.with_suffix(".lock"), "builds mcpi-core"):
        ninja.write(plan, [simulator.verilate(verilog, simulator.CORE)])
        ninja.run(plan, jobs, _quiet)
        program, edges = simulator.compile_and_link(verilog, simulator.CORE)
        ninja.write(plan, edges)
        ninja.run(plan, jobs, _quiet)
    return program


def _quiet(*_: object) -> None:
    pass
