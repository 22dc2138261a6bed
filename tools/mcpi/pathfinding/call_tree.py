# SPDX-License-Identifier: BSD-2-Clause
"""The calls of a recorded invocation, as trees: one for each thread that took part."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from mcpi.firmware.clone import alpha
from mcpi.firmware.clone.path_order import Step
from mcpi.firmware.clone.program import Function
from mcpi.pathfinding.image_code import Code

RETURN = 2  # of a jump's two hint bits
RESUMED = "resumed"  # the call was before the recording


@dataclass(eq=False)
class Node:
    """An activation of a function. ``via``: how it was called; ``index``: the step of its first
    instruction; ``back``: where it returns to, 0 if that was not recorded."""

    function: Function
    via: str
    index: int
    back: int = 0
    parent: "Node | None" = None
    children: list["Node"] = field(default_factory=list)

    def up(self) -> Iterator["Node"]:
        """This one and its callers."""
        node = self
        while node:
            yield node
            node = node.parent

    def walk(self) -> Iterator["Node"]:
        """This one and all below, in the order of their calls."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True)
class Tree:
    """A window's outermost activation, and the activation of each step."""

    root: Node
    steps: list[Step]
    nodes: list[Node]


def read(code: Code, steps: list[Step]) -> Tree:
    """The tree of one window."""
    first = _function(code, steps[0].pc)
    node = Node(first, RESUMED, 0)
    nodes = [node]
    for index, (before, step) in enumerate(zip(steps, steps[1:], strict=False), 1):
        word = code.program.word(before.pc)
        inside = node.function.start <= step.pc < node.function.end
        if alpha.is_call(word) and step.pc != before.pc + 4:
            via = code.call(before.pc)[0]
            node = _called(code, node, via, index, step.pc, before.pc + 4)
        elif alpha.opcode(word) == alpha.JUMP and word >> 14 & 3 == RETURN:
            node = _returned(code, node, index, step.pc)
        elif not inside and (alpha.is_branch(word) or alpha.is_jump(word)):
            # The last call of its function: it returns for both.
            node = _called(code, node, code.call(before.pc)[0], index, step.pc, node.back)
        elif not inside:
            node = Node(_function(code, step.pc), RESUMED, index)
        nodes.append(node)
    return Tree(list(nodes[-1].up())[-1], steps, nodes)


def _function(code: Code, pc: int) -> Function:
    found = code.program.function_at(pc)
    return found or Function(f"{pc:#x}", pc, pc + 4, pc + 4, None)


def _called(code: Code, node: Node, via: str, index: int, pc: int, back: int) -> Node:
    made = Node(_function(code, pc), via, index, back, node)
    node.children.append(made)
    return made


def _returned(code: Code, node: Node, index: int, pc: int) -> Node:
    """The activation that goes on at ``pc``; a new one above all others if its call was earlier."""
    last = node
    for one in node.up():
        last = one
        if one.back == pc and one.parent:
            return _past_tail_calls(one, pc)
    above = Node(_function(code, pc), RESUMED, index)
    last.parent = above
    above.children.append(last)
    return above


def _past_tail_calls(node: Node, pc: int) -> Node:
    while node.parent and node.parent.back == pc and node.back == pc:
        if node.parent.function.start <= pc < node.parent.function.end:
            return node.parent
        node = node.parent
    return node.parent
