# SPDX-License-Identifier: BSD-2-Clause
"""Outlining from profiles: the ways of branches that no training run has taken, and annotations.

A conditional branch whose other way is never taken guards code that is not needed in training. If
nothing else leads there either, that code is *cold*: outlining can move it. Where an ``if`` on one
line says so, the annotation is PREDICT_FALSE or PREDICT_TRUE (firmware/xkernel/switches.h). The
tool proposes, the source keeps: no image changes before somebody has applied the patch.
"""

import difflib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from mcpi.base.repo import ROOT
from mcpi.firmware.clone.path_order import Step
from mcpi.firmware.clone.program import Function, Program
from mcpi.isa import table
from mcpi.layout.lines import Lines

CONDITIONAL = {row.opcode for row in table.of_group("conditional_branch")}
FALSE, TRUE = "PREDICT_FALSE", "PREDICT_TRUE"
MARK = re.compile(rf"\b({FALSE}|{TRUE})\(")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
SWITCHES = "xkernel/switches.h"  # has the annotations
IF = re.compile(r"^(\t+)if \((.*)\)( \{)?$")


class Place(NamedTuple):
    """A line of a source; ``file``: below the repository, or empty if nobody knows."""

    file: str
    line: int


@dataclass(frozen=True)
class Never:
    """A way of a branch that was never taken: the branch's place and function, how often it was
    ``executed``, and ``words`` of code that only this way needs. ``says``: the annotation, where
    the source leaves no doubt."""

    place: Place
    function: str
    executed: int
    words: int
    says: str | None


@dataclass(frozen=True)
class Mark:
    """An annotation by hand; ``first`` to ``last``: the lines of its condition."""

    file: str
    first: int
    last: int
    says: str

    @property
    def places(self) -> list[Place]:
        return [Place(self.file, line) for line in range(self.first, self.last + 1)]


@dataclass(frozen=True)
class Training:
    """Executed instructions of an image in their order, the path of each machine by itself."""

    image: Path
    paths: tuple[tuple[Step, ...], ...]
    least: int = 1  # a branch that was executed less often says nothing

    @cached_property
    def program(self) -> Program:
        return Program(self.image)

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.image)

    @cached_property
    def counts(self) -> Counter[int]:
        return Counter(step.pc for path in self.paths for step in path)

    @cached_property
    def ways(self) -> Counter[tuple[int, int]]:
        """How often one instruction followed another."""
        return Counter((one.pc, two.pc) for path in self.paths for one, two in zip(path, path[1:]))

    @cached_property
    def ran(self) -> set[tuple[str, Place]]:
        """The lines of which an instruction was executed, by the function that has them: a function
        in line has a line more than once."""
        functions = ((pc, self.program.function_at(pc)) for pc in self.counts)
        return {(function.name, self.place(pc)) for pc, function in functions if function}

    def place(self, address: int) -> Place:
        file, _, line = self.lines.source(address).rpartition(":")
        return Place(file, int(line or 0))

    def branches(self) -> Iterable[tuple[int, Function]]:
        """Every conditional branch that was executed often enough."""
        for pc, executed in self.counts.items():
            function = self.program.function_at(pc)
            if executed >= self.least and function and self.program.word(pc) >> 26 in CONDITIONAL:
                yield pc, function

    def both_ways(self, pc: int) -> tuple[int, int]:
        """Where a branch goes that is not taken, and that is taken."""
        word = self.program.word(pc)
        offset = (word & 0x1FFFFF) - ((word & 0x100000) << 1)
        return pc + 4, pc + 4 + 4 * offset


def never(training: Training) -> list[Never]:
    """All of them, those first that keep most words out of the way."""
    found = []
    for pc, function in training.branches():
        ways = training.both_ways(pc)
        unused = [way for way in ways if not training.ways[pc, way]]
        if len(unused) != 1:
            continue  # both, or the trace was interrupted there
        way = unused[0]
        usual = ways[0] if way == ways[1] else ways[1]
        words = _words(training, way, function)
        says = _says(training, function, pc, way, usual) if words else None
        executed = training.counts[pc]
        found.append(Never(training.place(pc), function.name, executed, words, says))
    return sorted(found, key=lambda n: (-n.words, n.place, n.function))


def _words(training: Training, start: int, function: Function) -> int:
    """From there to the next instruction that was executed; none in another function."""
    at = start
    while function.start <= at < function.end and at not in training.counts:
        at += 4
    return (at - start) // 4


def _says(training: Training, function: Function, pc: int, way: int, usual: int) -> str | None:
    """By where the code of both ways begins: in what an ``if`` guards, or in what follows it. What
    begins elsewhere (in a function in line, in a return that several have) says nothing."""
    here, *ways = (training.place(address) for address in (pc, way, usual))
    shape = guarded(here)
    if shape is None:
        return None
    inside, after = shape
    unused, used = ((one.file == here.file and one.line) or 0 for one in ways)
    ran = {
        line for line in (*inside, after) if (function.name, Place(here.file, line)) in training.ran
    }
    if ran.intersection(inside):
        no, yes = False, used in inside
    elif after in ran:
        no, yes = unused in inside or used == after, False
    else:  # what it guards is a return that several have
        no, yes = unused in inside, unused == after
    return None if no == yes else FALSE if no else TRUE


