# SPDX-License-Identifier: BSD-2-Clause
"""Where an image's control can go from an instruction, to see whether a resolved call is there."""

from collections.abc import Iterable

from mcpi.firmware.clone import alpha
from mcpi.firmware.path_inline import INPUT, POINTER
from mcpi.pathfinding.call_tree import RETURN, Node
from mcpi.pathfinding.image_code import Code, base_name
from mcpi.pathfinding.members import Path


class Flow:
    """The control flow of an image, and the resolved calls of a path's input in it."""

    def __init__(self, code: Code, path: Path) -> None:
        self._code, self._path = code, path
        functions = code.program.functions.values()
        self._input = [f for f in functions if self._place(f) in path.inline[INPUT]]
        self.sites = {
            pc for f in self._input for pc in range(f.start, f.end, 4) if self._site(f, pc)
        }
        # Functions of the input from which, by calls of each other by name, a site is reached.
        self._leading = {f.start for f in self._input if self.sites & set(range(f.start, f.end, 4))}
        while more := {f.start for f in self._input if self._calls(f)} - self._leading:
            self._leading |= more

    def _place(self, function) -> tuple[str, str]:
        return self._code.file_of(function), base_name(function)

    def _site(self, function, pc: int) -> bool:
        if alpha.opcode(self._code.program.word(pc)) != alpha.JUMP:
            return False
        kind = self._code.call(pc)[0]
        if kind.startswith(POINTER):
            return False  # the path compares the pointer itself
        return self._path.calls.get((self._code.room_of(function), kind)) in {
            name for _, name in self._path.inline[INPUT]
        }

    def _calls(self, function) -> bool:
        return any(
            self._code.call(pc)[1] in self._leading
            for pc in range(function.start, function.end, 4)
            if alpha.is_call(self._code.program.word(pc))
        )

    def other_side(self, pc: int, taken: int) -> int:
        """Where a conditional branch goes that has gone to ``taken``."""
        target = alpha.branch_target(self._code.program.word(pc), pc)
        return target if taken == pc + 4 else pc + 4

    def reaches_site(self, start: int, node: Node) -> bool:
        """Return true if a site can be reached from ``start``, an instruction of the activation
        ``node``, before the input returns to where it was called from."""
        for one in node.up():
            found, returns = self._within([start], one)
            if found:
                return True
            if not returns or one.parent is None or not one.back:
                return False
            if self._path.kinds.get(one) == INPUT and not self._path.kinds.get(one.parent):
                return False  # it was the input's entry
            start = one.back
        return False

    def _within(self, starts: Iterable[int], node: Node) -> tuple[bool, bool]:
        """Can a site be reached within the function, and can its end be?"""
        function, program = node.function, self._code.program
        waiting, seen, returns = list(starts), set(), False
        while waiting:
            pc = waiting.pop()
            if pc in seen or not program.holds(pc):
                continue
            if not function.start <= pc < function.end:
                # A jump to another function's code, which returns in this one's place.
                if self._leads(pc):
                    return True, True
                returns = True
                continue
            seen.add(pc)
            word = program.word(pc)
            if pc in self.sites:
                return True, True
            if alpha.is_call(word):
                if self._leads(self._code.call(pc)[1]):
                    return True, True
                waiting.append(pc + 4)
            elif alpha.opcode(word) == alpha.JUMP:
                if word >> 14 & 3 != RETURN and self._leads(self._code.call(pc)[1]):
                    return True, True
                returns = True
            elif alpha.is_branch(word):
                waiting.append(alpha.branch_target(word, pc))
                if alpha.opcode(word) not in (alpha.BR, alpha.BSR):
                    waiting.append(pc + 4)
            else:
                waiting.append(pc + 4)
        return False, returns

    def _leads(self, target: int | None) -> bool:
        """Return true if a call of that target can come to a site."""
        found = self._code.program.function_at(target) if target else None
        return bool(found and found.start in self._leading)
