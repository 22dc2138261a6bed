# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board embed``: a bitstream that was built, with firmware in it; some seconds."""

import json
import time
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.file_lock import hold
from mcpi.base.progress import Bar
from mcpi.build import graph
from mcpi.engines.board import program as board_load
from mcpi.firmware import elf
from mcpi.fpga import bram_image, place_route
from mcpi.machine.boards import Board
from mcpi.spec import node_image
from mcpi.spec.run_spec import RunSpec

NODES = ("client", "server")


def make(board: Board, spec: RunSpec, node: str) -> Path:
    """The bitstream for ``node`` ("client" or "server"), its firmware built if it is not. UserError
    if the board's RAM is no block RAM or too small, or no bitstream has been built."""
    if node not in NODES:
        raise UserError(f"--node {node}: {' or '.join(NODES)} is wanted.")
    if not board.embed:
        raise UserError(
            f"{board.title} has its RAM outside the FPGA: no bitstream can fill it. "
            "./mcpi run --engine board loads it over the serial line."
        )
    machine = spec.check()
    graph.check_tools()
    plain = board_load.bitstream(board, spec.machine, spec.settings)
    with Bar() as bar:
        built = graph.build(spec, machine, bar)
        began = time.monotonic()
        with bar.task("bitstream", 1) as update:
            update(0, 1, "block RAM's contents")
            own = built.peer if node == "server" and built.peer else built.image
            segments = node_image.segments(
                elf.read(built.pal, machine, "pal"), elf.read(own, machine)
            )
            wanted = bram_image.contents(segments, board.frames, board.page_bytes)
            config = plain.with_suffix(".config")
            known = json.loads((config.parent / "cells.json").read_text()).get("embed")
            text = bram_image.into(
                config.read_text(), [bram_image.Part(*p) for p in known or []], wanted
            )
            stem = f"{plain.stem}-{spec.title}-{node}"
            made = config.with_name(f"{stem}.config")
            bitstream = config.with_name(f"{stem}.bit")
            with hold(config.with_name(f"{stem}.lock"), f"embeds {spec.title}"):
                graph.write(made, text)
                update(0, 1, "ecppack")
                try:
                    place_route.packed(board, made, bitstream)
                finally:
                    made.unlink()
    print(
        f"{bitstream}\n{spec.title} of the {node}: {wanted.pages} of {board.pages} pages, "
        f"name {bram_image.name(segments):016x}; {time.monotonic() - began:.1f} s. Type: "
        f"./mcpi board load {board.name} --bitstream {bitstream}"
    )
    return bitstream
