# SPDX-License-Identifier: BSD-2-Clause
"""The top level of a C file of ours: its items, by name.

Relies on what clang-format guarantees of ``firmware/``: an item begins in the first column and ends
with ``}`` there, or with ``;`` at the end of a line outside all brackets.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import UserError

WORD = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|(?:(?:->|\.)\s*)?[A-Za-z_]\w*')
COUNTED = re.compile(r"\bCOUNT\(\w+,\s*(\w+)\)")  # a member, xkernel/percpu/count.h
COMMENT = re.compile(r"/\*.*?\*/", re.S)
ATTRIBUTE = re.compile(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)\s*")
FUNCTION = re.compile(r"(\w+)\((?:[^()]|\([^()]*\))*\)\n\{", re.S)
VARIABLE = re.compile(r"(\w+)(?:\[[^]]*\])*\s*(?:=|;|,)")
DECLARED = re.compile(r"(\w+)(?:\[[^]]*\])*\s*[,;]")
TYPE = re.compile(r"(?:typedef\b|_Static_assert\b|(?:enum|struct|union)\b\s*\w*\s*\{)")


@dataclass(frozen=True)
class Item:
    """A definition of C; ``kind``: function, constant, variable, type or declaration."""

    kind: str
    name: str
    file: Path
    line: int
    text: str  # without comments
    conditions: tuple[str, ...] = ()  # the #if lines around it

    def within(self, text: str) -> str:
        """``text`` between the #if lines of this definition and their #endif."""
        return "\n".join([*self.conditions, text, *["#endif"] * len(self.conditions)])

    @property
    def is_static(self) -> bool:
        return self.text.startswith("static ")

    def declares(self, word: str) -> bool:
        """Return true if ``word`` is the name, or another name of the same declaration."""
        others = DECLARED.findall(self.text.split("=")[0]) if self.kind == "variable" else []
        return word == self.name or word in others

    @property
    def head(self) -> str:
        """A function's declaration, without its semicolon."""
        return self.text[: self.text.index("\n{")]

    def words(self) -> set[str]:
        """Identifiers, but no members and nothing in strings."""
        members = self._members()
        found = (m for m in WORD.finditer(self.text) if m.start() not in members)
        return {m[0] for m in found if m[0][0].isalpha() or m[0][0] == "_"}

    def renamed(self, names: dict[str, str]) -> str:
        """The text with identifiers replaced."""
        members = self._members()
        return WORD.sub(
            lambda m: m[0] if m.start() in members else names.get(m[0], m[0]), self.text
        )

    def _members(self) -> set[int]:
        """Where names of members stand that no dot or arrow shows."""
        return {m.start(1) for m in COUNTED.finditer(self.text)}


@dataclass(frozen=True)
class Source:
    file: Path
    includes: tuple[str, ...]  # and #defines
    items: tuple[Item, ...]

    def function(self, name: str) -> Item | None:
        return next((i for i in self.items if (i.kind, i.name) == ("function", name)), None)


def read(file: Path) -> Source:
    """The file's # lines and items. UserError for what is more than #if and #endif around items."""
    text = COMMENT.sub(lambda m: re.sub(r"[^\n]", "", m[0]), file.read_text())
    includes, items, held, conditions, start = [], [], [], [], 0
    for number, whole in enumerate(text.splitlines(), 1):
        line = whole.rstrip()  # of a comment at its end a space is left
        if not held and line.startswith("#if"):
            conditions.append(line)
            continue
        if not held and line.startswith("#endif"):
            conditions.pop()
            continue
        if line.startswith("#"):
            if (
                held
                or conditions
                or not line.startswith(("#include", "#define"))
                or line.endswith("\\")
            ):
                raise UserError(
                    f"{file}:{number}: a file of a path may have #include and one-line #define, "
                    "and #if around whole definitions"
                )
            includes.append(line)
            continue
        if not held and not line.strip():
            continue
        if not held:
            start = number
        held.append(line)
        if line.startswith("}") or (line.endswith(";") and _closed(held)):
            if line.startswith("}") and not line.endswith((";", "}")):
                continue  # } name, more;
            items.append(_item(file, start, "\n".join(held), tuple(conditions)))
            held = []
    if held:
        raise UserError(f"{file}:{start}: this item has no end")
    return Source(file, tuple(includes), tuple(items))


def _closed(lines: list[str]) -> bool:
    text = "".join(lines)
    return text.count("{") == text.count("}") and text.count("(") == text.count(")")


def _item(file: Path, line: int, text: str, conditions: tuple[str, ...]) -> Item:
    bare = ATTRIBUTE.sub("", text)
    if function := FUNCTION.search(bare):
        return Item("function", function[1], file, line, text, conditions)
    if TYPE.match(bare):
        return Item("type", "", file, line, text, conditions)
    head = bare.split("=")[0]
    variable = VARIABLE.search(bare)
    if not variable or "(" in head or head.startswith("extern"):
        return Item("declaration", "", file, line, text, conditions)
    kind = "constant" if re.search(r"\bconst\b", head) else "variable"
    return Item(kind, variable[1], file, line, text, conditions)
