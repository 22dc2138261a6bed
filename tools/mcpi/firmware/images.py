# SPDX-License-Identifier: BSD-2-Clause
"""Build the firmware: a pure plan of commands from machine, variant recipe and stack.

``plan`` only looks at files; ``build`` lets ninja execute a plan.
"""

import hashlib
import os
import shlex
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from mcpi.base import ninja
from mcpi.base.compiler import compiled as compile_edge
from mcpi.base.errors import UserError
from mcpi.base.file_lock import hold
from mcpi.base.ninja import Edge
from mcpi.base.repo import BUILD, ROOT
from mcpi.firmware import (
    link_order,
    outline,
    path_inline,
    protocol_graph,
    switch_deps,
    switches,
    usc,
)
from mcpi.firmware.clone import recipe as cloning
from mcpi.machine import c_header
from mcpi.machine.profile import Machine

FIRMWARE = ROOT / "firmware"
VARIANTS = FIRMWARE / "variants"
BARE = ("hello", "loopback", "palcheck", "trapcheck")
PREFIX = "alpha-linux-gnu-"
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-override-init"]
# Nothing here changes an instruction.
NEUTRAL = ["-g", f"-ffile-prefix-map={ROOT}/=", "-fno-asynchronous-unwind-tables"]
# For what is moved in assembly: no debug information that is tied to the old order.
LINES_ONLY = ["-g1", "-gno-variable-location-views"]


@dataclass(frozen=True)
class Plan:
    """``files`` are written first, and only when their text changed; then come the ``steps``.

    ``folder`` is this plan's own; objects and PALcode, which other plans have too, lie elsewhere.
    """

    folder: Path
    files: dict[Path, str]
    steps: tuple[Edge, ...]
    pal: Path

    @property
    def image(self) -> Path:
        return self.folder / "image.elf"


def variants() -> list[str]:
    """The variant recipes there are."""
    return sorted(p.stem for p in VARIANTS.glob("*.toml"))


def recipe(variant: str) -> dict:
    path = VARIANTS / f"{variant}.toml"
    if not path.is_file():
        raise UserError(f"no variant '{variant}'. There are: {', '.join(variants())}.")
    rules = tomllib.loads(path.read_text())
    if base := rules.pop("base", None):
        rules = _over(recipe(base), rules)
    return rules


def _over(base: dict, rules: dict) -> dict:
    """``base``, and over it what ``rules`` says otherwise."""
    both = {k: _over(base[k], v) for k, v in rules.items() if isinstance(v, dict) and k in base}
    return base | rules | both


@dataclass(frozen=True)
class Compiled:
    """What every link of a variant and a stack begins with. ``objects``: by source; ``order``: the
    recipe's; ``clone``: its recipe, if it clones; ``path``: what its path's tables are named by."""

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


def plan(
    machine: Machine,
    variant: str,
    stack: str,
    defines: tuple[str, ...] = (),
    role: str = "client",
    shuffle: int | None = None,
    copies: str | None = None,
) -> Plan:
    """The commands that make ``image.elf`` and ``pal.elf``.

    ``stack`` is a graph of ``firmware/graphs``, or a program of ``firmware/apps`` that needs no
    more than the platform (``hello``). ``defines`` (``NAME`` or ``NAME=VALUE``) come on top of the
    recipe's and go into the folder's name. ``role`` matters where client and server have paths of
    their own (docs/explanation/variants.md). ``shuffle`` and ``copies``: as of ``linked``.
    """
    return linked(compiled(machine, variant, stack, defines, role), shuffle, copies)


def compiled(
    machine: Machine,
    variant: str,
    stack: str,
    defines: tuple[str, ...] = (),
    role: str = "client",
) -> Compiled:
    """All objects, and PALcode."""
    rules = recipe(variant)
    path = path_inline.specification(stack, role) if rules.get("path", {}).get("inline") else None
    name = "-".join([machine.name, variant, path.stem if path else stack, *sorted(defines)])
    folder = BUILD / "firmware" / name
    header = c_header.header(machine)
    files = {folder / "machine.h": header}
    sources, generated = _sources(stack, folder)
    files |= generated
    link_flags = rules["link"]["flags"]
    if path:
        made = path_inline.unit(path, sources)
        files[folder / "path.c"] = made.text
        sources.append(folder / "path.c")
        link_flags = [*link_flags, *made.flags]
    outlines = rules["compile"].get("outline", False)
    headers = {"machine.h": header} | {
        path.name: text for path, text in generated.items() if path.suffix == ".h"
    }

    def way(changed: tuple[str, ...]) -> tuple[Path, list[str]]:
        """Whoever compiles the same text in the same way has the same objects: their folder."""
        flags = [
            *rules["compile"]["common"],
            *rules["compile"]["optimise"],
            *(f"-D{d}" for d in switches.over(rules["compile"]["defines"], changed)),
            *NEUTRAL,
            *WARNINGS,
        ]
        home = _home("outlined" if outlines else "plain", *headers.values(), *flags)
        files.update({home / name: text for name, text in headers.items()})
        return home, [*flags, f"-I{home}", f"-I{FIRMWARE}"]

    steps, objects = [], {}
    for source in sources:
        home, flags = way(_switches_of(source, defines, headers))
        place = home if source.is_relative_to(FIRMWARE) else folder
        outlined = outlines and source.suffix == ".c"
        steps += (_outlined if outlined else _compile)(source, place, home, flags)
        objects[_label(source)] = steps[-1].outputs[0]
    clone = None
    if "clone" in rules and stack not in BARE:
        clone = cloning.checked(rules, variant, machine)
        for source in _in_rooms(["clone"]):
            home, flags = way(_switches_of(source, defines, headers))
            steps += _compile(source, home, home, [*flags, *cloning.COMPILE_FLAGS])
            objects[_label(source)] = steps[-1].outputs[0]
    pal = _home(header, "palcode")
    files[pal / "machine.h"] = header
    steps += _pal(pal, machine.memory_map["ram"])
    return Compiled(
        machine=machine,
        folder=folder,
        files=files,
        steps=tuple(steps),
        objects=objects,
        order=tuple(rules["link"].get("order", [])),
        link_flags=tuple(link_flags),
        clone=clone,
        path=path.stem if path else stack,
        pal=pal / "pal.elf",
    )


