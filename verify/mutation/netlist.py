# SPDX-License-Identifier: BSD-2-Clause
"""A simulator with all mutants of a block: environment variable MCPI_MUTANT says which one acts.

yosys chooses them (``mutate -list``: even over cells, wires and lines of the source) and puts each
behind an input of the top. That input becomes the number here. With number 0 the simulator says at
its end which mutants would have changed their bit in any clock (``acting``).
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mcpi.base import staging, yosys
from mcpi.base.repo import BUILD
from mcpi.hdl import cocotb_run
from verify.mutation import signals
from verify.mutation.mutation_targets import Room
from verify.verilog_mutants import switched, unnumbered

SELECTED, WATCH, ACTING = "mutant_selected", "mutant_watch", "acting"
_BASES = {"h": 16, "b": 2, "d": 10}
_SELECT = re.compile(rf"^  assign (\S+) = {SELECTED} == \d+'([hbd])([0-9a-f]+);", re.M)
_MUX = re.compile(r"^  assign (\S.*?) = (\S+) \? (\S.*?) : (\S.*?);", re.M)
# Logic that decides nothing is gone: a mutant of it would be none.
PREPARED = ("proc -norom", "opt", "wreduce", "opt")
LEFT_OUT = "at clocks; constants that stay what they are"


@dataclass(frozen=True)
class Chosen:
    """A mutant: ``mode`` is const0, const1, inv, cnot0 or cnot1. ``lines``: of the Verilog, those
    its cell was made of, inner ones last. ``decides``: the signals that the cell makes. ``row``:
    yosys's command."""

    number: int
    room: str
    module: str
    mode: str
    port: str
    lines: tuple[str, ...]
    decides: tuple[str, ...] = ()
    row: str = ""

    @property
    def title(self) -> str:
        signals = ", ".join(self.decides[:3]) + (", …" if len(self.decides) > 3 else "")
        return f"{self.module}, {signals}: {self.mode} at {self.port} of {self.lines[-1]}"


def make(rooms: Sequence[Room], count: int, seed: int) -> tuple[Path, list[Chosen]]:
    """Verilog of the rooms' block with ``count`` mutants of each room, and which they are; the
    machine's JSON is beside it."""
    top = rooms[0].top
    source = cocotb_run.elaborate(top)
    text = unnumbered(source.read_text())
    digest = hashlib.sha256((text + LEFT_OUT).encode()).hexdigest()[:16]
    folder = BUILD / "mutation" / f"{top}-{digest}-{count}-{seed}"
    path = folder / f"{top}.v"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "machine.json").write_bytes(source.with_name("machine.json").read_bytes())
        (folder / "right.v").write_text(text)
        _yosys(folder, "list", _listing(rooms, count, seed))
        listed = {room.name: _lines(folder / f"{room.name}.list") for room in rooms}
        modules = _modules(folder, listed)
        for n, room in enumerate(rooms):
            chosen = _chosen(listed[room.name], modules, count, 1 + n * count)
            (folder / f"{room.name}.ys").write_text(chosen)
        steps = [f"script {room.name}.ys" for room in rooms]
        _yosys(folder, "mutate", ["read_rtlil right.il", *steps, "write_verilog -noattr netlist.v"])
        staging.write(path, _driven(_watched((folder / "netlist.v").read_text()), top))
    verilog = (folder / "right.v").read_text().splitlines()
    rows = {room.name: _lines(folder / f"{room.name}.ys") for room in rooms}
    made = _modules(folder, rows)
    return path, [
        replace(
            _read(row, room, verilog),
            decides=_decides(row, made[_word(row, "module")]),
        )
        for room, own in rows.items()
        for row in own
    ]


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def _modules(folder: Path, rows: dict[str, list[str]]) -> dict[str, signals.Module]:
    names = {_word(row, "module") for own in rows.values() for row in own}
    return signals.modules((folder / "right.il").read_text(), names)


def _decides(row: str, module: signals.Module) -> tuple[str, ...]:
    cell = _word(row, "cell", strip=False)
    if cell.startswith("$"):
        return module.decides(cell)
    return (f"{cell}.{_word(row, 'port')}",)  # another module


def _word(row: str, name: str, strip: bool = True) -> str:
    """Value of option ``-name`` in a line that ``mutate -list`` wrote."""
    words = row.split()
    word = words[words.index(f"-{name}") + 1]
    return word.lstrip("\\") if strip else word


def _yosys(folder: Path, name: str, steps: Sequence[str]) -> None:
    (folder / f"{name}.ys").write_text("\n".join(steps) + "\n")
    yosys.run(yosys.YOSYS, ["-s", f"{name}.ys"], folder, f"{name}.log")


