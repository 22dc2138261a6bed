# SPDX-License-Identifier: BSD-2-Clause
"""Which functions become part of a path's input and output, which calls have one target, and why a
function is left out."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from mcpi.base.errors import UserError
from mcpi.firmware.c_functions import Item
from mcpi.firmware.path_inline import CALLS, INPUT, OUTPUT, POINTER, Place
from mcpi.pathfinding.call_tree import RESUMED, Node, Tree
from mcpi.pathfinding.image_code import Code, base_name

DOWN = ("xPush", "xCall")  # operations on a message's way out
MARKED = ("MARK_OPEN", "MARK_CLOSE")
Invocation = list[Tree]
Call = tuple[str, str]  # folder, operation


@dataclass
class Path:
    """``entries``: by kind, the function that is replaced. ``inline``: by kind, the places in the
    order in which they are first executed. ``calls``: the target of each call, and ``several``:
    the targets of those that had more. ``left_out``: places, with the reason. ``code``: addresses
    of what each place has of the executed code. ``kinds``: the part of each activation.
    ``pointers``: its functions call each other through pointers, not by the uniform interface."""

    entries: dict[str, Place]
    pointers: bool = False
    inline: dict[str, dict[Place, None]] = field(default_factory=dict)
    calls: dict[Call, str] = field(default_factory=dict)
    several: dict[Call, tuple[str, ...]] = field(default_factory=dict)
    left_out: dict[Place, str] = field(default_factory=dict)
    code: dict[Place, set[int]] = field(default_factory=dict)
    kinds: dict[Node, str] = field(default_factory=dict)

    def may_resolve(self, via: str) -> bool:
        """Return true for calls whose target the path can know."""
        return via in CALLS or (self.pointers and via.startswith(POINTER))

    def bytes(self, place: Place) -> int:
        """Size of the executed code of a function."""
        return 4 * len(self.code.get(place, ()))


def place_of(code: Code, node: Node) -> Place:
    return code.file_of(node.function), base_name(node.function)


def entries(code: Code, trees: Invocation) -> Path:
    """Where input and output of an invocation begin: a path without more. UserError if there is
    none."""
    into = _input_root(code, trees)
    pointers = into.via != "xDemux"
    out = _thread_root(code, trees) if pointers else _output_root(code, trees, into)
    return Path({INPUT: place_of(code, into), OUTPUT: place_of(code, out)}, pointers)


def _input_root(code: Code, trees: Invocation) -> Node:
    nodes = [node for tree in trees for node in tree.root.walk()]
    for node in nodes:
        if node.via == "xDemux" and code.room_of(node.parent.function) not in code.rooms:
            return node
    for node in nodes:
        if node.via == "indirect" and node.parent and _can_begin(code, node):
            return node
    entered = trees[0].root.function.name
    raise UserError(
        f"the path is not entered through xDemux or another pointer: {entered} does not hand its "
        "frames to a protocol of the graph, so no function of the path can stand in for another."
    )


def _can_begin(code: Code, node: Node) -> bool:
    """Return true if the linker can replace the function, and the path can have a copy."""
    file, name = place = place_of(code, node)
    if file.partition("/")[0] not in code.rooms or _is_static(code, place):
        return False
    return code.is_named_elsewhere(name, file) and not refusal(code, place)


def _thread_root(code: Code, trees: Invocation) -> Node:
    """The thread's outermost function that can begin a path, of the protocol that sends."""
    for tree in trees:
        for push in (node for node in tree.root.walk() if node.via in DOWN):
            own = [one for one in push.up() if one.parent and _rooms_alike(code, one, push.parent)]
            for node in reversed(own):
                if _can_begin(code, node):
                    return node
    raise UserError("the path sends nothing: no xPush follows its input.")


def _output_root(code: Code, trees: Invocation, into: Node) -> Node:
    """The root of the thread that sends; or the first function at an xPush, a caller of it or one
    below it, that the linker can replace."""
    for tree in trees:
        pushes = [node for node in tree.root.walk() if node.via in DOWN]
        if not pushes:
            continue
        if into not in pushes[0].up():
            return tree.root
        push = next((node for node in pushes if node.via == "xPush"), pushes[0])
        above = _callers(push)
        below = [node for node in push.walk() if node is not push and node.via == "xPush"]
        for node in (*above, *below):
            file, name = place_of(code, node)
            if not _is_static(code, (file, name)) and code.is_named_elsewhere(name, file):
                return node
    raise UserError("the path sends nothing: no xPush follows its input.")


def _rooms_alike(code: Code, one: Node, other: Node) -> bool:
    return code.room_of(one.function) == code.room_of(other.function)


def _callers(node: Node) -> Iterator[Node]:
    """This one, and its callers as long as they call by name or send too."""
    for one in node.up():
        yield one
        if one.via not in ("direct", *DOWN):
            return


def _item(code: Code, place: Place) -> Item | None:
    source = code.source(place[0])
    return source.function(place[1]) if source else None


def _is_static(code: Code, place: Place) -> bool:
    item = _item(code, place)
    return item is None or item.is_static


