# SPDX-License-Identifier: BSD-2-Clause
"""Block RAM, multiplier and LUT of the ECP5, as documents have them; no look at primitives.v.

Block RAM: Lattice TN1264 (memory usage guide) and what yosys promises of it (brams_16kd.txt):
2,048 bytes of nine bits. Ports of 1, 2 and 4 bits see eight of each, as one row of bits; ports of
9, 18 and 36 bits see bytes. Address pins count bits of ports of one bit; those that wider ports do
not need are byte enables of 18 and 36 bits. A reset empties the outputs whatever the enables say,
and keeps its port from writing. What one port reads while the other writes it is not promised: the
models say it inverted, so that whoever looks at it is found.
"""

from dataclasses import dataclass, field

STEPS = {1: 0, 2: 1, 4: 2, 9: 3, 18: 4, 36: 5}  # lowest address pin of a word
NORMAL, THROUGH, BEFORE = "NORMAL", "WRITETHROUGH", "READBEFOREWRITE"


@dataclass(frozen=True)
class Setting:
    """Parameters of a DP16KD. A port A of 36 bits only writes, port B only reads then."""

    width_a: int = 18
    width_b: int = 18
    mode_a: str = NORMAL
    mode_b: str = NORMAL
    registered: bool = False
    inverted: bool = False  # both clocks

    @property
    def widths(self) -> tuple[int, int]:
        return self.width_a, self.width_b

    @property
    def modes(self) -> tuple[str, str]:
        return self.mode_a, self.mode_b


@dataclass(frozen=True)
class Pins:
    """Pins of one port, at its clock's edge."""

    data: int
    address: int
    enable: bool
    output_enable: bool
    write: bool
    reset: bool


@dataclass
class BlockRam:
    """``edge`` is a clock of either port or of both at once; ``shown`` what its outputs say."""

    setting: Setting
    content: list[int]  # 2,048 bytes of nine bits
    latches: list[int] = field(default_factory=lambda: [0, 0])
    outputs: list[int] = field(default_factory=lambda: [0, 0])

    def _bits(self, port: int, address: int) -> list[tuple[int, int]]:
        """Which bit of which byte each data bit is, lowest first."""
        width = self.setting.widths[port]
        word = address >> STEPS[width]
        if width < 9:
            return [divmod(word * width + n, 8) for n in range(width)]
        return [(word * (width // 9) + n // 9, n % 9) for n in range(width)]

    def _writes(self, port: int, pins: Pins) -> dict[tuple[int, int], int]:
        """The bits that change, with their values."""
        if not (pins.enable and pins.write) or pins.reset:
            return {}
        width = self.setting.widths[port]
        return {
            bit: pins.data >> n & 1
            for n, bit in enumerate(self._bits(port, pins.address))
            if width < 18 or pins.address >> n // 9 & 1
        }

    def edge(self, pins: tuple[Pins, Pins], rises: tuple[bool, bool]) -> None:
        """Raise one or both clocks. The other port's pins may change at any time."""
        writes = [self._writes(port, pins[port]) for port in (0, 1)]
        before = list(self.content)
        for port in (0, 1):
            if not rises[port]:
                continue
            now, mode = pins[port], self.setting.modes[port]
            if now.reset:
                self.outputs[port] = 0
            elif now.output_enable:
                self.outputs[port] = self.latches[port]
            if now.reset:
                self.latches[port] = 0
            elif now.enable and not (now.write and mode == NORMAL):
                found = 0
                for n, (byte, bit) in enumerate(self._bits(port, now.address)):
                    value = before[byte] >> bit & 1
                    value ^= (byte, bit) in writes[1 - port]
                    if mode == THROUGH:
                        value = writes[port].get((byte, bit), value)
                    found |= value << n
                self.latches[port] = found
            for (byte, bit), value in writes[port].items():
                self.content[byte] = self.content[byte] & ~(1 << bit) | value << bit

    def shown(self) -> tuple[int, int]:
        """DOA, DOB. A word of 36 bits that port B reads stands on both."""
        a, b = self.outputs if self.setting.registered else self.latches
        return (b & 0x3FFFF, b >> 18) if self.setting.width_b == 36 else (a, b)


def initial(values: list[int]) -> list[int]:
    """Nine-bit bytes of INITVAL_00 up: each has sixteen words of 18 bits, 20 bits apart."""
    words = [value >> 20 * n & 0x3FFFF for value in values for n in range(16)]
    return [part for word in words for part in (word & 0x1FF, word >> 9)]


def product(a: int, b: int, signed_a: bool, signed_b: bool) -> int:
    """36 bits of the product of two numbers of 18."""
    a -= (signed_a and a >> 17) << 18
    b -= (signed_b and b >> 17) << 18
    return a * b & (1 << 36) - 1


def lookup(table: int, a: int, b: int, c: int, d: int) -> int:
    """Output of a LUT of four inputs: its table's bit, input A the lowest of the number."""
    return table >> (a + 2 * b + 4 * c + 8 * d) & 1
