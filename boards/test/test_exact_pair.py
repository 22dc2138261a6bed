# SPDX-License-Identifier: BSD-2-Clause
"""Two gateways of exact time at their pins, RGMII and RMII, on a cable that delays, loses, repeats
and damages messages; no two clocks alike. The nodes are the model's, and must get and send what
they do without a cable, to the tick; each message is one of the model's.
"""

import dataclasses
import json
import os
import random
from pathlib import Path

import cocotb
import pytest
from boards_support import exact_model
from boards_support.exact_model import Cable, Node, Wire
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge, Timer

from mcpi.hdl import cocotb_run
from verify.long_tests import sampled
from verify.verilog_mutants import VARIABLE, Mutant, planted

GIVEN = "MCPI_EXACT"  # environment variable: the case, as JSON
NODE_PS = 10_770
SHOWN = 0b1011  # link, 100 Mb/s, full duplex
DELIMITER = [5] * 15 + [13]
STARTS = 100, 20_000  # ns, of both sides
STALE = 0, 5000, 21_000  # ns, when a message of an earlier run comes
# Each in both gateways. Three that were looked for are none: a promise in a frame that is made as
# outside of one is smaller, of a message without all bytes of an arrival the player waits, and a
# limit that falls makes a node wait for the next message.
MISTAKES = {
    "the promise is a tick too large": ("ExactStream", "outside", "$ + 48'd1"),
    "in a frame, too": ("ExactStream", "io_promise", "next_1 -> next_1 + 48'd1"),
    "the promise is newer than its bytes": ("ExactSend", "head_count", "$ - (| $)"),
    "the lookahead forgets the wire's grid": ("ExactStream", "arrival", "$ - pad"),
    "what is lost is not sent again": ("ExactSend", "head_start", "io_head"),
    "the place is not looked at": ("ExactTake", "offset#2", "32'd0"),
    "damage is not seen": ("ExactTake", "whole", "!high && headLeft == 5'd0"),
    "another session's messages count": ("ExactTake", "ours", "1"),
    "acknowledged before it is here": ("ExactTake", "io_taken", "taken + 32'd1"),
    "ticks pass at the limit": ("ExactPace", "atLimit", "0"),
    "the limit acts a tick late": ("ExactPace", "atLimit", "left[48] || left <= 49'd1"),
    "the limit acts before the strobe is known": ("ExactPlayer", "if:allowed#2", "1"),
    "the pause of the proofs is not the node's": ("ExactPace", "pause#2", "atLimit"),
}
MUTANTS = [
    Mutant(f"{module} {module}_1", *change, title) for title, (module, *change) in MISTAKES.items()
]


def nodes(seed: int, nibble: int) -> list[Node]:
    source = random.Random(seed)

    def wire() -> Wire:
        return Wire(nibble, phase=source.randrange(nibble))

    made = [Node(random.Random(f"{seed} {side}"), wire(), own=2e-3, lengths=24) for side in (0, 1)]
    if seed % 2:  # the second one only answers
        made[1].own = 0
    return made


class Side:
    """A node that follows its gateway, clock by clock."""

    def __init__(self, dut, name: str, node: Node, ticks: int, ps: int) -> None:
        self.of = lambda port: getattr(dut, f"{name}_{port}")
        self.node, self.ticks, self.ps = node, ticks, ps
        self.source = random.Random(f"{name} {ps}")
        self.clocks = 0

    async def run(self, session: int, starts: int) -> None:
        of = self.of
        for port in ("run", "tick", "outlook", "mii_txStrobe", "mii_txEn", "mii_txEr", "mii_txd"):
            of(port).value = 0
        of("exact_session").value, of("exact_phase").value = session, self.phase
        of("exact_on").value = 1
        of("reset").value = 1
        cocotb.start_soon(Clock(of("clk"), self.ps, unit="ps").start())
        for _ in range(8):
            await FallingEdge(of("clk"))
        of("reset").value = 0
        await Timer(starts, unit="ns")
        await FallingEdge(of("clk"))
        of("run").value = 1
        soonest = 0  # of the clock before
        edge, ports = (
            FallingEdge(of("clk")),
            {
                port: of(port)
                for port in ("pause", "tick", "outlook", "mii_rxStrobe", "mii_rxDv", "mii_rxd")
            },
        )
        strobe_, enable_, data_ = of("mii_txStrobe"), of("mii_txEn"), of("mii_txd")
        faults = [of(f"exact_faults_{name}") for name in ("silent", "stalled", "broken")]
        while self.node.now < self.ticks:
            await edge
            self.clocks += 1
            ports["outlook"].value, soonest = soonest, self.node.soonest()
            tick = not int(ports["pause"].value) and self.source.random() < 0.95
            ports["tick"].value = tick
            strobe = None
            if tick:
                arrives = None
                if int(ports["mii_rxStrobe"].value):
                    arrives = int(ports["mii_rxd"].value) if int(ports["mii_rxDv"].value) else -1
                strobe = self.node.tick(arrives)
            strobe_.value = strobe is not None
            enable_.value = strobe is not None and strobe >= 0
            data_.value = max(strobe or 0, 0)
            if self.clocks % 64 == 0 and any(int(one.value) for one in faults):
                named = [one._name for one in faults if int(one.value)]
                raise exact_model.CableError(" ".join(named))
        ports["tick"].value = 0

    phase = 0


