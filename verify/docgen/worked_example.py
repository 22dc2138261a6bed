# SPDX-License-Identifier: BSD-2-Clause
"""``worked-example.md``: twenty instructions and the owner of each of their ticks, from a run.

``python -m verify.docgen.worked_example`` (in the environment of ``./mcpi``) runs ``example.S``
on the simulator and fills the blocks of the page; a test does the same and compares.
"""

import csv
import json
import subprocess
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.blocks import fill, table
from mcpi.base.errors import RunError
from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.build import graph
from mcpi.spec.run_spec import RTL, RunSpec

PAGE = ROOT / "docs" / "tutorial" / "worked-example.md"
GUEST = ROOT / "sim" / "test" / "guest"
PAL_BASE, IMAGE_BASE = "0x10000", "0xfffffc0000100000"
LENGTH = 20
LETTERS = {
    "issue": "I",
    "i_demand": "d",
    "refill_restart": "r",
    "taken_bubble": "t",
    "load_use": "l",
    "d_miss": "M",
    "shift": "s",
    "compare": "c",
    "agen": "a",
    "multiply": "m",
    "memory_port": "p",
    "barrier": "b",
}
# Counters that the log of ticks does not have.
ELSEWHERE = {
    "icache.replacement_misses",
    "dcache.replacement_misses",
    "fetch.words",
    "fetch.blocks",
    "fetch.fill_words",
    "invocations",
}


@dataclass(frozen=True)
class Tick:
    """A row of ``ticks.csv``; ``number`` counts from 1 at the opening instruction."""

    number: int
    owner: str
    pc: int | None
    events: tuple[str, ...]


def measure() -> tuple[list[Tick], dict[str, int], dict[int, str]]:
    """Run the guest: its ticks, window 1 of the hardware's counters, instructions by address."""
    record = RunSpec(engine=RTL)
    machine = record.check()
    built = graph.build(record, machine)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "machine.json").write_text(machine.to_json())
        pal = link("pal", PAL_BASE, folder)
        image = link("example", IMAGE_BASE, folder)
        at = symbols(image)
        marks = [(at["open"], 1), (at["open"], 5), (at["close"], 2)]
        (folder / "markers").write_text("".join(f"{place:#x},{does},1\n" for place, does in marks))
        words = [built.simulator, "run", "--out", folder, "--machine", folder / "machine.json"]
        words += ["--node-json", built.node_json, "--tick-log", "0", "--max-ticks", "1000000"]
        for node in (0, 1):
            for item in (f"pal={pal}", f"image={image}", f"markers={folder / 'markers'}"):
                words += ["--node", f"{node}:{item}"]
        done = heard(words)
        if done.returncode:
            raise RunError(f"the example does not run:\n{done.stderr[-3000:]}")
        nodes = json.loads((folder / "counters.json").read_text())["nodes"]
        order = json.loads(built.node_json.read_text())["counters"]
        path = {name: nodes[0]["path"][name] for name in order}
        return _ticks(folder / "ticks.csv"), path, _listing(image)


def link(name: str, base: str, folder: Path) -> Path:
    """``guest/<name>.S`` as an ELF file in ``folder``."""
    elf = folder / f"{name}.elf"
    flags = f"-Wl,-N,--no-relax,--build-id=none,--no-warn-rwx-segments,-Ttext={base}"
    words = ["alpha-linux-gnu-gcc", "-nostdlib", "-static", flags, "-o", elf, GUEST / f"{name}.S"]
    subprocess.run(words, check=True)
    return elf


def symbols(elf: Path) -> dict[str, int]:
    """Addresses by name."""
    said = heard(["alpha-linux-gnu-nm", elf], check=True)
    rows = (line.split() for line in said.stdout.splitlines())
    return {row[2]: int(row[0], 16) for row in rows if len(row) == 3}