def _switches_of(
    source: Path, defines: tuple[str, ...], headers: dict[str, str]
) -> tuple[str, ...]:
    """Those that matter to ``source``; to one that is generated, all."""
    if not source.is_relative_to(FIRMWARE):
        return defines
    own = tuple(headers.items())
    return tuple(d for d in defines if switch_deps.matters(d, source, FIRMWARE, own))


def depends(switch: str, variant: str, stack: str) -> bool:
    """Whether any source of an image depends on ``switch``; ``stack``: a graph."""
    rules = recipe(variant)
    found, generated = _sources(stack, BUILD / "firmware")
    headers = tuple((path.name, text) for path, text in generated.items() if path.suffix == ".h")
    found += _in_rooms(["clone"]) if "clone" in rules else []
    if rules.get("path", {}).get("inline"):
        found.append(FIRMWARE / "xkernel" / "path_entry.h")  # of the path unit
    own = [source for source in found if source.is_relative_to(FIRMWARE)]
    return any(switch_deps.matters(switch, source, FIRMWARE, headers) for source in own)


def linked(made: Compiled, shuffle: int | None = None, copies: str | None = None) -> Plan:
    """One image of these objects: nothing is compiled again for it.

    ``shuffle``: a seed of another link order (link_order.py). ``copies``: another layout of the
    recipe's copies.
    """
    name = made.folder.name + ("" if shuffle is None else f"-shuffle-{shuffle}")
    folder = made.folder.with_name(f"{name}-{copies}" if copies else name)
    memory, image = made.machine.memory_map["ram"], folder / "image.elf"
    order, words = link_order.units(made.objects, made.order, shuffle), list(made.link_flags)
    objects = [made.objects[source] for source in link_order.sources(order)]
    text = folder / "order.ld"
    if made.clone is None:
        steps = [_link(objects, text, image, words, memory)]
    else:
        table = made.clone | ({"layout": copies} if copies else {})
        words += cloning.link_flags(table)
        steps = [_link(objects, text, folder / cloning.LINKED, words, memory)]
        steps.append(cloning.step(table, made.path, made.machine, image))
    files = made.files | {text: link_order.script(order, made.objects)}
    return Plan(folder, files, (*made.steps, *steps), made.pal)


def _home(*made_of: str) -> Path:
    """A folder for what several plans share."""
    name = hashlib.sha256("\0".join(made_of).encode()).hexdigest()[:16]
    return BUILD / "firmware" / "shared" / name


def _sources(stack: str, folder: Path) -> tuple[list[Path], dict[Path, str]]:
    """Source files of a stack, and generated ones with their text."""
    rooms = ["boot", "platform/alpha"]
    if stack in BARE:
        return _in_rooms([*rooms, f"apps/{stack}"]), {}
    graph_file = protocol_graph.GRAPHS / f"{stack}.graph"
    if not graph_file.is_file():
        there = ", ".join([*protocol_graph.stacks(), *BARE])
        raise UserError(f"no stack '{stack}'. There are: {there}.")
    graph = protocol_graph.read_graph(graph_file)
    numbers = protocol_graph.numbers_of([stack])
    table = folder / "graph_table.c"
    rooms += ["xkernel", *(_room_of(name) for name, _ in graph)]
    files = {table: protocol_graph.compose({stack: graph}, numbers)}
    for description in (p for r in rooms for p in (FIRMWARE / r).glob("*.usc")):
        files[folder / f"{description.name}.h"] = usc.header(description)
    return [*_in_rooms(rooms), FIRMWARE / "main.c", table], files


def _room_of(protocol: str) -> str:
    for place in (f"protocols/{protocol}", f"apps/{protocol}"):
        if (FIRMWARE / place).is_dir():
            return place
    raise UserError(f"protocol '{protocol}': no folder firmware/protocols/{protocol}.")


