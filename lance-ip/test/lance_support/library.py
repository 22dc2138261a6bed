# SPDX-License-Identifier: BSD-2-Clause
"""The Verilated controller through sim/lib/lance/lance.h, from Python."""

import ctypes
from ctypes import POINTER, byref, c_int, c_size_t, c_uint8, c_uint32, c_uint64
from functools import cache
from pathlib import Path

from mcpi.machine import profile as machine

TIMES = "poll word gap arbitration csr demand setup start heartbeat status interrupt".split()
NO_COLLISION = 0xFFFFFFFF
NIBBLE = 70
RX_ER = 16  # beside a nibble


class Config(ctypes.Structure):
    _fields_ = [(name, c_uint32) for name in TIMES]
    _fields_ += [(name, c_uint32) for name in ("transmit_threshold", "poll_phase", "nibble_ticks")]
    _fields_ += [(name, c_uint32) for name in ("dma_latency", "sqe_test", "half_duplex")]
    _fields_ += [("station", c_uint64)]


@cache
def plain_machine(profile: str) -> machine.Machine:
    return machine.load("dec3000-600", {"lance.profile": profile})


def load(path: Path) -> ctypes.CDLL:
    library = ctypes.CDLL(str(path))
    chip, number = ctypes.c_void_p, c_uint64
    for name, result, arguments in (
        ("new", chip, [POINTER(Config), POINTER(c_uint8), c_size_t]),
        ("free", None, [chip]),
        ("access", number, [chip, number, c_int, number, c_int, POINTER(c_int)]),
        ("advance", number, [chip, number, ctypes.c_uint]),
        ("now", number, [chip]),
        ("active", number, [chip]),
        ("interrupt", c_int, [chip]),
        ("set_half_duplex", None, [chip, c_int]),
        ("receive", None, [chip, number, ctypes.c_char_p, c_size_t]),
        ("collide", None, [chip, c_uint32]),
        ("forget_collisions", None, [chip]),
        ("lose_carrier", None, [chip, c_uint32]),
        ("set_dma_latency", None, [chip, c_uint32]),
        ("sent", c_size_t, [chip, ctypes.c_char_p, c_size_t, POINTER(number), POINTER(number)]),
        ("astray", number, [chip]),
    ):
        function = getattr(library, f"lance_{name}")
        function.restype, function.argtypes = result, arguments
    return library


class Chip:
    """A chip; ``times`` in ticks override those of the machine's profile. ``new`` makes it, in the
    place of ``lance_new``."""

    def __init__(
        self,
        library,
        memory: bytearray,
        station: bytes,
        half: bool = False,
        profile: str = "am7990",
        new=None,
        **times,
    ):
        self.library = library
        self.view = (c_uint8 * len(memory)).from_buffer(memory)
        plain = plain_machine(profile)
        values = {name: plain.ticks(f"lance.{name}_ns") for name in TIMES}
        values |= {"transmit_threshold": plain.parameters["lance.transmit_threshold"]}
        values |= {"poll_phase": 1000, "nibble_ticks": NIBBLE, "dma_latency": 10, "sqe_test": 1}
        values |= {"half_duplex": int(half), "station": int.from_bytes(station, "little")}
        config = Config(**(values | times))
        self.chip = (new or library.lance_new)(byref(config), self.view, len(memory))
        if not self.chip:
            library.lance_refusal.restype = ctypes.c_char_p
            raise ValueError(library.lance_refusal().decode())

    def close(self) -> None:
        self.library.lance_free(self.chip)
        self.chip = None

    def access(self, address: int, write: bool, data: int = 0) -> int:
        error = c_int()
        result = self.library.lance_access(self.chip, address, write, data, 0, byref(error))
        assert not error.value, f"access of {address:x} timed out"
        return result & 0xFFFFFFFF

    def advance(self, ticks: int, events: int = 0) -> int:
        return self.library.lance_advance(self.chip, ticks, events)

    @property
    def now(self) -> int:
        return self.library.lance_now(self.chip)

    @property
    def quiet(self) -> int:
        """Ticks since the last DMA and the last bit on the wire."""
        return self.now - self.library.lance_active(self.chip)

    @property
    def astray(self) -> int:
        return self.library.lance_astray(self.chip)

    @property
    def line(self) -> bool:
        return bool(self.library.lance_interrupt(self.chip))

    def receive(self, nibbles: list[int], after: int = 0) -> None:
        self.library.lance_receive(self.chip, self.now + after, bytes(nibbles), len(nibbles))

    def collide(self, ticks: int | None) -> None:
        self.library.lance_collide(self.chip, NO_COLLISION if ticks is None else ticks)

    def forget_collisions(self) -> None:
        self.library.lance_forget_collisions(self.chip)

    def half_duplex(self, half: bool) -> None:
        self.library.lance_set_half_duplex(self.chip, half)

    def sent(self) -> list[tuple[int, int, list[int]]]:
        """Everything sent since the last call: tick of the first bit, after the last, nibbles."""
        found = []
        room = ctypes.create_string_buffer(20000)
        first, last = c_uint64(), c_uint64()
        while count := self.library.lance_sent(
            self.chip, room, len(room), byref(first), byref(last)
        ):
            found.append((first.value, last.value, list(room.raw[:count])))
        return found
