# SPDX-License-Identifier: BSD-2-Clause
"""Results of integer instructions: the bits of their operands, and numbers where they are known."""

from collections.abc import Callable

from mcpi.pathfinding import bits
from mcpi.pathfinding.bits import ALL, UNKNOWN, Value

_SIZES = {"b": 1, "w": 2, "l": 4, "q": 8}
_MOVES = tuple(
    f"cmov{condition}" for condition in ("lbs", "lbc", "eq", "ne", "lt", "ge", "le", "gt")
)
_NUMBERS: dict[str, Callable[[int, int], int]] = {
    "addq": lambda a, b: a + b,
    "subq": lambda a, b: a - b,
    "and": lambda a, b: a & b,
    "bic": lambda a, b: a & ~b,
    "bis": lambda a, b: a | b,
    "ornot": lambda a, b: a | ~b,
    "xor": lambda a, b: a ^ b,
    "eqv": lambda a, b: a ^ ~b,
    "sll": lambda a, b: a << (b & 63),
    "srl": lambda a, b: a >> (b & 63),
    "mulq": lambda a, b: a * b,
}


def _scaled(by: int, what: Callable[[int, int], int]) -> Callable[[int, int], int]:
    return lambda a, b: what(by * a, b)


_NUMBERS |= {f"s{n}{name}": _scaled(n, _NUMBERS[name]) for n in (4, 8) for name in ("addq", "subq")}


def operated(name: str, a: Value, b: Value, old: Value) -> Value:
    """The result of an instruction of format ``operate``. ``old``: what the target held."""
    name = name.removesuffix("/v")
    number = _number(name, a, b)
    if a.made is None and b.made is None and (name not in _MOVES or old.made is None):
        return Value(None, number)
    return Value(_made(name, a, b, old).made, number)


def _number(name: str, a: Value, b: Value) -> int | None:
    if a.number is None or b.number is None:
        return None
    if name in _NUMBERS:
        return _NUMBERS[name](a.number, b.number) & ALL
    wide = f"{name[:-1]}q"
    if name.endswith("l") and wide in _NUMBERS:
        low = _NUMBERS[wide](a.number, b.number) & 0xFFFFFFFF
        return (low | -(low >> 31) << 32) & ALL
    return None


def _made(name: str, a: Value, b: Value, old: Value) -> Value:
    if name in _MOVES:
        return bits.both(bits.smeared(a), bits.both(b, old))
    if name.startswith("cmp"):
        return _compared(name, a, b)
    if name in ("and", "bic", "bis", "ornot"):
        other = bits.inverted(b) if name in ("bic", "ornot") else b
        return bits.kept(a, other, name in ("and", "bic"))
    if name in ("xor", "eqv"):
        return bits.both(a, b)
    if name in ("sll", "srl", "sra"):
        return _moved(name, a, b)
    if name[:3] in ("ext", "ins", "msk") or name in ("zap", "zapnot"):
        return _bytes(name, a, b)
    if name in ("mull", "mulq"):
        lowest = min(n for n, one in enumerate(bits.both(a, b).sets) if one)
        every = bits.smeared(a, b)
        sums = bits.made(0 if n < lowest else every.sets[0] for n in range(bits.BITS))
        return bits.sign_extended(sums, 32) if name == "mull" else sums
    if name[:-1].endswith(("add", "sub")):
        scale = {"4": 2, "8": 3}.get(name[1], 0)
        one = bits.shifted(a, scale) if scale else a
        one = Value(one.made, a.number if scale == 0 else None)
        found = bits.added(one, b)
        return bits.sign_extended(found, 32) if name.endswith("l") else found
    return bits.smeared(a, b)


def _compared(name: str, a: Value, b: Value) -> Value:
    if name != "cmpbge":
        return bits.lowest(a, b)
    one, other = a.sets, b.sets
    each = [
        bits.union(one[8 * n : 8 * n + 8]) | bits.union(other[8 * n : 8 * n + 8]) for n in range(8)
    ]
    return bits.made([*each, *bits.EMPTY[8:]])


def _moved(name: str, a: Value, b: Value) -> Value:
    if b.number is None or b.made is not None:
        return bits.smeared(a, b)
    by = b.number & 63
    if name == "sll":
        return bits.shifted(a, by)
    if name == "srl":
        return bits.shifted(a, -by)
    return bits.made(a.sets[by:] + (a.sets[63],) * by)


def _bytes(name: str, a: Value, b: Value) -> Value:
    if b.number is None or b.made is not None:
        return bits.smeared(a, b)
    if name in ("zap", "zapnot"):
        return bits.bytes_kept(a, b.number if name == "zapnot" else ~b.number)
    size, high, by = _SIZES[name[3]], name[4] == "h", b.number & 7
    if name.startswith("ext"):
        moved = bits.shifted(a, 64 - 8 * by if high else -8 * by) if not high or by else a
        return bits.bytes_kept(moved, (1 << size) - 1)
    if name.startswith("ins"):
        low = bits.bytes_kept(a, (1 << size) - 1)
        if not high:
            return bits.shifted(low, 8 * by)
        return bits.shifted(low, 8 * by - 64) if by else UNKNOWN
    place = ((1 << size) - 1) << by
    return bits.bytes_kept(a, ~(place >> 8 if high else place) & 0xFF)
