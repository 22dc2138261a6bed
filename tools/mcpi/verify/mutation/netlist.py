# SPDX-License-Identifier: BSD-2-Clause
"""One simulator with all mutants of a block: environment variable MCPI_MUTANT says which one acts.

yosys chooses them (``mutate -list``: even over cells, wires and lines of the source) and puts each
behind an input of the top. That input becomes the number here.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mcpi.base import yosys
from mcpi.base.repo import BUILD
from mcpi.hdl import cocotb_run
from mcpi.verify.mutation.rooms import Room
from mcpi.verify.verilog_mutants import switched

SELECTED = "mutant_selected"
# What decides nothing is gone: a mutant of it would be none.
PREPARED = "proc -norom\nopt_expr -mux_undef\nopt -full\nwreduce\nopt -full"


@dataclass(frozen=True)
class Chosen:
    """A mutant: ``mode`` is const0, const1, inv, cnot0 or cnot1. ``lines``: of the Verilog, those
    its cell was made of, inner ones last."""

    number: int
    room: str
    module: str
    mode: str
    port: str
    lines: tuple[str, ...]

    @property
    def title(self) -> str:
        return f"{self.module}: {self.mode} at {self.port} of {self.lines[-1]}"


def make(rooms: Sequence[Room], count: int, seed: int) -> tuple[Path, list[Chosen]]:
    """Verilog of the rooms' block with ``count`` mutants of each room, and which they are; the
    machine's JSON is beside it."""
    top = rooms[0].top
    source = cocotb_run.elaborate(top)
    folder = BUILD / "mutation" / f"{source.parent.name}-{count}-{seed}"
    path, lists = folder / f"{top}.v", [f"{room.name}.list" for room in rooms]
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "machine.json").write_bytes(source.with_name("machine.json").read_bytes())
        (folder / "right.v").write_bytes(source.read_bytes())
        (folder / "mutate.ys").write_text(_script(rooms, lists, count, seed))
        yosys.run(yosys.YOSYS, ["-s", "mutate.ys"], folder, "yosys.log")
        stage = path.with_suffix(".new")
        stage.write_text(_driven((folder / "netlist.v").read_text(), top))
        stage.rename(path)
    verilog = (folder / "right.v").read_text().splitlines()
    return path, [
        _read(row, room.name, verilog)
        for room, name in zip(rooms, lists, strict=True)
        for row in (folder / name).read_text().splitlines()
    ]


def _script(rooms: Sequence[Room], lists: Sequence[str], count: int, seed: int) -> str:
    width = (len(rooms) * count).bit_length()
    steps = [f"read_verilog -sv right.v\nhierarchy -top {rooms[0].top}\n{PREPARED}"]
    for n, (room, name) in enumerate(zip(rooms, lists, strict=True)):
        ctrl = f"-ctrl {SELECTED} {width} {1 + n * count}"
        steps.append(f"select -set room {' '.join(room.modules)}")
        steps.append(f"mutate -list {count} -seed {seed} {ctrl} -o {name} @room")
    steps += [f"script {name}" for name in lists]
    return "\n".join([*steps, "write_verilog -noattr netlist.v"]) + "\n"


def _driven(netlist: str, top: str) -> str:
    """The top's input, which yosys leads to each module with mutants, is its number instead."""
    found = re.search(rf"^module {top}\(.*?^endmodule", netlist, re.M | re.S)
    text = re.sub(rf"^  input \[\d+:0\] {SELECTED};\n", "", found[0], flags=re.M)
    text = re.sub(rf"^(module [^;]*?)(, {SELECTED}|{SELECTED}, )", r"\1", text)
    bits = rf"^  wire (\[\d+:0\]) {SELECTED};"
    text = re.sub(bits, rf"  wire \1 {SELECTED} = mutant\1;", text, flags=re.M)
    return switched(netlist[: found.start()] + text + netlist[found.end() :], top)


def _read(row: str, room: str, verilog: Sequence[str]) -> Chosen:
    """Of a line that ``mutate -list`` wrote."""
    words = row.split()
    told: dict[str, list[str]] = {}
    for n, word in enumerate(words):
        if re.fullmatch(r"-[a-z]+", word):
            told.setdefault(word[1:], []).append(words[n + 1])
    number = int(words[words.index("-ctrl") + 3])
    # The widest part of the source first.
    spans = sorted({_span(src) for src in told.get("src", [])}, key=lambda s: s[0] - s[1])
    lines = tuple(" ".join(verilog[first - 1].split()) for first, _ in spans) or ("?",)
    port = f"{told['port'][0].lstrip(chr(92))}[{told['portbit'][0]}]"
    return Chosen(number, room, told["module"][0].lstrip(chr(92)), told["mode"][0], port, lines)


def _span(src: str) -> tuple[int, int]:
    first, _, last = src.rpartition(":")[2].partition("-")
    return int(first.split(".")[0]), int((last or first).split(".")[0])
