# SPDX-License-Identifier: BSD-2-Clause
"""Build the firmware: a pure plan of commands from machine, variant recipe and stack.

``plan`` only looks at files; ``build`` lets ninja execute a plan.
"""

import hashlib
import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from mcpi.base import ninja
from mcpi.base.errors import UserError
from mcpi.base.file_lock import hold
from mcpi.base.ninja import Edge
from mcpi.base.repo import BUILD, FIRMWARE, WHEEL
from mcpi.firmware import (
    commands,
    link_order,
    path_inline,
    programs,
    protocol_graph,
    sources,
    switch_deps,
    switches,
)
from mcpi.firmware.blocks import profile
from mcpi.firmware.blocks.order import HOWS
from mcpi.firmware.clone import recipe as cloning
from mcpi.firmware.clone.layout import POSITIONS
from mcpi.firmware.recipes import recipe
from mcpi.machine import c_header
from mcpi.machine.profile import Machine, names

ROOM = "firmware"


@dataclass(frozen=True)
class Plan:
    """``files`` are written first, and only when their text changed; then come the ``steps``.

    ``folder`` is this plan's own; objects and PALcode, which other plans have too, lie elsewhere.
    ``said``: files with the compiler's warnings, of a program of a user's own. ``room``: a folder
    of ``build/`` with a ninja log and a lock of its own, in which all outputs lie.
    """

    folder: Path
    files: dict[Path, str]
    steps: tuple[Edge, ...]
    pal: Path
    said: tuple[Path, ...] = ()
    room: str = ROOM

    @property
    def image(self) -> Path:
        return self.folder / "image.elf"


@dataclass(frozen=True)
class Compiled:
    """Compiled objects from which every link of a variant and a stack begins. ``objects``: by
    source; ``order``: the recipe's; ``clone``: its recipe, if it clones; ``path``: what its path's
    tables are named by."""

    machine: Machine
    folder: Path
    files: dict[Path, str]
    steps: tuple[Edge, ...]
    objects: dict[str, Path]
    order: tuple[str, ...]
    link_flags: tuple[str, ...]
    clone: dict | None
    path: str
    pal: Path


def _named(machine: Machine, header: str) -> str:
    """The profile's name; with a digest of ``machine.h`` if settings changed that."""
    if machine.name in names() and header == c_header.header(machine.plain):
        return machine.name
    return f"{machine.name}-{hashlib.sha256(header.encode()).hexdigest()[:8]}"


def plan(
    machine: Machine,
    variant: str,
    stack: str,
    defines: tuple[str, ...] = (),
    role: str = "client",
    shuffle: int | None = None,
    copies: str | None = None,
    path: str = "",
) -> Plan:
    """The commands that make ``image.elf`` and ``pal.elf``.

    ``stack`` is a graph of ``firmware/graphs``, or a program of ``firmware/apps`` that needs no
    more than the platform (``hello``). ``defines`` (``NAME`` or ``NAME=VALUE``) come on top of the
    recipe's and go into the folder's name. ``role`` matters where client and server have paths of
    their own (docs/explanation/variants.md). ``shuffle`` and ``copies``: as of ``linked``;
    ``path``: as of ``compiled``.
    """
    return linked(compiled(machine, variant, stack, defines, role, path), shuffle, copies)


