# SPDX-License-Identifier: BSD-2-Clause
"""Build the firmware: a pure plan of commands from machine, variant recipe and stack.

``plan`` only looks at files; ``build`` executes a plan, doing again what is out of date. Whoever
wants another executor (a ninja graph) takes ``Plan.files`` and ``Plan.steps``.
"""

import fnmatch
import hashlib
import random
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from mcpi import compose, machine_header, mentions, outline, pathunit, switches, usc
from mcpi.clone import recipe as cloning
from mcpi.errors import UserError
from mcpi.lock import hold
from mcpi.machine import Machine
from mcpi.paths import BUILD, ROOT

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
class Step:
    """One command. ``depfile`` (if any) names further inputs, in make's syntax, once it has run."""

    command: tuple[str, ...]
    inputs: tuple[Path, ...]
    outputs: tuple[Path, ...]
    depfile: Path | None = None


@dataclass(frozen=True)
class Plan:
    """``files`` are written first, and only when their text changed; then ``steps`` in order.

    ``folder`` is this plan's own; objects and PALcode, which other plans have too, lie elsewhere.
    """

    folder: Path
    files: dict[Path, str]
    steps: tuple[Step, ...]
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
    """What every link of a variant and a stack begins with. ``clone``: its recipe, if it clones;
    ``path``: what its path's tables are named by."""

    machine: Machine
    folder: Path
    files: dict[Path, str]
    steps: tuple[Step, ...]
    objects: tuple[Path, ...]
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

    ``stack`` is a graph of ``firmware/graphs``, or a program of ``firmware/tests`` that needs no
    more than the platform (``hello``). ``defines`` (``NAME`` or ``NAME=VALUE``) come on top of the
    recipe's and go into the folder's name. ``role`` matters where client and server have paths of
    their own (docs/variants.md). ``shuffle`` and ``copies``: as of ``linked``.
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
    path = pathunit.specification(stack, role) if rules.get("path", {}).get("inline") else None
    name = "-".join([machine.name, variant, path.stem if path else stack, *sorted(defines)])
    folder = BUILD / "firmware" / name
    header = machine_header.header(machine)
    files = {folder / "machine.h": header}
    sources, generated = _sources(stack, folder)
    files |= generated
    link_flags = rules["link"]["flags"]
    if path:
        made = pathunit.unit(path, sources)
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

    steps, objects = [], []
    for source in _in_order(sources, rules["link"]["order"]):
        home, flags = way(_switches_of(source, defines, headers))
        place = home if source.is_relative_to(FIRMWARE) else folder
        outlined = outlines and source.suffix == ".c"
        steps += (_outlined if outlined else _compile)(source, place, home, flags)
        objects.append(steps[-1].outputs[0])
    clone = None
    if "clone" in rules and stack not in BARE:
        clone = cloning.checked(rules, variant, machine)
        for source in _in_rooms(["clone"]):
            home, flags = way(_switches_of(source, defines, headers))
            steps += _compile(source, home, home, [*flags, *cloning.COMPILE_FLAGS])
            objects.append(steps[-1].outputs[0])
    pal = _home(header, "palcode")
    files[pal / "machine.h"] = header
    steps += _pal(pal, machine.memory_map["ram"])
    return Compiled(
        machine=machine,
        folder=folder,
        files=files,
        steps=tuple(steps),
        objects=tuple(objects),
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
    return tuple(d for d in defines if mentions.matters(d, source, FIRMWARE, own))


def depends(switch: str, variant: str, stack: str) -> bool:
    """Whether any source of an image depends on ``switch``; ``stack``: a graph."""
    rules = recipe(variant)
    found, generated = _sources(stack, BUILD / "firmware")
    headers = tuple((path.name, text) for path, text in generated.items() if path.suffix == ".h")
    found += _in_rooms(["clone"]) if "clone" in rules else []
    if rules.get("path", {}).get("inline"):
        found.append(FIRMWARE / "xkernel" / "path_entry.h")  # of the path unit
    own = [source for source in found if source.is_relative_to(FIRMWARE)]
    return any(mentions.matters(switch, source, FIRMWARE, headers) for source in own)


def linked(made: Compiled, shuffle: int | None = None, copies: str | None = None) -> Plan:
    """One image of these objects: nothing is compiled again for it.

    ``shuffle``: a seed; the objects are linked in an order drawn from it, only the entry code stays
    first. ``copies``: another layout of the recipe's copies.
    """
    name = made.folder.name + ("" if shuffle is None else f"-shuffle-{shuffle}")
    folder = made.folder.with_name(f"{name}-{copies}" if copies else name)
    memory, image = made.machine.memory_map["ram"], folder / "image.elf"
    objects, words = _shuffled(list(made.objects), shuffle), list(made.link_flags)
    if made.clone is None:
        steps = [_link(objects, image, words, memory)]
    else:
        table = made.clone | ({"layout": copies} if copies else {})
        words += cloning.link_flags(table)
        steps = [_link(objects, folder / cloning.LINKED, words, memory)]
        steps.append(Step(*cloning.step(table, made.path, made.machine, image)))
    return Plan(folder, made.files, (*made.steps, *steps), made.pal)


def _home(*made_of: str) -> Path:
    """A folder for what several plans share."""
    name = hashlib.sha256("\0".join(made_of).encode()).hexdigest()[:16]
    return BUILD / "firmware" / "shared" / name


def _sources(stack: str, folder: Path) -> tuple[list[Path], dict[Path, str]]:
    """Source files of a stack, and generated ones with their text."""
    rooms = ["boot", "platform/alpha"]
    if stack in BARE:
        return _in_rooms([*rooms, f"tests/{stack}"]), {}
    graph_file = compose.GRAPHS / f"{stack}.graph"
    if not graph_file.is_file():
        there = ", ".join([*compose.stacks(), *BARE])
        raise UserError(f"no stack '{stack}'. There are: {there}.")
    graph = compose.read_graph(graph_file)
    numbers = compose.numbers_of([stack])
    table = folder / "graph_table.c"
    rooms += ["xkernel", *(_room_of(name) for name, _ in graph)]
    files = {table: compose.compose({stack: graph}, numbers)}
    for description in (p for r in rooms for p in (FIRMWARE / r).glob("*.usc")):
        files[folder / f"{description.name}.h"] = usc.header(description)
    return [*_in_rooms(rooms), FIRMWARE / "main.c", table], files


def _room_of(protocol: str) -> str:
    for place in (f"protocols/{protocol}", f"tests/{protocol}"):
        if (FIRMWARE / place).is_dir():
            return place
    raise UserError(f"protocol '{protocol}': no folder firmware/protocols/{protocol}.")


def _in_rooms(rooms: list[str]) -> list[Path]:
    found = [p for r in rooms for p in (FIRMWARE / r).glob("*.[cS]")]
    return sorted(found)


def _in_order(sources: list[Path], patterns: list[str]) -> list[Path]:
    """``sources`` by the first pattern they match; within one, and after the last, by name."""

    def rank(source: Path) -> tuple[int, str]:
        name = _label(source)
        hits = (i for i, p in enumerate(patterns) if fnmatch.fnmatch(name, p))
        return next(hits, len(patterns)), name

    return sorted(sources, key=rank)


def _shuffled(objects: list[Path], seed: int | None) -> list[Path]:
    """Behind the first, which holds the entry point, in an order that depends on ``seed`` alone."""
    if seed is None:
        return objects
    first, *rest = objects
    random.Random(seed).shuffle(rest)
    return [first, *rest]


def _label(source: Path) -> str:
    return str(source.relative_to(FIRMWARE)) if source.is_relative_to(FIRMWARE) else source.name


def _compile(source: Path, folder: Path, home: Path, flags: list[str]) -> list[Step]:
    target = _target(source, folder, ".o")
    return [_translate(source, target, home, ["-c", *flags])]


def _outlined(source: Path, folder: Path, home: Path, flags: list[str]) -> list[Step]:
    """Through assembly, in which mcpi.outline moves what is annotated (docs/variants.md)."""
    plain, moved = _target(source, folder, ".s"), _target(source, folder, ".outlined.s")
    target = _target(source, folder, ".o")
    program = Path(outline.__file__)
    return [
        _translate(source, plain, home, ["-S", *flags, *LINES_ONLY]),
        Step((sys.executable, str(program), str(plain), str(moved)), (plain, program), (moved,)),
        Step((f"{PREFIX}gcc", "-c", str(moved), "-o", str(target)), (moved,), (target,)),
    ]


def _target(source: Path, folder: Path, suffix: str) -> Path:
    return folder / "objects" / (_label(source).replace("/", "-") + suffix)


def _translate(source: Path, target: Path, home: Path, words: list[str]) -> Step:
    depfile = target.with_suffix(".d")
    command = [f"{PREFIX}gcc", *words, "-MMD", "-MF", str(depfile), "-MT", str(target)]
    command += [str(source), "-o", str(target)]
    return Step(tuple(command), (source, home / "machine.h"), (target,), depfile)


def _link(objects: list[Path], target: Path, flags: list[str], memory: dict) -> Step:
    script = FIRMWARE / "boot" / "link.ld"
    image = memory["image"]
    symbols = {
        "IMAGE_ADDRESS": machine_header.KSEG + image["base"],
        "IMAGE_SIZE": image["size"],
    }
    if not any(f.startswith("--defsym=CLONE_BYTES=") for f in flags):
        symbols["CLONE_BYTES"] = 0
    command = [
        *_linker(script, [*flags, f"-Map={target.with_name('image.map')}"], symbols),
        *map(str, objects),
        "-lgcc",
    ]
    return Step((*command, "-o", str(target)), (*objects, script), (target,))


def _linker(script: Path, flags: list[str], symbols: dict[str, int]) -> list[str]:
    words = ["--build-id=none", "-z", "max-page-size=8192", "-z", "noexecstack", *flags]
    words += [f"--defsym={name}={value:#x}" for name, value in symbols.items()]
    words = [w for word in words for w in ("-Xlinker", word)]
    return [f"{PREFIX}gcc", "-nostdlib", "-static", "-T", str(script), *words]


def _pal(folder: Path, memory: dict) -> list[Step]:
    """PALcode: the assembler alone knows the HW_ instructions, and only under its own -m21064."""
    room = FIRMWARE / "boot" / "pal"
    expanded, depfile = folder / "objects" / "pal.s", folder / "objects" / "pal.d"
    assembled, target = folder / "objects" / "pal.o", folder / "pal.elf"
    preprocess = [f"{PREFIX}gcc", "-E", "-x", "assembler-with-cpp", f"-I{folder}", f"-I{FIRMWARE}"]
    preprocess += ["-MMD", "-MF", str(depfile), "-MT", str(expanded)]
    preprocess += [str(room / "pal.S"), "-o", str(expanded)]
    assemble = [f"{PREFIX}as", "-m21064", str(expanded), "-o", str(assembled)]
    symbols = {"PAL_ADDRESS": machine_header.KSEG + memory["pal"]["base"]}
    link = [*_linker(room / "pal.ld", [], symbols), str(assembled), "-o", str(target)]
    header = folder / "machine.h"
    return [
        Step(tuple(preprocess), (room / "pal.S", header), (expanded,), depfile),
        Step(tuple(assemble), (expanded,), (assembled,)),
        Step(tuple(link), (assembled, room / "pal.ld"), (target,)),
    ]


def build(work: Plan) -> Plan:
    """Execute what is out of date; a failing command's output is the error.

    One at a time in a checkout, as plans share objects. What gcc, as and ld make here appears
    whole, as who only reads it waits for nobody.
    """
    if not all(map(_is, work.files, work.files.values())) or not all(map(_fresh, work.steps)):
        with hold(BUILD / "build.lock", "builds"):
            _build(work)
    return work


def _build(work: Plan) -> None:
    make_folders(work)
    for path, text in work.files.items():
        if not _is(path, text):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    for step in work.steps:
        if not _fresh(step):
            _execute(step)
            _stamp(step).write_text(_digest(step))


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text() == text


def _execute(step: Step) -> None:
    words, target = list(step.command), step.outputs[0]
    whole = words[-2:] == ["-o", str(target)]
    if whole:
        words[-1] += ".new"
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise UserError(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    if whole:
        Path(words[-1]).replace(target)


def make_folders(work: Plan) -> None:
    """Of every output."""
    for place in {output.parent for step in work.steps for output in step.outputs}:
        place.mkdir(parents=True, exist_ok=True)


def _stamp(step: Step) -> Path:
    """Beside the output: the command that made it."""
    return step.outputs[0].parent / (step.outputs[0].name + ".command")


def _digest(step: Step) -> str:
    return hashlib.sha256("\0".join(step.command).encode()).hexdigest()


def _fresh(step: Step) -> bool:
    stamp = _stamp(step)
    if not all(o.is_file() for o in step.outputs) or not stamp.is_file():
        return False
    if stamp.read_text() != _digest(step):
        return False
    inputs = set(step.inputs)
    if step.depfile and step.depfile.is_file():
        text = step.depfile.read_text().replace("\\\n", " ")
        inputs |= {ROOT / name for name in text.partition(":")[2].split()}
    made = min(o.stat().st_mtime_ns for o in step.outputs)
    return all(i.is_file() and i.stat().st_mtime_ns <= made for i in inputs)
