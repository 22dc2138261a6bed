# SPDX-License-Identifier: BSD-2-Clause
"""A frame's bits through registers and memory, in short programs of recorded steps."""

from mcpi.firmware.clone.path_order import Step
from mcpi.isa.encode import word
from mcpi.pathfinding.taint import ADDRESS, BRANCH, JUMP, Follower

FRAME, STACK, CONSTANT = 0x1002, 0x8000, 0x4000
BYTES = 16


class Program:
    """The words of a program at 0, and one constant."""

    sections = {".rodata": (CONSTANT, CONSTANT + 8)}

    def __init__(self, words: list[int]) -> None:
        self.words = words

    def word(self, address: int) -> int:
        return self.words[address // 4]

    def quad(self, address: int) -> int:
        assert address == CONSTANT
        return 0xFF00


def decided(*steps: tuple[int, int | None]) -> list[tuple[str, int]]:
    """Kind and bits of the decisions of steps, each a word and the address of its access."""
    program = Program([word for word, _ in steps])
    rows = [Step(4 * n, "load" if at is not None else "", at) for n, (_, at) in enumerate(steps)]
    found = Follower(program, FRAME, BYTES).decisions(rows)
    return [(one.kind, one.bits) for one in found]


def of_bytes(first: int, last: int) -> int:
    return (1 << 8 * (last + 1)) - (1 << 8 * first)


LOAD = word("ldq", ra=1, rb=16, disp=6), FRAME + 6


def test_a_branch_on_loaded_bytes() -> None:
    assert decided(LOAD, (word("beq", ra=1), None)) == [(BRANCH, of_bytes(6, 13))]


def test_a_sign_is_one_bit() -> None:
    assert decided(LOAD, (word("blt", ra=1), None)) == [(BRANCH, 1 << 8 * 13 + 7)]
    assert decided(LOAD, (word("blbs", ra=1), None)) == [(BRANCH, 1 << 8 * 6)]


def test_a_literal_masks() -> None:
    masked = word("and", ra=1, literal=0x3F, rc=2), None
    assert decided(LOAD, masked, (word("bne", ra=2), None)) == [(BRANCH, 0x3F << 8 * 6)]


def test_a_constant_of_the_image_masks() -> None:
    constant = word("ldq", ra=3, rb=17), CONSTANT
    masked = word("and", ra=1, rb=3, rc=2), None
    assert decided(LOAD, constant, masked, (word("bne", ra=2), None)) == [(BRANCH, of_bytes(7, 7))]


def test_through_memory() -> None:
    kept = (word("stq", ra=1, rb=30), STACK), (word("ldl", ra=4, rb=30, disp=4), STACK + 4)
    assert decided(LOAD, *kept, (word("beq", ra=4), None)) == [(BRANCH, of_bytes(10, 13))]


def test_overwritten_memory_carries_nothing() -> None:
    kept = (word("stq", ra=1, rb=30), STACK), (word("stq", ra=31, rb=30), STACK)
    again = word("ldq", ra=4, rb=30), STACK
    assert decided(LOAD, *kept, again, (word("beq", ra=4), None)) == []


def test_a_byte_that_its_address_selects() -> None:
    """An access has shown the pointer, so the byte that is extracted is known."""
    shown = word("ldl", ra=5, rb=16, disp=2), FRAME + 2
    loaded = word("ldq_u", ra=1, rb=16, disp=1), FRAME + 1
    pointer = word("lda", ra=6, rb=16, disp=1), None
    byte = word("extbl", ra=1, rb=6, rc=2), None
    assert decided(shown, loaded, pointer, byte, (word("beq", ra=2), None)) == [
        (BRANCH, of_bytes(1, 1))
    ]


def test_addresses_and_jumps_decide() -> None:
    by_frame = word("ldq", ra=2, rb=1), 0x9000
    assert decided(LOAD, by_frame) == [(ADDRESS, of_bytes(6, 13))]
    assert decided(LOAD, (word("jsr", ra=26, rb=1), None)) == [(JUMP, of_bytes(6, 13))]


def test_palcode_keeps_saved_registers_alone() -> None:
    saved = word("bis", ra=1, rb=31, rc=9), None
    call = 0x0000_0083, None  # CALLSYS
    assert decided(LOAD, saved, call, (word("beq", ra=1), None)) == []
    assert decided(LOAD, saved, call, (word("beq", ra=9), None)) == [(BRANCH, of_bytes(6, 13))]
