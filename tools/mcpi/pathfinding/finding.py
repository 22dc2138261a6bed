# SPDX-License-Identifier: BSD-2-Clause
"""Find a stack's path: record both ends, and write a file for both, or one for each."""

import shutil
from dataclasses import dataclass
from pathlib import Path as File

from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.build import graph
from mcpi.engines import base as engines
from mcpi.firmware import protocol_graph, sources
from mcpi.machine import profile
from mcpi.pathfinding import call_tree, guard, members, path_text, recording
from mcpi.pathfinding.call_tree import Tree
from mcpi.pathfinding.guard import Guard
from mcpi.pathfinding.image_code import Code
from mcpi.pathfinding.members import Path
from mcpi.pathfinding.recording import RECORDINGS, Recording
from mcpi.spec.numbers import SIDES

Read = list[tuple[Recording, list[list[Tree]]]]


@dataclass(frozen=True)
class Found:
    """``name``: of the file, without .toml. ``code``: of the image that was recorded."""

    name: str
    path: Path
    guard: Guard
    code: Code
    text: str


def find(
    stack: str, machine: str, settings: dict[str, str], bar: Bar, recordings: File | None = None
) -> list[Found]:
    """The paths of a stack. ``recordings``: a folder of earlier ones, in the place of new ones."""
    folders = record(stack, machine, settings, bar, recordings)
    spec = recording.spec(stack, machine, settings, 0)
    built = graph.build(spec, engines.judged(spec), bar)
    images = {side: built.peer if node and built.peer else built.image
              for side, node in SIDES.items()}  # fmt: skip
    made, _ = sources.of(stack, BUILD)
    rooms = [name for name, _ in protocol_graph.read_graph(protocol_graph.file_of(stack))]
    icache = profile.load(machine, settings).parameters["icache.size"]
    code, every, begins = {}, {}, {}
    for side in SIDES:
        code[side] = Code(images[side], made, rooms)
        every[side] = [
            _read(code[side], folders[side, n], side, images[side], n) for n in RECORDINGS
        ]
        begins[side] = members.entries(code[side], every[side][0][1][-1])
    stem = protocol_graph.file_of(stack).stem
    one, other = SIDES
    if (
        begins[one].entries == begins[other].entries
        and images[one].read_bytes() == images[other].read_bytes()
    ):
        groups = {stem: (one, every[one] + every[other])}
    else:
        groups = {f"{stem}-{side}": (side, every[side]) for side in SIDES}
    found = []
    with bar.task("paths", len(groups)) as update:
        for done, (name, (side, read)) in enumerate(groups.items(), 1):
            found.append(_found(name, code[side], begins[side], read, icache))
            update(done, len(groups), name)
    return found


def record(
    stack: str, machine: str, settings: dict[str, str], bar: Bar, recordings: File | None = None
) -> dict[tuple[str, int], File]:
    """The folder of each side's recordings."""
    if recordings and not recordings.is_dir():
        raise UserError(f"--recordings {recordings}: no such folder.")
    wanted = [(side, n) for side in SIDES for n in RECORDINGS]
    if recordings:
        return {(side, n): recordings / f"{side}-{n + 1}" for side, n in wanted}
    return {(side, n): recording.make(stack, machine, settings, side, n, bar) for side, n in wanted}


def _read(
    code: Code, folder: File, side: str, image: File, number: int
) -> tuple[Recording, list[list[Tree]]]:
    read = recording.read(folder, side, image, number)
    trees = [[call_tree.read(code, window) for window in i.windows] for i in read.invocations]
    return read, trees


def _found(name: str, code: Code, begin: Path, read: Read, icache: int) -> Found:
    invocations = [one for _, trees in read for one in trees]
    path = members.find(code, invocations, begin, icache)
    bits = guard.find(code, path, read)
    ends = " and ".join(dict.fromkeys(one.side for one, _ in read))
    return Found(name, path, bits, code, path_text.text(f"{name}, {ends}", path, bits))


def write(found: list[Found], folders: dict[tuple[str, int], File], target: File) -> None:
    """Write the paths, and beside them the recordings that they come from."""
    for one in found:
        graph.write(target / f"{one.name}.toml", one.text)
    for (side, number), folder in folders.items():
        kept = target / "recordings" / f"{side}-{number + 1}"
        kept.mkdir(parents=True, exist_ok=True)
        for name in recording.FILES:
            if (folder / name).resolve() != (kept / name).resolve():
                shutil.copyfile(folder / name, kept / name)
