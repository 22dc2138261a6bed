# SPDX-License-Identifier: BSD-2-Clause
"""Assembly of the GNU assembler's syntax to bytes, without macros that make several instructions.

Directives: ``.long .quad .byte .word .space .skip .org .align .rept .irp .endr``, ``name = value``;
``.set .text .globl .arch`` change nothing. Data lie at multiples of their size. Labels may be
numbers (``1:``, ``1b``, ``1f``). What ``.align`` skips is filled as the GNU assembler fills it.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.isa import encode, table
from mcpi.isa.expression import Expression
from mcpi.isa.table import Instruction

NOP, UNOP = encode.word("bis"), encode.word("ldq_u", rb=30)
_IGNORED = {".set", ".text", ".globl", ".global", ".arch", ".ent", ".end", ".prologue"}
_DATA = {".byte": 1, ".word": 2, ".short": 2, ".long": 4, ".quad": 8}
_NAMES = "v0 t0 t1 t2 t3 t4 t5 t6 t7 s0 s1 s2 s3 s4 s5 fp a0 a1 a2 a3 a4 a5 t8 t9 t10 t11 ra t12"
REGISTERS = {name: n for n, name in enumerate([*_NAMES.split(), "at", "gp", "sp", "zero"])}
REGISTERS |= {"s6": 15, "pv": 27} | {str(n): n for n in range(32)}
#: Short forms: the instruction that each is.
SHORT = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
_HW = re.compile(r"(hw_(?:ld|st))([lq])(?:/([par]+))?$|(hw_m[ft]pr)/([pai]+)$")
_HW_FLAGS = {"p": encode.PHYSICAL, "a": encode.ALTERNATE, "r": encode.CHECK}
_INTERNAL = {"p": 0x80, "a": 0x40, "i": 0x20}  # PAL_TEMP, Abox, Ibox
Symbols = Mapping[str, int]


@dataclass
class _Piece:
    """Bytes at an address; ``make`` gives them when all labels are known."""

    at: int
    size: int
    make: Callable[[Symbols], bytes]
    line: str


def assemble(source: str, base: int) -> bytes:
    """Machine code of ``source`` at ``base``. UserError with the line for what is wrong."""
    return _Assembly(base).run(source)


class _Assembly:
    def __init__(self, base: int) -> None:
        self.base = self.at = base
        self.symbols = {"_start": base}
        self.numbers: list[tuple[str, int]] = []  # labels that are numbers, with their addresses
        self.pieces: list[_Piece] = []
        self.label_here = ""
        self.aligned = 4  # the largest that ``.align`` asks for

    def run(self, source: str) -> bytes:
        for line in _repeated(_statements(source), self.now):
            with _error(line):
                self.statement(line)
        self.fill(-self.at % self.aligned, "end")
        code = bytearray()
        for piece in self.pieces:
            with _error(piece.line):
                made = piece.make(_Here(self, piece.at))
            assert len(made) == piece.size
            code += made
        return bytes(code)

    def statement(self, line: str) -> None:
        if found := re.match(r"([\w.$]+):\s*", line):
            self.label(found[1])
            line = line[found.end() :]
        if not line:
            return
        if found := re.match(r"([A-Za-z_][\w.$]*)\s*=\s*(.*)", line):
            self.symbols[found[1]] = self.now(found[2])
            return
        name, _, rest = line.partition(" ")
        if name in _IGNORED:
            return
        operands = _split(rest)
        if name.startswith("."):
            self.directive(name, operands, line)
        else:
            self.align(4, line)
            self.put(4, lambda here: _instruction(name, operands, here).to_bytes(4, "little"), line)

    def label(self, name: str) -> None:
        if name.isdigit():
            self.numbers.append((name, self.at))
        elif name in self.symbols:
            raise ValueError(f"two labels '{name}'")
        else:
            self.symbols[name] = self.at
            self.label_here = name

    def now(self, text: str) -> int:
        """The value of an expression whose labels all stand before it."""
        return Expression(text).value(_Here(self, self.at))

    def put(self, size: int, make: Callable[[Symbols], bytes], line: str) -> None:
        if size:
            self.pieces.append(_Piece(self.at, size, make, line))
            self.at += size

    def directive(self, name: str, operands: list[str], line: str) -> None:
        if name in _DATA:
            size, values = _DATA[name], [Expression(text) for text in operands]
            self.align(size, line)

            def data(here: Symbols) -> bytes:
                cut = (value.value(here) % (1 << 8 * size) for value in values)
                return b"".join(value.to_bytes(size, "little") for value in cut)

            self.put(size * len(values), data, line)
        elif name in (".space", ".skip"):
            size, byte = self.now(operands[0]), self.now(operands[1]) if operands[1:] else 0
            self.put(size, lambda _: bytes([byte]) * size, line)
        elif name == ".org":
            to = self.now(operands[0])
            self.skip((to if Expression(operands[0]).symbols else self.base + to) - self.at, line)
        elif name == ".align":
            self.align(1 << self.now(operands[0]), line)
        else:
            raise ValueError(f"no such directive '{name}'")

    def skip(self, size: int, line: str) -> None:
        if size < 0:
            raise ValueError("the place lies before this one")
        self.put(size, lambda _: bytes(size), line)

    def align(self, size: int, line: str) -> None:
        """Skip to a multiple of ``size``, and the label of this place with it."""
        before, self.aligned = self.at, max(self.aligned, size)
        self.fill(-self.at % size, line)
        if self.label_here and self.symbols[self.label_here] == before:
            self.symbols[self.label_here] = self.at

    def fill(self, size: int, line: str) -> None:
        """No-operations, of two kinds in turn; a quadword ends with UNOP."""
        start = self.at + size % 4
        words = [UNOP if (start + 4 * n) % 8 else NOP for n in range(size // 4)]
        text = bytes(size % 4) + b"".join(word.to_bytes(4, "little") for word in words)
        self.put(size, lambda _: text, line)


class _Here(dict):
    """Symbols as an instruction at ``at`` knows them."""

    def __init__(self, of: _Assembly, at: int) -> None:
        self.of, self.at = of, at

    def __contains__(self, name: str) -> bool:
        return name == "." or name in self.of.symbols or self._number(name) is not None

    def __getitem__(self, name: str) -> int:
        if name == ".":
            return self.at
        return self.of.symbols[name] if name in self.of.symbols else self._number(name)

    def _number(self, name: str) -> int | None:
        there = [at for label, at in self.of.numbers if f"{label}{name[-1:]}" == name]
        if name.endswith("b"):
            return max((at for at in there if at <= self.at), default=None)
        return min((at for at in there if at > self.at), default=None)


class _error:
    """Names the line of a ValueError."""

    def __init__(self, line: str) -> None:
        self.line = line

    def __enter__(self) -> None: ...

    def __exit__(self, _kind, error, _trace) -> None:
        if isinstance(error, (ValueError, UserError, IndexError)):
            raise UserError(f"assembly: '{self.line}': {error}") from None


def _statements(source: str) -> Iterator[str]:
    source = re.sub(r"/\*.*?\*/", " ", source, flags=re.S)
    for line in source.splitlines():
        for part in re.split(r"//|(?:^|\s)#", line)[0].split(";"):
            if text := " ".join(part.split()):
                yield text


def _repeated(lines: Iterator[str], now: Callable[[str], int]) -> Iterator[str]:
    """The lines with ``.rept`` and ``.irp`` written out; ``now`` is the value of an expression when
    all lines before have been assembled."""
    for line in lines:
        name, _, rest = line.partition(" ")
        if name not in (".rept", ".irp"):
            yield line
            continue
        body, depth = [], 1
        for inner in lines:
            word = inner.partition(" ")[0]
            depth += (word in (".rept", ".irp")) - (word == ".endr")
            if not depth:
                break
            body.append(inner)
        if name == ".rept":
            rounds = [body] * now(rest)
        else:
            symbol, *values = _split(rest)
            rounds = [[text.replace(f"\\{symbol}", value) for text in body] for value in values]
        for one in rounds:
            yield from _repeated(iter(one), now)


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")] if text.strip() else []


def _register(text: str) -> int:
    if not text.startswith("$") or (number := REGISTERS.get(text[1:])) is None:
        raise ValueError(f"'{text}' is no register")
    return number


def _instruction(name: str, operands: list[str], here: _Here) -> int:
    if name in SHORT and (name != "ret" or not operands):
        name, _, rest = SHORT[name].format(*operands, "", "").partition(" ")
        operands = _split(rest)
    if name == "call_pal":
        return encode.call(_function(operands[0], here))
    flags = 0
    if found := _HW.match(name):
        name = found[1] or found[4]
        flags = sum(_HW_FLAGS[flag] for flag in found[3] or "")
        flags |= encode.QUADWORD if found[2] == "q" else 0
        flags |= sum(_INTERNAL[flag] for flag in found[5] or "")
    row = table.named(name)
    most = {"branch": 2, "jump": 3, "operate": 3, "misc": 2, "return": 0, "call": 0}
    if len(operands) > most.get(row.format, 2):
        raise ValueError(f"too many operands, {len(operands)}")
    return _FORMATS[row.format](row, operands, here) | flags


def _function(text: str, here: _Here) -> int:
    row = table.table().by_name.get(text.lower())
    return row.function if row and row.format == "call" else Expression(text).value(here)


def _memory(row: Instruction, operands: list[str], here: _Here) -> int:
    """``ra, displacement(rb)``; of no register, that of zero."""
    ra, place = operands
    found = re.fullmatch(r"(.*?)(?:\((\$\w+)\))?", place)
    disp = Expression(found[1]).value(here) if found[1] else 0
    bits = 12 if row.format == "physical" else 16
    if not -(1 << bits - 1) <= disp < 1 << bits - 1:
        raise ValueError(f"displacement {disp} does not fit into {bits} bits")
    rb = _register(found[2]) if found[2] else 31
    return encode.word(row, ra=_register(ra), rb=rb, disp=disp & (1 << bits) - 1)


def _branch(row: Instruction, operands: list[str], here: _Here) -> int:
    ra = _register(operands[0]) if operands[1:] else {"bsr": 26}.get(row.name, 31)
    target = Expression(operands[-1]).value(here)
    return encode.branch(row, ra, here.at, target)


def _jump(row: Instruction, operands: list[str], here: _Here) -> int:
    """``ra, (rb), hint``; the hint of JMP and JSR is the address that it probably goes to."""
    ra, rb, *hint = operands
    disp = 0
    if hint:
        found = Expression(hint[0])
        disp = found.value(here)
        if row.name in ("jmp", "jsr"):
            disp = (disp - here.at - 4 if found.symbols else disp) >> 2
    return encode.word(row, ra=_register(ra), rb=_register(rb.strip("()")), disp=disp & 0x3FFF)


def _operate(row: Instruction, operands: list[str], here: _Here) -> int:
    ra, second, rc = operands
    registers = {"ra": _register(ra), "rc": _register(rc)}
    if second.startswith("$"):
        return encode.word(row, rb=_register(second), **registers)
    return encode.word(row, literal=Expression(second).value(here), **registers)


def _misc(row: Instruction, operands: list[str], here: _Here) -> int:
    """No operand; ``ra`` of those that write it; of FETCH a place. Unused fields are as the GNU
    assembler has them."""
    if row.name.startswith("fetch"):
        return encode.word(row, rb=_register(operands[0].removeprefix("0").strip("()")))
    if not operands:
        return row.match
    return encode.word(row, ra=_register(operands[0]), rb=31 if row.group == "cycles" else 0)


def _internal(row: Instruction, operands: list[str], here: _Here) -> int:
    register = _register(operands[0])
    return encode.word(row, ra=register, rb=register, disp=Expression(operands[1]).value(here))


_FORMATS = {
    "memory": _memory,
    "physical": _memory,
    "branch": _branch,
    "jump": _jump,
    "operate": _operate,
    "misc": _misc,
    "internal": _internal,
    "return": lambda row, *_: encode.word(row),
    "call": lambda row, *_: encode.word(row),
}
