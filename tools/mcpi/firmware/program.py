# SPDX-License-Identifier: BSD-2-Clause
"""The image of a program of one's own: its C and assembly, the runtime, and what every image has.

``plan`` only looks at files; ``images.build`` makes what it plans.
"""

import hashlib
import re
import shlex
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from mcpi.base import process
from mcpi.base.compiler import compiled, named
from mcpi.base.errors import RunError, UserError
from mcpi.base.ninja import Edge
from mcpi.base.repo import BUILD, FIRMWARE, WHEEL
from mcpi.firmware import commands, sources, usc
from mcpi.firmware.floating import assembly
from mcpi.firmware.floating.sources import has_floats
from mcpi.firmware.images import Plan
from mcpi.firmware.inputs import given
from mcpi.firmware.inputs.given import Given
from mcpi.firmware.languages import cplusplus
from mcpi.firmware.languages.text import COMPILED
from mcpi.firmware.recipes import recipe
from mcpi.machine import c_header
from mcpi.machine.profile import Machine

RUNTIME = FIRMWARE / "runtime"
LIBRARY = "runtime/library"  # its files are linked into programs that call them
VOID = "runtime/void"  # for a main that returns nothing
SOCKETS = "runtime/socket"  # for a program on the production stack
CORES = "runtime/cores"  # for programs on several cores
FLOAT = "runtime/float"  # the emulation of floating point
MATH = "runtime/math"  # what programs with floating point call
PRINT = RUNTIME / "printf.c"  # has %f in such a program
_NO_FLOATS = "-mno-fp-regs"
_OF_C = "-Wno-override-init"  # C++ has no such warning
WITH_FLOATS = "-DMCPI_FLOAT=1"  # of the runtime
FLOAT_OF_CORES = "-DMCPI_FLOAT_OF_CORES=1"  # of start-up: each core has registers of its own
_OF_SOCKETS = re.compile(r"^\s*#\s*include\s*<(sys/socket|netinet/\w+|arpa/inet)\.h>", re.M)
# The program has memory's functions already.
_NOT_IN_STACK = (*sources.LEFT_OUT, "memory.c")
ROOM = "programs"  # of build/: nothing that is made for stacks lies there
STACK_BITS = 20
STACK = 1 << STACK_BITS  # bytes; each core has one
# Where images begin: of one core, of several, on a machine with TLBs.
CRT0 = FIRMWARE / "boot" / "crt0.S"
PARALLEL = FIRMWARE / "boot" / "parallel" / "start.S"
MAPPED = RUNTIME / "mapped" / "start.S"  # where a program's pages want entries of TLBs
# Sources of the x-kernel's driver that know no x-kernel.
CONTROLLER = ("protocols/lance/chip.c", "protocols/lance/frame.c")
ASSEMBLY = (".S", ".s")
LEVELS = ("0", "1", "2", "3", "s")
# Every call returns, so that a back-trace is whole; a loop stays the loop that was written; a
# function is one piece. Call frame information goes to .debug_frame, which is not loaded.
CODE = [
    "-fno-optimize-sibling-calls",
    "-fno-tree-loop-distribute-patterns",
    "-fno-reorder-blocks-and-partition",
    "-fno-unwind-tables",
]
STANDARD, GNU = "-std=c11", "-std=gnu11"  # the marks need GNU C
# The program is hosted: its main returns 0 at its end. A call stays the call that was written.
FREESTANDING, HOSTED = "-ffreestanding", "-fno-builtin"
WARNINGS = ["-Wall", "-Wextra", "-fdiagnostics-color=never"]


@dataclass(frozen=True)
class Wanted:
    """``optimise``: one of ``LEVELS``; ``defines``: NAME or NAME=VALUE, of the program's sources;
    ``shuffle``: the seed of another order of all functions, None for that of the sources; ``wire``:
    with what mcpi_net.h has; ``returns_nothing``: main is void, and its end is a success;
    ``given``: its arguments and files; ``pal``: PALcode of its own, which makes the image bare."""

    sources: tuple[Path, ...]
    optimise: str = "2"
    defines: tuple[str, ...] = ()
    shuffle: int | None = None
    wire: bool = False
    returns_nothing: bool = False
    given: Given = Given()
    pal: Path | None = None


