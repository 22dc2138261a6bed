# SPDX-License-Identifier: BSD-2-Clause
"""Block RAMs that a design takes of an ECP5, counted in its Verilog before yosys begins.

yosys puts a memory that is read by a clock into block RAM if that is cheaper than logic cells, and
makes a copy for each reader. Words that are written side by side are one wide word, and so are
those that are read side by side. Of dec3000-600's node this counts the 67 that yosys makes
(synthesis.md).
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from mcpi.base.errors import UserError
from mcpi.machine.boards import Board
from mcpi.machine.reserved_luts import size

DEVICES = {"25k": 56, "45k": 108, "85k": 208}  # block RAMs of a device
SHAPES = (1, 2, 4, 9, 18, 36)  # bits of a word: 16,384 of one bit, 512 of 36
_COST, _CELL, _CELL_BITS = 128, 4, 64  # yosys: of a block RAM; of a logic cell's RAM, 16 x 4 bits
_MODULE = re.compile(r"^module (\w+) \(.*?^endmodule", re.M | re.S)
_INSTANCE = re.compile(r"^  (\w+) (\w+) \(\n", re.M)
_MEMORY = re.compile(r"^  (?:\(\* (.*?) \*\) )?reg \[(\d+):0\] (\w+) \[0:(\d+)\];", re.M)


def _shape(width: int, depth: int) -> int:
    """Block RAMs of ``depth`` words of ``width`` bits."""
    deep = {bits: 16384 // bits if bits < 9 else 18432 // bits for bits in SHAPES}
    return min(-(-width // bits) * -(-depth // deep[bits]) for bits in SHAPES)


def _memories(module: str) -> Iterator[tuple[str, int]]:
    """The memories of a module that lie in block RAM, and how many each takes."""
    for attributes, high, name, last in _MEMORY.findall(module):
        readers = len(re.findall(rf"<= {name}\[", module))
        if "distributed" in attributes or not readers:
            continue
        width, depth = int(high) + 1, int(last) + 1
        beside = max(len(re.findall(rf"^ *{name}\[[^]]*\](?:\[[^]]*\])? <=", module, re.M)), 1)
        many = _shape(width * beside, -(-depth // beside))
        cells = -(-width // 4) * -(-depth // 16)
        if "block" in attributes or cells * _CELL >= many * _COST:
            yield name, many * (readers // beside + readers % beside)


def of(verilog: str, top: str) -> Counter[str]:
    """Block RAMs by place in the design, as ``node.core.fetch.data``."""
    texts = {match[1]: match[0] for match in _MODULE.finditer(verilog)}
    found: Counter[str] = Counter()

    def walk(kind: str, place: str) -> None:
        for name, many in _memories(texts[kind]):
            found[f"{place}{name}"] += many
        for below, instance in _INSTANCE.findall(texts[kind]):
            if below in texts and below != "module":
                walk(below, f"{place}{instance}.")

    walk(top, "")
    return found


def there(board: Board) -> int:
    """Block RAMs of a board's device."""
    return DEVICES[size(board.device[0])]


def check(board: Board, machine: str, found: Mapping[str, int]) -> None:
    """UserError if the board has fewer than ``found``."""
    total = sum(found.values())
    if total <= there(board):
        return
    most = sorted(found.items(), key=lambda item: -item[1])[:4]
    said = ", ".join(f"{place} {many}" for place, many in most)
    raise UserError(
        f"machine {machine}: it takes {total} block RAMs, and the {board.title} has "
        f"{there(board)}. The largest: {said}. Take smaller caches, a smaller b-cache, or fewer "
        f"frames in boards/{board.name}/board.toml."
    )
