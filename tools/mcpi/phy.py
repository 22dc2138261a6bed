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
CONTROL, STATUS, IDENTITY, ADVERTISE, PARTNER, GIGABIT = 0, 1, 2, 4, 5, 9  # IEEE 802.3 clause 22
NEGOTIATE, RESTART = 1 << 12, 1 << 9
LOOP_BACK, FULL_DUPLEX = 1 << 14, 1 << 8
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


def _out_of_reset(link: HostLink, names: dict[str, int], phy: Phy) -> tuple[Mdio, int]:
    """Reset and the board's own writes; its identity too."""
    link.write(names["board.phy_control"], 0)
    time.sleep(phy.reset_ms / 1000)
    link.write(names["board.phy_control"], OUT_OF_RESET)
    time.sleep(phy.reset_ms / 1000)
    mdio = Mdio(link, names, phy.address)
    identity = mdio.read(IDENTITY) << 16 | mdio.read(IDENTITY + 1)
    if identity in (0, 0xFFFF_FFFF):
        raise RunError(f"{link.port.path}: the PHY's identity reads {identity:08x}.")
    for register, value in phy.start:
        mdio.write(register, value)
    return mdio, identity


def loop_back(
    link: HostLink, names: dict[str, int], phy: Phy, by_cable: bool = False
) -> dict[str, object]:
    """What is sent comes back, inside the PHY or by a looped cable: 10 Mb/s, full duplex, without
    negotiation, for there is nobody to negotiate with."""
    mdio, identity = _out_of_reset(link, names, phy)
    wanted = FULL_DUPLEX | (0 if by_cable else LOOP_BACK)
    mdio.write(CONTROL, wanted)
    time.sleep(phy.reset_ms / 1000)
    if (found := mdio.read(CONTROL)) & (LOOP_BACK | FULL_DUPLEX | NEGOTIATE) != wanted:
        raise RunError(
            f"{link.port.path}: the PHY does not keep {wanted:04x} in its control register: it "
            f"reads {found:04x}."
        )
    if by_cable:
        _await(mdio, LINK, "Is the loop in the jack?")
    return {"identity": f"{identity:08x}", "control": f"{found:04x}"}


def _await(mdio: Mdio, bits: int, advice: str) -> None:
    """Until the status register has these bits."""
    end = time.monotonic() + _LINK_SECONDS
    while time.monotonic() < end:
        mdio.read(STATUS)  # the link bit remembers a failure until it is read
        if mdio.read(STATUS) & bits == bits:
            return
        time.sleep(0.1)
    raise RunError(f"{mdio.link.port.path}: no link within {_LINK_SECONDS:.0f} s. {advice}")


def bring_up(link: HostLink, names: dict[str, int], phy: Phy) -> dict[str, object]:
    """Reset, the board's own writes, negotiate 10 Mb/s full duplex; what it found."""
    mdio, identity = _out_of_reset(link, names, phy)
    mdio.write(GIGABIT, 0)
    mdio.write(ADVERTISE, TEN_FULL)
    mdio.write(CONTROL, NEGOTIATE | RESTART)
    advice = "Is the cable in both ends, and does the other end offer 10BASE-T full duplex?"
    _await(mdio, LINK | NEGOTIATED, advice)
    return {"identity": f"{identity:08x}", "partner": f"{mdio.read(PARTNER):04x}"}