def compiled(
    machine: Machine,
    variant: str,
    stack: str,
    defines: tuple[str, ...] = (),
    role: str = "client",
    path: str = "",
) -> Compiled:
    """All objects, and PALcode. ``path``: a folder of found paths, of which a recipe that clones
    takes none, as its copies have an order."""
    rules = recipe(variant)
    paths = "" if "clone" in rules else path
    spec = path_inline.specification(stack, role, paths) if inlines(rules, stack) else None
    header = c_header.header(machine)
    name = spec.stem if spec else protocol_graph.name_of(stack)
    if spec and paths:
        name += f".found-{hashlib.sha256(spec.read_bytes()).hexdigest()[:8]}"
    words = [_named(machine, header), variant, name, *sorted(defines)]
    folder = BUILD / "firmware" / "-".join(words)
    files = {folder / "machine.h": header}
    found, generated = sources.of(stack, folder, machine.translates)
    files |= generated
    link_flags = [*rules["link"]["flags"]]
    if programs.is_mapped(stack, machine.translates, defines):
        link_flags += commands.linked_physically(machine.memory_map["ram"])
    if spec:
        unit = path_inline.unit(spec, found)
        files[folder / "path.c"] = unit.text
        found.append(folder / "path.c")
        link_flags = [*link_flags, *unit.flags]
    outlines = rules["compile"].get("outline", False)
    blocks = _blocks(rules["compile"])
    ordered = [blocks[0], blocks[1].read_text()] if blocks else []
    headers = {"machine.h": header} | {
        path.name: text for path, text in generated.items() if path.suffix == ".h"
    }

    def way(changed: tuple[str, ...]) -> tuple[Path, list[str]]:
        """The object folder and the compiler's flags. Plans with the same headers and flags share
        it."""
        flags = [
            *rules["compile"]["common"],
            *rules["compile"]["optimise"],
            *(f"-D{d}" for d in switches.over(rules["compile"]["defines"], changed)),
            *commands.NEUTRAL,
            *commands.WARNINGS,
        ]
        made_of = [*headers.values(), *flags, *ordered]
        home = _home("outlined" if outlines else "plain", *made_of)
        files.update({home / name: text for name, text in headers.items()})
        return home, [*flags, f"-I{home}", f"-I{FIRMWARE}"]

    steps: list[Edge] = []
    made: dict[Path, Path] = {}

    def compile(source: Path) -> Path:
        if source not in made:
            home, flags = way(_switches_of(source, defines, headers))
            place = home if source.is_relative_to(FIRMWARE) else folder
            if outlines and source.suffix == ".c":
                steps.extend(commands.outlined(source, place, home, flags, blocks))
            else:
                steps.extend(commands.compiled(source, place, home, flags))
            made[source] = steps[-1].outputs[0]
        return made[source]

    objects = {sources.label(source): compile(source) for source in found}
    if machine.translates and programs.files(stack):
        files[folder / programs.SOURCE] = programs.text(stack)
        steps += programs.linked(stack, folder, compile, rules["link"]["flags"])
        step, objects[programs.SOURCE] = programs.assembled(stack, folder)
        steps.append(step)
    clone = None
    if "clone" in rules and stack not in sources.BARE:
        clone = cloning.checked(rules, variant, machine)
        for source in sources.in_rooms(["clone"]):
            home, flags = way(_switches_of(source, defines, headers))
            steps += commands.compiled(source, home, home, [*flags, *cloning.COMPILE_FLAGS])
            objects[sources.label(source)] = steps[-1].outputs[0]
    pal = _home(header, "palcode")
    files[pal / "machine.h"] = header
    steps += commands.pal(pal, machine.memory_map["ram"])
    return Compiled(
        machine=machine,
        folder=folder,
        files=files,
        steps=tuple(steps),
        objects=objects,
        order=tuple(rules["link"].get("order", [])),
        link_flags=tuple(link_flags),
        clone=clone,
        path=name,
        pal=pal / "pal.elf",
    )


def _blocks(rules: dict) -> tuple[str, Path] | None:
    """How a recipe's ``[compile]`` orders blocks, and its profile; None: by annotations."""
    if "profile" not in rules:
        return None
    if rules["blocks"] not in HOWS:
        raise UserError(f'blocks = "{rules["blocks"]}" in a recipe: {" or ".join(HOWS)}.')
    return rules["blocks"], profile.file_of(rules["profile"])


def inlines(rules: dict, stack: str) -> bool:
    """Return true if a recipe inlines the stack's path: it names the stack, or all stacks."""
    inline = rules.get("path", {}).get("inline", False)
    return stack in inline if isinstance(inline, list) else inline


def lacks(variant: str, stack: str, path: str = "", role: str = "client") -> str:
    """Say why a variant of a stack cannot be built; "" if it can. ``path``: as of ``compiled``."""
    rules = recipe(variant)
    paths = "" if "clone" in rules else path
    spec = path_inline.specification(stack, role, paths) if inlines(rules, stack) else None
    if inlines(rules, stack) and not spec:
        name = protocol_graph.file_of(stack).stem
        place = paths or "firmware/paths/"
        return f"it makes one function of a path, and {place} has none of {name}"
    if (
        "clone" in rules
        and not cloning.orders(rules["clone"], spec.stem if spec else stack).is_file()
    ):
        return f"it copies functions, and firmware/variants/orders/ has no order of {stack}'s"
    if stack not in rules.get("clone", {}).get(cloning.OWN, {stack: ()}):
        return f"it copies functions for each connection, and [clone.own] has none of {stack}"
    return ""


def _switches_of(
    source: Path, defines: tuple[str, ...], headers: dict[str, str]
) -> tuple[str, ...]:
    """Switches that matter to ``source``; to a generated source all of them."""
    if not source.is_relative_to(FIRMWARE):
        return defines
    own = tuple(headers.items())
    return tuple(d for d in defines if switch_deps.matters(d, source, FIRMWARE, own))


