# SPDX-License-Identifier: BSD-2-Clause
"""C and C++ sources to a program or a library of this machine.

``program`` gives the edges, ``make`` runs them. Objects are named by their source and options, so
that programs in one folder share the objects that they have in common.
"""

from collections.abc import Sequence
from pathlib import Path

from mcpi.base import ninja
from mcpi.base.compiler import compiled, linked, named
from mcpi.base.file_lock import hold
from mcpi.base.ninja import Edge

JOBS = 2


def objects(folder: Path, sources: Sequence[Path], command: Sequence[object]) -> list[Edge]:
    """Edges that compile ``sources``, an edge for each; ``edge.outputs[0]`` is the object.
    ``command``: compiler and options."""
    return [compiled(source, named(folder, source, command), command) for source in sources]


def program(
    binary: Path,
    sources: Sequence[Path],
    command: Sequence[object],
    link: Sequence[object] = (),
    more: Sequence[Edge] = (),
    folder: Path | None = None,
) -> list[Edge]:
    """All that ``binary`` needs. ``link``: the linker's options (``-shared``, ``-ldl``); ``more``:
    objects that other options made: begun first, linked last; ``folder``: where objects lie, else
    beside ``binary``."""
    edges = objects(folder or binary.parent / "objects", sources, command)
    made = [edge.outputs[0] for edge in (*edges, *more)]
    return [*more, *edges, linked(binary, made, command[:1], link)]


def make(folder: Path, edges: Sequence[Edge], jobs: int = JOBS, name: str = "build") -> None:
    """Make what changed. The folder has one ninja log and one lock: tests of several processes may
    ask for programs of it at the same time. If ``name``, a ninja file of its own, has been made and
    all of it is fresh, nothing waits. RunError with the compiler's words if a step fails."""
    plan = folder / f"{name}.ninja"
    steps = list({edge.outputs[0]: edge for edge in edges}.values())
    if name != "build" and ninja.fresh(plan, steps):
        return
    with hold(folder / "build.lock", f"builds in {folder.name}"):
        ninja.write(plan, steps)
        ninja.run(plan, jobs, lambda *_: None)