def _listing(rooms: Sequence[Room], count: int, seed: int) -> list[str]:
    """More than ``count`` of each room, as some are no good."""
    width = (len(rooms) * count).bit_length()
    steps = ["read_verilog -sv right.v", f"hierarchy -top {rooms[0].top}", *PREPARED]
    for room in rooms:
        steps.append(f"select -set room {' '.join(room.modules)}")
        ctrl = f"-ctrl {SELECTED} {width} 0"
        steps.append(
            f"mutate -list {count + count // 2} -seed {seed} {ctrl} -o {room.name}.list @room"
        )
    return [*steps, "write_rtlil right.il"]


def _chosen(rows: Sequence[str], modules: dict[str, signals.Module], count: int, first: int) -> str:
    """``count`` of them, numbered. None is at a clock: one register with a clock of its own is
    another circuit, not a mistake in this one. Nor is it at a constant that has the mutant's value,
    or that yosys makes x, because it has found that nothing chooses it."""
    good = [
        row
        for row in rows
        if not re.search(r"-port \\?\S*CLK ", row)
        and not _changes_nothing(row, modules[_word(row, "module")])
    ][:count]
    assert len(good) == count, f"{len(good)} mutants of {len(rows)} are good"
    numbered = (
        re.sub(rf"(-ctrl {SELECTED} \d+) \d+", rf"\g<1> {n}", row)
        for n, row in enumerate(good, first)
    )
    return "".join(f"{row}\n" for row in numbered)


def _changes_nothing(row: str, module: signals.Module) -> bool:
    cell = _word(row, "cell", strip=False)
    port = _word(row, "port")
    bit = module.bit(cell, port, int(_word(row, "portbit")))
    return bit == "x" or (_word(row, "mode"), bit) in (("const0", "0"), ("const1", "1"))


def _watched(netlist: str) -> str:
    """Each module with a clock remembers, while no mutant acts, which of its own would have changed
    their bit, and says so when it ends."""
    return re.sub(r"^module .*?^endmodule", lambda m: _watching(m[0]), netlist, flags=re.M | re.S)


def _watching(module: str) -> str:
    selects = {m[1]: int(m[3], _BASES[m[2]]) for m in _SELECT.finditer(module)}
    muxes = {m[2]: (m[3], m[4]) for m in _MUX.finditer(module) if m[2] in selects}
    assert set(muxes) == set(selects), f"mutants without a bit: {set(selects) - set(muxes)}"
    if not muxes:
        return module
    differ = ", ".join(f"{wrong} != {right}" for wrong, right in muxes.values())
    numbers = " ".join(str(selects[name]) for name in muxes)
    if not re.search(r"^  input clk;", module, re.M):  # perhaps each
        ones = "1" * len(muxes)
        return module.removesuffix("endmodule") + (
            f'  final if ({SELECTED} == 0) $display("{ACTING} {ones} {numbers}");\nendmodule'
        )
    return module.removesuffix("endmodule") + (
        f"  reg [{len(muxes) - 1}:0] {WATCH} = 0;\n"
        f"  always @(posedge clk) if ({SELECTED} == 0) {WATCH} <= {WATCH} | {{{differ}}};\n"
        f'  final if ({SELECTED} == 0) $display("{ACTING} %b {numbers}", {WATCH});\n'
        "endmodule"
    )


def acting(said: str) -> set[int]:
    """The mutants of which a simulator without one said that they would change something."""
    found = set()
    for line in said.splitlines():
        if line.startswith(f"{ACTING} "):
            bits, *numbers = line.split()[1:]
            found |= {int(n) for bit, n in zip(bits, numbers, strict=True) if bit == "1"}
    return found


def _driven(netlist: str, top: str) -> str:
    """The top's input, which yosys leads to each module with mutants, is its number instead."""
    found = re.search(rf"^module {top}\(.*?^endmodule", netlist, re.M | re.S)
    text = re.sub(rf"^  input \[\d+:0\] {SELECTED};\n", "", found[0], flags=re.M)
    text = re.sub(rf"^(module [^;]*?)(, {SELECTED}|{SELECTED}, )", r"\1", text)
    bits = rf"^  wire (\[\d+:0\]) {SELECTED};"
    text = re.sub(bits, rf"  wire \1 {SELECTED} = mutant\1;", text, flags=re.M)
    return switched(netlist[: found.start()] + text + netlist[found.end() :], top)


def _read(row: str, room: str, verilog: Sequence[str]) -> Chosen:
    """Read a mutant from a line that ``mutate -list`` wrote."""
    words = row.split()
    number = int(words[words.index("-ctrl") + 3])
    sources = [words[n + 1] for n, word in enumerate(words) if word == "-src"]
    # The widest part of the source first.
    spans = sorted({_span(src) for src in sources}, key=lambda s: s[0] - s[1])
    lines = tuple(" ".join(verilog[first - 1].split()) for first, _ in spans) or ("?",)
    port = f"{_word(row, 'port')}[{_word(row, 'portbit')}]"
    return Chosen(number, room, _word(row, "module"), _word(row, "mode"), port, lines, row=row)


def _span(src: str) -> tuple[int, int]:
    first, _, last = src.rpartition(":")[2].partition("-")
    return int(first.split(".")[0]), int((last or first).split(".")[0])
