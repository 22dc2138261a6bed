# SPDX-License-Identifier: BSD-2-Clause
"""Outlining, as the paper's compiler did it: annotated code goes to the end of its function.

Works on the compiler's assembly. ``PREDICT_FALSE`` and ``PREDICT_TRUE`` (xkernel/switches.h) leave
the comment MARK where the unlikely way begins. Blocks that can be reached only past a mark move
behind the others, both in their old order; where a block has lost the one that followed it, its
branch is turned round or one is added. Nothing else changes: no block moves without an annotation.

The first moved block gets the local label ``<function>.cold``. Another order of a function's blocks
is that of a profile (``blocks/order.py``).
Run as ``python -m mcpi.firmware.outline IN.s OUT.s``.
"""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

MARK = "# outline: unlikely"
INVERSE = {"beq": "bne", "blt": "bge", "ble": "bgt", "blbc": "blbs"}
INVERSE |= {b: a for a, b in INVERSE.items()}
LABEL = re.compile(r"(\$L\d+):")
CONDITIONAL = re.compile(r"\t(b(?:eq|ne|lt|ge|le|gt|lbc|lbs))\s+(\$\w+),(\$L\d+)$")
JUMP = re.compile(r"\tbr\s+\$31,(\$L\d+)$")
STOP = re.compile(r"\t(ret|jmp|br)\s")
LOCATION = re.compile(r"\t\.loc\s")
INSTRUCTION = re.compile(r"\t[a-z]")
END = re.compile(r"\$LFE\d+:|\t\.cfi_endproc|\t\.end\s")
ASM_BEGIN, ASM_END = [".set", "macro"], [".set", "nomacro"]


@dataclass
class Block:
    """Lines up to the first branch, or to the next label that is branched to."""

    name: str
    location: str = ""  # .loc in force at its start
    lines: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    solid: bool = False  # more than labels and directives
    unlikely: bool = False
    ends: bool = False  # with a branch
    falls: bool = True  # may run into the block behind it
    target: str = ""

    def label(self) -> str:
        """A label to branch to; made when there is none."""
        if not self.labels:
            self.labels.append(f"$Lout.{self.name}")
            self.lines.insert(0, f"{self.labels[0]}:")
        return self.labels[0]


# Blocks of a function that stay, in their new order, and those that move behind them; None: the
# function is left as it is.
Order = Callable[[str, list[Block]], tuple[list[Block], list[Block]] | None]


def annotated(_: str, blocks: list[Block]) -> tuple[list[Block], list[Block]] | None:
    """The order by annotations."""
    if not any(b.unlikely for b in blocks):
        return None
    likely = _reached(blocks)
    stay = [b for i, b in enumerate(blocks) if i in likely]
    return stay, [b for i, b in enumerate(blocks) if i not in likely]


def outline(text: str, order: Order = annotated) -> str:
    """The assembly with the code of every function in this order."""
    out, body, inside = [], [], ""
    for line in text.splitlines():
        if line.startswith("\t.cfi_"):
            continue  # describes the old order; only debuggers would miss it
        if line.startswith("\t.file "):
            out.append(line)  # a file's number must be there before it is used
            continue
        if inside and END.match(line):
            out += _function(body, inside, order)
            inside, body = "", []
        (body if inside else out).append(line)
        if line.startswith("\t.ent "):
            inside = line.split()[1]
    return "\n".join(out) + "\n"


def _function(lines: list[str], name: str, how: Order) -> list[str]:
    blocks = split(lines, name)
    if (found := how(name, blocks)) is None:
        return lines
    stay, moved = found
    order = stay + moved
    old = {b.name: after for b, after in zip(blocks, [*blocks[1:], None], strict=True)}
    new = {b.name: after for b, after in zip(order, [*order[1:], None], strict=True)}
    home = {label: b.name for b in blocks for label in b.labels}
    for b in blocks:
        if b.falls and old[b.name] and old[b.name] is not new[b.name]:
            old[b.name].label()
    if moved:
        moved[0].lines.insert(0, f"{name}.cold:")
    return [line for b in order for line in _joined(b, old[b.name], new[b.name], home)]


def split(lines: list[str], function: str) -> list[Block]:
    """The blocks of a function's assembly, in their order there."""
    branched_to = {m[m.lastindex] for line in lines if (m := _branch(line))}
    location, by_hand = "", False
    blocks = [Block(f"{function}.0")]
    for line in lines:
        label = LABEL.match(line)
        used = label and label[1] in branched_to
        if blocks[-1].ends or (used and blocks[-1].solid):
            blocks.append(Block(f"{function}.{len(blocks)}", location))
        block = blocks[-1]
        block.lines.append(line)
        setting = line.split()
        by_hand = setting == ASM_BEGIN or (by_hand and setting != ASM_END)
        block.solid |= by_hand or bool(INSTRUCTION.match(line))
        if used:
            block.labels.append(label[1])
        elif line.strip() == MARK:
            block.solid = block.unlikely = True
        elif LOCATION.match(line):
            location = line
        elif not by_hand and ((branch := _branch(line)) or STOP.match(line)):
            block.ends = True
            block.falls = bool(CONDITIONAL.match(line))
            block.target = branch[branch.lastindex] if branch else ""
    return blocks


def _branch(line: str) -> re.Match[str] | None:
    return CONDITIONAL.match(line) or JUMP.match(line)


def _reached(blocks: list[Block]) -> set[int]:
    """The blocks that can be reached from the entry without passing a mark."""
    home = {label: i for i, b in enumerate(blocks) for label in b.labels}
    reached, waiting = set(), [0]
    while waiting:
        i = waiting.pop()
        b = blocks[i]
        if i in reached or b.unlikely:
            continue
        reached.add(i)
        if b.target:
            waiting.append(home[b.target])
        if b.falls and i + 1 < len(blocks):
            waiting.append(i + 1)
    return reached


def _joined(
    b: Block, follower: Block | None, after: Block | None, home: dict[str, str]
) -> list[str]:
    """The block's lines, so that its follower still follows though ``after`` lies behind it."""
    lines = [] if _begins_with_location(b) or not b.location else [b.location]
    lines += b.lines
    to_after = bool(b.target and after and home[b.target] == after.name)
    if not b.falls and to_after:
        lines.pop()  # it would jump to the next instruction
    elif b.falls and follower and after is not follower:
        if to_after:
            operation, register, _ = CONDITIONAL.match(lines[-1]).groups()
            lines[-1] = f"\t{INVERSE[operation]}\t{register},{follower.label()}"
        else:
            lines.append(f"\tbr\t$31,{follower.label()}")
    return lines


def _begins_with_location(b: Block) -> bool:
    first = next((x for x in b.lines if LOCATION.match(x) or INSTRUCTION.match(x)), "")
    return bool(LOCATION.match(first))


def main() -> None:
    source, target = map(Path, sys.argv[1:])
    target.write_text(outline(source.read_text()))


if __name__ == "__main__":
    main()
