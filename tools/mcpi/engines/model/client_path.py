# SPDX-License-Identifier: BSD-2-Clause
"""The client's path out of a recording, as ``mcpi.layout`` wants it."""

import struct
from collections import Counter
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.engines.model.recording import Recording
from mcpi.firmware import elf
from mcpi.firmware.clone.path_order import Step
from mcpi.firmware.elf import PHYSICAL
from mcpi.layout import symbols
from mcpi.machine import profile
from mcpi.machine.c_header import KSEG

_HEADER, _RECORD = 16, struct.Struct("<QQQIBBBB")
ISSUE, LOAD, STORE, CONDITIONAL = 0, 1, 2, 3  # sim/models/memory/trace.h
OPEN, CLOSE, PAUSE, RESUME, INVOCATION = 1, 2, 3, 4, 5


def traced(recording: Recording, invocations: int = 3) -> symbols.Traced:
    """The last so many invocations of the length that most have, PALcode left out."""
    folder = recording.images[0]
    resolved = profile.load(recording.record.machine)
    marks: dict[int, list[int]] = {}
    for m in elf.read(folder / "image.elf", resolved).markers:
        if m.action != elf.EVENT and m.window == 1:
            marks.setdefault(m.address & PHYSICAL, []).append(m.action)
    own = resolved.memory_map["ram"]["image"]
    found = _invocations(recording.folder / "steps.0.bin", marks, own["base"])
    usual, times = Counter(map(len, found)).most_common(1)[0]
    if times < invocations:
        raise RunError(f"{recording.folder}: no {invocations} invocations alike")
    alike = [one for one in found if len(one) == usual][-invocations:]
    spans, layout, library = symbols.spans(folder / "image.elf")
    return symbols.Traced(recording.record.variant, spans, alike, layout, library)


def _invocations(path: Path, marks: dict[int, list[int]], base: int) -> list[list[Step]]:
    """A new one begins where the window opens after an invocation has been counted."""
    found: list[list[Step]] = [[]]
    opened = paused = ended = False
    for fields in _RECORD.iter_unpack(path.read_bytes()[_HEADER:]):
        _, pc, address, _, what, kind, _, _ = fields
        if what != ISSUE:
            continue
        for action in marks.get(pc, ()):
            if action == OPEN:
                if ended:
                    found.append([])
                    ended = False
                opened, paused = True, False
            elif action == CLOSE:
                opened = False
            elif action == PAUSE:
                paused = opened
            elif action == RESUME:
                paused = False
            elif action == INVOCATION:
                ended = True
        if opened and not paused and pc >= base:
            data = kind in (LOAD, STORE, CONDITIONAL)
            found[-1].append(Step(pc | KSEG, "data" if data else "", address if data else None))
    return found[1:-1]
