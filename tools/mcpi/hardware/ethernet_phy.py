# SPDX-License-Identifier: BSD-2-Clause
"""Bring-up of an Ethernet PHY over the board's MDIO registers: 10BASE-T or 100BASE-TX, full duplex.

``link.mbps`` and ``link.autonegotiation`` of the machine say which. Negotiation offers nothing
else, so the other end learns of full duplex; an end that negotiates takes a forced one for half.
"""

import time
from dataclasses import dataclass

from mcpi.base.errors import RunError, UserError
from mcpi.hardware.hostlink import HostLink
from mcpi.machine.boards import Phy
from mcpi.machine.profile import Machine

BUSY, MISSING = 1 << 17, 1 << 16
WRITE = 1 << 26
CONTROL, STATUS, IDENTITY, ADVERTISE, PARTNER, GIGABIT = 0, 1, 2, 4, 5, 9  # IEEE 802.3 clause 22
NEGOTIATE, RESTART = 1 << 12, 1 << 9
LOOP_BACK, SPEED_100, FULL_DUPLEX = 1 << 14, 1 << 13, 1 << 8
ABILITIES = {10: 1 << 6, 100: 1 << 8}  # full duplex; half: the bit below
SELECTOR = 1  # 802.3
LINK, NEGOTIATED = 1 << 2, 1 << 5
OUT_OF_RESET, FAST = 1, 2  # of board.phy_control
_SHOWN = {0: 10, 1: 100, 2: 1000}  # Mb/s, by bits 3:2 of board.link
_LINK_SECONDS = 5.0
_BUSY_LOOKS = 1000


@dataclass(frozen=True)
class Mode:
    """Mode of both ends of a cable. It is always full duplex, as the node's wire is."""

    mbps: int
    negotiated: bool

    @classmethod
    def of(cls, machine: Machine) -> "Mode":
        """UserError for a machine on a half-duplex segment."""
        given = machine.parameters
        if given["link.duplex"] != "full":
            raise UserError(
                "link.duplex = half: a board's PHY has full duplex only; use --engine rtl."
            )
        return cls(given["link.mbps"], given["link.autonegotiation"])

    def __str__(self) -> str:
        name = {10: "10BASE-T", 100: "100BASE-TX"}[self.mbps]
        return f"{name} full duplex, {'negotiated' if self.negotiated else 'forced'}"

    @property
    def forced(self) -> int:
        """The control register without negotiation."""
        return FULL_DUPLEX | (SPEED_100 if self.mbps == 100 else 0)


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


def _out_of_reset(
    link: HostLink, names: dict[str, int], phy: Phy, mode: Mode
) -> tuple[Mdio, dict[str, object]]:
    """Reset and the board's own writes; what there is to tell."""
    link.write(names["board.phy_control"], 0)
    time.sleep(phy.reset_ms / 1000)
    link.write(names["board.phy_control"], OUT_OF_RESET | (FAST if mode.mbps == 100 else 0))
    time.sleep(phy.reset_ms / 1000)
    mdio = Mdio(link, names, phy.address)
    identity = mdio.read(IDENTITY) << 16 | mdio.read(IDENTITY + 1)
    if identity in (0, 0xFFFF_FFFF):
        raise RunError(f"{link.port.path}: the PHY's identity reads {identity:08x}.")
    for register, value in phy.start:
        mdio.write(register, value)
    return mdio, {"identity": f"{identity:08x}"}


def _force(mdio: Mdio, wanted: int, reset_ms: int) -> str:
    """Writes the control register; what it reads then."""
    mdio.write(CONTROL, wanted)
    time.sleep(reset_ms / 1000)
    found = mdio.read(CONTROL)
    if (found ^ wanted) & (LOOP_BACK | SPEED_100 | FULL_DUPLEX | NEGOTIATE):
        raise RunError(
            f"{mdio.link.port.path}: the PHY does not keep {wanted:04x} in its control register: "
            f"it reads {found:04x}."
        )
    return f"{found:04x}"


def loop_back(
    link: HostLink, names: dict[str, int], phy: Phy, mbps: int, by_cable: bool = False
) -> dict[str, object]:
    """Set the PHY to return each frame, inside itself or by a looped cable. The loop is full
    duplex, without negotiation, as there is no other end. Return the PHY's facts by name."""
    mode = Mode(mbps, negotiated=False)
    mdio, found = _out_of_reset(link, names, phy, mode)
    wanted = mode.forced | (0 if by_cable else LOOP_BACK)
    found["control"] = _force(mdio, wanted, phy.reset_ms)
    if by_cable:
        _await(mdio, LINK, "Is the loop in the jack?")
    return found


def _await(mdio: Mdio, bits: int, advice: str) -> None:
    """Until the status register has these bits."""
    end = time.monotonic() + _LINK_SECONDS
    while time.monotonic() < end:
        mdio.read(STATUS)  # the link bit remembers a failure until it is read
        if mdio.read(STATUS) & bits == bits:
            return
        time.sleep(0.1)
    raise RunError(f"{mdio.link.port.path}: no link within {_LINK_SECONDS:.0f} s. {advice}")


def start(link: HostLink, names: dict[str, int], phy: Phy, mode: Mode) -> dict[str, object]:
    """Reset, the board's own writes, ``mode``; what it found. Link comes when the other end has
    been started, too: ``await_link``."""
    mdio, found = _out_of_reset(link, names, phy, mode)
    found["mode"] = str(mode)
    if mode.negotiated:
        mdio.write(GIGABIT, 0)
        mdio.write(ADVERTISE, ABILITIES[mode.mbps] | SELECTOR)
        mdio.write(CONTROL, NEGOTIATE | RESTART)
    else:
        found["control"] = _force(mdio, mode.forced, phy.reset_ms)
    return found


def await_link(link: HostLink, names: dict[str, int], phy: Phy, mode: Mode) -> dict[str, object]:
    """Behind ``start``; what it found. RunError if link does not come, or if the ends do not agree
    on ``mode``."""
    mdio, found = Mdio(link, names, phy.address), {}
    bits = LINK | NEGOTIATED if mode.negotiated else LINK
    _await(mdio, bits, f"Is the cable in both ends, and is the other end for {mode}?")
    if mode.negotiated:
        partner = mdio.read(PARTNER)
        found["partner"] = f"{partner:04x}"
        if not partner & ABILITIES[mode.mbps]:
            raise RunError(
                f"{link.port.path}: the other end of the cable offers {partner:04x}, which is not "
                f"{mode}: is it forced? Let it negotiate, or --set link.autonegotiation=off."
            )
    _agree(link, link.read(names["board.link"]), mode)
    return found


def _agree(link: HostLink, status: int, mode: Mode) -> None:
    """``shown`` is what the PHY shows between frames, if it does: board.link."""
    mbps, full = _SHOWN.get(status >> 2 & 3), status & 2
    if status & 1 and (mbps != mode.mbps or not full):
        raise RunError(
            f"{link.port.path}: there is link, but the PHY shows {mbps} Mb/s, "
            f"{'full' if full else 'half'} duplex; {mode} is wanted."
        )
