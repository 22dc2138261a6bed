# SPDX-License-Identifier: BSD-2-Clause
"""Path-inlining: one C file with the functions of a stack's path, made of the protocols' sources.

``firmware/paths/<stack>.toml`` says where the path goes: which function gets each call of the
uniform interface, and which functions become part of the input and of the output function. Their
text is copied; what they call besides stays a call, of a copy if it is static, else of the function
itself. docs/explanation/variants.md has the schema and the reasons.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.repo import FIRMWARE
from mcpi.firmware import c_functions
from mcpi.firmware.c_functions import Item, Source
from mcpi.firmware.rooms import room_of

PATHS = FIRMWARE / "paths"
INPUT, OUTPUT = "input", "output"
CALLS = ("xPop", "xDemux", "xPush", "xCall", "xCallDemux", "xCallPop")
POINTER = "->"  # before the member through which a call goes: "->output"
_THROUGH = re.compile(r"((?:\b\w+(?:->|\.))*\b\w+->)(\w+)\(")
FRAME_OFFSET = 2  # of a received frame in its first quadword (xkernel/message/msg.h)
Place = tuple[str, str]  # room/file.c, function
HEADER = FIRMWARE / "xkernel" / "path.h"
MADE = "Made by tools/mcpi/firmware/path_inline.py of firmware/paths"


@dataclass(frozen=True)
class Unit:
    """The C text, and what the linker must be told so that it is used."""

    text: str
    flags: tuple[str, ...]


def specification(stack: str, role: str, folder: str = "") -> Path | None:
    """A path for both roles, or this one's, or none. ``folder``: of paths that were found, in the
    place of firmware/paths."""
    name, place = Path(stack).stem, Path(folder) if folder else PATHS
    found = [p for p in (place / f"{name}-{role}.toml", place / f"{name}.toml") if p.is_file()]
    return found[0] if found and (folder or name == stack) else None


def unit(path: Path, sources: Iterable[Path], without: tuple[str, ...] = ()) -> Unit:
    """The path's C file. ``without``: folders that this build does not have."""
    return _Maker(path, sources, without).unit()


