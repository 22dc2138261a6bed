# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board embed``: a bitstream that was built, with firmware in it; some seconds."""

import json
import time
from pathlib import Path

from mcpi import board_build, board_load, embed, graph, image, node_setup
from mcpi.boards import Board
from mcpi.errors import UserError
from mcpi.lock import hold
from mcpi.progress import Bar
from mcpi.record import Record

NODES = ("client", "server")


def make(board: Board, record: Record, node: str) -> Path:
    """The bitstream for ``node`` ("client" or "server"), its firmware built if it is not. UserError
    if the board's RAM is no block RAM or too small, or no bitstream has been built."""
    if node not in NODES:
        raise UserError(f"--node {node}: {' or '.join(NODES)} is wanted.")
    if not board.embed:
        raise UserError(
            f"{board.title} has its RAM outside the FPGA: no bitstream can fill it. "
            "./mcpi run --engine board loads it over the serial line."
        )
    machine = record.check()
    graph.check_tools()
    plain = board_load.bitstream(board, record.machine, record.settings)
    with Bar() as bar:
        built = graph.build(record, machine, bar)
        began = time.monotonic()
        with bar.task("bitstream", 1) as update:
            update(0, 1, "block RAM's contents")
            own = built.peer if node == "server" and built.peer else built.image
            segments = node_setup.segments(
                image.read(built.pal, machine, "pal"), image.read(own, machine)
            )
            wanted = embed.contents(segments, board.frames, board.page_bytes)
            config = plain.with_suffix(".config")
            known = json.loads((config.parent / "cells.json").read_text()).get("embed")
            text = embed.into(config.read_text(), [embed.Part(*p) for p in known or []], wanted)
            stem = f"{plain.stem}-{record.title}-{node}"
            made = config.with_name(f"{stem}.config")
            bitstream = config.with_name(f"{stem}.bit")
            with hold(config.with_name(f"{stem}.lock"), f"embeds {record.title}"):
                graph.write(made, text)
                update(0, 1, "ecppack")
                try:
                    board_build.packed(board, made, bitstream)
                finally:
                    made.unlink()
    print(
        f"{bitstream}\n{record.title} of the {node}: {wanted.pages} of {board.pages} pages, "
        f"name {embed.name(segments):016x}; {time.monotonic() - began:.1f} s. Type: "
        f"./mcpi board load {board.name} --bitstream {bitstream}"
    )
    return bitstream
