# SPDX-License-Identifier: BSD-2-Clause
"""Bring-up of PHYs over MDIO: each mode at either end of a cable, and ends that do not agree."""

import itertools
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from mcpi.base.errors import RunError, UserError
from mcpi.engines.board import attach as board_attach
from mcpi.engines.board import session
from mcpi.engines.board.node import BoardNode
from mcpi.hardware import ethernet_phy
from mcpi.hardware.ethernet_phy import Mode
from mcpi.machine import boards, profile

NAMES = {"board.phy_control": 0, "board.mdio": 1, "board.link": 2}
MODES = [Mode(mbps, negotiated) for mbps in (10, 100) for negotiated in (True, False)]
USUAL = Mode(10, negotiated=True)
HALF_SET = {"link.duplex": "half"}
HALF = {10: 1 << 5, 100: 1 << 7}


@dataclass(frozen=True)
class Far:
    """The other end of the cable: what it offers, or at which speed it is forced (then full
    duplex). None: there is no cable."""

    offers: int | None = None
    forced: int | None = None


NOBODY = Far()


def end(mode: Mode) -> Far:
    """A far end that does ``mode``."""
    if mode.negotiated:
        return Far(offers=ethernet_phy.ABILITIES[mode.mbps] | ethernet_phy.SELECTOR)
    return Far(forced=mode.mbps)


class PhyModel:
    """A PHY at address 3 of clauses 22 and 28, behind host registers.

    ``stuck``: registers that do not take what is written; ``identity``: registers 2 and 3.
    ``far``: the other end, or the PHY that is there. ``eager``: it takes a forced end's speed, and
    half duplex, though it does not offer that.
    """

    path = "a PHY"

    def __init__(
        self,
        identity: int = 0x0022_1622,
        stuck: tuple[int, ...] = (),
        far: "Far | PhyModel" = NOBODY,
        eager: bool = False,
    ) -> None:
        self.usual = {2: identity >> 16, 3: identity & 0xFFFF, 0: 0x1000, 4: 0x1E1}
        self.stuck, self.far, self.eager = stuck, far, eager
        self.registers, self.control, self.answer, self.port = dict(self.usual), 0, 0, self

    def write(self, number: int, value: int) -> None:
        if number == NAMES["board.phy_control"]:
            self.control = value
            if not value & ethernet_phy.OUT_OF_RESET:
                self.registers = dict(self.usual)
            return
        address, register, data = value >> 21 & 31, value >> 16 & 31, value & 0xFFFF
        if address != 3 or not self.control & ethernet_phy.OUT_OF_RESET:
            self.answer = ethernet_phy.MISSING | 0xFFFF
            return
        if value & ethernet_phy.WRITE and register not in self.stuck:
            self.registers[register] = data
        status, partner, _ = self.linked()
        self.answer = (
            {ethernet_phy.STATUS: status, ethernet_phy.PARTNER: partner} | self.registers
        ).get(register, 0)

    def read(self, number: int) -> int:
        return self.linked()[2] if number == NAMES["board.link"] else self.answer

    def as_far(self) -> Far:
        """This PHY, seen from the other end."""
        if not self.control & ethernet_phy.OUT_OF_RESET:
            return NOBODY
        if self.registers[ethernet_phy.CONTROL] & ethernet_phy.NEGOTIATE:
            return Far(offers=self.registers[ethernet_phy.ADVERTISE])
        return Far(
            forced=100 if self.registers[ethernet_phy.CONTROL] & ethernet_phy.SPEED_100 else 10
        )

    def linked(self) -> tuple[int, int, int]:
        """Status, partner and what is shown between frames, of both ends: 802.3 table 28B, highest
        first; 28.2.3.1 for one that is forced."""
        far = self.far.as_far() if isinstance(self.far, PhyModel) else self.far
        control, own = self.registers[ethernet_phy.CONTROL], self.registers[ethernet_phy.ADVERTISE]
        link, status, partner, mbps, full = False, 0, 0, 10, False
        if control & ethernet_phy.LOOP_BACK or far == NOBODY:
            return 0, 0, 0
        if not control & ethernet_phy.NEGOTIATE:
            mbps = 100 if control & ethernet_phy.SPEED_100 else 10
            full = bool(control & ethernet_phy.FULL_DUPLEX)
            link = far.forced == mbps or bool((far.offers or 0) & HALF[mbps])
        elif far.forced:
            mbps, status = far.forced, ethernet_phy.NEGOTIATED
            partner = HALF[mbps] | ethernet_phy.SELECTOR
            link = self.eager or bool(own & HALF[mbps])
        else:
            partner, status = far.offers, ethernet_phy.NEGOTIATED
            ways = [(mbps, full) for mbps in (100, 10) for full in (True, False)]
            common = [
                w for w in ways if own & partner & (ethernet_phy.ABILITIES if w[1] else HALF)[w[0]]
            ]
            link = bool(common)
            mbps, full = (common or ways)[0]
        return (
            (status | ethernet_phy.LINK, partner, _shown(mbps, full))
            if link
            else (status, partner, 0)
        )