def plan(machine: Machine, wanted: Wanted) -> Plan:
    """The commands that make ``image.elf`` and ``pal.elf``. UserError in a wheel, which has no
    compiler."""
    if WHEEL.is_file():
        raise UserError(f"{wanted.sources[0]}: a wheel has no compiler; give it an ELF file.")
    if wanted.pal:
        return _bare(machine, wanted)
    rules = recipe("std")["compile"]["common"]
    common = [flag for flag in rules if flag != STANDARD] + [GNU, *CODE]
    floats = any(map(has_floats, wanted.sources))
    own = floats and _has_several(machine)
    common += assembly.OF_CORES if own else []
    hosted = [HOSTED if flag == FREESTANDING else flag for flag in common]
    header = c_header.header(machine)
    home = _home(header)
    headers = _headers(home)
    defines = [f"-D{define}" for define in wanted.defines]
    flags = [*hosted, f"-O{wanted.optimise}", *defines, *WARNINGS, *headers]
    runtime = [*common, "-O2", *commands.WARNINGS, *headers, f"-I{FIRMWARE}", f"-I{home}"]
    runtime.append(f"-DCORE_STACK_BITS={STACK_BITS}")
    runtime += [given.MACRO] if wanted.given else []
    steps, objects, said = [], [], []
    has_classes = any(map(cplusplus.is_cplusplus, wanted.sources))
    if has_classes:
        cplusplus.want()
        runtime.append(cplusplus.MACRO)
    stack = _stack() if any(map(has_sockets, wanted.sources)) else []
    rooms, more = ["runtime", "platform/alpha", "boot"], []
    if stack:
        rooms.append(SOCKETS)
        runtime.append(f"-DVOID_MAIN={int(wanted.returns_nothing)}")
    elif wanted.wire:
        rooms.append("runtime/net")
        more = [FIRMWARE / f for f in CONTROLLER]
    rooms += [VOID] if wanted.returns_nothing and not stack else []
    ours = [
        *_entry(machine, sources.in_rooms(rooms)),
        *more,
        *(cplusplus.runtime() if has_classes else ()),
    ]
    stubs = home / "lance.usc.h"
    files = {home / "machine.h": header, stubs: usc.header(FIRMWARE / "protocols/lance/lance.usc")}
    for source in wanted.sources:
        has = floats and source.suffix in COMPILED
        edge = (_emulated if has else _compiled)(source, home, _in_language(flags, source))
        objects.append(edge.outputs[0])
        said.append(edge.outputs[0].with_suffix(".said"))
        steps.append(_heard(edge, said[-1]))
    runtime += [WITH_FLOATS] if floats else []
    runtime += [FLOAT_OF_CORES] if own else []
    for source in ours:
        how = _emulated if floats and source == PRINT else _compiled
        steps.append(how(source, home, _in_language(runtime, source)))
        objects.append(steps[-1].outputs[0])
    for source in stack:
        steps.append(_compiled(source, home, _flags_of_stack(home)))
        objects.append(steps[-1].outputs[0])
    library = _library(home, runtime, floats)
    pal = _pal(machine, home)
    parts = list(map(str, [*objects, *library[-1].inputs]))
    stacks = STACK * (machine.parameters["core.count"] if machine.coherent else 1)
    text = repr((wanted, wanted.given.digest(), header, parts, stacks))
    folder = BUILD / ROOM / hashlib.sha256(text.encode()).hexdigest()[:16]
    if wanted.given:
        inputs = folder / "inputs.S"
        files[inputs] = wanted.given.assembly()
        edge = _compiled(inputs, home, [])
        steps.append(replace(edge, inputs=[*edge.inputs, *wanted.given.paths]))
        objects.append(edge.outputs[0])
    link = ["--wrap=main", f"--defsym=PROGRAM_STACK={stacks}"]
    link += commands.linked_physically(machine.memory_map["ram"]) if machine.translates else []
    steps += _linked(machine, wanted, folder, objects, library[-1].outputs, link)
    return Plan(folder, files, (*pal, *library, *steps), home / "pal.elf", tuple(said), ROOM)


def _has_several(machine: Machine) -> bool:
    return machine.coherent and machine.parameters["core.count"] > 1


def _entry(machine: Machine, found: list[Path]) -> list[Path]:
    """The sources with the entry of an image for several cores, or for TLBs, if the machine has
    them."""
    entry = PARALLEL if machine.coherent else MAPPED if machine.translates else CRT0
    return [entry if source == CRT0 else source for source in found]


