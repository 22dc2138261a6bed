# SPDX-License-Identifier: BSD-2-Clause
"""Stack of functions at each issue, from the calls and returns that issue.

BSR, JSR, CALL_PAL ──► a frame more, with its return address
RET, HW_REI        ──► back to the frame whose return address comes next
anything else      ──► the same frame; its function changes with a jump to another one
"""

from collections import Counter
from collections.abc import Iterable

from mcpi.analysis import attribution
from mcpi.analysis.attribution import NOBODY, Cost
from mcpi.analysis.profile import NOTHING, Profile
from mcpi.firmware.clone import alpha
from mcpi.isa import table

CALL_PAL, HW_REI = table.opcodes("call_pal")[0], table.named("hw_rei").opcode
RETURN = 2  # of a jump's two hint bits
Stack = tuple[str, ...]


class Tracker:
    """The frames while instructions issue, outermost first."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._frames: list[tuple[str, int]] = []  # function, return address as a program counter
        self._before: int | None = None
        self.calls: Counter[tuple[str, str]] = Counter()  # caller, callee

    def issue(self, pc: int) -> Stack:
        """The stack at this instruction, which is the next one."""
        function = self._profile.place(pc).function
        word = None if self._before is None else self._word(self._before)
        if word is not None and _calls(word):
            if self._frames:
                self.calls[self._frames[-1][0], function] += 1
            self._frames.append((function, self._before + 4))
        elif word is not None and _returns(word):
            self._back(pc, function)
        elif not self._frames:
            self._frames = [(function, 0)]
        elif self._frames[-1][0] != function:
            self._frames[-1] = function, self._frames[-1][1]
        self._before = pc
        return tuple(name for name, _ in self._frames)

    def _back(self, pc: int, function: str) -> None:
        returns = [at for _, at in self._frames]
        if pc in returns:
            del self._frames[len(returns) - 1 - returns[::-1].index(pc) :]
        else:  # its call was outside the window
            self._frames.clear()
        if not self._frames:
            self._frames = [(function, 0)]

    def _word(self, pc: int) -> int | None:
        return self._profile.places.word(self._profile.place(pc))


def stacks(profile: Profile) -> tuple[dict[Stack, Cost], Counter[tuple[str, str]]]:
    """The costs of the path by the functions that were under way, whose sums are the counters; and
    how often each function called each."""
    tracker = Tracker(profile)
    found = attribution.attribute(profile.segments, tracker.issue)
    costs = {((NOTHING,) if key == NOBODY else key): cost for key, cost in found.items()}
    return costs, tracker.calls


def folded(costs: dict[Stack, Cost], owner: str = "") -> Iterable[tuple[Stack, int]]:
    """Stacks with their ticks (of one owner), the outermost first in the order of names."""
    for stack, cost in sorted(costs.items()):
        if ticks := cost.ticks[owner] if owner else cost.total:
            yield stack, ticks


def _calls(word: int) -> bool:
    return alpha.is_call(word) or alpha.opcode(word) == CALL_PAL


def _returns(word: int) -> bool:
    jump = alpha.opcode(word) == alpha.JUMP and word >> 14 & 3 == RETURN
    return jump or alpha.opcode(word) == HW_REI