def _listing(elf: Path) -> dict[int, str]:
    """Instructions by physical address, as objdump has them."""
    words = ["alpha-linux-gnu-objdump", "-d", "--no-show-raw-insn", "-M", "no-aliases", elf]
    said = heard(words, check=True).stdout
    found = {}
    for line in said.splitlines():
        at, colon, text = line.strip().partition(":\t")
        if colon:
            name, _, operands = text.partition("\t")
            found[int(at, 16) & (1 << 34) - 1] = f"{name:<7}{_plain(operands)}".rstrip()
    return found


def _plain(operands: str) -> str:
    """``fffffc0000100400 <code>`` as ``code``."""
    before, bracket, after = operands.partition("<")
    if not bracket:
        return operands
    return before.rpartition(",")[0] + ("," if "," in before else "") + after.rstrip(">")


def _ticks(path: Path) -> list[Tick]:
    with path.open() as file:
        rows = list(csv.DictReader(file))
    if any(row["count"] != "1" for row in rows):
        raise RunError("the example has skipped ticks")
    return [
        Tick(n, r["owner"], int(r["pc"], 16) if r["pc"] else None, tuple(r["events"].split()))
        for n, r in enumerate(rows, 1)
    ]


def added(ticks: list[Tick]) -> dict[str, list[int]]:
    """By counter: the ticks that move it."""
    found: dict[str, list[int]] = {}
    for tick in ticks:
        names = ["ticks", f"owner.{tick.owner}", *tick.events]
        for name in [*names, "instructions"] if tick.owner == "issue" else names:
            found.setdefault(name, []).append(tick.number)
    return found


def check(ticks: list[Tick], counters: dict[str, int]) -> None:
    """The log and the hardware's counters say the same, or there is no page."""
    log = added(ticks)
    for name, value in counters.items():
        if name not in ELSEWHERE and name not in ("clocks", "withheld"):
            if len(log.get(name, [])) != value:
                raise RunError(f"{name}: {value}, but {len(log.get(name, []))} in the log")
    if counters["instructions"] != LENGTH:
        raise RunError(f"{counters['instructions']} instructions instead of {LENGTH}")


def ranges(numbers: list[int]) -> str:
    """``1, 4–6`` of 1, 4, 5, 6."""
    parts: list[list[int]] = []
    for n in numbers:
        if parts and parts[-1][1] == n - 1:
            parts[-1][1] = n
        else:
            parts.append([n, n])
    return ", ".join(f"{a}" if a == b else f"{a}–{b}" for a, b in parts)


def render(ticks: list[Tick], counters: dict[str, int], listing: dict[int, str]) -> str:
    """The page, with its drawing and sums of this run."""
    rows, waits = [], []
    for tick in ticks:
        waits.append(tick)
        if tick.pc is not None:
            rows.append(waits)
            waits = []
    drawing = [
        f"{n:>2}  {row[-1].pc:x}  {listing[row[-1].pc]:<20} "
        f"{ranges([t.number for t in row]):>8}  {''.join(LETTERS[t.owner] for t in row)}"
        for n, row in enumerate(rows, 1)
    ]
    drawing.append(
        f"    close{'':<23} {ranges([t.number for t in waits]):>8}  "
        + "".join(LETTERS[t.owner] for t in waits)
    )
    log = added(ticks)
    legend = ", ".join(f"`{letter}` {owner}" for owner, letter in LETTERS.items())
    owners = [f"{len(log[f'owner.{o}'])} {o}" for o in LETTERS if f"owner.{o}" in log]
    sums = f"{' + '.join(owners)} = {counters['ticks']} ticks."
    rows_ = [
        (f"`{name}`", value, ranges(log[name]))
        for name, value in counters.items()
        if value and name in log and not name.startswith("owner.")
    ]
    head = " #  address instruction             ticks  owners, one letter a tick"
    wrapped = (textwrap.fill(text, 100, break_on_hyphens=False) for text in (f"{legend}.", sums))
    texts = {
        "ticks": "\n".join(["```", head, *drawing, "```"]),
        "owners": "\n\n".join(wrapped),
        "counters": table(("counter", "window 1", "in ticks"), rows_),
    }
    return fill(PAGE.read_text(), texts)


if __name__ == "__main__":
    made = measure()
    check(*made[:2])
    PAGE.write_text(render(*made))
