# SPDX-License-Identifier: BSD-2-Clause
"""The C header: for each structure and layout a getter and a setter per field, inline.

They access aligned longwords only, each that they touch once: EV4 has no smaller accesses, and the
parts that the compiler would make of one race with a device. A setter reads nothing if its field
fills the live bytes of its longwords, or if the field stands `alone`; in a `device` structure
there are no others.
"""

from mcpi.firmware.usc.language import Description, Field, Layout, Struct

WORD = 4


def generate(made: Description, source: str) -> str:
    """The header; the same description gives the same bytes."""
    lines = [
        "/* SPDX-License-Identifier: BSD-2-Clause */",
        f"/* Made from {source} by tools/mcpi/firmware/usc: change that. */",
        "#pragma once",
        "",
        "#include <stdint.h>",
    ]
    if any(not struct.device for struct, _ in made.emits):
        lines += ["", "typedef uint32_t __attribute__((may_alias)) usc_word;"]
    for layout in made.layouts.values():
        lines += ["", *_offset(layout)]
    for struct, layout in made.emits:
        for field in struct.fields:
            lines += ["", *_getter(struct, field, layout)]
            if setter := _setter(struct, field, layout):
                lines += ["", *setter]
    return "\n".join([*lines, ""])


def _offset(layout: Layout) -> list[str]:
    """Where a dense offset lies, for what is copied piece by piece."""
    shift = (layout.stride // layout.unit).bit_length() - 1
    upper, lower = layout.stride - 1, layout.unit - 1
    if shift == 0:
        formula = "offset"
    else:
        formula = f"(offset << {shift} & ~(uint64_t){upper}) + (offset & {lower})"
    return [
        f"static inline uint64_t {layout.name}_offset(uint64_t offset)",
        "{",
        f"\treturn {formula};",
        "}",
    ]


def _pieces(struct: Struct, field: Field, layout: Layout) -> dict[int, list[tuple[int, int, int]]]:
    """By longword: (first bit in it, first bit of the field, bits), as few as possible."""
    words: dict[int, list[tuple[int, int, int]]] = {}
    for i in range(field.size):
        address = layout.place(field.offset + i)
        place = field.size - 1 - i if struct.big_endian else i
        pieces = words.setdefault(address // WORD, [])
        lane, value = 8 * (address % WORD), 8 * place
        if pieces and pieces[-1][0] + pieces[-1][2] == lane:
            first, begin, bits = pieces[-1]
            if begin + bits == value:
                pieces[-1] = (first, begin, bits + 8)
                continue
        pieces.append((lane, value, 8))
    if field.bit is not None:
        ((word, _),) = words.items()
        lane = 8 * (layout.place(field.offset) % WORD)
        return {word: [(lane + field.bit, 0, 1)]}
    return words


def _ones(bits: int) -> int:
    return (1 << bits) - 1


def _live(layout: Layout, word: int) -> int:
    """The bits of a longword that are not gap."""
    lanes = (i for i in range(WORD) if layout.is_live(WORD * word + i))
    return sum(0xFF << 8 * i for i in lanes)


def _shifted(text: str, left: int) -> str:
    return f"{text} << {left}" if left > 0 else f"{text} >> {-left}" if left < 0 else text


def _joined(terms: list[str]) -> str:
    """By or; a single one needs no parentheses around it."""
    (first, *more) = terms
    if not more and first[0] == "(" and first.find(")") == len(first) - 1:
        return first[1:-1]
    return " | ".join(terms)


def _access(struct: Struct, word: int) -> str:
    kind = "volatile uint32_t *" if struct.device else "usc_word *"
    at = f"(base + {WORD * word})" if word else "base"
    return f"*({kind}){at}"


def _name(struct: Struct, field: Field, layout: Layout, what: str) -> str:
    return f"{struct.name}_{field.name}__{layout.name}_{what}"


def _getter(struct: Struct, field: Field, layout: Layout) -> list[str]:
    words = _pieces(struct, field, layout)
    name = _name(struct, field, layout, "get")
    lines = [f"static inline uint32_t {name}(uint64_t base)", "{"]
    for word in words:
        lines.append(f"\tuint32_t w{word} = {_access(struct, word)};")
    lines.append("")
    terms = []
    for word, pieces in words.items():
        for lane, begin, bits in pieces:
            # Mask in place, then shift: one instruction where the compiler has one for it.
            term = f"w{word}"
            if bits < 32:
                term = f"({term} & {_ones(bits) << lane:#x})"
            terms.append(f"({_shifted(term, begin - lane)})" if lane != begin else term)
    value = _joined(terms)
    keep = _ones(field.bits)
    if field.mask is not None:
        keep &= field.mask
    if field.negative:
        value = f"{1 << field.bits:#x} - (({value}) & {_ones(field.bits):#x})"
        value = f"({value}) & {keep:#x}"
    elif keep != _ones(8 * field.size) and field.bit is None:
        value = f"({value}) & {keep:#x}"
    return [*lines, f"\treturn {value};", "}"]


def _setter(struct: Struct, field: Field, layout: Layout) -> list[str]:
    words = _pieces(struct, field, layout)
    covered = {w: sum(_ones(bits) << lane for lane, _, bits in p) for w, p in words.items()}
    others = {w: _live(layout, w) & ~c for w, c in covered.items()}
    modifies = any(others.values()) and not field.alone
    if modifies and struct.device:
        return []  # whoever wants it must say `alone`, and knows what becomes of the rest
    name = _name(struct, field, layout, "set")
    lines = [f"static inline void {name}(uint64_t base, uint32_t value)", "{"]
    # Before the address, and the constant first: so the driver's code is what it was by hand.
    value = "value"
    if field.negative:
        value = f"({1 << field.bits:#x} - {value})"
    if field.mask is not None:
        value = f"({value} & {field.mask:#x})"
    if field.ones:
        value = f"({_ones(8 * field.size) ^ _ones(field.bits):#x} | {value})"
    if value != "value":
        lines.append(f"\tvalue = {value};")
    for word, pieces in words.items():
        terms = [_placed(field, piece, _live(layout, word)) for piece in pieces]
        if others[word] and not field.alone:
            terms.insert(0, f"({_access(struct, word)} & {~covered[word] & 0xFFFFFFFF:#x})")
        lines.append(f"\t{_access(struct, word)} = {_joined(terms)};")
    return [*lines, "}"]


def _placed(field: Field, piece: tuple[int, int, int], live: int) -> str:
    """A piece of the value where it lies in its longword. What spills into a gap does no harm."""
    lane, begin, bits = piece
    spills = begin + bits == 8 * field.size and not live >> (lane + bits)
    term = "value"
    if begin or not spills:
        term = f"({term} & {_ones(bits) << begin:#x})"
    return f"({_shifted(term, lane - begin)})" if lane != begin else term
