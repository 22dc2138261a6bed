# SPDX-License-Identifier: BSD-2-Clause
"""Two boards on a cable, at their pins: both awake with TCP STD in their bitstreams, run by engine
board over two serial lines, bit by bit; RGMII crossed, no two clocks alike.

In exact time all counters are the simulator's. A live cable has wall time, the boards' time is
slower than it, and their timers' phase is another by the time a frame comes: so counters are near
the simulator's, frames are the same to the bit. Of a machine in real time the round trip is the
simulator's, too, and the gateways' share.
"""

import dataclasses
import json
import os
import random
import subprocess
from pathlib import Path
from types import SimpleNamespace

import cocotb
import pytest
from boards_support import exact_model
from boards_support.board_at_pins import CLOCK, IDENTITY, NOMINAL, Line, Time, nothing, phy_at
from cocotb.clock import Clock
from cocotb.task import bridge
from cocotb.triggers import Timer
from cocotbext.eth import RgmiiSink

from mcpi.base.file_lock import hold
from mcpi.build import graph, run_folder
from mcpi.engines import simulate
from mcpi.engines.board import cabled, session
from mcpi.engines.board.cabled import PINS
from mcpi.engines.board.node import BoardNode
from mcpi.engines.rtl.substitute import IN_CLOCKS
from mcpi.firmware import elf
from mcpi.fpga import bram_image
from mcpi.hardware import ethernet_phy
from mcpi.hardware.hostlink import HostLink
from mcpi.hdl import cocotb_run
from mcpi.machine import boards
from mcpi.machine.profile import Machine
from mcpi.results import measure as results
from mcpi.results import pcap
from mcpi.spec import node_image, run_jobs
from mcpi.spec.run_spec import RunSpec

PUBLIC = "/* verilator public_flat_rw */"
PLACE = "MCPI_BOARDS"  # environment variable: the folder of the run
SIDES = {"client": (CLOCK, 10_000), "server": (CLOCK - 4, 10_002)}  # ps: node's clock, RGMII's
EXACT = {"client": (NOMINAL + 2, 10_000), "server": (NOMINAL - 2, 10_002)}  # as quartzes are
GAP = 0.01  # s, between both starts: the server listens by the time that the client speaks
RECORD = RunSpec(engine="board", round_trips=2, warmup=1, ports=tuple(SIDES), lockstep=False)
# Both machines from one image: there is one that comes with the bitstream.
REAL = dataclasses.replace(
    RECORD, machine="dec3000-35", round_trips=10, warmup=2, peer_variant=RECORD.variant
)
SHARE = 0.01  # of a simulated round trip, by which one between boards may be another
FAST = {"link.mbps": "100", "lance.profile": "ideal", "link.autonegotiation": "off"}
OFFERS = 0x1E1  # of a PHY that nobody has told anything: 10 and 100 Mb/s, half and full duplex
NEAR = {"instructions": 0.01, "ticks": 0.03}  # of the simulator's, on the path


class Board:
    """The pins of one of them, with its PHY, the host's port and who listens to the cable."""

    def __init__(self, dut, side: str, clock: int, quarter: int) -> None:
        names = ["shown", "rxc", "rxCtl", "rxd4"]
        names += [name.rpartition(" ")[2] for name in (*PINS["input"], *PINS["output"])]
        self.pins = SimpleNamespace(**{name: getattr(dut, f"{side}_{name}") for name in names})
        of_phy = ("mdc", "write", "drive", "read")
        mdio = SimpleNamespace(**{f"pins_{name}": getattr(self.pins, name) for name in of_phy})
        self.phy = phy_at(mdio)
        self.pins.reset.value, self.pins.shown.value = 1, 0
        self.pins.delay.value, self.pins.lose.value = 49, 0
        cocotb.start_soon(Clock(self.pins.clk, clock, unit="ps").start())
        cocotb.start_soon(Clock(self.pins.quarter, quarter, unit="ps").start())
        self.link = HostLink(Line(self.pins.rxd, self.pins.txd, side))
        self.sink = RgmiiSink(self.pins.rxd4, self.pins.rxCtl, self.pins.rxc)
        self.sink.mii_mode = True

    def received(self) -> list[str]:
        frames = [self.sink.recv_nowait() for _ in range(self.sink.count())]
        return [bytes(f.get_payload(strip_fcs=False)).hex() for f in frames]

    @property
    def forced(self) -> int:
        return self.phy.registers[ethernet_phy.CONTROL] & (
            ethernet_phy.SPEED_100 | ethernet_phy.FULL_DUPLEX
        )

    def negotiates(self) -> bool:
        return bool(self.phy.registers[ethernet_phy.CONTROL] & ethernet_phy.NEGOTIATE)


