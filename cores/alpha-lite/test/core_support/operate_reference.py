# SPDX-License-Identifier: BSD-2-Clause
"""Results of every operate instruction, computed plainly; shares nothing with the RTL.

Operands and results are unsigned 64-bit integers. Definitions: Alpha Architecture Handbook, and the
table sources/isa lists mnemonics from.
"""

from collections.abc import Callable

Q = (1 << 64) - 1
SIZES = {"b": 1, "w": 2, "l": 4, "q": 8}


def signed(x: int, bits: int = 64) -> int:
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def sext32(x: int) -> int:
    return signed(x, 32) & Q


def bytes_of(x: int) -> list[int]:
    return list((x & Q).to_bytes(8, "little"))


def number(data: list[int]) -> int:
    return int.from_bytes(bytes(data), "little")


def extract(size: int, high: bool) -> Callable[[int, int], int]:
    """The item of `size` bytes at byte b of two quadwords; `a` is the low or the high one."""

    def f(a: int, b: int) -> int:
        offset = b & 7
        two = ([0] * 8 + bytes_of(a)) if high else (bytes_of(a) + [0] * 8)
        if high and offset == 0:
            two = bytes_of(a) + [0] * 8  # the shift count is taken modulo 64
        return number((two[offset:] + [0] * 8)[:size])

    return f


def insert(size: int, high: bool) -> Callable[[int, int], int]:
    def f(a: int, b: int) -> int:
        two = [0] * 16
        two[b & 7 : (b & 7) + size] = bytes_of(a)[:size]
        return number(two[8:] if high else two[:8])

    return f


def mask(size: int, high: bool) -> Callable[[int, int], int]:
    def f(a: int, b: int) -> int:
        two = bytes_of(a) * 2
        two[b & 7 : (b & 7) + size] = [0] * size
        return number(two[8:] if high else two[:8])

    return f


def zap(a: int, b: int) -> int:
    return number([0 if b >> n & 1 else x for n, x in enumerate(bytes_of(a))])


def _scaled(scale: int, sign: int, long: bool) -> Callable[[int, int], int]:
    def f(a: int, b: int) -> int:
        value = scale * a + sign * b
        return sext32(value) if long else value & Q

    return f


OPERATES: dict[str, Callable[[int, int], int]] = {
    "cmpbge": lambda a, b: sum(
        (x >= y) << n for n, (x, y) in enumerate(zip(bytes_of(a), bytes_of(b)))
    ),
    "cmpult": lambda a, b: int(a < b),
    "cmpule": lambda a, b: int(a <= b),
    "cmpeq": lambda a, b: int(a == b),
    "cmplt": lambda a, b: int(signed(a) < signed(b)),
    "cmple": lambda a, b: int(signed(a) <= signed(b)),
    "and": lambda a, b: a & b,
    "bic": lambda a, b: a & ~b & Q,
    "bis": lambda a, b: a | b,
    "ornot": lambda a, b: (a | ~b) & Q,
    "xor": lambda a, b: a ^ b,
    "eqv": lambda a, b: ~(a ^ b) & Q,
    "srl": lambda a, b: a >> (b & 63),
    "sll": lambda a, b: a << (b & 63) & Q,
    "sra": lambda a, b: signed(a) >> (b & 63) & Q,
    "zap": zap,
    "zapnot": lambda a, b: zap(a, ~b & 0xFF),
    "mull": lambda a, b: sext32(a * b),
    "mulq": lambda a, b: a * b & Q,
    "umulh": lambda a, b: a * b >> 64,
}
for _name, _scale in (("", 1), ("s4", 4), ("s8", 8)):
    for _suffix, _long in (("l", True), ("q", False)):
        OPERATES[f"{_name}add{_suffix}"] = _scaled(_scale, 1, _long)
        OPERATES[f"{_name}sub{_suffix}"] = _scaled(_scale, -1, _long)
for _letter, _size in SIZES.items():
    for _part in ("l", "h"):
        if _letter + _part == "bh":
            continue
        OPERATES[f"ext{_letter}{_part}"] = extract(_size, _part == "h")
        OPERATES[f"ins{_letter}{_part}"] = insert(_size, _part == "h")
        OPERATES[f"msk{_letter}{_part}"] = mask(_size, _part == "h")

CONDITIONS: dict[str, Callable[[int], bool]] = {
    "eq": lambda a: a == 0,
    "ne": lambda a: a != 0,
    "lt": lambda a: signed(a) < 0,
    "le": lambda a: signed(a) <= 0,
    "gt": lambda a: signed(a) > 0,
    "ge": lambda a: signed(a) >= 0,
    "lbc": lambda a: not a & 1,
    "lbs": lambda a: bool(a & 1),
}


def overflows(name: str, a: int, b: int) -> bool:
    """Does the /V form trap? ``name`` without /v."""
    bits = 32 if name.endswith("l") else 64
    x, y = signed(a, bits), signed(b, bits)
    exact = {"add": x + y, "sub": x - y, "mul": x * y}[name[:3]]
    return exact != signed(exact, bits)