def _bare(machine: Machine, wanted: Wanted) -> Plan:
    """The sources alone, entered as their own PALcode says."""
    header = c_header.header(machine)
    home = _home(header)
    rules = recipe("std")["compile"]["common"]
    flags = [*(flag for flag in rules if flag != STANDARD), GNU, *CODE, f"-O{wanted.optimise}"]
    flags += [*(f"-D{d}" for d in wanted.defines), *WARNINGS, *_headers(home)]
    steps = [_compiled(source, home, flags) for source in wanted.sources]
    objects = [step.outputs[0] for step in steps]
    said = [one.with_suffix(".said") for one in objects]
    steps = [_heard(*pair) for pair in zip(steps, said, strict=True)]
    digest = hashlib.sha256(repr((wanted, header, objects)).encode()).hexdigest()[:16]
    folder = BUILD / ROOM / digest
    steps += _linked(machine, wanted, folder, objects, [], [])
    files, pal, code = _palcode(machine, header, wanted.pal)
    return Plan(folder, files, (*code, *steps), pal, tuple(said), ROOM)


def _headers(home: Path) -> list[object]:
    """Options that name the folders of headers, the compiler's and ours."""
    own = ["-nostdinc", "-isystem", _compilers_headers(), "-isystem", RUNTIME / "include"]
    return [*own, "-idirafter", FIRMWARE, "-idirafter", home]


def _linked(
    machine: Machine,
    wanted: Wanted,
    folder: Path,
    objects: list[Path],
    more: list[Path],
    flags: list[str],
) -> list[Edge]:
    """The steps that put the functions of ``objects`` in order and link them with ``more``."""
    order = folder / "order.ld"
    seed = "-" if wanted.shuffle is None else wanted.shuffle
    words = [sys.executable, "-m", "mcpi.firmware.program_order", order, seed, *objects]
    script = Path(__file__).with_name("program_order.py")
    ordered = Edge("order of functions", words, [order], [*objects, script])
    link = [*recipe("std")["link"]["flags"], *flags]
    ram, image = machine.memory_map["ram"], folder / "image.elf"
    return [ordered, commands.link([*objects, *more], order, image, link, ram)]


def has_sockets(source: Path) -> bool:
    """Return true if a source of a program's includes a header of sockets."""
    return source.suffix in COMPILED and bool(
        _OF_SOCKETS.search(source.read_text(errors="replace"))
    )


def absent(machine: Machine) -> Plan:
    """The other machine's image, when a program runs alone: it ends at once."""
    header = c_header.header(machine)
    home = _home(header)
    source = RUNTIME / "absent" / "absent.S"
    edge = _compiled(source, home, [*recipe("std")["compile"]["common"], f"-I{FIRMWARE}"])
    folder = home / "absent"
    order = folder / "order.ld"
    ram = machine.memory_map["ram"]
    link = commands.link(edge.outputs, order, folder / "image.elf", [], ram)
    files = {home / "machine.h": header, order: ""}
    return Plan(folder, files, (*_pal(machine, home), edge, link), home / "pal.elf", room=ROOM)


def palcode(machine: Machine, image: Path, own: Path | None = None) -> Plan:
    """Plan the PALcode alone, for an existing image: ours, or that of ``own``."""
    files, pal, code = _palcode(machine, c_header.header(machine), own)
    return Plan(image.parent, files, tuple(code), pal, room=ROOM)


def _palcode(
    machine: Machine, header: str, own: Path | None
) -> tuple[dict[Path, str], Path, list[Edge]]:
    """Files, PALcode, and the steps that make it: ours, that of an assembly file ``own``, or the
    ELF file ``own``."""
    home = _home(header)
    if own is None:
        return {home / "machine.h": header}, home / "pal.elf", _pal(machine, home)
    if own.suffix not in ASSEMBLY:
        return {home / "machine.h": header}, own, []
    folder = home / f"pal-{hashlib.sha256(str(own).encode()).hexdigest()[:16]}"
    files = dict.fromkeys((home / "machine.h", folder / "machine.h"), header)
    return files, folder / "pal.elf", commands.pal(folder, machine.memory_map["ram"], own)