def _in_rooms(rooms: list[str]) -> list[Path]:
    found = [p for r in rooms for p in (FIRMWARE / r).glob("*.[cS]")]
    return sorted(found)


def _label(source: Path) -> str:
    return str(source.relative_to(FIRMWARE)) if source.is_relative_to(FIRMWARE) else source.name


def _compile(source: Path, folder: Path, home: Path, flags: list[str]) -> list[Edge]:
    command = [f"{PREFIX}gcc", *flags]
    return [compile_edge(source, _target(source, folder, ".o"), command, [home / "machine.h"])]


def _outlined(source: Path, folder: Path, home: Path, flags: list[str]) -> list[Edge]:
    """Through assembly, in which ``outline`` moves what is annotated (variants.md)."""
    plain, moved = _target(source, folder, ".s"), _target(source, folder, ".outlined.s")
    target, depfile = _target(source, folder, ".o"), _target(source, folder, ".d")
    program, name = Path(outline.__file__), _label(source)
    words = [f"{PREFIX}gcc", "-S", *flags, *LINES_ONLY, "-MMD", "-MF", depfile, source]
    move, assemble = [sys.executable, program, plain, moved], [f"{PREFIX}gcc", "-c", moved]
    inputs = [source, home / "machine.h"]
    return [
        Edge(f"compile {name}", [*words, "-o", plain], [plain], inputs, depfile),
        Edge(f"outline {name}", move, [moved], [plain, program]),
        Edge(f"assemble {name}", [*assemble, "-o", target], [target], [moved]),
    ]


def _target(source: Path, folder: Path, suffix: str) -> Path:
    return folder / "objects" / (_label(source).replace("/", "-") + suffix)


def _link(objects: list[Path], order: Path, target: Path, flags: list[str], memory: dict) -> Edge:
    script = FIRMWARE / "boot" / "link.ld"
    image = memory["image"]
    symbols = {
        "IMAGE_ADDRESS": c_header.KSEG + image["base"],
        "IMAGE_SIZE": image["size"],
    }
    if not any(f.startswith("--defsym=CLONE_BYTES=") for f in flags):
        symbols["CLONE_BYTES"] = 0
    command = [
        *_linker(script, [*flags, f"-Map={target.with_name('image.map')}"], symbols),
        f"-L{order.parent}",
        *map(str, objects),
        "-lgcc",
    ]
    return _whole(command, target, [*objects, script, order])


def _whole(command: list[str], target: Path, inputs: list[Path]) -> Edge:
    """``target`` appears whole: its readers take no lock."""
    new = Path(f"{target}.new")
    move = shlex.join(["mv", str(new), str(target)])
    line = f"{shlex.join([*command, '-o', str(new)])} && {move}"
    return Edge(f"link {target.parent.name}", line, [target], inputs)


def _linker(script: Path, flags: list[str], symbols: dict[str, int]) -> list[str]:
    words = ["--build-id=none", "-z", "max-page-size=8192", "-z", "noexecstack", *flags]
    words += [f"--defsym={name}={value:#x}" for name, value in symbols.items()]
    words = [w for word in words for w in ("-Xlinker", word)]
    return [f"{PREFIX}gcc", "-nostdlib", "-static", "-T", str(script), *words]


def _pal(folder: Path, memory: dict) -> list[Edge]:
    """PALcode: the assembler alone knows the HW_ instructions, and only under its own -m21064."""
    room = FIRMWARE / "boot" / "pal"
    expanded, depfile = folder / "objects" / "pal.s", folder / "objects" / "pal.d"
    assembled, target = folder / "objects" / "pal.o", folder / "pal.elf"
    preprocess = [f"{PREFIX}gcc", "-E", "-x", "assembler-with-cpp", f"-I{folder}", f"-I{FIRMWARE}"]
    preprocess += ["-MMD", "-MF", depfile, "-MT", expanded, room / "pal.S", "-o", expanded]
    assemble = [f"{PREFIX}as", "-m21064", expanded, "-o", assembled]
    symbols = {"PAL_ADDRESS": c_header.KSEG + memory["pal"]["base"]}
    link = [*_linker(room / "pal.ld", [], symbols), str(assembled)]
    inputs = [room / "pal.S", folder / "machine.h"]
    return [
        Edge("preprocess PALcode", preprocess, [expanded], inputs, depfile),
        Edge("assemble PALcode", assemble, [assembled], [expanded]),
        _whole(link, target, [assembled, room / "pal.ld"]),
    ]


def build(work: Plan) -> Plan:
    """Make what is out of date; a failing command's output is the error.

    One at a time in a checkout, as plans share objects. If all is fresh, nothing waits.
    """
    file = BUILD / f"{work.folder.name}.ninja"
    if not all(map(_is, work.files, work.files.values())) or not ninja.fresh(file, work.steps):
        with hold(BUILD / "build.lock", "builds"):
            write(work)
            ninja.write(file, work.steps)
            ninja.run(file, os.cpu_count() or 1, lambda *_: None)
    return work


def write(work: Plan) -> None:
    """The plan's files, those whose text changed."""
    for path, text in work.files.items():
        if not _is(path, text):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text() == text
