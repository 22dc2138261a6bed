# SPDX-License-Identifier: BSD-2-Clause
"""Where an image hands out memory and takes it back: the places at which a run that follows its
heap logs registers (``--node N:calls=FILE``, simulator.md)."""

import json
from dataclasses import dataclass
from pathlib import Path

from mcpi.firmware import regions
from mcpi.firmware.clone.program import Function, Program

ALLOCATORS = ("malloc", "xk_allocate")  # bytes in a0; the object, or 0, in v0
FREES = ("free", "xk_free")  # the object, or 0, in a0
#: Call those for their own callers, whose objects they are.
FOR_OTHERS = ("calloc", "realloc", "xk_allocate_zeroed", "msg_leaf_new", "msg_init_bytes")
FOR_OTHERS += ("msg_init_copy", "msg_init_frame", "msg_refresh_frame", "msg_push_slow")
FOR_OTHERS += ("msg_pop_slow", "xCreateSession")


@dataclass(frozen=True)
class Passed:
    """A place: the first instruction of a function, or one that returns from it."""

    function: str
    returns: bool


def places(elf: Path) -> dict[int, Passed]:
    """By virtual address; those in copies too, which ``elf`` with a ``.json`` next to it makes."""
    program, found = Program(elf), {}
    for function in program.functions.values():
        name = function.name.partition(".")[0]  # malloc.part.0 returns in its place
        if name in ALLOCATORS:
            ends = filter(lambda at: regions.returns(program.word(at)), _words(function))
            found |= {at: Passed(name, True) for at in ends}
        new = name.startswith("operator new")  # of C++, by its parameters
        if new or function.name in (*ALLOCATORS, *FREES, *FOR_OTHERS):
            # A caller that begins before the load of gp comes by after it.
            found[function.entry or function.start] = Passed(name, False)
    for original, passed in list(found.items()):
        for at in _copied(elf, original):
            found[at] = passed
    return found


def _words(function: Function) -> range:
    return range(function.start, function.end, 4)


def _copied(elf: Path, original: int) -> list[int]:
    """Where the cloner's copies of an instruction are, or of the next that they have."""
    about = elf.with_suffix(".json")
    found = []
    for copy in json.loads(about.read_text())["copies"] if about.exists() else ():
        at = (original - copy["source"]) // 4
        if 0 <= at < copy["words"] + len(copy["dropped"]):
            while at in copy["dropped"]:
                at += 1
            found.append(copy["target"] + 4 * (at - sum(n < at for n in copy["dropped"])))
    return found


def write(elf: Path, file: Path) -> None:
    """The places of an image, as the simulators read them."""
    file.write_text("".join(f"{at:#x}\n" for at in places(elf)))
