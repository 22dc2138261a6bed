# SPDX-License-Identifier: BSD-2-Clause
"""Compare the Verilog of every top with that of another checkout, up to a table of renamed signals.

``python -m verify.renamed_signals write FOLDER`` elaborates every top of every kind of machine
into FOLDER. ``… compare BEFORE AFTER`` applies ``rtl/renamed-signals.csv`` to each file of BEFORE
and compares it with AFTER, in which declarations, assignments, instances and processes of a module
may have another order; ``… table BEFORE AFTER`` makes that table of two folders whose files differ
in names alone.
"""

import csv
import hashlib
import re
import sys
from pathlib import Path

from mcpi.base.errors import RunError, UserError
from mcpi.base.repo import ROOT
from mcpi.hdl import blocks, cocotb_run
from mcpi.machine import profile
from verify.verilog_mutants import unnumbered

TABLE = ROOT / "rtl" / "renamed-signals.csv"
# The kinds of machines whose Verilog differs in more than widths.
MACHINES = {
    "plain": ("dec3000-600", {}),
    "pmad": ("dec3000-pmad", {}),
    "dense": ("dec3000-600", {"lance.wiring": "dense"}),
    "classifier": ("dec3000-600", {"lance.classifier": "on"}),
    "tlb": ("dec3000-tlb", {}),
    "back": ("dec3000-600", {"dcache.policy": "back"}),
    "ways": ("dec3000-600", {"icache.ways": "2", "dcache.ways": "2"}),
    "victims": ("dec3000-600", {"icache.victims": "4", "dcache.victims": "4"}),
    "coherent": ("challenge-100", {"core.count": "2"}),
}
# Blocks that differ from machine to machine; the others are elaborated of the first that has them.
VARIED = ("Node", "AlphaLite", "CoherentNode", "NetlistNode", "LanceOnTc", "MemoryBench")
_TOKEN = re.compile(r"\"[^\"]*\"|[A-Za-z_$][\w$]*|\d+'[hbd][0-9a-fA-FxzXZ_]+|\d+|\S")
_STEP = re.compile(r"\b(begin|end|case|endcase)\b")
_BLOCK = re.compile(r'Block\(\s*"(\w+)"')


def tops() -> list[str]:
    """Names of the blocks that the Scala sources declare."""
    folders = ("rtl", "cores", "lance-ip", "boards")
    texts = (p.read_text() for folder in folders for p in (ROOT / folder).rglob("*.scala"))
    return sorted({name for text in texts for name in _BLOCK.findall(text) if name != "NodeOn"})


def write(folder: Path) -> None:
    """Write ``<block>-<kind>.v`` of every top, as ``plain`` makes it."""
    folder.mkdir(parents=True, exist_ok=True)
    done = set()
    for kind, (name, settings) in MACHINES.items():
        machine = profile.load(name, settings)
        for block in tops():
            if block in done - set(VARIED) or blocks.missing(block, machine):
                continue
            try:
                text = cocotb_run.elaborate_all(block, [machine])[0].read_text()
            except (RunError, RuntimeError) as error:
                print(f"{block}-{kind}: {str(error).splitlines()[-1]}", file=sys.stderr)
                continue
            done.add(block)
            (folder / f"{block}-{kind}.v").write_text(plain(text))


def plain(verilog: str) -> str:
    """Verilog without what a comment or an alignment changes: lines of the sources, and the digest
    of the RTL, a constant of 64 bits of the host registers."""
    verilog = re.sub(
        r"^module HostRegisters .*?^endmodule",
        lambda found: re.sub(r"64'h[0-9a-f]{16}", "64'h0", found[0]),
        verilog,
        flags=re.M | re.S,
    )
    lines = (line for line in unnumbered(verilog).splitlines() if not line.startswith("//"))
    words = (_TOKEN.findall(line) for line in lines)
    return "".join(" ".join(w.replace(" ", "_") for w in line) + "\n" for line in words if line)


def _words(verilog: str) -> list[tuple[str, str]]:
    """Words of plain Verilog, each with the module whose name it is: a port of an instance is the
    instance's."""
    found = []
    module = child = ""
    for line in verilog.splitlines():
        words = line.split(" ")
        if words[0] == "module":
            module = words[1]
        elif len(words) == 3 and words[2] == "(":
            child = words[0]
        own = [module] * len(words)
        if words[0] == ".":
            own[1] = child
        found += [*zip(own, words, strict=True), ("", "\n")]
    return found


def renamed(verilog: str, table: dict[tuple[str, str], str]) -> list[str]:
    """Words of the Verilog, with the new names of ``table``: (module, old) to new."""
    return [table.get(word, word[1]) for word in _words(verilog)]


def arranged(words: list[str]) -> list[str]:
    """Items of plain Verilog in an order of their own: declarations, assignments, instances and
    processes of each module. The words of a process keep theirs."""
    items: list[str] = []
    found, depth = "", 0
    for line in " ".join(words).split("\n"):
        line = line.strip()
        found += line + "\n"
        for step in _STEP.findall(line):
            depth += 1 if step in ("begin", "case") else -1
        depth += line.count("(") - line.count(")")
        if depth == 0:
            items.append(found)
            found = ""
    modules, module = [], []
    for item in items:
        module.append(item)
        if item == "endmodule\n":
            modules += [module[0], *sorted(module[1:])]
            module = []
    return modules + module


def read() -> dict[tuple[str, str], str]:
    """Read the checked-in table."""
    with TABLE.open(newline="") as file:
        return {(row["module"], row["old"]): row["new"] for row in csv.DictReader(file)}


def compare(before: Path, after: Path) -> list[str]:
    """Lines about files that differ after the table was applied; empty: all are equal."""
    table = read()
    names = sorted({p.name for folder in (before, after) for p in folder.glob("*.v")})
    found = []
    for name in names:
        old, new = before / name, after / name
        if not (old.exists() and new.exists()):
            found.append(f"{name}: is in one folder only")
        elif arranged(renamed(old.read_text(), table)) != arranged(
            [w for _, w in _words(new.read_text())]
        ):
            found.append(f"{name}: differs")
    texts = ((after / name).read_bytes() for name in names if (after / name).exists())
    whole = hashlib.sha256(b"".join(texts)).hexdigest()
    print(f"{len(names)} files, {len(found)} differ; SHA-256 of AFTER {whole[:16]}")
    return found


def table(before: Path, after: Path) -> dict[tuple[str, str], str]:
    """Make the table: names that stand at the same place of both. UserError if more differs."""
    found: dict[tuple[str, str], str] = {}
    for path in sorted(before.glob("*.v")):
        old, new = _words(path.read_text()), _words((after / path.name).read_text())
        if len(old) != len(new):
            raise UserError(f"{path.name}: differs in more than names")
        for word, (_, other) in zip(old, new, strict=True):
            if word[1] != other and found.setdefault(word, other) != other:
                raise UserError(f"{path.name}, module {word[0]}: {word[1]} is {other}, and another")
    return found


def main(words: list[str]) -> None:
    """Run the command of the module's docstring."""
    match words:
        case ["write", folder]:
            write(Path(folder))
        case ["compare", before, after]:
            sys.exit("\n".join(compare(Path(before), Path(after))) or None)
        case ["table", before, after]:
            with TABLE.open("w", newline="") as file:
                rows = csv.writer(file, lineterminator="\n")
                rows.writerow(["module", "old", "new"])
                found = table(Path(before), Path(after))
                rows.writerows((m, old, new) for (m, old), new in sorted(found.items()))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
