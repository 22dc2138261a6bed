# SPDX-License-Identifier: BSD-2-Clause
"""Which function an address belongs to, in an image with or without copies."""

import bisect
import json
from dataclasses import dataclass
from pathlib import Path

from mcpi.firmware.clone import path_order
from mcpi.firmware.clone.program import Program

DATA = "data"
ELSEWHERE = "code without a name"


@dataclass(frozen=True)
class Span:
    """``[start, end)``; ``copy``: made by the cloner; ``tail``: outlined part of an original."""

    start: int
    end: int
    function: str
    copy: bool = False
    tail: bool = False


@dataclass(frozen=True)
class Traced:
    """A variant's image and some alike invocations of its path."""

    variant: str
    spans: list[Span]
    invocations: list[list[path_order.Step]]
    layout: str
    library: frozenset[str]

    def at(self, address: int) -> Span | None:
        i = bisect.bisect_right(self.spans, address, key=lambda s: s.start) - 1
        span = self.spans[i] if i >= 0 else None
        return span if span and address < span.end else None

    def name(self, address: int) -> str:
        span = self.at(address)
        return span.function if span else ELSEWHERE

    def called(self) -> list[str]:
        """The functions of one invocation, in the order of their first instructions."""
        return list(dict.fromkeys(self.name(s.pc) for s in self.invocations[-1]))


def read(folder: Path, variant: str, invocations: int = 3) -> Traced:
    """Read the trace that ``mcpi.engines.trace.traced`` left in ``folder``."""
    steps = path_order.usual(folder / "trace.csv", invocations)
    found, layout, library = spans(folder / "image.elf")
    return Traced(variant, found, steps, layout, library)


def spans(elf: Path) -> tuple[list[Span], str, frozenset[str]]:
    """Spans of an image by address, the copies' layout, and the names of library functions. An
    image that clones has a ``.json`` next to it, which is read too."""
    program = Program(elf)
    found = []
    for f in program.functions.values():
        found.append(Span(f.start, f.cold, f.name))
        if f.cold < f.end:
            found.append(Span(f.cold, f.end, f.name, tail=True))
    layout, library = "link order", frozenset()
    if (about := elf.with_suffix(".json")).exists():
        image = json.loads(about.read_text())
        layout = image["layout"]
        library = frozenset(
            c["function"] for c in image["copies"] if c["class"] == path_order.LIBRARY
        )
        for c in image["copies"]:
            end = c["target"] + 4 * c["words"]
            found.append(Span(c["target"], end, c["function"], copy=True))
    return sorted(found, key=lambda s: s.start), layout, library