async def bad(board: Board, n: int, us: float, share: float) -> None:
    """A cable of this latency that loses a share of what the board sends."""
    source = random.Random(n)
    board.pins.delay.value = round(us * 100)
    while True:
        board.pins.lose.value = source.random() < share
        await Timer(5, unit="us")


async def cable(pair: list[Board]) -> None:
    """Link, as 802.3 clause 28 has it, between PHYs of which each may be in reset."""
    while True:
        held = [bool(int(one.pins.phyReset.value)) for one in pair]
        for one, off in zip(pair, held, strict=True):
            if off:
                one.phy.registers[:] = [0] * len(one.phy.registers)
                one.phy.registers[ethernet_phy.IDENTITY : ethernet_phy.IDENTITY + 2] = IDENTITY
                one.phy.registers[ethernet_phy.CONTROL] = ethernet_phy.NEGOTIATE
                one.phy.registers[ethernet_phy.ADVERTISE] = OFFERS
        a, b = pair
        status = shown = 0
        if not any(held) and a.negotiates() and b.negotiates():
            both = a.phy.registers[ethernet_phy.ADVERTISE] & b.phy.registers[ethernet_phy.ADVERTISE]
            mbps = next((mbps for mbps in (100, 10) if both & ethernet_phy.ABILITIES[mbps]), 0)
            status = (
                ethernet_phy.NEGOTIATED | ethernet_phy.LINK if mbps else ethernet_phy.NEGOTIATED
            )
            shown = 0b1001 | (mbps == 100) << 1 if mbps else 0
        elif not any(held) and not a.negotiates() and not b.negotiates() and a.forced == b.forced:
            status, shown = ethernet_phy.LINK, 1 | bool(a.forced & ethernet_phy.SPEED_100) << 1
            shown |= bool(a.forced & ethernet_phy.FULL_DUPLEX) << 3
        for one, other in (pair, pair[::-1]):
            one.phy.registers[ethernet_phy.STATUS] = status
            one.phy.registers[ethernet_phy.PARTNER] = (
                other.phy.registers[ethernet_phy.ADVERTISE] if status else 0
            )
            one.pins.shown.value = shown
        await Timer(20, unit="us")


@cocotb.test(timeout_time=1, timeout_unit="sec")
async def ping_pong(dut):
    """Engine board, from PHYs in reset to the counters."""
    place = Path(os.environ[PLACE])
    given = json.loads((place / "spec.json").read_text())
    record = RunSpec(**given | {"ports": tuple(given["ports"])})
    clocks = json.loads((place / "clocks.json").read_text())
    there = {side: Board(dut, side, *clocks[side]) for side in SIDES}
    if (place / "bad.json").exists():
        for n, board in enumerate(there.values()):
            cocotb.start_soon(bad(board, n, **json.loads((place / "bad.json").read_text())))
    cocotb.start_soon(cable(list(there.values())))
    await Timer(1, unit="us")
    for board in there.values():
        board.pins.reset.value = 0
    await Timer(400, unit="us")  # page maps and tags are swept
    ethernet_phy.time, session.time, ethernet_phy._LINK_SECONDS = Time(), Time(GAP), 0.005
    session.START_GAP, session._LOOK = GAP, 5e-4
    session.open_node = lambda path, baud, *about: BoardNode(there[path].link, *about)
    # A bridge has a single thread.
    session._side_by_side = lambda act: [act(number) for number in session.SIDES.values()]
    # The speed is the boards' own: no time waits for the host (test_exact_seeds.py has records).
    session.record.hindrance = lambda images: "no record here"
    phases = run_jobs.phases_of(record.seed, 1, record.check())
    await bridge(session.run)(place, ".", record, phases, nothing)
    for side, board in there.items():
        assert int(board.pins.linked.value) and not int(board.pins.failed.value)
        (place / f"{side}.frames").write_text("\n".join(board.received()))