class Way:
    """A direction of the cable: frames, as nibbles after the delimiter, at random times."""

    def __init__(self, cable: Cable, seed: int, stale: bytes) -> None:
        self.cable, self.source = cable, random.Random(seed)
        self.due: list[tuple[float, list[int]]] = [(at, nibbles(stale)) for at in STALE]
        self.last, self.sent, self.raw = 0.0, 0, []

    def send(self, frame: list[int]) -> None:
        """A frame of the sender's, whole."""
        now = cocotb.utils.get_sim_time("ns")
        assert frame[:16] == DELIMITER
        body = frame[16:]
        raw = bytes(a | b << 4 for a, b in zip(body[::2], body[1::2], strict=True))
        message = exact_model.decode(raw)
        assert message, f"no message: {raw.hex()}"
        self.sent += 1
        if self.source.random() < self.cable.lose or now > self.cable.dead_after:
            return
        for _ in range(1 + (self.source.random() < self.cable.repeat)):
            here = list(body)
            if self.source.random() < self.cable.damage:
                here[self.source.randrange(len(here))] ^= 1 << self.source.randrange(4)
            self.due.append((now + self.source.random() * self.cable.latency, here))

    def next(self) -> list[int] | None:
        """The first frame that has come."""
        now = cocotb.utils.get_sim_time("ns")
        ready = [one for one in self.due if one[0] <= now]
        if not ready:
            return None
        first = min(ready)
        self.due.remove(first)
        return DELIMITER + first[1]


def nibbles(raw: bytes) -> list[int]:
    return [n for byte in raw for n in (byte & 15, byte >> 4)]


async def from_rgmii(dut, way: Way) -> None:
    frame: list[int] = []
    while True:
        await RisingEdge(dut.a_pins_txc)
        if int(dut.a_pins_txCtl.value):
            frame.append(int(dut.a_pins_txd.value))
        elif frame:
            way.send(frame)
            frame = []


async def from_rmii(dut, way: Way) -> None:
    frame: list[int] = []
    while True:
        await FallingEdge(dut.b_refClock)
        if int(dut.b_pins_txEn.value):
            frame.append(int(dut.b_pins_txd.value))
        elif frame:
            way.send([a | b << 2 for a, b in zip(frame[::2], frame[1::2], strict=True)])
            frame = []


async def to_rgmii(dut, way: Way) -> None:
    dut.a_pins_rxCtl.value, dut.a_pins_rxd.value = 0, SHOWN
    while True:
        await RisingEdge(dut.a_rxClock)
        if not (frame := way.next()):
            continue
        for nibble in frame:
            dut.a_pins_rxCtl.value, dut.a_pins_rxd.value = 1, nibble
            await RisingEdge(dut.a_rxClock)
        dut.a_pins_rxCtl.value, dut.a_pins_rxd.value = 0, SHOWN
        for _ in range(24):
            await RisingEdge(dut.a_rxClock)


async def to_rmii(dut, way: Way) -> None:
    dut.b_pins_crsDv.value = dut.b_pins_rxEr.value = dut.b_pins_rxd.value = 0
    while True:
        await FallingEdge(dut.b_refClock)
        if not (frame := way.next()):
            continue
        for nibble in frame:
            for dibit in (nibble & 3, nibble >> 2):
                dut.b_pins_crsDv.value, dut.b_pins_rxd.value = 1, dibit
                await FallingEdge(dut.b_refClock)
        dut.b_pins_crsDv.value = dut.b_pins_rxd.value = 0
        for _ in range(48):
            await FallingEdge(dut.b_refClock)


