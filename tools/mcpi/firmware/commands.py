# SPDX-License-Identifier: BSD-2-Clause
"""The commands that compile, outline, assemble and link firmware, as edges of ninja."""

import shlex
import sys
from pathlib import Path

from mcpi.base.compiler import compiled as compile_edge
from mcpi.base.compiler import plain
from mcpi.base.ninja import Edge
from mcpi.base.repo import FIRMWARE, ROOT
from mcpi.firmware import outline
from mcpi.firmware.blocks import order
from mcpi.firmware.sources import label
from mcpi.machine import c_header

PREFIX = "alpha-linux-gnu-"
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-override-init"]
WARNINGS += ["-Wno-unused-parameter"]  # an operation of a table rarely wants them all
# Nothing here changes an instruction. Names of files, and of the folder in which the compiler ran,
# are below the checkout: ccache hands objects from one checkout to another, and does not look at
# these maps, but at the version of DWARF. Of two maps that fit the later one counts.
NEUTRAL = ["-gdwarf-5", f"-fdebug-prefix-map={ROOT}=.", f"-ffile-prefix-map={ROOT}/="]
NEUTRAL += ["-fno-asynchronous-unwind-tables"]
# For what is moved in assembly: no debug information that is tied to the old order.
MOVED = ".outlined.s"
LINES_ONLY = ["-g1", "-gno-variable-location-views"]


def compiled(source: Path, folder: Path, home: Path, flags: list[str]) -> list[Edge]:
    command = [f"{PREFIX}gcc", *flags]
    return [compile_edge(source, _target(source, folder, ".o"), command, [home / "machine.h"])]


def outlined(
    source: Path, folder: Path, home: Path, flags: list[str], blocks: tuple[str, Path] | None = None
) -> list[Edge]:
    """Through assembly, in which ``outline`` moves what is annotated (variants.md). ``blocks``: how
    blocks are ordered in place of that, and by which profile."""
    plain, moved = assembly(target := _target(source, folder, ".o")), target.with_suffix(MOVED)
    depfile, program, name = target.with_suffix(".d"), Path(outline.__file__), label(source)
    words = [f"{PREFIX}gcc", "-S", *flags, *LINES_ONLY, "-MMD", "-MF", depfile, source]
    move, assemble = [sys.executable, program, plain, moved], [f"{PREFIX}gcc", "-c", moved]
    made_of = [plain, program]
    if blocks:
        how, file = blocks
        move = [sys.executable, "-m", order.__name__, how, file, name, plain, moved]
        made_of += [Path(order.__file__), file]
    inputs = [source, home / "machine.h"]
    return [
        Edge(f"compile {name}", [*words, "-o", plain], [plain], inputs, depfile),
        Edge(f"outline {name}", move, [moved], made_of),
        Edge(f"assemble {name}", [*assemble, "-o", target], [target], [moved]),
    ]


def assembly(target: Path) -> Path:
    """The compiler's assembly of an object that is ``outlined``."""
    return target.with_suffix(".s")


def _target(source: Path, folder: Path, suffix: str) -> Path:
    return folder / "objects" / (plain(label(source).replace("/", "-")) + suffix)


def link(objects: list[Path], order: Path, target: Path, flags: list[str], memory: dict) -> Edge:
    script = FIRMWARE / "boot" / "link.ld"
    image = memory["image"]
    symbols = {
        "IMAGE_ADDRESS": c_header.KSEG + image["base"],
        "IMAGE_SIZE": image["size"],
        "CLONE_BYTES": 0,
    }
    given = {f.partition("=")[2].partition("=")[0] for f in flags if f.startswith("--defsym=")}
    symbols = {name: value for name, value in symbols.items() if name not in given}
    command = [
        *linker(script, [*flags, f"-Map={target.with_name('image.map')}"], symbols),
        f"-L{order.parent}",
        *map(str, objects),
        "-lgcc",
    ]
    return whole(command, target, [*objects, script, order])


def linked_physically(memory: dict) -> list[str]:
    """Flags of an image whose own pages are mapped. PALcode enters it in KSEG all the same."""
    base = memory["image"]["base"]
    return [f"--defsym=IMAGE_ADDRESS={base:#x}", f"--entry={c_header.KSEG + base:#x}"]


def whole(command: list[str], target: Path, inputs: list[Path]) -> Edge:
    """``target`` appears whole: its readers take no lock."""
    new = Path(f"{target}.new")
    move = shlex.join(["mv", str(new), str(target)])
    line = f"{shlex.join([*command, '-o', str(new)])} && {move}"
    return Edge(f"link {target.parent.name}", line, [target], inputs)


def linker(script: Path, flags: list[str], symbols: dict[str, int]) -> list[str]:
    words = ["--build-id=none", "-z", "max-page-size=8192", "-z", "noexecstack", *flags]
    words += [f"--defsym={name}={value:#x}" for name, value in symbols.items()]
    words = [w for word in words for w in ("-Xlinker", word)]
    return [f"{PREFIX}gcc", "-nostdlib", "-static", "-T", str(script), *words]


def pal(folder: Path, memory: dict, source: Path | None = None) -> list[Edge]:
    """PALcode, ours or that of ``source``: the assembler alone knows the HW_ instructions, and only
    under its own -m21064."""
    room = FIRMWARE / "boot" / "pal"
    source = source or room / "pal.S"
    expanded, depfile = folder / "objects" / "pal.s", folder / "objects" / "pal.d"
    assembled, target = folder / "objects" / "pal.o", folder / "pal.elf"
    preprocess = [f"{PREFIX}gcc", "-E", "-x", "assembler-with-cpp", f"-I{folder}", f"-I{FIRMWARE}"]
    preprocess += ["-MMD", "-MF", depfile, "-MT", expanded, source, "-o", expanded]
    assemble = [f"{PREFIX}as", "-m21064", expanded, "-o", assembled]
    symbols = {"PAL_ADDRESS": c_header.KSEG + memory["pal"]["base"]}
    link = [*linker(room / "pal.ld", [], symbols), str(assembled)]
    inputs = [source, folder / "machine.h"]
    return [
        Edge("preprocess PALcode", preprocess, [expanded], inputs, depfile),
        Edge("assemble PALcode", assemble, [assembled], [expanded]),
        whole(link, target, [assembled, room / "pal.ld"]),
    ]