class _Maker:
    def __init__(self, path: Path, sources: Iterable[Path], without: tuple[str, ...]) -> None:
        self.path, self.without = path, without
        self.spec = tomllib.loads(path.read_text())
        self.files = {f"{room_of(s).name}/{s.name}": s for s in sources if s.suffix == ".c"}
        self.read: dict[str, Source] = {}
        self.kinds: dict[Place, set[str]] = {}  # of what is to be inlined
        for kind in (INPUT, OUTPUT):
            for place in self._listed(kind):
                self.kinds.setdefault(place, set()).add(kind)
        self.entries = {kind: self._entry(kind) for kind in (INPUT, OUTPUT)}
        # Without: no frame decides where a call goes.
        self.is_guarded = "guard" in self.spec
        self.copies: dict[Place, Item] = {}
        self.names: dict[Place, dict[str, str]] = {}  # in a copy's text: there, here
        self.constants: dict[Place, Item] = {}

    def _listed(self, kind: str) -> Iterator[Place]:
        for line in self.spec[kind]["inline"]:
            file, _, names = line.partition(":")
            if file.split("/")[0] in self.without:
                continue
            for name in names.split():
                if not self._source(file).function(name):
                    raise UserError(f"{self.path.name}: no function {name} in {file}")
                yield file, name

    def _source(self, file: str) -> Source:
        if file not in self.files:
            raise UserError(f"{self.path.name}: no file {file} in this stack")
        if file not in self.read:
            self.read[file] = c_functions.read(self.files[file])
        return self.read[file]

    def _entry(self, kind: str) -> Place:
        name = self.spec[kind]["entry"]
        for place, kinds in self.kinds.items():
            if place[1] == name and kind in kinds:
                return place
        raise UserError(f"{self.path.name}: [{kind}] entry {name} is not among its `inline`")

    def unit(self) -> Unit:
        self._check_calls()
        for place in self.kinds:
            self._copy(place)
        parts = [self._head(), *self._types()]
        parts += [c.within(f"{self._declared(p)};") for p, c in self.copies.items()]
        into, out = self.entries[INPUT][1], self.entries[OUTPUT][1]
        if not self.is_guarded:
            parts += [f'#line 1 "{HEADER}"', *self._calls()]
            parts += [self._definition(place) for place in self.copies]
            flags = [*_wrap(into, "path_input"), *_wrap(out, "path_output")]
            return Unit("\n".join(parts) + "\n", tuple(flags))
        parts += [f"#define PATH_GENERAL __real_{into}", "static uint64_t path_id;"]
        parts += ["int PATH_GENERAL(struct xobj *self, struct xobj *lower, struct msg *m);"]
        parts += [f'#line 1 "{self.path}"', guard_text(self.path.name, self.spec["guard"])]
        parts += ["static path_quad path_first[PATH_QUADS];"]
        parts += [f'#line 1 "{HEADER}"', *self._calls()]
        parts += [self._definition(place) for place in self.copies]
        parts += ['#include "xkernel/path_entry.h"']
        flags = [*_wrap(into, "path_entry"), *_wrap(out, "path_output")]
        return Unit("\n".join(parts) + "\n", tuple(flags))

    def _check_calls(self) -> None:
        known = {name for _, name in self.kinds}
        for folder, calls in self.spec["calls"].items():
            for call, name in calls.items():
                if call not in CALLS and not call.startswith(POINTER):
                    raise UserError(
                        f"{self.path.name}: [calls.{folder}] {call}: no such call. There are: "
                        f"{', '.join(CALLS)}, and {POINTER}MEMBER for a call through a pointer."
                    )
                if name not in known and not self.without:
                    raise UserError(f"{self.path.name}: {name} is called but not in any `inline`")

    def _inlined(self, user: Place, name: str) -> Place | None:
        """The function of that name that becomes part of the same function as ``user``."""
        wanted = self.kinds.get(user, set())
        return next((p for p, k in self.kinds.items() if p[1] == name and k & wanted), None)

    def _here(self, place: Place) -> str:
        """A copy's name; the entries' are the same in every stack."""
        for kind, entry in self.entries.items():
            if place == entry:
                return f"path_{kind}"
        stem = Path(place[0]).stem
        named_after_it = place[1].startswith(stem.split("_")[0])
        return f"path_{place[1]}" if named_after_it else f"path_{stem}_{place[1]}"

    def _copy(self, place: Place) -> None:
        if place in self.copies:
            return
        source = self._source(place[0])
        item = self.copies[place] = source.function(place[1])
        names = self.names[place] = {place[1]: self._here(place)}
        for word in sorted(item.words()):
            names |= self._reference(place, source, word)

    def _reference(self, user: Place, source: Source, word: str) -> dict[str, str]:
        """Replacement of ``word`` in this copy by its new name; empty if it stays."""
        there = next((i for i in source.items if i.declares(word) and i.is_static), None)
        place = (user[0], word)
        if there and there.kind == "variable":
            raise UserError(
                f"{self.path.name}: {user[1]} of {user[0]} uses the static variable {word}, "
                "of which there must be one only: leave the function out of the path"
            )
        if there and there.kind == "constant":
            self.constants[place] = there
            return {word: self._here(place)}
        if there and there.kind == "function":
            self._copy(place)
            return {word: self._here(place)}
        folder = user[0].split("/")[0]
        if word in self.spec["calls"].get(folder, {}):
            target = self._inlined(user, self.spec["calls"][folder][word])
            return {word: f"{folder}_{word}"} if target else {}
        other = self._inlined(user, word)
        return {word: self._here(other)} if other else {}

    def _head(self) -> str:
        lines = [f"/* {MADE}/{self.path.name}; do not edit. */", '#include "xkernel/path.h"']
        lines += dict.fromkeys(line for s in self.read.values() for line in s.includes)
        return "\n".join(lines)

    def _types(self) -> Iterator[str]:
        """Types of all files that functions are copied from, and the constants they need."""
        for file in dict.fromkeys(file for file, _ in self.copies):
            for item in self._source(file).items:
                if item.kind == "type":
                    yield item.within(_lines(item) + item.text)
        for place, item in self.constants.items():
            yield item.within(_lines(item) + item.renamed({place[1]: self._here(place)}))

    def _declared(self, place: Place) -> str:
        head = self.copies[place].renamed(self.names[place]).split("\n{")[0]
        head = head.removeprefix("static ")
        if place == self.entries[OUTPUT] or (place == self.entries[INPUT] and not self.is_guarded):
            return f"__attribute__((flatten)) {head}"
        if place == self.entries[INPUT]:
            return f"static __attribute__((flatten)) {head}"
        is_call = place not in self.kinds and not head.startswith("inline ")
        return f"static NOINLINE {head}" if is_call else f"static {head}"

    def _calls(self) -> Iterator[str]:
        for folder, calls in self.spec["calls"].items():
            for call, name in calls.items():
                target = next((p for p in self.kinds if p[1] == name), None)
                if target and call in CALLS:
                    yield f"PATH_{call}({folder}_{call}, {self._here(target)})"

    def _definition(self, place: Place) -> str:
        item = self.copies[place]
        body = item.renamed(self.names[place]).split("\n{", 1)[1]
        is_entry = place == self.entries[INPUT] and self.is_guarded
        check = " PATH_CHECK(PATH_GENERAL)" if is_entry else ""
        body = self._through_pointers(place, body)
        return item.within(f"{_lines(item)}{self._declared(place)}\n{{{check}{body}")

    def _through_pointers(self, place: Place, body: str) -> str:
        """The calls through a pointer, each with a comparison: its target's copy, or the call."""
        calls = self.spec["calls"].get(place[0].partition("/")[0], {})

        def call(found: re.Match) -> str:
            name = calls.get(f"{POINTER}{found[2]}", "")
            target = self._inlined(place, name)
            if not target:
                return found[0]
            return f"PATH_THROUGH({found[1]}{found[2]}, {name}, {self._here(target)}, "

        return _THROUGH.sub(call, body)


