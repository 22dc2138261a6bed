# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board load`` and ``simulate``: programs of others, started as they want it."""

import json
import shutil
import subprocess
from pathlib import Path

from mcpi import graph
from mcpi.boards import Board
from mcpi.errors import RunError, UserError
from mcpi.paths import BUILD
from mcpi.progress import Bar
from mcpi.record import Record

LOADER = "openFPGALoader"


def bitstream(board: Board, machine: str, settings: dict[str, str]) -> Path:
    """The newest that was built of it; UserError if there is none."""
    built = sorted(
        (BUILD / "boards").glob(f"{board.name}-*/build.json"), key=lambda p: p.stat().st_mtime
    )
    for record in reversed(built):
        found = json.loads(record.read_text())
        if (found["machine"], found["settings"]) == (machine, settings):
            return Path(found["bitstream"])
    words = "".join(f" --set {k}={v}" for k, v in settings.items())
    raise UserError(
        f"not built yet. Type: ./mcpi board build {board.name} --machine {machine}{words}"
    )


def load(board: Board, file: Path, flash: bool) -> None:
    """RunError if the loader fails, with what it said."""
    if not file.is_file():
        raise UserError(f"--bitstream {file}: no such file. Type: ./mcpi board embed {board.name}")
    program = shutil.which(LOADER)
    if not program:
        raise UserError(f"{LOADER} is missing. Type: apt-get install openfpgaloader")
    words = [program, "-b", board.programmer, *(["-f"] if flash else []), str(file)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        said = "\n  ".join((done.stdout + done.stderr).strip().splitlines()[-8:])
        raise RunError(f"{LOADER} failed:\n  {said}\nIs the board plugged in and powered?")
    print(f"{board.title}: {file.name} loaded")


def simulate(machine: str, settings: dict[str, str], out: Path, ram: Board | None) -> None:
    """``mcpi-sim --serial`` of this machine, until it ends; with the RAM of a board, if given."""
    record = Record(machine=machine, settings=settings)
    resolved = record.check()
    with Bar() as bar:
        built = graph.build(record, resolved, bar)
    out.mkdir(parents=True, exist_ok=True)
    graph.write(out / "machine.json", resolved.to_json())
    words = [str(built.simulator), "--serial", "--out", str(out), "--node-json"]
    words += [str(built.node_json), "--machine", str(out / "machine.json")]
    if ram:
        words += ["--page-bytes", str(ram.page_bytes)]
        words += ["--backing-bytes", str(ram.pages * ram.page_bytes)]
    code = subprocess.run(words, check=False).returncode
    if code:
        raise RunError(f"the simulator ended with status {code}")
