# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board load`` and ``simulate``: programs of others, started as they want it."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from mcpi.base import staging
from mcpi.base.errors import RunError, UserError
from mcpi.base.process import heard
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.build import graph
from mcpi.engines.base import judged
from mcpi.fpga import builds, place_route
from mcpi.machine.boards import Board
from mcpi.machine.profile import load as load_machine
from mcpi.releasing import bitstreams
from mcpi.releasing.commit import SHORT
from mcpi.spec.run_spec import RTL, RunSpec

LOADER = "openFPGALoader"
PREAMBLE = b"\xff\xff\xbd\xb3"  # behind comments, before the first command of an ECP5
_COMMENTS = 4096  # bytes in which it comes


def bitstream(board: Board, machine: str, settings: dict[str, str]) -> Path:
    """Bitstream that was built from this Verilog and these pins; UserError if there is none."""
    return builds.bitstream(made(board, machine, settings, builds.RECORD))


def made(board: Board, machine: str, settings: dict[str, str], file: str) -> Path:
    """A file of what was built of this Verilog and these pins; UserError if there is none."""
    load_machine(machine, settings)
    words = "".join(f" --set {k}={v}" for k, v in settings.items())
    others = [path for path in (BUILD / "boards").glob(f"{board.name}-*/{file}") if _whole(path)]
    if others:  # only then is it worth to elaborate, which takes a minute
        with Bar() as bar, bar.task("elaborate", 1) as update:
            update(0, 1, board.top)
            verilog = place_route.elaborate(board, machine, settings)
        if _whole(found := place_route.place(board, verilog) / file):
            return found
    why = "has only been built of other Verilog or pins" if others else "has not been built yet"
    raise UserError(
        f"{board.title} {why}. Type: ./mcpi board build {board.name} --machine {machine}{words}"
    )


def _whole(built: Path) -> bool:
    """Return true if there is the file, and the bitstream that it names if it is a record."""
    return built.exists() and (built.name != builds.RECORD or builds.bitstream(built).is_file())


def loader() -> str:
    """The program that loads; UserError if it is missing."""
    program = shutil.which(LOADER)
    if not program:
        raise UserError(f"{LOADER} is missing. Type: apt-get install openfpgaloader")
    return program


def check_file(board: Board, file: Path) -> None:
    """UserError if there is none, or it is no bitstream."""
    if not file.is_file():
        raise UserError(f"--bitstream {file}: no such file. Type: ./mcpi board embed {board.name}")
    with file.open("rb") as stream:
        begins = stream.read(_COMMENTS)
    if PREAMBLE not in begins:
        raise UserError(f"--bitstream {file}: is no bitstream of an ECP5, as ecppack makes it.")


def load(board: Board, file: Path, flash: bool) -> None:
    """RunError if the loader fails, with what it said."""
    program = loader()
    words = [program, "-b", board.programmer, *(["-f"] if flash else []), str(file)]
    done = heard(words)
    if done.returncode:
        said = "\n  ".join((done.stdout + done.stderr).strip().splitlines()[-8:])
        raise RunError(f"{LOADER} failed:\n  {said}\nIs the board plugged in and powered?")
    print(f"{board.title}: {file.name} loaded")


def load_released(
    board: Board, release: Path, machine: str, settings: dict[str, str], flash: bool
) -> None:
    """Load the bitstream that a release has for a machine. Nothing is built or elaborated."""
    name, bits, said = bitstreams.choose(release, board, machine, settings)
    with tempfile.TemporaryDirectory(prefix="mcpi-load-") as folder:
        file = Path(folder, name)
        file.write_bytes(bits)
        load(board, file, flash)
    about = bitstreams.named(board.name, machine, said["settings"])
    print(f"{about}: RTL {said['rtl_digest']}, of commit {said['commit'][:SHORT]}")


def simulate(
    machine: str, settings: dict[str, str], out: Path, ram: Board | None, loopback: bool
) -> None:
    """``mcpi-sim board`` of this machine, until it ends; with the RAM of a board, if given.
    ``loopback``: one board, which gets what it sends."""
    spec = RunSpec(machine=machine, settings=settings, engine=RTL)
    resolved = judged(spec)
    with staging.refused(out):
        out.mkdir(parents=True, exist_ok=True)
    with Bar() as bar:
        built = graph.build(spec, resolved, bar)
    graph.write(out / "machine.json", resolved.to_json())
    words = [str(built.simulator), "board", "--out", str(out), "--node-json"]
    words += [str(built.node_json), "--machine", str(out / "machine.json")]
    if loopback:
        words.append("--loopback")
    if ram:
        words += ["--page-bytes", str(ram.page_bytes)]
        words += ["--backing-bytes", str(ram.pages * ram.page_bytes)]
    code = subprocess.run(words, check=False).returncode
    if code:
        raise RunError(f"the simulator ended with status {code}")
