# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board list --status``: for each machine file, what was shown of its circuit, and when.

A cell is of the circuit that was there when its command ran: its digest is of the Scala without
comments, and of the parameters that act at elaboration. A cell of another circuit counts as old.
``./mcpi python -m verify.status CLAIM MACHINE`` runs a command and writes its cell.
"""

import csv
import hashlib
import re
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path

from mcpi.base.repo import ROOT
from mcpi.fpga import machine_sizes
from mcpi.machine import profile
from mcpi.machine.profile import Machine

FILE = ROOT / "docs" / "data" / "verification" / "status.csv"
SPDX = "# SPDX-License-Identifier: BSD-2-Clause\n"
SAYS = (
    "# What was shown of each machine's circuit: by which command (claim), of which commit, on "
    "which day;\n# circuit: digest of Scala and parameters. Written by ./mcpi python -m "
    "verify.status. docs/verification/status.md.\n"
)
CLAIMS = {
    "exact": "RTL = exact",
    "proofs": "proofs",
    "mutants": "mutants",
    "gates": "gates = RTL",
    "placed": "placed",
    "pins": "at the pins",
}
ON_BOARDS = ("placed", "pins")  # claims of machines that fit a board
FOLDERS = ("boards", "cores", "lance-ip", "rtl")
NEVER, OLD, NO_ROOM = "–", "old", "no room"
_COMMENT = re.compile(r'("""[\s\S]*?"""|"(?:\\.|[^"\\\n])*")|//[^\n]*|/\*[\s\S]*?\*/')


@dataclass(frozen=True)
class Cell:
    """``shown``: the command's last figure. ``date``: of the commit's run, as 2026-11-30."""

    machine: str
    claim: str
    commit: str
    date: str
    circuit: str
    shown: str


def code(scala: str) -> str:
    """Scala without comments, its words with one blank between them."""
    return " ".join(_COMMENT.sub(lambda found: found[1] or " ", scala).split())


@cache
def _sources() -> str:
    sum_ = hashlib.sha256()
    for path in sorted(p for folder in FOLDERS for p in (ROOT / folder).rglob("*.scala")):
        sum_.update(f"{path.name}\0{code(path.read_text())}\0".encode())
    return sum_.hexdigest()


def circuit(machine: Machine) -> str:
    """Digest of what makes a machine's circuit."""
    return hashlib.sha256(f"{_sources()} {machine.elaborate_digest}".encode()).hexdigest()[:16]


def read(file: Path = FILE) -> list[Cell]:
    """The cells that were written."""
    lines = (line for line in file.read_text().splitlines() if not line.startswith("#"))
    return [Cell(**row) for row in csv.DictReader(lines)]


def write(cell: Cell, file: Path = FILE) -> None:
    """Replaces the cell of this machine and claim."""
    others = [c for c in read(file) if (c.machine, c.claim) != (cell.machine, cell.claim)]
    order = [*CLAIMS]
    cells = sorted([*others, cell], key=lambda c: (c.machine, order.index(c.claim)))
    with file.open("w", newline="") as stream:
        stream.write(SPDX + SAYS)
        out = csv.DictWriter(stream, [f.name for f in fields(Cell)], lineterminator="\n")
        out.writeheader()
        out.writerows(asdict(c) for c in cells)


def table(
    cells: list[Cell], machines: list[Machine], fitting: dict[str, list[str]]
) -> list[list[str]]:
    """A row for each machine: its name, then a word for each claim. ``fitting``: the boards
    that have room for each."""
    found = {(cell.machine, cell.claim): cell for cell in cells}

    def word(machine: Machine, claim: str) -> str:
        cell = found.get((machine.name, claim))
        if cell is None:
            return NO_ROOM if claim in ON_BOARDS and not fitting[machine.name] else NEVER
        said = f"{cell.commit} {cell.date[2:]}"
        return said if cell.circuit == circuit(machine) else f"{OLD}: {said}"

    return [[m.name, *(word(m, claim) for claim in CLAIMS)] for m in machines]


def show() -> None:
    """Prints the table, then what each cell's command has shown."""
    from rich.console import Console
    from rich.table import Table

    machines, cells = [profile.load(name) for name in profile.names()], read()
    drawn = Table(box=None, pad_edge=False)
    for head in ("machine", *CLAIMS.values()):
        drawn.add_column(head, overflow="fold")
    for row in table(cells, machines, machine_sizes.boards_of()):
        drawn.add_row(*row)
    console = Console(highlight=False)
    console.print(drawn)
    console.print(f"{NEVER}: not run; {OLD}: of another circuit; {NO_ROOM}: on no board")
    for cell in cells:
        console.print(f"{cell.machine}, {CLAIMS[cell.claim]}: {cell.shown}", soft_wrap=True)