def _shown(mbps: int, full: bool) -> int:
    return 1 | full << 1 | (mbps == 100) << 2


def chip(address: int = 3, start: tuple = ()) -> boards.Phy:
    return boards.Phy(address, start, reset_ms=0)


def bring_up(model: PhyModel, mode: Mode) -> dict[str, object]:
    found = ethernet_phy.start(model, NAMES, chip(), mode)
    return found | ethernet_phy.await_link(model, NAMES, chip(), mode)


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(ethernet_phy, "_LINK_SECONDS", 0.05)
    monkeypatch.setattr(ethernet_phy.time, "sleep", lambda _: None)


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_link(mode):
    """Speed, duplex, and the gateway's speed; and what is told of it."""
    model = PhyModel(far=end(mode))
    found = bring_up(model, mode)
    assert found["identity"] == "00221622" and found["mode"] == str(mode)
    assert model.control == ethernet_phy.OUT_OF_RESET | (
        ethernet_phy.FAST if mode.mbps == 100 else 0
    )
    assert model.read(NAMES["board.link"]) == (0b111 if mode.mbps == 100 else 0b011)
    if mode.negotiated:
        assert model.registers[ethernet_phy.GIGABIT] == 0, "nothing faster is offered"
        assert found["partner"] == f"{end(mode).offers:04x}"
    else:
        assert found["control"] == ("2100" if mode.mbps == 100 else "0100")


@pytest.mark.parametrize("ours, theirs", [*itertools.permutations(MODES, 2)], ids=str)
def test_ends_that_do_not_agree(ours, theirs):
    """No link, and the sentence says what the other end should be."""
    with pytest.raises(RunError, match=f"no link within .* is the other end for {ours}"):
        bring_up(PhyModel(far=end(theirs)), ours)


def test_a_usual_host_at_the_other_end():
    """It offers everything: the highest that both have is what we offer."""
    for mbps in (10, 100):
        found = bring_up(PhyModel(far=Far(offers=0x1E1)), Mode(mbps, negotiated=True))
        assert found["partner"] == "01e1"


def test_a_forced_end_that_is_taken_for_half():
    """There is link, at half duplex: collisions for one end and none for the other."""
    with pytest.raises(RunError, match="offers 0021, which is not 10BASE-T full.*is it forced"):
        bring_up(PhyModel(far=Far(forced=10), eager=True), USUAL)


@pytest.mark.parametrize("shown, word", [(0b001, "10 Mb/s, half"), (0b111, "100 Mb/s, full")])
def test_what_the_phy_shows(shown, word):
    with pytest.raises(RunError, match=f"the PHY shows {word} duplex; 10BASE-T full duplex, neg"):
        bring_up(Shows(shown), USUAL)