def find(code: Code, invocations: list[Invocation], begin: Path, room: int) -> Path:
    """The path of these invocations, which all begin where ``begin`` does. ``room``: bytes of the
    I-cache."""
    path = Path(begin.entries, begin.pointers)
    targets: dict[Call, Counter] = {}
    for trees in invocations:
        for tree in trees:
            for node in tree.root.walk():
                if path.may_resolve(node.via) and node.parent and node.parent.function:
                    call = code.room_of(node.parent.function), node.via
                    targets.setdefault(call, Counter())[base_name(node.function)] += 1
    for call, counted in sorted(targets.items()):
        if call[0] not in code.rooms:
            continue
        if len(counted) > 1:
            path.several[call] = tuple(sorted(counted))
        else:
            path.calls[call] = next(iter(counted))
    while _selected(code, invocations, path):
        pass
    _cut(code, invocations, path, room)
    inlined = {place for places in path.inline.values() for place in places}
    rooms, names = ({p[0].partition("/")[0] for p in inlined}, {p[1] for p in inlined})
    path.calls = {c: name for c, name in path.calls.items() if c[0] in rooms and name in names}
    path.several = {c: names for c, names in path.several.items() if c[0] in rooms}
    return path


def _selected(code: Code, invocations: list[Invocation], path: Path) -> bool:
    """Fill ``inline``; True if another function had to be left out, and all begins again."""
    path.inline, path.kinds, path.code = {INPUT: {}, OUTPUT: {}}, {}, {}
    for trees in invocations:
        entered: Counter[tuple[str, Place]] = Counter()
        for tree in trees:
            _mark(code, tree.root, "", path)
        for tree in trees:
            for node in tree.root.walk():
                if kind := path.kinds.get(node):
                    place = place_of(code, node)
                    entered[kind, place] += node.via != RESUMED
                    if reason := refusal(code, place):
                        return _leave_out(path, place, reason)
                    if entered[kind, place] > 1:
                        return _leave_out(path, place, "entered more than once in an invocation")
            for step, node in zip(tree.steps, tree.nodes, strict=True):
                if kind := path.kinds.get(node):
                    _cover(code, step.pc, node, kind, path)
    return False


def _leave_out(path: Path, place: Place, reason: str) -> bool:
    if place in path.entries.values():
        raise UserError(f"the path begins with {place[1]} of {place[0]}, which is {reason}.")
    path.left_out[place] = reason
    return True


def _mark(code: Code, node: Node, above: str, path: Path) -> None:
    """Say of each activation whether it is part of the input or of the output."""
    place, kind = place_of(code, node), ""
    if place == path.entries[OUTPUT]:
        kind = OUTPUT
    elif place == path.entries[INPUT]:
        kind = INPUT
    elif above and node.via in ("direct", RESUMED):
        kind = above
    elif above and path.may_resolve(node.via):
        call = code.room_of(node.parent.function), node.via
        kind = above if call in path.calls else ""
    if kind and (place[0].partition("/")[0] not in code.rooms or place in path.left_out):
        kind = ""
    if kind:
        path.kinds[node] = kind
    for child in node.children:
        _mark(code, child, kind, path)


def _cover(code: Code, pc: int, node: Node, kind: str, path: Path) -> None:
    """Count an executed instruction for the function of the sources that it comes from: the
    activation's, or a static one that the compiler has put into it."""
    own = place_of(code, node)
    found = code.item(pc)
    place = (found[0], found[1].name) if found and found[0] == own[0] else own
    if place in path.left_out:
        place = own
    elif place != own and (reason := refusal(code, place)):
        path.left_out[place] = reason
        place = own
    path.inline[kind].setdefault(own)
    path.inline[kind].setdefault(place)
    path.code.setdefault(place, set()).add(pc)


def refusal(code: Code, place: Place) -> str:
    """Why a function cannot be copied into a path; "" if it can."""
    if place not in code.refusals:
        code.refusals[place] = _refusal(code, place)
    return code.refusals[place]


def _refusal(code: Code, place: Place) -> str:
    source = code.source(place[0])
    if source is None:
        return "in a file with conditions within a definition"
    item = source.function(place[1])
    if item is None:
        return "no function of that file's text"
    if any(word in item.words() for word in MARKED):
        return "where the path's window opens or closes"
    seen, waiting = set(), [item]
    while waiting:
        one = waiting.pop()
        seen.add(one.name)
        for word in one.words():
            there = next((i for i in source.items if i.declares(word) and i.is_static), None)
            if there and there.kind == "variable":
                return f"with the static variable {word}"
            if there and there.kind == "function" and word not in seen:
                waiting.append(there)
    return ""


def _cut(code: Code, invocations: list[Invocation], path: Path, room: int) -> None:
    """While the executed code is larger than the I-cache, make a call of what is there twice."""
    while 4 * sum(map(len, path.code.values())) > room:
        twice = [place for place in path.inline[INPUT] if place in path.inline[OUTPUT]]
        if not twice:
            return
        largest = max(twice, key=lambda place: (path.bytes(place), place))
        path.left_out[largest] = "in input and output, and the path is larger than the I-cache"
        while _selected(code, invocations, path):
            pass