@cache
def guarded(place: Place) -> tuple[range, int] | None:
    """Lines that an ``if`` on one line guards, and the first line after them, or of its else. None
    if there is no such ``if``."""
    if not is_source(place.file):
        return None
    lines = ["", *(ROOT / place.file).read_text().splitlines()]
    match = IF.match(lines[place.line])
    if not match:
        return None
    end = place.line + 1
    while end < len(lines) and not lines[end].startswith(match[1] + "}" * bool(match[3])):
        end += 1
    if not match[3]:  # one statement
        end = next((n for n in range(place.line + 1, end) if ";" in lines[n]), end) + 1
    inside = range(place.line + 1, end)
    after = end + bool(match[3])
    if lines[end].lstrip().startswith(("} else", "else")):
        after = end + 1
    while after < len(lines) and (not lines[after].strip() or lines[after].strip()[0] in "/*"):
        after += 1
    return inside, after


def marks(file: str) -> list[Mark]:
    """All annotations of a source, and their conditions' lines by the parentheses."""
    text = (ROOT / file).read_text()
    found = []
    for mark in MARK.finditer(text):
        first = text.count("\n", 0, mark.start()) + 1
        last = text.count("\n", 0, _closed(text, mark.end())) + 1
        found.append(Mark(file, first, last, mark[1]))
    return found


def _closed(text: str, at: int) -> int:
    """Behind the parenthesis that closes the one before ``at``."""
    depth = 1
    while depth and at < len(text):
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
    return at


def on_path(training: Training) -> list[Mark]:
    """The annotations by hand of whose condition a branch was executed. Where the compiler knows
    the answer (a header pushed in line is never NULL) there is no branch."""
    run = {training.place(pc) for pc, _ in training.branches()}
    files = sorted({place.file for place in run if is_source(place.file)})
    return [mark for file in files for mark in marks(file) if run.intersection(mark.places)]


def missed(by_hand: Iterable[Mark], found: Iterable[Never]) -> list[Mark]:
    """Annotations whose branches were all both taken and not taken."""
    places = {one.place for one in found}
    return [mark for mark in by_hand if not places.intersection(mark.places)]


def is_source(file: str) -> bool:
    """Not a generated one, nor assembly."""
    return file.endswith((".c", ".h")) and (ROOT / file).is_file()


def annotated(line: str, says: str) -> str | None:
    """A source's line with its annotation; None if it is no ``if`` on one line, or has one."""
    match = IF.match(line.rstrip("\n"))
    if not match or MARK.search(line) or _closed(match[2] + ")", 0) != len(match[2]) + 1:
        return None
    return f"{match[1]}if ({says}({match[2]})){match[3] or ''}\n"


def proposals(trained: Iterable[tuple[Training, list[Never]]]) -> dict[Place, str]:
    """Annotations that all trainings agree on: one for all branches of a line, in each function and
    each training that executed any of them."""
    said: dict[Place, set[str]] = {}
    for training, found in trained:
        here: dict[tuple[Place, str], set[str]] = {}
        for pc, function in training.branches():
            here.setdefault((training.place(pc), function.name), set())
        for one in found:
            here[one.place, one.function].update([one.says] if one.says else [])
        for (place, _), words in here.items():
            said.setdefault(place, set()).update(words or {"nothing"})
    return {place: words.pop() for place, words in said.items() if words in ({FALSE}, {TRUE})}


def patch(proposed: dict[Place, str]) -> tuple[str, int]:
    """The annotations that the sources do not have yet, and how many."""
    texts, number = [], 0
    for file in sorted({place.file for place in proposed}):
        before = (ROOT / file).read_text().splitlines(keepends=True)
        after = list(before)
        for place, says in proposed.items():
            if place.file == file and (line := annotated(before[place.line - 1], says)):
                number += 1
                after[place.line - 1] = line
        if after != before and not _sees(file, SWITCHES):
            after = _including(after, SWITCHES)
        texts += difflib.unified_diff(before, after, f"a/{file}", f"b/{file}")
    return "".join(texts), number


@cache
def _sees(file: str, header: str) -> bool:
    """Return true if a source includes a header, itself or through a header of ours."""
    path = ROOT / file
    included = INCLUDE.findall(path.read_text()) if path.is_file() else []
    return header in included or any(_sees(f"firmware/{name}", header) for name in included)


def _including(lines: list[str], header: str) -> list[str]:
    """With one header more, where its name says."""
    own = f'#include "{header}"\n'
    there = [n for n, line in enumerate(lines) if INCLUDE.match(line)]
    after = [n for n in there if lines[n] < own]
    at = after[-1] + 1 if after else there[0] if there else 0
    return [*lines[:at], own, *lines[at:]]
