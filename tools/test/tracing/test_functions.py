# SPDX-License-Identifier: BSD-2-Clause
"""Which function of which thread is under way: calls, interrupts, switches, one at a time."""

from types import SimpleNamespace

from mcpi.analysis.attribution import Tick
from mcpi.isa import table
from mcpi.tracing.functions import Access, Change, Functions, Runs

F, G, H, SWITCH, HANDLER = 0x1000, 0x2000, 0x3000, 0x4000, 0x5000
ENTRY, RTI = 0x8001, 0x9001  # PALcode
NAMES = {F: "f", G: "g", H: "h", SWITCH: "plat_switch", HANDLER: "handler"}
NAMES |= {ENTRY & ~3: "PAL interrupt", RTI & ~3: "PAL rti"}
BSR, RET, CALL_PAL, HW_REI, OTHER = (
    table.named(name).match for name in ("bsr", "ret", "halt", "hw_rei", "addl")
)


class Code:
    """Functions of 4,096 bytes; ``words``: what is there, else an operate."""

    def __init__(self, words: dict[int, int]) -> None:
        self._words = words

    def place(self, pc: int) -> SimpleNamespace:
        return SimpleNamespace(function=NAMES[pc & ~0xFFF])

    def word(self, pc: int) -> int:
        return self._words.get(pc, OTHER)

    def starts(self, pc: int) -> bool:
        return pc & ~3 in NAMES


def content(words: dict[int, int], *pcs: int, accesses: tuple[Access, ...] = ()) -> list[tuple]:
    """(tick, lane, function), an empty name where one ends, and (tick, lane) where a lane begins
    to run."""
    rows = [Tick(10 + n, 1, "issue", pc, ()) for n, pc in enumerate(pcs)]
    found = Functions(Code(words), accesses).changes(rows)
    return [
        (one.tick, one.lane) if isinstance(one, Runs) else (one.tick, one.lane, one.begins)
        for one in found
        if isinstance(one, Runs | Change)
    ]


def test_calls_nest() -> None:
    words = {F: BSR, G + 4: RET}
    assert content(words, F, G, G + 4, F + 4) == [
        (10, 1), (10, 1, "f"), (11, 1, "g"), (13, 1, ""), (14, 1, ""),
    ]  # fmt: skip


def test_a_jump_takes_the_caller_s_place() -> None:
    """h returns to where g was called."""
    words = {F: BSR, H: RET}
    assert content(words, F, G, H, F + 4)[2:] == [
        (11, 1, "g"), (12, 1, ""), (12, 1, "h"), (13, 1, ""), (14, 1, ""),
    ]  # fmt: skip


def test_a_return_out_of_the_span() -> None:
    assert content({G: RET}, G, F)[1:] == [(10, 1, "g"), (11, 1, ""), (11, 1, "f"), (12, 1, "")]


def test_an_interrupt_has_frames_of_its_own() -> None:
    """Between a call and what it calls, too."""
    words = {F: BSR, ENTRY: HW_REI, HANDLER: CALL_PAL, RTI: HW_REI}
    assert content(words, F, ENTRY, HANDLER, RTI, G) == [
        (10, 1), (10, 1, "f"),
        (11, 0), (11, 0, "PAL interrupt"), (12, 0, ""), (12, 0, "handler"), (13, 0, "PAL rti"),
        (14, 1), (14, 0, ""), (14, 0, ""), (14, 1, "g"), (15, 1, ""), (15, 1, ""),
    ]  # fmt: skip


def test_an_interrupt_that_is_withdrawn() -> None:
    assert content({ENTRY: HW_REI}, F, ENTRY, F + 4)[2:] == [
        (11, 0), (11, 0, "PAL interrupt"), (12, 1), (12, 0, ""), (13, 1, ""),
    ]  # fmt: skip


def test_an_interrupt_at_the_end_of_a_call_of_palcode() -> None:
    """An end like that of WTINT: HW_REI issues, and the interrupt comes before what it leads to."""
    words = {F: CALL_PAL, RTI: HW_REI, ENTRY: HW_REI, HANDLER: CALL_PAL, RTI + 4: HW_REI}
    assert content(words, F, RTI, ENTRY, HANDLER, RTI + 4, F + 4) == [
        (10, 1), (10, 1, "f"), (11, 1, "PAL rti"),
        (12, 0), (12, 0, "PAL interrupt"), (13, 0, ""), (13, 0, "handler"), (14, 0, "PAL rti"),
        (15, 1), (15, 0, ""), (15, 0, ""), (15, 1, ""), (16, 1, ""),
    ]  # fmt: skip


def test_a_switch_and_back() -> None:
    """Thread 1 stores at its stack pointer and loads from another's; later the other way round."""
    words = {F: BSR, SWITCH + 8: RET, G: BSR}
    first = (F, SWITCH, SWITCH + 4, SWITCH + 8)
    accesses = tuple(
        Access(n, stores, at)
        for n, stores, at in (
            (1, True, 0x100),
            (2, False, 0x200),
            (5, True, 0x280),
            (6, False, 0x100),
        )
    )
    second = (G, SWITCH, SWITCH + 4, SWITCH + 8, F + 4)
    assert content(words, *first, *second, accesses=accesses) == [
        (10, 1), (10, 1, "f"), (11, 1, "plat_switch"),
        (12, 2), (12, 2, "plat_switch"), (14, 2, ""), (14, 2, "g"), (15, 2, "plat_switch"),
        (16, 1), (18, 1, ""),
        (19, 1, ""), (19, 2, ""), (19, 2, ""),
    ]  # fmt: skip
