# SPDX-License-Identifier: BSD-2-Clause
"""The guard of a path: which bits of a frame decide where its resolved calls go."""

from dataclasses import dataclass, field

from mcpi.firmware.path_inline import INPUT
from mcpi.pathfinding.bits import union
from mcpi.pathfinding.call_tree import Tree
from mcpi.pathfinding.control_flow import Flow
from mcpi.pathfinding.image_code import Code
from mcpi.pathfinding.members import Path
from mcpi.pathfinding.recording import Recording
from mcpi.pathfinding.taint import BRANCH, Decision, Follower

DROP, STATE, LATER, GUARD = CLASSES = ("drop", "state", "later", "guard")


@dataclass
class Guard:
    """Sets of the frame's bits. ``opens``: those of ``same`` that all recordings have alike, with
    ``frame``, one of them. ``why``: by bits and class, the places of decisions."""

    same: int = 0
    opens: int = 0
    frame: bytes = b""
    why: dict[tuple[str, int], dict[str, None]] = field(default_factory=dict)

    def places(self, of: str, byte: int, mask: int = 0xFF) -> list[str]:
        """Places of the decisions of class ``of`` that have one of these bits of a byte, those by
        the fewest bits first."""
        wanted = mask << 8 * byte
        rows = [(bits.bit_count(), list(places)) for (kind, bits), places in self.why.items()
                if kind == of and bits & wanted]  # fmt: skip
        rows.sort(key=lambda row: row[0])
        return list(dict.fromkeys(place for _, places in rows for place in places))


def find(code: Code, path: Path, recordings: list[tuple[Recording, list[list[Tree]]]]) -> Guard:
    """The guard of a path that these recordings have, each with the trees of its invocations."""
    found, flow = Guard(), Flow(code, path)
    for recording, trees in recordings:
        varying = _varying([one.frame for one in recording.invocations])
        for invocation, threads in zip(recording.invocations, trees, strict=True):
            follower = Follower(code.program, invocation.at, len(invocation.frame))
            for tree in threads:
                last = _last_site(tree, path, flow)
                for one in follower.decisions(tree.steps):
                    kind = _class(one, tree, last, varying, flow)
                    place = f"{tree.nodes[one.index].function.name} {_short(code, one.pc)}"
                    found.why.setdefault((kind, one.bits), {}).setdefault(place)
                    found.same |= one.bits if kind == GUARD else 0
    frames = [one.frame for recording, _ in recordings for one in recording.invocations]
    found.frame = frames[0]
    differing = _varying(frames)
    for byte in range(len(found.frame)):
        mask = 0xFF << 8 * byte
        if not differing & mask:
            found.opens |= found.same & mask
    return found


def _short(code: Code, pc: int) -> str:
    file, line = code.place(pc)
    return f"{file.rpartition('/')[2]}:{line}"


def _varying(frames: list[bytes]) -> int:
    """Bits that differ between frames."""
    numbers = [int.from_bytes(frame, "little") for frame in frames]
    return union(number ^ numbers[0] for number in numbers)


def _last_site(tree: Tree, path: Path, flow: Flow) -> int:
    """The step of the last resolved call of the input in a thread; -1 if it has none."""
    calls = (n for n, step in enumerate(tree.steps) if step.pc in flow.sites)
    return max((n for n in calls if path.kinds.get(tree.nodes[n]) == INPUT), default=-1)


def _class(one: Decision, tree: Tree, last: int, varying: int, flow: Flow) -> str:
    if one.index >= last:
        return LATER
    if one.kind == BRANCH and one.index + 1 < len(tree.steps):
        other = flow.other_side(one.pc, tree.steps[one.index + 1].pc)
        if not flow.reaches_site(other, tree.nodes[one.index]):
            return DROP
    return STATE if one.bits & varying else GUARD