@dataclasses.dataclass(frozen=True)
class Measured:
    """Files of the run on boards and of that of ``mcpi-sim``, and both's counters by node."""

    ours: Path
    sim: Path

    def counters(self) -> list[tuple[dict, dict]]:
        both = [json.loads((p / "counters.json").read_text()) for p in (self.ours, self.sim)]
        return list(zip(*(found["nodes"] for found in both), strict=True))

    def boards(self) -> list[dict]:
        return json.loads((self.ours / "boards.json").read_text())["boards"]


def measure(
    record: RunSpec, folder: Path, clocks: dict[str, tuple[int, int]], **bad: float
) -> Measured:
    machine, board = record.check(), boards.load("ecpix-5")
    source = cocotb_run.elaborate("BoardBench", record.machine, record.settings)
    below = source.parent / "cabled"
    graph.write(
        below / "CabledBoards.v",
        cabled.awake(source.read_text(), f"{below}/") + cabled.cabled(PUBLIC),
    )
    graph.write(below / "machine.json", source.with_name("machine.json").read_text())
    built = graph.build(dataclasses.replace(record, engine="rtl"), machine)
    found = Measured(folder / "boards", folder / "sim")
    for place in (found.ours, found.sim):
        run_folder.prepare(place, record, machine, built, [run_jobs.Job(1, run_jobs.REAL)])
    words = ["--measure-by-registers"]
    for node in (0, 1):
        words += ["--node", f"{node}:register.measure_from={record.warmup}"]
        words += ["--node", f"{node}:register.measure_to={record.warmup + record.round_trips}"]
    phases = run_jobs.phases_of(record.seed, 1, machine)
    words = simulate.command(built.simulator, found.sim, ".", record, phases, words)
    subprocess.run(words, cwd=found.sim, check=True, capture_output=True)
    (found.ours / "clocks.json").write_text(json.dumps(clocks))
    if bad:
        (found.ours / "bad.json").write_text(json.dumps(bad))
    (found.ours / "Node.json").write_text(source.with_name("Node.json").read_text())
    images = elf.read(built.pal, machine, "pal"), elf.read(built.image, machine)
    wakes = bram_image.contents(node_image.segments(*images), board.frames, board.page_bytes)
    # The file that RAM wakes with lies next to the Verilog, where two workers would meet.
    environment = pytest.MonkeyPatch.context()
    with hold(below.with_suffix(".lock"), "simulates two boards"), environment as patch:
        cabled.fill(wakes, below)
        patch.setenv(PLACE, str(found.ours))
        cocotb_run.simulate(below / "CabledBoards.v", Path(__file__), "ping_pong", named=False)
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    ("stack", "bad"), [("tcp", {}), ("rpc", {}), ("tcp", {"us": 20, "share": 0.05})]
)
def test_exact_time_is_the_simulators(tmp_path, stack, bad):
    """All counters of both, to the tick, over any cable of 100 Mb/s; each frame, in its tick."""
    record = dataclasses.replace(RECORD, stack=stack, peer_variant=RECORD.variant)
    found = measure(record, tmp_path, SIDES, **bad)
    assert all(about["phy"]["mode"].startswith("100BASE-TX") for about in found.boards())
    wanted = arrivals(found, record.check())
    for sender, side in ((1, "server"), (2, "client")):
        raw = [bytes.fromhex(one) for one in (found.ours / f"{side}.frames").read_text().split()]
        assert exact_model.frames(raw)[: len(wanted[sender])] == wanted[sender], side
    for (ours, sim), about in zip(found.counters(), found.boards(), strict=True):
        assert "live" not in about and about["embedded"] and not about["retries"]
        whole = ours["all"]
        speed, waits = whole["ticks"] / whole["clocks"], about["waits"] / whole["clocks"]
        print(f"{speed:.3f} ticks a clock; waits in {waits:.3f} of the clocks")
        assert bad or speed > 0.8
        for bank in ("all", "path"):
            for name, value in sim[bank].items():
                assert name in IN_CLOCKS or ours[bank][name] == value, f"{bank}.{name}"


