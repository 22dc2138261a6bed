# SPDX-License-Identifier: BSD-2-Clause
"""Fields of Alpha instructions that cloning reads and writes (sources/ev4.md 1.1)."""

from mcpi.isa import encode, table

LDA, LDAH, LDQ, JUMP, BR, BSR = (
    table.named(name).opcode for name in ("lda", "ldah", "ldq", "jmp", "br", "bsr")
)
_BRANCHES = {row.opcode for row in table.of_group("branch", "conditional_branch")}
GP, PV, RA = 29, 27, 26
BUGCHK = encode.word("bugchk")
UNOP = encode.word("ldq_u", rb=30)
REACH = 1 << 20  # instructions a branch reaches, both ways


def opcode(word: int) -> int:
    return word >> 26


def ra(word: int) -> int:
    return word >> 21 & 31


def rb(word: int) -> int:
    return word >> 16 & 31


def displacement(word: int) -> int:
    """Displacement of a memory instruction, in bytes."""
    return (word & 0xFFFF) - (word << 1 & 0x10000)


def is_branch(word: int) -> bool:
    """Return true for a branch of integer code: BR, BSR or a conditional branch."""
    return opcode(word) in _BRANCHES


def is_call(word: int) -> bool:
    """JSR or BSR that links."""
    jsr = opcode(word) == JUMP and word >> 14 & 3 == 1
    return (jsr or opcode(word) == BSR) and ra(word) != 31


def is_jump(word: int) -> bool:
    """JSR that links, or JMP that does not: a call, or one that ends its function."""
    kind = word >> 14 & 3
    return opcode(word) == JUMP and (kind == 1 if ra(word) != 31 else kind == 0)


def direct(word: int) -> int:
    """BSR for a JSR, BR for a JMP; no displacement yet."""
    return (BR if ra(word) == 31 else BSR) << 26 | ra(word) << 21


def branch_target(word: int, address: int) -> int:
    words = (word & 0x1FFFFF) - (word << 1 & 0x200000)
    return address + 4 + 4 * words


def reaches(source: int, target: int) -> bool:
    return -REACH <= (target - source - 4) // 4 < REACH


def with_target(word: int, address: int, target: int) -> int:
    """The branch ``word`` at ``address``, now to ``target``; ValueError if that is too far."""
    if not reaches(address, target):
        raise ValueError(f"a branch at {address:#x} does not reach {target:#x}")
    return (word & ~0x1FFFFF) | ((target - address - 4) // 4 & 0x1FFFFF)


def split(high: int, low: int, value: int) -> tuple[int, int]:
    """An LDAH and an LDA that together add ``value``."""
    lower = (value & 0xFFFF) - (value << 1 & 0x10000)
    upper = value - lower >> 16
    if not -0x8000 <= upper < 0x8000:
        raise ValueError(f"{value:#x} does not fit into an ldah and an lda")
    return (high & ~0xFFFF) | (upper & 0xFFFF), (low & ~0xFFFF) | (lower & 0xFFFF)


def joined(high: int, low: int) -> int:
    """Sum of the displacements of an LDAH and an LDA."""
    return (displacement(high) << 16) + displacement(low)