@dataclasses.dataclass(frozen=True)
class Case:
    seed: int = 1
    ticks: int = 16_000
    mbps: int = 10  # of the modelled wire
    latency: int = 1000  # ns
    share: float = 0.01  # of messages lost, repeated, damaged each
    dead_after: float = float("inf")  # ns
    ends: str = ""  # with the error


BAD = [Case(n, latency=at, share=0.1) for n, at in enumerate((1000, 20_000, 5000, 100_000), 1)]


@cocotb.test()
async def pair(dut):
    case = Case(**json.loads(os.environ[GIVEN]))
    source = random.Random(case.seed)
    shares = case.share, case.share, case.share
    cable = Cable(case.latency, *shares, dead_after=case.dead_after)
    nibble = 700 // case.mbps
    wanted, found = nodes(case.seed, nibble), nodes(case.seed, nibble)
    exact_model.direct(wanted, case.ticks)
    stale = exact_model.Message(6, 0, 0, 50_000, b"\x11" + bytes(6) + b"\x02" * 20).encode()
    ways = [Way(cable, case.seed + n, stale) for n in (0, 1)]

    def off(ps: int) -> int:
        return round(ps * (1 + source.uniform(-1e-4, 1e-4))) // 2 * 2

    sides = [
        Side(dut, name, node, case.ticks, off(NODE_PS) + extra)
        for name, node, extra in zip("ab", found, (0, 330), strict=True)
    ]
    for side, node in zip(sides, found, strict=True):
        side.phase = node.wire.phase
    for clock, ps in (("a_txClock", 10_000), ("a_rxClock", 40_000), ("b_refClock", 20_000)):
        cocotb.start_soon(Clock(getattr(dut, clock), off(ps), unit="ps").start())
    for part in (
        from_rgmii(dut, ways[0]),
        to_rmii(dut, ways[0]),
        from_rmii(dut, ways[1]),
        to_rgmii(dut, ways[1]),
    ):
        cocotb.start_soon(part)
    both = [
        cocotb.start_soon(side.run(7, starts)) for side, starts in zip(sides, STARTS, strict=True)
    ]
    try:
        for one in both:
            await one
    except exact_model.CableError as error:
        assert case.ends and case.ends in str(error), error
        return
    assert not case.ends
    clocks = [side.clocks for side in sides]
    waits = [int(side.of("exact_waits").value) for side in sides]
    frames = sum(value == -1 for node in found for _, value in node.log)
    dut._log.info(
        "%d ticks, %d frames, clocks %s, waits %s, messages %s",
        case.ticks,
        frames,
        clocks,
        waits,
        [way.sent for way in ways],
    )
    assert frames > 1
    for ours, one in zip(found, wanted, strict=True):
        assert ours.log == one.log and ours.sent == one.sent


def run(case: Case, only: str = "pair") -> None:
    """On Verilog with every mistake, of which VARIABLE chooses one."""
    settings = {"link.mbps": str(case.mbps)}
    settings |= {"lance.profile": "ideal"} if case.mbps > 10 else {}
    source = planted(cocotb_run.elaborate("ExactPair", settings=settings), MUTANTS)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(GIVEN, json.dumps(dataclasses.asdict(case)))
        cocotb_run.simulate(source, Path(__file__), only)


@pytest.mark.parametrize("seed", sampled(range(1, 11), lambda seed: seed == 1))
def test_what_nodes_get_is_what_the_wire_brings(seed):
    run(Case(seed=seed, latency=(5000, 1000, 100_000)[seed % 3]))


def test_seven_ticks_a_nibble_are_enough():
    """The next strobe is known and compared before its tick."""
    run(Case(mbps=100))


@pytest.mark.long
def test_a_dead_cable_is_silent():
    run(Case(dead_after=100_000, ends="silent"))


@pytest.mark.parametrize("title", sampled(MISTAKES, lambda title: title.startswith("ticks pass")))
def test_a_mistake_shows(monkeypatch, title):
    """On one of a few cables, of which most are slow: messages overtake one another, nodes wait."""
    monkeypatch.setenv(VARIABLE, str([*MISTAKES].index(title) + 1))
    with pytest.raises((SystemExit, AssertionError)):
        for case in BAD:
            run(case)


@pytest.mark.long
@pytest.mark.parametrize("case", BAD, ids=str)
def test_a_bad_cable_is_only_slow(case):
    run(case)
