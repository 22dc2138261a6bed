# SPDX-License-Identifier: BSD-2-Clause
"""Clocks that a tick takes on a board, measured in simulation of the board's own memory.

The node as it goes onto the board stands on the board's page map and RAM (``NodeOnBoard``) in the
place of both nodes of ``mcpi-sim``. Its counters count clocks and ticks.
"""

import dataclasses
import hashlib
import json
import shutil
from dataclasses import asdict

from mcpi.base.file_lock import hold
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.build import graph
from mcpi.engines.rtl import substitute
from mcpi.fpga.pace import Pace, check
from mcpi.hdl import verilator
from mcpi.machine.boards import Board
from mcpi.machine.profile import load
from mcpi.spec.numbers import SIDES, STACKS
from mcpi.spec.run_spec import BOARD, RunSpec

PROGRAM = dataclasses.replace(verilator.QUICK, place="on-board")
REFERENCE = RunSpec(engine=BOARD, round_trips=3, warmup=1, lockstep=False)
LOAD = ("--load-by-link",)  # through page map and RAM, as on the board
BLOCK = "NodeOn{top}"


def reference(board: Board, machine: str, settings: dict[str, str], stack: str, bar: Bar) -> Pace:
    """The pace of STD in its reference run; measured once for the same hardware and firmware."""
    spec = dataclasses.replace(REFERENCE, machine=machine, settings=settings, stack=stack)
    resolved = spec.check()
    built = graph.build(spec, resolved, bar)
    with bar.task("elaborate", 1):
        text = substitute.verilog(BLOCK.format(top=board.top), machine, resolved.shape)
    images = [path.read_bytes() for path in (built.image, built.peer, built.pal) if path]
    key = hashlib.sha256(b"\0".join([text.encode(), resolved.to_json().encode(), *images]))
    folder = BUILD / "pace" / f"{board.name}-{stack}-{key.hexdigest()[:16]}"
    with hold(folder.with_suffix(".lock"), f"measures {board.name}"):
        kept = folder / "pace.json"
        if not kept.exists():
            graph.write(folder / "Node.v", text)
            binary = substitute.program(folder / "Node.v", PROGRAM, bar)
            nodes = substitute.run(spec, built, binary, folder / "run", "gates", LOAD, bar)
            graph.write(kept, json.dumps(asdict(_pace(spec, nodes)), indent=1) + "\n")
            shutil.rmtree(folder / "run")
    return Pace(**json.loads(kept.read_text()))


def measured(board: Board, machine: str, settings: dict[str, str]) -> list[Pace]:
    """The pace of each stack, which ``board build`` prints; none of a node of several cores."""
    resolved = load(machine, settings)
    if resolved.coherent:
        return []
    with Bar() as bar:
        found = [reference(board, machine, settings, stack, bar) for stack in STACKS]
    check(board, resolved, found)
    return found


def _pace(spec: RunSpec, nodes: list[dict]) -> Pace:
    def total(bank: str, name: str) -> int:
        return sum(nodes[number][bank][name] for number in SIDES.values())

    return Pace(
        run=f"{spec.stack.upper()} {spec.variant.upper()}",
        path_clocks=total("path", "clocks"),
        path_ticks=total("path", "ticks"),
        clocks=total("all", "clocks"),
        ticks=total("all", "ticks"),
    )
