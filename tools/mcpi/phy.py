# SPDX-License-Identifier: BSD-2-Clause
"""Bring-up of an Ethernet PHY over the board's MDIO registers: 10BASE-T, full duplex.

The LANCE has 10 Mb/s. Negotiation stays on and offers nothing else, so that the other end
learns of full duplex; a forced end would be taken for half.
"""

import time

from mcpi.boards import Phy
from mcpi.errors import RunError
from mcpi.hostlink import HostLink

BUSY, MISSING = 1 << 17, 1 << 16
WRITE = 1 << 26
CONTROL, STATUS, IDENTITY, ADVERTISE, GIGABIT = 0, 1, 2, 4, 9  # IEEE 802.3 clause 22
RESET, NEGOTIATE, RESTART = 1 << 15, 1 << 12, 1 << 9
TEN_FULL = 1 << 6 | 1  # and the selector field of 802.3
LINK, NEGOTIATED = 1 << 2, 1 << 5
OUT_OF_RESET = 1
_LINK_SECONDS = 5.0
_BUSY_LOOKS = 1000


class Mdio:
    """Registers of one PHY."""

    def __init__(self, link: HostLink, names: dict[str, int], address: int) -> None:
        self.link, self.number, self.address = link, names["board.mdio"], address

    def _done(self) -> int:
        for _ in range(_BUSY_LOOKS):
            if not (word := self.link.read(self.number)) & BUSY:
                return word
        raise RunError(f"{self.link.port.path}: MDIO stays busy.")

    def read(self, register: int) -> int:
        self.link.write(self.number, self.address << 21 | register << 16)
        word = self._done()
        if word & MISSING:
            raise RunError(
                f"{self.link.port.path}: no PHY answers at MDIO address {self.address}; is it out "
                "of reset, and is phy.address of board.toml its own?"
            )
        return word & 0xFFFF

    def write(self, register: int, value: int) -> None:
        self.link.write(self.number, WRITE | self.address << 21 | register << 16 | value)
        self._done()


def bring_up(link: HostLink, names: dict[str, int], phy: Phy) -> dict[str, object]:
    """Reset, the board's own writes, negotiate 10 Mb/s full duplex; what it found."""
    link.write(names["board.phy_control"], 0)
    time.sleep(phy.reset_ms / 1000)
    link.write(names["board.phy_control"], OUT_OF_RESET)
    time.sleep(phy.reset_ms / 1000)
    mdio = Mdio(link, names, phy.address)
    identity = mdio.read(IDENTITY) << 16 | mdio.read(IDENTITY + 1)
    for register, value in phy.start:
        mdio.write(register, value)
    mdio.write(GIGABIT, 0)
    mdio.write(ADVERTISE, TEN_FULL)
    mdio.write(CONTROL, NEGOTIATE | RESTART)
    end = time.monotonic() + _LINK_SECONDS
    while time.monotonic() < end:
        mdio.read(STATUS)  # the link bit remembers a failure until it is read
        if mdio.read(STATUS) & (LINK | NEGOTIATED) == LINK | NEGOTIATED:
            return {"identity": f"{identity:08x}", "partner": f"{mdio.read(5):04x}"}
        time.sleep(0.1)
    raise RunError(
        f"{link.port.path}: no link within {_LINK_SECONDS:.0f} s. Is the cable in both ends, and "
        "does the other end offer 10BASE-T full duplex?"
    )
