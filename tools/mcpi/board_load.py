# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board load`` and ``simulate``: programs of others, started as they want it."""

import json
import shutil
import subprocess
from pathlib import Path

from mcpi import board_build, graph, staging
from mcpi.boards import Board
from mcpi.errors import RunError, UserError
from mcpi.machine import load as load_machine
from mcpi.paths import BUILD
from mcpi.progress import Bar
from mcpi.record import Record
from mcpi.run import judged

LOADER = "openFPGALoader"


def bitstream(board: Board, machine: str, settings: dict[str, str]) -> Path:
    """What was built of this Verilog and these pins; UserError if there is none."""
    load_machine(machine, settings)
    words = "".join(f" --set {k}={v}" for k, v in settings.items())
    others = list((BUILD / "boards").glob(f"{board.name}-*/build.json"))
    if others:  # only then is it worth to elaborate, which takes a minute
        with Bar() as bar, bar.task("elaborate", 1) as update:
            update(0, 1, board.top)
            verilog = board_build.elaborate(board, machine, settings)
        built = board_build.place(board, verilog) / "build.json"
        if built.exists():
            return built.parent / Path(json.loads(built.read_text())["bitstream"]).name
    why = "has only been built of other Verilog or pins" if others else "has not been built yet"
    raise UserError(
        f"{board.title} {why}. Type: ./mcpi board build {board.name} --machine {machine}{words}"
    )


def loader() -> str:
    """The program that loads; UserError if it is missing."""
    program = shutil.which(LOADER)
    if not program:
        raise UserError(f"{LOADER} is missing. Type: apt-get install openfpgaloader")
    return program


def load(board: Board, file: Path, flash: bool) -> None:
    """RunError if the loader fails, with what it said."""
    if not file.is_file():
        raise UserError(f"--bitstream {file}: no such file. Type: ./mcpi board embed {board.name}")
    program = loader()
    words = [program, "-b", board.programmer, *(["-f"] if flash else []), str(file)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        said = "\n  ".join((done.stdout + done.stderr).strip().splitlines()[-8:])
        raise RunError(f"{LOADER} failed:\n  {said}\nIs the board plugged in and powered?")
    print(f"{board.title}: {file.name} loaded")


def simulate(machine: str, settings: dict[str, str], out: Path, ram: Board | None) -> None:
    """``mcpi-sim --serial`` of this machine, until it ends; with the RAM of a board, if given."""
    record = Record(machine=machine, settings=settings)
    resolved = judged(record)
    with staging.refused(out):
        out.mkdir(parents=True, exist_ok=True)
    with Bar() as bar:
        built = graph.build(record, resolved, bar)
    graph.write(out / "machine.json", resolved.to_json())
    words = [str(built.simulator), "--serial", "--out", str(out), "--node-json"]
    words += [str(built.node_json), "--machine", str(out / "machine.json")]
    if ram:
        words += ["--page-bytes", str(ram.page_bytes)]
        words += ["--backing-bytes", str(ram.pages * ram.page_bytes)]
    code = subprocess.run(words, check=False).returncode
    if code:
        raise RunError(f"the simulator ended with status {code}")