def depends(switch: str, variant: str, stack: str) -> bool:
    """Return true if any source of an image depends on ``switch``; ``stack``: a graph."""
    rules = recipe(variant)
    found, generated = sources.of(stack, BUILD / "firmware")
    headers = tuple((path.name, text) for path, text in generated.items() if path.suffix == ".h")
    found += sources.in_rooms(["clone"]) if "clone" in rules else []
    if inlines(rules, stack):
        found.append(FIRMWARE / "xkernel" / "path_entry.h")  # of the path unit
    own = [source for source in found if source.is_relative_to(FIRMWARE)]
    return any(switch_deps.matters(switch, source, FIRMWARE, headers) for source in own)


def linked(made: Compiled, shuffle: int | None = None, copies: str | None = None) -> Plan:
    """Plan an image of these objects. Nothing is compiled again for it.

    ``shuffle``: a seed of another link order (link_order.py). ``copies``: another layout of the
    recipe's copies, or a file of their positions.
    """
    name = made.folder.name + ("" if shuffle is None else f"-shuffle-{shuffle}")
    folder = made.folder.with_name(f"{name}-{_copied(copies)}" if copies else name)
    memory, image = made.machine.memory_map["ram"], folder / "image.elf"
    order, words = link_order.units(made.objects, made.order, shuffle), list(made.link_flags)
    objects = [made.objects[source] for source in link_order.sources(order)]
    text = folder / "order.ld"
    if made.clone is None:
        steps = [commands.link(objects, text, image, words, memory)]
    else:
        table = made.clone | ({"layout": copies} if copies else {})
        words += cloning.link_flags(table, made.machine)
        steps = [commands.link(objects, text, folder / cloning.LINKED, words, memory)]
        steps.append(cloning.step(table, made.path, made.machine, image))
    files = made.files | {text: link_order.script(order, made.objects)}
    return Plan(folder, files, (*made.steps, *steps), made.pal)


def _copied(copies: str) -> str:
    """A layout's part of a folder's name; of a file of positions, by what is in it."""
    if not copies.endswith(POSITIONS):
        return copies
    return f"positions-{hashlib.sha256(Path(copies).read_bytes()).hexdigest()[:12]}"


def _home(*made_of: str) -> Path:
    """A folder for what several plans share."""
    name = hashlib.sha256("\0".join(made_of).encode()).hexdigest()[:16]
    return BUILD / "firmware" / "shared" / name


def build(work: Plan) -> Plan:
    """Make what is out of date; a failing command's output is the error.

    One at a time in a room, as plans share objects. If all is fresh, nothing waits. Whoever builds
    a simulator holds no room's lock. A wheel has what can be had.
    """
    if WHEEL.is_file():
        return _of_wheel(work)
    file = BUILD / work.room / f"{work.folder.name}.ninja"
    if not all(map(_is, work.files, work.files.values())) or not ninja.fresh(file, work.steps):
        with lock(work.room):
            write(work)
            ninja.write(file, work.steps)
            ninja.run(file, os.cpu_count() or 1, lambda *_: None)
    return work


def _of_wheel(work: Plan) -> Plan:
    """A plan whose PALcode and image are in the wheel. UserError for another."""
    outputs = {output for step in work.steps for output in step.outputs}
    for path in (work.pal, *({work.image} & outputs)):
        if not path.is_file():
            raise UserError(
                f"a wheel has no compiler: {path.relative_to(BUILD)} is not in it. It runs ELF "
                f"files on the machines {WHEEL.read_text().strip()}, without settings that the "
                "firmware reads. A checkout does the rest."
            )
    return work


def build_all(work: Iterable[Plan], progress: Callable[[int, int, str], None]) -> None:
    """The same for the plans of many stacks; whoever calls it holds ``lock()``."""
    steps: dict[Path, Edge] = {}
    for plan in work:
        write(plan)
        steps |= {step.outputs[0]: step for step in plan.steps}
    file = BUILD / ROOM / "build.ninja"
    ninja.write(file, list(steps.values()))
    ninja.run(file, os.cpu_count() or 1, progress)


def lock(room: str = ROOM) -> AbstractContextManager[None]:
    """A ninja log is one process's at a time."""
    return hold(BUILD / room / "build.lock", "builds")


def write(work: Plan) -> None:
    """The plan's files, those whose text changed."""
    for path, text in work.files.items():
        if not _is(path, text):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text() == text