def arrivals(found: Measured, machine: Machine) -> dict[int, list[tuple[int, bytes]]]:
    """Frames of the simulated wire by the sender's address, with the tick of the first nibble's
    arrival."""
    wanted, nibble = {1: [], 2: []}, 4 * machine.ticks_per_us // machine.parameters["link.mbps"]
    for ns, frame in pcap.stamped(found.sim / "wire.pcap"):
        sender = frame[11]
        phase = node_image.phase_from_seed(
            node_image.SIMULATORS_SEED, node_image.WIRE + sender - 1, nibble
        )
        first = -(-ns * machine.ticks_per_us // 1000)
        arrival = exact_model.Wire(nibble, phase=phase).arrival(first)
        wanted[sender].append((arrival, frame))
    return wanted


def sent(found: Measured) -> dict[int, list[str]]:
    """Frames on the simulated wire by the sender's address."""
    wanted = {1: [], 2: []}
    for frame in pcap.frames(found.sim / "wire.pcap"):
        wanted[frame[11]].append(frame.hex())
    assert len(wanted[1]) > 5 and len(wanted[2]) > 3
    return wanted


@pytest.mark.long
def test_round_trips_over_a_live_cable(tmp_path):
    """Each frame as on the simulated wire; what both machines did for it, within a hair."""
    found = measure(dataclasses.replace(RECORD, settings=FAST), tmp_path, SIDES)
    wanted = sent(found)
    for sender, side in ((1, "server"), (2, "client")):
        assert (found.ours / f"{side}.frames").read_text().split() == wanted[sender], side
    mode = ethernet_phy.Mode.of(dataclasses.replace(RECORD, settings=FAST).check())
    for n, about in enumerate(found.boards()):
        assert about["live"].startswith("lance.profile = ideal")
        assert about["phy"]["mode"] == str(mode)
        assert about["embedded"] and not about["retries"]
        gateway = about["gateway"]
        assert (gateway["sent"], gateway["received"]) == (len(wanted[n + 1]), len(wanted[2 - n]))
        assert not gateway["receive_errors"] + gateway["send_dropped"] + gateway["receive_dropped"]
    for ours, sim in found.counters():
        assert ours["path"]["invocations"] == sim["path"]["invocations"] == RECORD.round_trips
        for name, share in NEAR.items():
            assert ours["path"][name] == pytest.approx(sim["path"][name], rel=share), name


@dataclasses.dataclass(frozen=True)
class RoundTrip:
    """Round trip of a machine in real time: ``wall`` is what ``results.wall`` finds, ``simulated``
    the simulator's µs; ``unequal``: µs of each board by which its ticks and its clocks differ."""

    wall: dict[str, float]
    simulated: float
    unequal: list[float]

    @property
    def off(self) -> float:
        """By what share the round trip without gateways is not the simulator's."""
        return (self.wall["wall_us"] - self.wall["gateways_us"]) / self.simulated - 1


def real_time(record: RunSpec, folder: Path) -> RoundTrip:
    return round_trip(record, measure(record, folder, EXACT))


def round_trip(record: RunSpec, found: Measured) -> RoundTrip:
    machine, all_ = record.check(), [ours["all"] for ours, _ in found.counters()]
    per_us, mbps = machine.ticks_per_us, machine.parameters["link.mbps"]
    wall = results.wall(found.boards(), all_[0]["clocks"], record.round_trips, mbps)
    events = [results.measured(found.sim / "events.csv")]
    simulated = results.round_trip(events, record.round_trips, per_us)["mean_us"]
    unequal = [
        one["ticks"] / per_us - one["clocks"] * 1000 / about["clock_khz"]
        for one, about in zip(all_, found.boards(), strict=True)
    ]
    return RoundTrip(wall, simulated, unequal)


@pytest.mark.long
@pytest.mark.parametrize("stack", ["tcp", "rpc"])
@pytest.mark.parametrize("mbps", [10, 100])
def test_a_round_trip_takes_what_is_simulated(tmp_path, mbps, stack):
    """Between two boards, less the gateways' share. At 100 Mb/s a nibble has two ticks; a round
    trip is shorter and its phase tells more, so the mean is of more of them."""
    record = dataclasses.replace(REAL, stack=stack)
    if mbps == 100:
        settings = FAST | {"clock.ticks_per_us": "50"}
        record = dataclasses.replace(record, settings=settings, round_trips=40)
    found = real_time(record, tmp_path)
    assert abs(found.off) < SHARE, found
    assert max(map(abs, found.unequal)) <= found.wall["late_us"] < 100, found
    assert 2 * 57.6 - 0.1 <= found.wall["wire_alone_us"] * mbps / 10 < 200, found
