# SPDX-License-Identifier: BSD-2-Clause
"""Two copies of a block in a property module (``sby.py``), of which one can be given fewer clocks.

``stopping`` gives every module of the Verilog an input ``given``: in a clock without it no register
moves. Two macros compare the copies, instances ``first`` and ``second``:

- ```same(place)`` asserts that every register below ``place`` that moves in ticks is equal in both,
  if it begins so;
- ```tied(place, when, wires…)`` assumes that wires are, as cut ones of equal parts are.

A register moves in ticks if its process has an enable of its own, as SpinalHDL writes it.
"""

import re
from collections.abc import Iterable, Iterator

_HEAD = re.compile(r"^module (\w+) \(\n", re.M)
_PROCESS = re.compile(r"always @\(posedge clk\) begin")
_PROCESSES = re.compile(
    r"^  always @\(posedge clk\) (?:if \(given\) )?begin\n(.*?)^  end\n", re.M | re.S
)
_TICKED = re.compile(r"    if\((?:_zz_\d+|(?:_zz_\w*)?clockEnabled\w*)\) begin\n")
_CLEARED = re.compile(
    r"^ *(\w+) <= \((?:.* && \(! tick\)|[^|\n]*\(! tick\)[^|\n]*|! tick)\);", re.M
)
_TARGET = re.compile(r"^ *(\w+)(?:\[[^=;]*\])? <= ", re.M)
_SAME = re.compile(r"^ *`same\(([\w.]+)(?:, *but ([\w.,\s]+?))?\)\n", re.M)
_TIED = re.compile(r"^ *`tied\(([\w.]+), *([\w!]+), *([\w, \n]+)\)\n", re.M)


def module(verilog: str, name: str) -> str:
    """Text of a module; empty if there is none."""
    found = re.search(rf"^module {name} \(.*?^endmodule", verilog, re.M | re.S)
    return found[0] if found else ""


def instances(verilog: str, text: str) -> Iterator[tuple[str, str]]:
    """Instance and module of each instance in the text of a module."""
    names = set(_HEAD.findall(verilog))
    for kind, name in re.findall(r"^  (\w+) (\w+) \((?:\.given\(given\),)?\n", text, re.M):
        if kind in names and kind != "module":
            yield name, kind


def stopping(verilog: str) -> str:
    """The same with an input ``given`` of every module, without which nothing moves."""
    names = "|".join(_HEAD.findall(verilog))
    verilog = re.sub(rf"^  ({names}) (\w+) \(\n", r"  \1 \2 (.given(given),\n", verilog, flags=re.M)
    verilog = _HEAD.sub(r"module \1 (\n  input  wire          given,\n", verilog)
    return _PROCESS.sub("always @(posedge clk) if (given) begin", verilog)


def registers(verilog: str, kind: str, but: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
    """Path of each register of module ``kind``, below instances too, and when it moves: ``tick``,
    ``clock``, or ``cleared``: in every clock, and a tick clears it. Without registers or instances
    named ``but``."""
    text = module(verilog, kind)
    skipped = set(but)
    arrays = set(re.findall(r"^ .*\breg +(?:\[[^]]*\] *)?(\w+) +\[", text, re.M))
    found: dict[str, str] = {}
    for process in _PROCESSES.findall(text):
        moves = "tick" if _TICKED.match(process) else "clock"
        found |= {name: moves for name in _TARGET.findall(process) if name not in arrays}
        if moves == "clock":
            found |= dict.fromkeys(_CLEARED.findall(process), "cleared")
    yield from ((name, moves) for name, moves in found.items() if name not in skipped)
    for name, below in instances(verilog, text):
        if name not in skipped:
            inside = [n.removeprefix(f"{name}.") for n in skipped if n.startswith(f"{name}.")]
            for path, moves in registers(verilog, below, inside):
                yield f"{name}.{path}", moves


def _inside(verilog: str, kind: str, place: str) -> str:
    """Module of the instance at ``place`` below module ``kind``."""
    for part in filter(None, place.split(".")):
        kind = dict(instances(verilog, module(verilog, kind)))[part]
    return kind


def _wires(verilog: str, kind: str, path: str) -> tuple[str, str, str]:
    """Declarations of the two wires of ``path``, and their names."""
    place, _, name = path.rpartition(".")
    text = module(verilog, _inside(verilog, kind, place))
    found = re.search(rf"\b(?:wire|reg)\s+(\[[^]]*\])?\s*{name}\b", text)
    width = f"{found[1]} " if found and found[1] else ""
    names = [f"{copy}__{path.replace('.', '__')}" for copy in ("first", "second")]
    lines = [
        f"  wire {width}{wire} = {copy}.{path};\n"
        for wire, copy in zip(names, ("first", "second"), strict=True)
    ]
    return "".join(lines), *names


def compared(text: str, block: str, verilog: str) -> str:
    """The text of a property module with ``same`` and ``tied`` written out."""

    def same(match: re.Match) -> str:
        place = match[1]
        kind = _inside(verilog, block, "" if place == "all" else place)
        prefix = "" if place == "all" else f"{place}."
        lines = []
        for path, moves in registers(verilog, kind, re.split(r"[,\s]+", match[2] or "")):
            declared, first, second = _wires(verilog, block, prefix + path)
            lines.append(f"{declared}  always @* if (reset) assume ({first} == {second});\n")
            if moves == "tick":
                lines.append(f"  else assert ({first} == {second});\n")
            if moves == "cleared":
                lines.append(f"  else assert ((first_stands || {first} == 0) &&\n")
                lines.append(f"    (second_stands || {second} == 0));\n")
        return "".join(lines)

    def tied(match: re.Match) -> str:
        lines = []
        for name in re.split(r"[,\s]+", match[3].strip()):
            declared, first, second = _wires(verilog, block, f"{match[1]}.{name}")
            lines.append(f"{declared}  always @* assume (!({match[2]}) || {first} == {second});\n")
        return "".join(lines)

    return _TIED.sub(tied, _SAME.sub(same, text))