def test_a_phy_that_shows_nothing():
    assert bring_up(Shows(0b100), USUAL)["partner"] == "0041"


class Shows(PhyModel):
    """Between frames always the same."""

    def __init__(self, shown: int) -> None:
        super().__init__(far=end(USUAL))
        self.shown = shown

    def linked(self) -> tuple[int, int, int]:
        return *super().linked()[:2], self.shown


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_two_boards_that_wake(mode, monkeypatch):
    """Each PHY is in reset until the host lets it go: there is link when both have been."""
    monkeypatch.setattr(boards, "by_identity", lambda _: SimpleNamespace(phy=chip()))
    settings = {"link.mbps": str(mode.mbps), "lance.profile": "ideal"}
    settings |= {"link.autonegotiation": "on" if mode.negotiated else "off"}
    ends = [PhyModel(), PhyModel()]
    ends[0].far, ends[1].far = ends[1], ends[0]
    nodes = [BoardNode(one, NAMES, []) for one in ends]
    for node in nodes:
        node.about["board"] = "ecpix5"
    session.bring_up(nodes, Mode.of(profile.load("dec3000-600", settings)))
    for node in nodes:
        assert node.about["phy"]["mode"] == str(mode)
        assert node.about["phy"].get("partner", "") == (
            f"{end(mode).offers:04x}" if mode.negotiated else ""
        )


def test_no_cable():
    for mode in MODES:
        with pytest.raises(RunError, match="no link within .* Is the cable in both ends"):
            bring_up(PhyModel(), mode)


def test_the_machine_file_says_which():
    assert Mode.of(profile.load("dec3000-600")) == USUAL
    fast = {"link.mbps": "100", "lance.profile": "ideal", "link.autonegotiation": "off"}
    assert Mode.of(profile.load("dec3000-600", fast)) == Mode(100, negotiated=False)


def test_half_duplex_is_refused():
    half = profile.load("dec3000-600", HALF_SET)
    for refuses in (
        lambda: Mode.of(half),
        lambda: board_attach.run("x", 0, half.name, HALF_SET, 0),
    ):
        with pytest.raises(UserError, match="link.duplex = half: a board's PHY has full duplex"):
            refuses()


def test_forcing_builds_nothing_new():
    usual, forced = (
        profile.load("dec3000-600", {"link.autonegotiation": text}) for text in ("on", "off")
    )
    assert usual.elaborate_digest == forced.elaborate_digest and usual.digest != forced.digest


# ---- looped


@pytest.mark.parametrize("mbps, control", [(10, "4100"), (100, "6100")])
def test_a_loop_in_the_phy(mbps, control):
    model = PhyModel()
    found = ethernet_phy.loop_back(model, NAMES, chip(start=((28, 0x8C00),)), mbps)
    assert found == {"identity": "00221622", "control": control}
    assert model.registers[28] == 0x8C00
    assert bool(model.control & ethernet_phy.FAST) == (mbps == 100)


def test_a_looped_cable():
    found = ethernet_phy.loop_back(PhyModel(far=Far(forced=10)), NAMES, chip(), 10, by_cable=True)
    assert found["control"] == "0100"
    with pytest.raises(RunError, match="no link within .* Is the loop in the jack"):
        ethernet_phy.loop_back(PhyModel(), NAMES, chip(), 10, by_cable=True)


@pytest.mark.parametrize(
    "model, address, message",
    [
        (PhyModel(), 4, "no PHY answers at MDIO address 4"),
        (PhyModel(identity=0xFFFF_FFFF), 3, "identity reads ffffffff"),
        (PhyModel(stuck=(0,)), 3, "does not keep 4100 in its control register: it reads 1000"),
    ],
)
def test_a_phy_that_does_not(model, address, message):
    with pytest.raises(RunError, match=message):
        ethernet_phy.loop_back(model, NAMES, chip(address), 10)
