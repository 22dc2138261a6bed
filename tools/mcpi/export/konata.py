# SPDX-License-Identifier: BSD-2-Clause
"""A pipeline for the viewer Konata: ``Kanata 0004``, written as the instructions come.

Konata's page "Kanata Log Format" defines it.
"""

import heapq
from collections.abc import Iterator
from pathlib import Path

from mcpi.results.summary import OWNERS
from mcpi.tracing.disassembly import Disassembly
from mcpi.tracing.pipeline import Passage, Pipeline

HEAD = "Kanata\t0004"
LEFT, HOVER = 0, 1  # where the text of an L command is shown
LANE, THREAD, RETIRED = 0, 0, 0


def write(pipeline: Pipeline, code: Disassembly, file: Path) -> None:
    """All instructions of ``pipeline``. A cycle is a tick of the run."""
    with file.open("w") as stream:
        for line in lines(pipeline, code):
            stream.write(line + "\n")


def lines(pipeline: Pipeline, code: Disassembly) -> Iterator[str]:
    """The lines of the file. Commands are sorted by their tick, so an instruction's are held back
    until no later one can have an earlier command."""
    yield HEAD
    waiting: list[tuple[int, int, int, str]] = []  # tick, instruction, order in it, command
    now = None

    def until(tick: int | None) -> Iterator[str]:
        nonlocal now
        while waiting and (tick is None or waiting[0][0] < tick):
            at, _, _, command = heapq.heappop(waiting)
            if now is None:
                yield f"C=\t{at}"
            elif at > now:
                yield f"C\t{at - now}"
            now = at
            yield command

    for one in pipeline.passages():
        yield from until(one.enters["F1"])
        for order, (tick, command) in enumerate(_commands(one, code)):
            heapq.heappush(waiting, (tick, one.number, order, command))
    yield from until(None)


def _commands(one: Passage, code: Disassembly) -> Iterator[tuple[int, str]]:
    first, name = one.enters["F1"], one.number
    yield first, f"I\t{name}\t{name}\t{THREAD}"
    yield first, f"L\t{name}\t{LEFT}\t{one.pc & ~3:08x} {code.name(one.pc)}: {code.text(one.pc)}"
    for text in _hover(one, code):
        yield first, f"L\t{name}\t{HOVER}\t{text}"
    for stage, tick in one.enters.items():
        yield tick, f"S\t{name}\t{LANE}\t{stage}"
    yield one.exit_tick, f"R\t{name}\t{name}\t{RETIRED}"


def _hover(one: Passage, code: Disassembly) -> Iterator[str]:
    yield f"issues in tick {one.issues}\\n"
    if source := code.place(one.pc).source:
        yield f"{source}\\n"
    for owner, ticks in one.waits.most_common():
        yield f"{owner} {ticks}: {OWNERS.get(owner, owner)}\\n"
    for event, times in one.events.items():
        yield f"{event} {times}\\n"