def _lines(item: Item) -> str:
    """Line directive for the debugger and for coverage: the lines after it are the source's."""
    return f'#line {item.line} "{item.file}"\n'


def _wrap(there: str, here: str) -> list[str]:
    return [f"--wrap={there}", f"--defsym=__wrap_{there}={here}"]


def guard_text(name: str, guard: dict) -> str:
    """C for the two questions about a frame: does it open the path, and is it on it?"""
    opens, masks = _words(name, guard["opens"]), _words(name, guard["same"])
    last = max([*opens, *masks]) + 1
    bits = ", ".join(f"{masks.get(i, (0, 0))[1]:#x}" for i in range(last))
    lines = [f"#define PATH_QUADS {last}", f"#define PATH_MASKS {{ {bits} }}", ""]
    lines += ["static inline int path_opens(const path_quad *frame)", "{", "\treturn !("]
    terms = [f"\t\t((frame[{i}] ^ {v:#x}) & {m:#x})" for i, (v, m) in sorted(opens.items())]
    lines += [" |\n".join(terms) + ");", "}", ""]
    lines += ["static inline int path_is_mine(const path_quad *frame, const path_quad *first)"]
    terms = [f"\t\t((frame[{i}] ^ first[{i}]) & {m:#x})" for i, (_, m) in sorted(masks.items())]
    return "\n".join([*lines, "{", "\treturn !(", " |\n".join(terms) + ");", "}"])


def _words(name: str, fields: list[dict]) -> dict[int, tuple[int, int]]:
    """Quadword number to (value, mask), least significant byte first, of fields of the frame."""
    words: dict[int, tuple[int, int]] = {}
    for field in fields:
        try:
            value = bytes.fromhex(field.get("value", "00" * field.get("bytes", 0)))
            mask = bytes.fromhex(field.get("mask", "ff" * len(value)))
            pairs = list(zip(value, mask, strict=True))
        except ValueError as wrong:
            raise UserError(f"{name}: [guard] {field}: {wrong}") from None
        for at, (byte, bits) in enumerate(pairs, field["at"] + FRAME_OFFSET):
            old_value, old_mask = words.get(at // 8, (0, 0))
            shift = 8 * (at % 8)
            words[at // 8] = (old_value | (byte & bits) << shift, old_mask | bits << shift)
    return words