def _compiled(source: Path, home: Path, flags: list[object]) -> Edge:
    command = [f"{commands.PREFIX}gcc", *flags, *commands.NEUTRAL]
    # __FILE__ has no folder: where a program lies does not move its data. Debug information has.
    command.append(f"-fmacro-prefix-map={source.parent}/=")
    target = named(home / "objects", source, command)
    return compiled(source, target, command, [home / "machine.h"])


def _in_language(flags: list[object], source: Path) -> list[object]:
    """``flags`` of C, for the language of ``source``."""
    if not cplusplus.is_cplusplus(source):
        return flags
    return [*(flag for flag in flags if flag not in (GNU, _OF_C)), *cplusplus.FLAGS]


def _emulated(source: Path, home: Path, flags: list[object]) -> Edge:
    """Compile C with floating point: its assembly loses that on the way."""
    flags = [*(flag for flag in flags if flag != _NO_FLOATS), *assembly.FLAGS]
    edge = _compiled(source, home, flags)
    target = edge.outputs[0]
    had, has = target.with_suffix(".had.s"), target.with_suffix(".s")
    words = [*map(str, edge.command)]
    words[words.index("-c")] = "-S"
    words[words.index("-o") + 1] = str(had)
    more = ["-MT", str(target)]
    cores = [assembly.CORES] if assembly.OF_CORES[0] in flags else []
    rewrite = [sys.executable, "-m", "mcpi.firmware.floating.assembly", had, has, *cores]
    assemble = [f"{commands.PREFIX}gcc", "-mcpu=ev4", "-c", has, "-o", target]
    lines = [shlex.join(map(str, line)) for line in ([*words, *more], rewrite, assemble)]
    inputs = [*edge.inputs, Path(assembly.__file__)]
    return replace(edge, command=" && ".join(lines), inputs=inputs)


def _heard(edge: Edge, said: Path) -> Edge:
    """``edge``, whose words stay in the file ``said`` if it succeeds: warnings."""
    to = shlex.quote(str(said))
    command = edge.command
    line = command if isinstance(command, str) else shlex.join(map(str, command))
    return replace(edge, command=f"{{ {line}; }} 2>{to} || {{ cat {to} >&2; exit 1; }}")


def _library(home: Path, flags: list[object], floats: bool) -> list[Edge]:
    """The steps that make the archive of ``LIBRARY``, with ``floats`` also of ``FLOAT`` and
    ``MATH``; the last step is the archive's."""
    if floats:
        emulation = [*flags, *assembly.SAVED]
        steps = [_compiled(source, home, emulation) for source in sources.in_rooms([FLOAT])]
        steps += [_emulated(source, home, flags) for source in sources.in_rooms([LIBRARY, MATH])]
        steps += [_compiled(source, home, flags) for source in sources.in_rooms([CORES])]
    else:
        steps = [_compiled(source, home, flags) for source in sources.in_rooms([LIBRARY, CORES])]
    objects = [step.outputs[0] for step in steps]
    digest = hashlib.sha256(repr(list(map(str, objects))).encode()).hexdigest()[:8]
    archive = home / f"library.{digest}.a"
    words = [f"{commands.PREFIX}ar", "rcsD", archive, *objects]
    return [*steps, Edge("archive of the library", words, [archive], objects)]


def _stack() -> list[Path]:
    """Sources of the production stack and of what it stands on."""
    found = [*sources.in_rooms(["xkernel", "protocols/lance"]), *sources.production()]
    return [source for source in found if source.name not in _NOT_IN_STACK]


def _flags_of_stack(home: Path) -> list[object]:
    """Flags of STD, without its markers."""
    rules = recipe("std")["compile"]
    flags = [*rules["common"], *rules["optimise"], *(f"-D{d}" for d in rules["defines"])]
    return [*flags, "-DMCPI_NO_MARKERS", *commands.WARNINGS, f"-I{home}", f"-I{FIRMWARE}"]


def _pal(machine: Machine, home: Path) -> list[Edge]:
    return commands.pal(home, machine.memory_map["ram"])


def _home(header: str) -> Path:
    """Folder of the files that all programs of a machine share."""
    return BUILD / ROOM / f"for-{hashlib.sha256(header.encode()).hexdigest()[:16]}"


@cache
def _compilers_headers() -> str:
    status, found = process.said([f"{commands.PREFIX}gcc", "-print-file-name=include"])
    if status:
        raise RunError(f"{commands.PREFIX}gcc does not say where its headers are: {found}")
    return found.strip()
