# SPDX-License-Identifier: BSD-2-Clause
"""Build and run what the tests of this room need."""

import json
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from mcpi.base.progress import Bar
from mcpi.base.repo import ROOT
from mcpi.build import graph, models
from mcpi.machine import profile
from mcpi.spec.run_spec import RTL, RunSpec

SIM = ROOT / "sim"
GUEST = SIM / "test" / "guest"
ALPHA_GCC = "alpha-linux-gnu-gcc"
PAL_BASE = "0x10000"
IMAGE_BASE = "0xfffffc0000100000"
# A guest has the address of the exit register in $13.
START = """
	.set noat
	.set noreorder
	.text
	.globl _start
_start:	lda $12, -511($31)
	sll $12, 33, $12
	lda $13, 0x1010($12)
"""
# Files that a run leaves, but for the time that it took.
SAME = ["events.csv", "stamps.csv", "counters.json", "wire.pcap", "console.0.txt", "console.1.txt"]


def run(*command: object, check: bool = True, **options) -> subprocess.CompletedProcess:
    """Run a command, output captured; a failure shows the command and what it said."""
    words = [str(word) for word in command]
    options = {"capture_output": True, "timeout": 1800} | options
    done = subprocess.run(words, **options)
    if check and done.returncode:
        said = b"" if done.stderr is None else done.stderr[-3000:]
        raise AssertionError(f"{' '.join(words)}: exit {done.returncode}\n{said!r}")
    return done


def build(settings: dict[str, str] | None = None, **more: str) -> graph.Built:
    """The simulator of a machine, and TCP's images; ``more``: of a RunSpec. Each once a session."""
    return _built(tuple((settings or {}).items()), tuple(more.items()))


@cache
def _built(settings: tuple, more: tuple) -> graph.Built:
    spec = RunSpec(settings=dict(settings), engine=RTL, **dict(more))
    return graph.build(spec, profile.load(spec.machine, spec.settings))


def simulate(
    built: graph.Built,
    out: Path,
    machine: Path,
    *options: object,
    items: Sequence[str] = (),
    program: Path | None = None,
    mode: str = "run",
    **more,
) -> subprocess.CompletedProcess:
    """``mcpi-sim``, with ``items`` for both nodes; TCP's images, unless they name others."""
    words = [program or built.simulator, mode, "--machine", machine]
    words += ["--node-json", built.node_json, *(["--out", out] if mode != "serve" else [])]
    if mode != "board":
        given = {"pal": built.pal, "image": built.image} | dict(i.split("=", 1) for i in items)
        words += [w for n in (0, 1) for k, v in given.items() for w in ("--node", f"{n}:{k}={v}")]
    return run(*words, *options, **({"check": False, "text": True} | more))


def counters(folder: Path) -> list[dict[str, dict[str, int]]]:
    """By node and bank."""
    return json.loads((folder / "counters.json").read_text())["nodes"]


def run_record(folder: Path) -> dict:
    return json.loads((folder / "run.json").read_text())


def different(a: Path, b: Path, names: Sequence[str] = SAME) -> list[str]:
    return [name for name in names if (a / name).read_bytes() != (b / name).read_bytes()]


def guest(name: str, folder: Path, base: str = IMAGE_BASE, text: str = "") -> Path:
    """Assemble and link `text`, or `guest/<name>.S`, at `base`; the ELF lands in `folder`."""
    source, elf = (folder if text else GUEST) / f"{name}.S", folder / f"{name}.elf"
    if text:
        source.write_text(text)
    flags = f"-Wl,-N,--no-relax,--build-id=none,--no-warn-rwx-segments,-Ttext={base}"
    run(ALPHA_GCC, "-nostdlib", "-static", flags, "-o", elf, source)
    return elf


def guests(name: str, folder: Path, text: str = "", palcode: str = "") -> tuple[str, str]:
    """Items: our PALcode, perhaps with more of it, and a guest."""
    pal, written = (GUEST / "pal.S").read_text() + palcode, folder / "pal.S"
    assert not written.exists() or written.read_text() == pal, (
        f"{written}: another PALcode is there"
    )
    return f"pal={guest('pal', folder, PAL_BASE, pal)}", f"image={guest(name, folder, text=text)}"


def both(
    built: graph.Built, folder: Path, machine: Path, *options: object, of_rtl: Sequence = (), **more
) -> tuple[subprocess.CompletedProcess, ...]:
    """The same on RTL and exact engine, in folders of these names; `of_rtl`: what it alone has."""
    rtl = simulate(built, folder / "rtl", machine, *options, *of_rtl, **more)
    program = models.build("mcpi-exact")
    return rtl, simulate(built, folder / "exact", machine, *options, program=program, **more)


def window(image: Path, folder: Path) -> str:
    """Item: on this node window 1 lasts from label `open` to `close`."""
    listed = run("alpha-linux-gnu-nm", image, text=True).stdout
    at = {name: address for address, _, name in map(str.split, listed.splitlines())}
    markers = folder / "markers"
    markers.write_text(f"0x{at['open']},1,1\n0x{at['close']},2,1\n")
    return f"markers={markers}"


def ticks_on_rtl(spec: RunSpec, pal: Path, image: Path, folder: Path) -> Path:
    """The RTL's log of every tick of node 0, in the machine of `spec`."""
    machine = profile.load(spec.machine, spec.settings)
    program, node_json = graph.simulator(spec.engine, machine, Bar())
    (folder / "machine.json").write_text(machine.to_json())
    words = ["run", "--out", folder, "--machine", folder / "machine.json"]
    items = [f"{n}:{item}" for n in (0, 1) for item in (f"pal={pal}", f"image={image}")]
    words += ["--node-json", node_json, *(w for item in items for w in ("--node", item))]
    run(program, *words, *logged_from_reset(folder))
    return folder / "ticks.csv"


def logged_from_reset(folder: Path) -> list[str]:
    """Options: every tick of node 0, from its first instruction on."""
    markers = folder / "markers"
    markers.write_text(f"{int(PAL_BASE, 16):#x},1,1\n")
    return ["--tick-log", "0", "--node", f"0:markers={markers}"]


def machine_json(folder: Path, settings: dict[str, str] | None = None) -> Path:
    """The resolved default machine as a file."""
    path = folder / "machine.json"
    path.write_text(profile.load(RunSpec.machine, settings).to_json())
    return path
