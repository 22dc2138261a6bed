# SPDX-License-Identifier: BSD-2-Clause
"""The template of a connection's own code (firmware/xkernel/own_code/template.h): words of the
specialised functions, and patches where a connection's constants go."""

import re
import struct
from dataclasses import dataclass, replace

from mcpi.base.errors import UserError
from mcpi.base.repo import FIRMWARE
from mcpi.firmware.clone import alpha, fixes
from mcpi.firmware.clone.constants import Constants, Kind
from mcpi.firmware.clone.fixes import Copy
from mcpi.firmware.clone.layout import Area
from mcpi.firmware.clone.program import Program
from mcpi.firmware.clone.specialise import Step, specialised

_SOURCE = FIRMWARE / "xkernel" / "own_code" / "template.h"
_DEFINES = dict(re.findall(r"^#define OWN_CODE_(\w+) (\w+)", _SOURCE.read_text(), re.MULTILINE))
MAGIC, BYTES, FUNCTIONS, STEPS, SLOTS = (
    int(_DEFINES[name], 0) for name in ("MAGIC", "TEMPLATE_BYTES", "FUNCTIONS", "STEPS", "SLOTS")
)
SYMBOL = "own_code_template"
_HEADER = struct.Struct(f"<6I{FUNCTIONS}I")
PATCH = f"<4H{STEPS}Hi"
_FIELD = 0x1FFFFF  # of a branch, its displacement
_MOST = 0xFFFF  # an offset of a step


@dataclass(frozen=True)
class Patch:
    """``at`` and ``low``: words of the template; ``value``: of a branch an address before
    cloning."""

    kind: Kind
    at: int
    low: int
    steps: tuple[int, ...]
    value: int


@dataclass(frozen=True)
class Template:
    """All functions, one after the other; ``about``: by function, instructions of the shared and
    of its own."""

    words: list[int]
    patches: list[Patch]
    entry: list[int]
    about: dict[str, tuple[int, int]]


class Slots:
    """The template of an image, and where its copies go: slots of whole blocks behind the copies
    that are made at boot (``placed``). UserError for functions that cannot have a connection's
    constants, and for an area that is too small."""

    def __init__(self, program: Program, names: list[str], area: Area, placed: list[Copy]) -> None:
        self._program = program
        self.made = made(program, names)
        self._bytes = _blocks(4 * len(self.made.words), area)
        last = max((c.target + 4 * c.words for c in placed), default=area.start)
        self.first = area.start + _blocks(last - area.start, area)
        end = self.first + SLOTS * self._bytes
        if end > area.end:
            raise UserError(
                f"[clone] area: {SLOTS} slots of {self._bytes} bytes end at {end:#x}, and the area "
                f"at {area.end:#x}; raise it."
            )
        self.behind = replace(area, start=end)

    def write(self, moved: list[Copy]) -> None:
        """Put the template into the image. ``moved``: all copies that are made at boot."""
        program, made = self._program, self.made
        base = program.symbols["_start"]
        header = _HEADER.pack(
            MAGIC,
            program.gp - base,
            self.first - base,
            self._bytes,
            len(made.words),
            len(made.patches),
            *made.entry,
        )
        body = struct.pack(f"<{len(made.words)}I", *made.words)
        body += b"".join(packed(patch, base, moved) for patch in made.patches)
        if len(header + body) > BYTES:
            raise UserError(
                f"the template takes {len(header + body)} bytes and has room for {BYTES}: raise "
                "OWN_CODE_TEMPLATE_BYTES in firmware/xkernel/own_code/template.h."
            )
        program.put(program.symbols[SYMBOL], (header + body).ljust(BYTES, b"\0"))


def _blocks(size: int, area: Area) -> int:
    return -(-size // area.block) * area.block


def made(program: Program, names: list[str]) -> Template:
    """The template of these functions; UserError for what cannot have a connection's constants."""
    if len(names) != FUNCTIONS:
        raise UserError(
            f"[clone] own = {names}: {FUNCTIONS} functions, the way up and the way down."
        )
    if missing := [name for name in names if name not in program.functions]:
        raise UserError(f"[clone] own: the image has no function {missing[0]}.")
    if SYMBOL not in program.symbols:
        raise UserError("[clone] own: the image has no template; XK_FAST_OWN among the defines.")
    constants = Constants(program)
    found = Template([], [], [], {})
    whole = [replace(f, cold=f.end) for f in (program.functions[n] for n in names)]
    for copy in fixes.copies(program, whole, fixes.DROPS):
        _add(found, specialised(program, copy, constants), copy)
    if len(found.words) % 2:
        found.words.append(0)
    return found


def _add(made: Template, steps: list[Step], copy: Copy) -> None:
    f, place_of = copy.function, {}
    count = len(made.words)
    for step in steps:
        place_of[step.at] = count
        count += len(step.words)
    made.entry.append(len(made.words))
    made.about[f.name] = f.words, count - len(made.words)
    for step in steps:
        at = len(made.words)
        made.words.extend(step.words)
        for need in step.needs:
            made.patches.append(Patch(need.kind, at, at, need.steps, need.value))
        if step.kind:
            last, known = at + len(step.words) - 1, step.value
            made.patches.append(Patch(step.kind, at, last, known.steps, known.add))
        elif step.words and step.target in place_of and not alpha.is_call(step.word):
            made.words[at] = _branch(step.word) | (place_of[step.target] - at - 1) & _FIELD
        elif step.words and step.target is not None:
            made.words[at] = _branch(step.word)
            made.patches.append(Patch(Kind.BRANCH, at, at, (), step.target))


def _branch(word: int) -> int:
    """A branch without its displacement."""
    return word & ~_FIELD


def packed(patch: Patch, base: int, moved: list[Copy]) -> bytes:
    """``struct own_code_patch``."""
    if len(patch.steps) > STEPS or any(not 0 <= step <= _MOST for step in patch.steps):
        raise UserError(f"a constant is {patch.steps} from its session: {STEPS} loads at most.")
    branch = patch.kind == Kind.BRANCH
    value = fixes.where(moved, patch.value) - base if branch else patch.value
    steps = (*patch.steps, *(0,) * (STEPS - len(patch.steps)))
    words = patch.kind, len(patch.steps), patch.at, patch.low
    return struct.pack(PATCH, *words, *steps, value)
