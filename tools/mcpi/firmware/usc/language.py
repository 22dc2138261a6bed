# SPDX-License-Identifier: BSD-2-Clause
"""Parser of ``*.usc`` files: layouts, structures, and which structure is wanted in which layout.

    layout gap2 { unit 2; stride 4; }
    struct descriptor 8 le device {
        u16 address @0;
        u8 flags @3 alone;
        u16 length @4 negative ones 4;
        bit own @3:7;
    }
    emit descriptor gap2;

``#`` starts a comment. Offsets are dense bytes. docs/reference/usc.md explains each word.
"""

import re
from dataclasses import dataclass, field

from mcpi.base.errors import UserError

WIDTHS = {"u8": 1, "u16": 2, "u32": 4}
RESERVED = {"layout", "struct", "emit", "bit", "le", "be", "device", *WIDTHS}
TOKEN = re.compile(r"\s+|#[^\n]*|(?P<word>[A-Za-z_]\w*|\d\w*|[{}@:;])|(?P<bad>.)")


@dataclass(frozen=True)
class Layout:
    """Dense offset o lies at (o div unit)*stride + o mod unit; both are powers of two."""

    name: str
    unit: int
    stride: int

    def place(self, offset: int) -> int:
        return offset // self.unit * self.stride + offset % self.unit

    def is_live(self, address: int) -> bool:
        """Return true if the byte at ``address`` belongs to the structure, false if it lies in a
        gap."""
        return address % self.stride < self.unit


@dataclass(frozen=True)
class Field:
    """``size`` in bytes; ``bit`` (of that byte) if it is one. The other words: usc.md."""

    name: str
    offset: int
    size: int
    bit: int | None = None
    ones: int = 0
    mask: int | None = None
    negative: bool = False
    alone: bool = False

    @property
    def bits(self) -> int:
        """How many of its low bits are value."""
        return 1 if self.bit is not None else 8 * self.size - self.ones


@dataclass
class Struct:
    name: str
    size: int
    big_endian: bool
    device: bool
    fields: list[Field] = field(default_factory=list)


@dataclass
class Description:
    layouts: dict[str, Layout] = field(default_factory=dict)
    structs: dict[str, Struct] = field(default_factory=dict)
    emits: list[tuple[Struct, Layout]] = field(default_factory=list)


class Reader:
    """The words of a file, each with its line for what must be said about it."""

    def __init__(self, text: str, file: str) -> None:
        self.file, self.at = file, 0
        self.words: list[tuple[str, int]] = []
        line = 1
        for found in TOKEN.finditer(text):
            if found["bad"]:
                raise UserError(f"{file}:{line}: {found['bad']!r} has no meaning here")
            if found["word"]:
                self.words.append((found["word"], line))
            line += found[0].count("\n")
        self.words.append(("end of file", line))

    def fault(self, text: str) -> UserError:
        return UserError(f"{self.file}:{self.words[max(0, self.at - 1)][1]}: {text}")

    def next(self) -> str:
        word = self.words[self.at][0]
        self.at = min(self.at + 1, len(self.words) - 1)
        return word

    def peek(self) -> str:
        return self.words[self.at][0]

    def has(self, word: str) -> bool:
        """Take the word if it is the next one."""
        if self.peek() != word:
            return False
        self.next()
        return True

    def expect(self, *words: str) -> None:
        for word in words:
            if (found := self.next()) != word:
                raise self.fault(f"'{word}' is wanted, there is '{found}'")

    def number(self, what: str, low: int, high: int) -> int:
        word = self.next()
        try:
            value = int(word, 0)
        except ValueError:
            raise self.fault(f"{what}: a number is wanted, there is '{word}'") from None
        if not low <= value <= high:
            raise self.fault(f"{what} = {value}: {low} to {high} are possible")
        return value

    def name(self, what: str) -> str:
        word = self.next()
        if not re.fullmatch(r"[A-Za-z_]\w*", word) or word in RESERVED:
            raise self.fault(f"{what}: a name is wanted, there is '{word}'")
        return word


def parse(text: str, file: str) -> Description:
    """``file`` is for what is said about slips: UserError with file, line, and what is wanted."""
    reader, made = Reader(text, file), Description()
    while reader.peek() != "end of file":
        match reader.next():
            case "layout":
                _layout(reader, made)
            case "struct":
                _struct(reader, made)
            case "emit":
                _emit(reader, made)
            case word:
                raise reader.fault(f"'layout', 'struct' or 'emit' is wanted, there is '{word}'")
    return made


def _layout(reader: Reader, made: Description) -> None:
    name = reader.name("layout")
    reader.expect("{", "unit")
    unit = reader.number("unit", 1, 4096)
    reader.expect(";", "stride")
    stride = reader.number("stride", 4, 8192)
    reader.expect(";", "}")
    if name in made.layouts:
        raise reader.fault(f"layout {name} is there already")
    for value in (unit, stride):
        if value & (value - 1):
            raise reader.fault(f"layout {name}: {value} is no power of two")
    if stride < unit:
        raise reader.fault(f"layout {name}: units of {unit} overlap at a stride of {stride}")
    made.layouts[name] = Layout(name, unit, stride)


def _struct(reader: Reader, made: Description) -> None:
    name = reader.name("struct")
    if name in made.structs:
        raise reader.fault(f"struct {name} is there already")
    size = reader.number(f"size of {name}", 1, 65536)
    order = reader.next()
    if order not in ("le", "be"):
        raise reader.fault(f"struct {name}: 'le' or 'be' is wanted, there is '{order}'")
    struct = Struct(name, size, order == "be", reader.has("device"))
    reader.expect("{")
    while not reader.has("}"):
        one = _field(reader, struct)
        if any(other.name == one.name for other in struct.fields):
            raise reader.fault(f"{name}.{one.name} is there already")
        struct.fields.append(one)
    made.structs[name] = struct


def _field(reader: Reader, struct: Struct) -> Field:
    kind = reader.next()
    if kind != "bit" and kind not in WIDTHS:
        raise reader.fault(f"a field begins with u8, u16, u32 or bit, not with '{kind}'")
    name = reader.name("field")
    size = WIDTHS.get(kind, 1)
    reader.expect("@")
    offset = reader.number(f"offset of {name}", 0, struct.size - size)
    words: dict = {}
    if kind == "bit":
        reader.expect(":")
        words["bit"] = reader.number(f"bit {name}", 0, 7)
    elif offset % size:
        raise reader.fault(f"{struct.name}.{name}: offset {offset} is no multiple of {size}")
    while not reader.has(";"):
        match reader.next():
            case "ones" if kind != "bit":
                words["ones"] = reader.number("ones", 1, 8 * size - 1)
            case "mask" if kind != "bit":
                words["mask"] = reader.number("mask", 1, (1 << 8 * size) - 1)
            case "negative" if kind != "bit":
                words["negative"] = True
            case "alone":
                words["alone"] = True
            case word:
                raise reader.fault(f"{struct.name}.{name}: '{word}' has no meaning here")
    return Field(name, offset, size, **words)


def _emit(reader: Reader, made: Description) -> None:
    name = reader.next()
    if name not in made.structs:
        raise reader.fault(f"emit: there is no struct '{name}'")
    if reader.peek() == ";":
        raise reader.fault(f"emit {name}: in which layout?")
    while not reader.has(";"):
        layout = reader.next()
        if layout not in made.layouts:
            raise reader.fault(f"emit {name}: there is no layout '{layout}'")
        made.emits.append((made.structs[name], made.layouts[layout]))
